// For laws without a value where the volume is not positive. What is not a number passes, to be found
// in the motion.
fn has_value(h: mat3x3<real>) -> bool {
    return !(volume_change(h) <= -1.0);
}

fn flag_inverted(e: u32) {
    atomicMin(&status[STATUS_INVERTED], params.first_element + e);
}
