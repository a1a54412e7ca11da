struct StepParams {
    row_count: u32,
    field_count: u32,
    first_factor: u32,
    padding: u32,
}

struct LeftParams {
    point_count: u32,
    stress_count: u32,
    first_left: u32,
    weight_place: u32,
}

struct SupportParams {
    support_count: u32,
    first_factor: u32,
    padding_0: u32,
    padding_1: u32,
}

struct BorderParams {
    row_count: u32,
    entry_count: u32,
    padding_0: u32,
    padding_1: u32,
}
