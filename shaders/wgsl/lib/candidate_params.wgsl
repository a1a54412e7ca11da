// Parameters of the kernels over queries.

struct CandidateParams {
    // Vertices and edges that candidates are looked for.
    query_count: u32,
    // Workgroups that share them.
    group_count: u32,
    // Levels above the leaves.
    level_count: u32,
    // Roots of all trees.
    root_count: u32,
    // Boxes of all levels.
    box_count: u32,
    // 1 where vertices may be behind faces: those of another surface.
    has_inside: u32,
    // Pairs that the list has room for.
    capacity: u32,
    // Fills 16 bytes.
    padding: u32,
}
