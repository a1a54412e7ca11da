struct ProductParams {
    first_row: u32,
    row_count: u32,
    slice_count: u32,
    parts: u32,
    shift: f32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}
