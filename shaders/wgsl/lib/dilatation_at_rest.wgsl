// Change of volume of a law that is linear in the frame of the rest shape: the trace of its strain.

fn volume_frame(e: u32) -> mat3x3<real> {
    return IDENTITY;
}

fn dilatation(h: mat3x3<real>, frame: mat3x3<real>) -> real {
    return trace(h);
}

fn dilatation_rate(h: mat3x3<real>, frame: mat3x3<real>, g: mat3x3<real>) -> real {
    return trace(g);
}
