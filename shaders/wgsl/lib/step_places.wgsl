struct StepParams {
    row_count: u32,
    field_count: u32,
    first_factor: u32,
    padding: u32,
}

struct SupportParams {
    support_count: u32,
    first_factor: u32,
    padding_0: u32,
    padding_1: u32,
}
