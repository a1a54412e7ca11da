// Change of volume of finite strains: J - 1.

fn volume_frame(e: u32) -> mat3x3<real> {
    return IDENTITY;
}

fn dilatation(h: mat3x3<real>, frame: mat3x3<real>) -> real {
    return volume_change(h);
}

// Its change with h by g: J F^-T : g, without a quotient.
fn dilatation_rate(h: mat3x3<real>, frame: mat3x3<real>, g: mat3x3<real>) -> real {
    return contract(cofactors(h + IDENTITY), g);
}
