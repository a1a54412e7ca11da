//! Orders of all rules on every kind of component.

mod muscles;
mod regressions;
mod rules;
mod scenes;
mod starts;

use rules::{RULES, order};
use scenes::SCENES;

/// Halving the step must divide the error by two to the order of the rule, against the end of the classical
/// Runge-Kutta rule with small steps.
#[test]
fn rules_have_their_orders_on_every_kind_of_component() {
    let mut off = Vec::new();
    for (scene, rule) in SCENES.iter().flat_map(|scene| RULES.iter().map(move |rule| (scene, rule)))
    {
        let (found, expected) = order(scene, rule);
        println!("{:34} {:24} {found:.3}", scene.name, rule.name);
        if !((found - expected).abs() < 0.35 || found > expected) {
            off.push(format!("{}, {}: order {found:.3}, not {expected}", scene.name, rule.name));
        }
    }
    assert!(off.is_empty(), "{off:#?}");
}
