//! Rules of integration on motions that they once got wrong, and states before the first step.
//! Their orders on the same scenes are measured in core/tests/validation.

mod muscles;
mod natural;
mod natural_trees;
// The orders are measured in core/tests/validation.
#[allow(dead_code)]
#[path = "rules.rs"]
mod order_rules;
#[allow(dead_code)]
#[path = "scenes.rs"]
mod order_scenes;
mod regressions;
// The mechanisms of the tests of bodies, of which not all are integrated here.
#[allow(dead_code)]
#[path = "../bodies/scenes.rs"]
mod scenes;
mod starts;
mod variable;
