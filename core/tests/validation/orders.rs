//! Orders of all rules on every kind of component: scenes and measurement in core/tests/orders.

use std::sync::LazyLock;

use super::order_rules::{RULES, order};
use super::order_scenes::SCENES;
use super::table::{Group, Row};

/// Tolerance of a measured order; more than a rule's order is never wrong.
const ALLOWED: f64 = 0.35;

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let pairs = SCENES.iter().flat_map(|scene| RULES.iter().map(move |rule| (scene, rule)));
    let row = |(scene, rule)| {
        let scene: &super::order_scenes::Scene = scene;
        let rule: &super::order_rules::Rule = rule;
        let (found, expected) = order(scene, rule);
        let missing = if found > expected { 0.0 } else { expected - found };
        // Further digits are those of the steps, not of the rule.
        let shown = (found * 10.0).round() / 10.0;
        Row::new(scene.name, rule.name, (expected, shown), ALLOWED).with_error(missing)
    };
    pairs.map(row).collect()
});

pub(crate) fn groups() -> Vec<Group> {
    vec![Group {
        title: "Orders of the rules",
        text: "Orders by which errors fall when the step is halved, beside those of the rules: the largest error of a place or velocity at the end, \
               against the end of the classical Runge-Kutta rule with small steps. Metric: the rule; reference and ours: its order; error: what is \
               missing of it. A free body turns by a rule of its own, of second order at least.",
        rows: ROWS.clone(),
    }]
}

#[test]
fn rules_have_their_orders_on_every_kind_of_component() {
    let groups = groups();
    groups.iter().for_each(|group| println!("{}", group.render()));
    groups.iter().for_each(Group::check);
}
