struct SolveParams {
    row_count: u32,
    partial_count: u32,
    r: u32,
    z: u32,
}
