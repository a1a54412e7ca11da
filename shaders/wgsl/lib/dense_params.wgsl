struct DenseParams {
    size: u32,
    row_count: u32,
    pivot: u32,
    first_row: u32,
    slice_count: u32,
    shift: f32,
    r: u32,
    x: u32,
    matrix_rows: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}
