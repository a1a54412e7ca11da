//! Muscles with an elastic tendon: one limit under all rules.

use super::order_rules::{RULES, end};
use super::order_scenes::{Scene, muscle};

/// A mass between Thelen's muscle and a spring is at -1.864 mm after 0.2 s, whatever rule takes it there.
#[test]
fn all_rules_take_a_muscle_with_a_tendon_to_one_place() {
    for on_body in [false, true] {
        let model = if on_body { || muscle(1, true) } else { || muscle(1, false) };
        let scene = Scene { name: "muscle", model, end: 0.2, steps: 0 };
        for rule in RULES {
            let places = end(&scene, (rule.integrator)(), 2000);
            let off =
                places.iter().map(|x| x - 0.3).find(|off| off.abs() < 0.1 && *off != 0.0).unwrap();
            let allowed = if rule.order > 1.0 { 1e-6 } else { 1e-5 };
            assert!((off + 1.864e-3).abs() < allowed, "{}, {on_body}: {off}", rule.name);
        }
    }
}
