struct ProductParams {
    first_row: u32,
    row_count: u32,
    slice_count: u32,
    parts: u32,
    shift: f32,
    matrix_rows: u32,
    padding_0: u32,
    padding_1: u32,
}
