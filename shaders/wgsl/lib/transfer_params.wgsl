struct TransferParams {
    aggregate_count: u32,
    row_count: u32,
    of_row: u32,
    r: u32,
    d: u32,
    x: u32,
    coarse_r: u32,
    coarse_d: u32,
    coarse_x: u32,
    coefficient: u32,
    factor: f32,
    size: u32,
}
