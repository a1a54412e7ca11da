// Change of volume of a law that is linear in the frame R of its element: the trace of its strain, sym(R^T F) - I.

fn volume_frame(e: u32) -> mat3x3<real> {
    return polar_rotation(centre_gradient(e, mat3x3<real>()) + IDENTITY);
}

// As the strain itself from that of Green and Lagrange, where errors of e and w count only times strain.
fn dilatation(h: mat3x3<real>, frame: mat3x3<real>) -> real {
    let turned = transpose(frame) * (h + IDENTITY);
    let e = sym(turned) - IDENTITY;
    let w = (turned - transpose(turned)) * 0.5;
    return trace(green_strain(h)) - (contract(e, e) + contract(w, w)) * 0.5;
}

fn dilatation_rate(h: mat3x3<real>, frame: mat3x3<real>, g: mat3x3<real>) -> real {
    return contract(frame, g);
}
