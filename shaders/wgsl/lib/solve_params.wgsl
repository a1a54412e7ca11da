struct SolveParams {
    row_count: u32,
    group_count: u32,
    partial_count: u32,
    rr: u32,
    rz: u32,
    r: u32,
    z: u32,
    d: u32,
    coefficient: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}
