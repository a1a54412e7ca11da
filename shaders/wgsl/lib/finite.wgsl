// Neither infinite nor not a number: by its bits, since compilers may assume that comparisons see
// numbers only.
fn is_finite(x: real) -> bool {
    return (bitcast<u32>(f32(x)) & 0x7f800000u) != 0x7f800000u;
}

fn is_positive(x: real) -> bool {
    return is_finite(x) && x > 0.0;
}
