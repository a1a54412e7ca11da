// For elements whose volume counts at their points, as a part of their law.

fn pressure_in_stiffness(i: u32) -> vec2<real> {
    return vec2<real>();
}

fn add_pressure(sum: mat3x3<real>, i: u32, l: mat3x3<real>) -> mat3x3<real> {
    return sum;
}

fn write_modes(first: u32, i: u32, volume: real) {
}
