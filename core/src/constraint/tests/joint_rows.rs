//! Rows by functions of relative poses: coefficients against differences of values, at a placement and
//! over a step; curvature against differences of coefficients.

use std::sync::Arc;

use nalgebra::UnitQuaternion;

use super::*;
use crate::Mat3;
use crate::constraint::spatial::Function;
use crate::constraint::{
    JointLaw, JointNumber, JointRows, JointTerm, PlacedJoint, Placement, Site, SiteBase,
};
use crate::dynamics::advanced_by_cayley;

/// Two bodies: block rows 0 and 1, 2 and 3.
#[derive(Clone)]
struct Bodies {
    q: Vec<Vec3>,
    turns: [UnitQuaternion<f64>; 2],
}

impl Bodies {
    fn matrices(&self) -> Vec<Mat3> {
        self.turns.iter().map(|turn| turn.to_rotation_matrix().into_inner()).collect()
    }

    /// Moved by mean velocities over a step, as a step moves them.
    fn advanced(&self, y: &[Vec3], h: f64) -> Self {
        let mut next = self.clone();
        for body in 0..2 {
            next.q[2 * body] += y[2 * body] * h;
            next.turns[body] = advanced_by_cayley(&self.turns[body], &(y[2 * body + 1] * h));
        }
        next
    }
}

/// Both frames off the centres of mass, D at `coordinates` from C, and the bodies somewhere.
fn scene(law: &JointLaw, coordinates: &[f64]) -> (Arc<PlacedJoint>, Bodies) {
    let site = |body: u32, at: [f64; 6]| Site {
        base: SiteBase::Body(body, 2 * body),
        pose: displacement(&at, 0.5, 2.0),
    };
    let (c, d) =
        (site(0, [0.3, -0.2, 0.1, 0.4, 0.5, -0.6]), site(1, [-0.1, 0.6, 0.4, -0.2, 0.1, 0.7]));
    let base = displacement(&[0.2, -0.5, 0.9, 0.3, 0.8, -0.4], 1.0, 1.5);
    // A little off the assembly, where terms count that vanish on it.
    let off = Pose::new(Vec3::new(0.011, -0.013, 0.017), Vec3::new(0.03, 0.02, -0.05));
    let a = base * d.pose * law.pose(coordinates) * off * c.pose.inverse();
    let bodies = Bodies {
        q: vec![a.translation.vector, Vec3::zeros(), base.translation.vector, Vec3::zeros()],
        turns: [a.rotation, base.rotation],
    };
    let start = coordinates.to_vec();
    (Arc::new(PlacedJoint { law: law.clone(), c, d, first: 0, start }), bodies)
}

/// A row a number of the joint; and one of the square and the sum of its coordinates.
fn rows(joint: &Arc<PlacedJoint>) -> JointRows {
    let mut rows = JointRows::default();
    let errors = (0..joint.law.row_count() as u8).map(JointNumber::Error);
    let coordinates = (0..joint.start.len() as u8).map(JointNumber::Coordinate);
    for number in errors.chain(coordinates.clone()) {
        rows.push([JointTerm::of(joint, number)]);
    }
    let polynomial = vec![0.3, -1.2, 0.7];
    let curve = Function::Sine { amplitude: 0.4, omega: 1.3, phase: 0.2, offset: 0.1 };
    rows.push(coordinates.map(|number| JointTerm {
        polynomial: polynomial.clone(),
        curve: Some(Arc::new(curve.clone())),
        ..JointTerm::of(joint, number)
    }));
    rows
}

fn y() -> Vec<Vec3> {
    vec![
        Vec3::new(0.3, -0.7, 0.4),
        Vec3::new(0.8, 0.5, -0.9),
        Vec3::new(-0.6, 0.2, 0.5),
        Vec3::new(-0.4, 1.1, 0.3),
    ]
}

fn value(rows: &JointRows, row: usize, bodies: &Bodies) -> f64 {
    let turns = bodies.matrices();
    rows.value(row, Placement { q: &bodies.q, turns: &turns, coordinates: &[] })
}

/// Coefficients by block row, at the mean of two placements.
fn coefficients(rows: &JointRows, row: usize, ends: [&Bodies; 2]) -> Vec<Vec3> {
    vectors(rows, row, ends, None)
}

/// The same, corrected for a step of a length [s].
fn corrected(rows: &JointRows, row: usize, ends: [&Bodies; 2], h: f64) -> Vec<Vec3> {
    vectors(rows, row, ends, Some(h))
}

fn vectors(rows: &JointRows, row: usize, [a, b]: [&Bodies; 2], step: Option<f64>) -> Vec<Vec3> {
    let q: Vec<Vec3> = a.q.iter().zip(&b.q).map(|(a, b)| (a + b) * 0.5).collect();
    let turns = a.matrices().into_iter().zip(b.matrices()).map(|(a, b)| (a + b) * 0.5);
    let turns: Vec<Mat3> = turns.collect();
    let list = &rows.lists()[row];
    let mut values = vec![Vec3::zeros(); list.len()];
    let at = Placement { q: &q, turns: &turns, coordinates: &[] };
    rows.coefficients(row, at, &mut values);
    if let Some(h) = step {
        let rate = (value(rows, row, b) - value(rows, row, a)) / h;
        rows.meet(row, at, (&y(), rate, h), &mut values);
    }
    let mut full = vec![Vec3::zeros(); 4];
    list.iter().zip(values).for_each(|(&block, value)| full[block as usize] = value);
    full
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

/// Change of a value over a step less what the coefficients at the mean say.
fn defect(rows: &JointRows, row: usize, start: &Bodies, h: f64) -> f64 {
    let y = y();
    let end = start.advanced(&y, h);
    let change = value(rows, row, &end) - value(rows, row, start);
    change - h * dot(&coefficients(rows, row, [start, &end]), &y)
}

fn each(mut check: impl FnMut(&str, &JointRows, usize, &Bodies)) {
    for kind in kinds() {
        let coordinates = regular_coordinates(&kind, &[0.3, -0.4, 0.5, 0.2, -0.3, 0.4]);
        let (joint, bodies) = scene(&kind.into(), &coordinates);
        let rows = rows(&joint);
        (0..rows.count()).for_each(|row| check(kind.name(), &rows, row, &bodies));
    }
}

#[test]
fn coefficients_are_the_derivatives_of_values() {
    each(|name, rows, row, bodies| {
        let found = dot(&coefficients(rows, row, [bodies; 2]), &y());
        let at = |h: f64| value(rows, row, &bodies.advanced(&y(), h));
        let expected = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((found - expected).abs() < 1e-7, "{name} row {row}: {found} {expected}");
    });
}

/// A tenth of the step leaves a thousandth of the defect.
#[test]
fn the_mean_of_a_step_gives_the_difference_of_values_to_third_order() {
    each(|name, rows, row, bodies| {
        let [long, short] = [0.02, 0.002].map(|h| defect(rows, row, bodies, h));
        assert!(short.abs() < 4e-3 * long.abs() + 1e-13, "{name} row {row}: {long} {short}");
    });
}

#[test]
fn corrected_rows_give_the_difference_of_values_over_any_step() {
    each(|name, rows, row, bodies| {
        for h in [1e-4, 0.02, 0.2] {
            let end = bodies.advanced(&y(), h);
            let change = value(rows, row, &end) - value(rows, row, bodies);
            let made = h * dot(&corrected(rows, row, [bodies, &end], h), &y());
            assert!((made - change).abs() < 1e-13, "{name} row {row}: {made} {change}");
        }
    });
}

/// A tenth of the step leaves a hundredth of the correction.
#[test]
fn corrections_are_of_second_order_in_the_step() {
    each(|name, rows, row, bodies| {
        let [long, short] = [0.02, 0.002].map(|h| {
            let end = bodies.advanced(&y(), h);
            let before = coefficients(rows, row, [bodies, &end]);
            let after = corrected(rows, row, [bodies, &end], h);
            before.iter().zip(after).map(|(a, b)| (a - b).norm_squared()).sum::<f64>().sqrt()
        });
        assert!(short < 0.04 * long + 1e-10, "{name} row {row}: {long} {short}");
    });
}

#[test]
fn forces_of_a_row_over_a_step_are_opposite_about_any_point() {
    each(|name, rows, row, bodies| {
        let end = bodies.advanced(&y(), 0.3);
        let ends = [bodies, &end];
        for g in [coefficients(rows, row, ends), corrected(rows, row, ends, 0.3)] {
            let mean = |k: usize| (bodies.q[k] + end.q[k]) * 0.5;
            let moments = mean(0).cross(&g[0]) + g[1] + mean(2).cross(&g[2]) + g[3];
            assert!((g[0] + g[2]).norm() < 1e-12 && moments.norm() < 1e-12, "{name} row {row}");
        }
    });
}

#[test]
fn curvature_is_the_derivative_of_coefficients() {
    each(|name, rows, row, bodies| {
        let turns = bodies.matrices();
        let at = Placement { q: &bodies.q, turns: &turns, coordinates: &[] };
        let mut hessian = vec![[Mat3::zeros(); 4]; 4];
        let mut add = |i: u32, j: u32, block: Mat3| hessian[i as usize][j as usize] += block;
        let mut bending = None;
        rows.add_bending((row, 1.0), at, &mut bending, &mut add);
        bending.iter().for_each(|it| it.finish(&mut add));
        let y = y();
        let found: f64 = (0..16).map(|k| y[k / 4].dot(&(hessian[k / 4][k % 4] * y[k % 4]))).sum();
        // Second difference along turns at constant rate, which the symmetric part is of.
        let value = |h: f64| value(rows, row, &bodies.advanced(&y, h));
        let expected = (value(1e-3) - 2.0 * value(0.0) + value(-1e-3)) / 1e-6;
        let scale = 1.0 + found.abs();
        assert!((found - expected).abs() < 1e-4 * scale, "{name} row {row}: {found} {expected}");
    });
}

/// Turning about the axis of a hinge whose frame D is still, the difference is met to rounding.
#[test]
fn an_angle_about_a_fixed_axis_is_met_exactly_over_any_step() {
    let (c, d) = (Pose::translation(0.1, 0.2, 0.0), Pose::identity());
    let c = Site { base: SiteBase::Body(0, 0), pose: c };
    let d = Site { base: SiteBase::Ground, pose: d };
    let (law, start) = (JointKind::Hinge.into(), vec![0.0]);
    let joint = Arc::new(PlacedJoint { law, c, d, first: 0, start });
    let mut rows = JointRows::default();
    rows.push([JointTerm::of(&joint, JointNumber::Coordinate(0))]);
    let turns = [UnitQuaternion::identity(); 2];
    let start = Bodies { q: vec![Vec3::new(-0.1, -0.2, 0.0); 4], turns };
    let y = vec![Vec3::new(0.3, -0.1, 0.0), Vec3::z() * 5.0, Vec3::zeros(), Vec3::zeros()];
    for h in [0.01, 0.1, 0.3] {
        let end = start.advanced(&y, h);
        let change = value(&rows, 0, &end) - value(&rows, 0, &start);
        let found = h * dot(&coefficients(&rows, 0, [&start, &end]), &y);
        assert!((found - change).abs() < 1e-14 && change > 4.0 * h, "{found} {change}");
    }
}

#[test]
fn a_coordinate_that_is_locked_is_counted_from_what_the_state_says() {
    let law = JointKind::Hinge.into();
    let (joint, bodies) = scene(&law, &[0.4]);
    let mut rows = JointRows::default();
    let term = JointTerm::of(&joint, JointNumber::Coordinate(0));
    rows.push([JointTerm { from_locked: true, ..term.clone() }]);
    rows.push([term]);
    let turns = bodies.matrices();
    let of = |row: usize, coordinates: &[f64]| {
        rows.value(row, Placement { q: &bodies.q, turns: &turns, coordinates })
    };
    let angle = of(1, &[]);
    assert!((of(0, &[]) - (angle - 0.4)).abs() < 1e-14, "from the start where none is known");
    let turned = 0.3 + 3.0 * std::f64::consts::TAU;
    assert!((of(1, &[turned]) - (angle + 3.0 * std::f64::consts::TAU)).abs() < 1e-13);
    assert!((of(0, &[turned]) - (angle - 0.3)).abs() < 1e-13);
}
