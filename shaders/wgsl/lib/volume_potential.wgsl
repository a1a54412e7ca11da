// U' and U'' at the change of volume J - 1, of an energy of the volume with this modulus, that of ln J where `logarithmic` is 1.
fn potential_slopes(modulus: real, logarithmic: real, change: real) -> vec2<real> {
    if logarithmic == 0.0 {
        return vec2<real>(modulus * change, modulus);
    }
    let j = 1.0 + change;
    let pressure = modulus * ln_1p(change) / j;
    return vec2<real>(pressure, (modulus / j - pressure) / j);
}
