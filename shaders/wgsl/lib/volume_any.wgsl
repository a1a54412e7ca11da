// For laws that have a value everywhere.
fn has_value(h: mat3x3<real>) -> bool {
    return true;
}

fn flag_inverted(e: u32) {
}
