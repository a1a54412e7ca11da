//! Pictures without a window, against those that are kept in `golden/`, and what each option does to one.

mod common;

use common::{beam, golden, view_of};

#[test]
fn a_bent_beam_looks_as_it_did() {
    golden("beam", &beam(), &view_of(&beam(), "iso"));
}
