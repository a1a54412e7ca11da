//! Points that move in their bodies with coordinates of joints, points that come and go, surfaces with a side: energy,
//! moment arms against differences of lengths, the same bits on other threads.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, hinge, in_plane, shift, solid_box};
use sinew::Vec3;
use sinew::axial::{AxialLaw, Constants, Value};
use sinew::component::Handle;
use sinew::constraint::spatial::{Function, Spline};
use sinew::model::{
    AxialSpring, FrameMarker, FrameSite, Joint, JointCoordinate, MarkerRange, Model,
    MultiPointSpring, Particle, PointAxis, PointMove, RigidBody, WrapSide, WrapSurface,
};
use sinew::property::Pose;
use sinew::state::State;
use sinew::system::{MechSystem, coordinate_motions, moment_arms_of};

/// A thigh on a hinge at the origin and a shank on another, both turned about z.
struct Leg {
    model: Model,
    thigh: Handle<RigidBody>,
    shank: Handle<RigidBody>,
    knee: Handle<Joint>,
}

fn leg([hip, bend]: [f64; 2]) -> Leg {
    let mut model = in_plane(0.0);
    model.set_gravity(Vec3::new(0.0, -9.81, 0.0));
    let turn = |angle: f64| Pose::new(Vec3::zeros(), Vec3::z() * angle);
    let upper = turn(hip);
    let lower = upper * shift(0.4, 0.0, 0.0) * turn(bend);
    let bar = |name: &str| solid_box(name, 2.0, [0.4, 0.05, 0.05]);
    let thigh = model.add(bar("thigh").at(upper * shift(0.2, 0.0, 0.0)));
    let shank = model.add(bar("shank").at(lower * shift(0.2, 0.0, 0.0)));
    hinge(&mut model, [Some(thigh), None], Vec3::zeros(), Vec3::z());
    let at = lower.translation.vector;
    let knee = hinge(&mut model, [Some(shank), Some(thigh)], at, Vec3::z());
    Leg { model, thigh, shank, knee }
}

impl Leg {
    /// The value of the coordinate of the knee at the start: the frames of the hinge are those of the start.
    fn knee(&self) -> JointCoordinate {
        JointCoordinate::new(self.knee, "theta")
    }
}

/// A spring from the ground to a point of the shank that moves by a spline and a parabola of the knee.
fn swinging(angles: [f64; 2]) -> (Leg, Handle<AxialSpring>, Handle<FrameMarker>) {
    let mut leg = leg(angles);
    let spline = Spline::new(vec![-1.5, -0.5, 0.3, 1.2], vec![0.05, 0.11, 0.08, 0.16]).unwrap();
    let moves = vec![
        PointMove { axis: PointAxis::X, of: leg.knee(), function: Function::Spline(spline) },
        PointMove {
            axis: PointAxis::Y,
            of: leg.knee(),
            function: Function::Polynomial(vec![0.03, 0.05, -0.02]),
        },
    ];
    let point = FrameMarker { moves, ..FrameMarker::new(leg.shank, Vec3::z() * 0.01) };
    let point = leg.model.add(point);
    let origin = leg.model.add(Particle::new(1.0, Vec3::new(0.1, 0.3, 0.0)).fixed());
    let mut law = AxialLaw::from_name("linear").unwrap();
    law.set("stiffness", Value::Number(150.0)).unwrap();
    let spring = AxialSpring {
        rest_length: 0.3,
        ..AxialSpring::with_law([sinew::model::PointRef::from(origin), point.into()], law)
    };
    let spring = leg.model.add(spring);
    (leg, spring, point)
}

#[test]
fn a_spring_on_a_moving_point_keeps_the_energy_of_a_swinging_leg() {
    let drift = |h: f64| {
        let (leg, spring, point) = swinging([-0.4, 0.7]);
        let mut runner = Runner::new(&leg.model, TRAPEZOIDAL);
        let start = runner.energy();
        let (mut worst, mut stored) = (0.0f64, 0.0f64);
        let arm = |runner: &Runner| {
            let pose = runner.pose(leg.shank);
            pose.inverse_transform_point(&runner.place(point).into()).coords
        };
        let (first, mut moved) = (arm(&runner), 0.0f64);
        for _ in 0..(0.15 / h) as usize {
            runner.step(h);
            let bend = runner.state.coordinates[1];
            assert!(bend.abs() < 2.0, "the knee is bent by {bend} rad at {} s", runner.state.time);
            worst = worst.max((runner.energy() - start).abs());
            let energy = runner.compiled.stretch_of(spring, &runner.state).unwrap()[3];
            stored = stored.max(energy);
            moved = moved.max((arm(&runner) - first).norm());
        }
        assert!(moved > 0.02 && stored > 0.5, "{moved} m, {stored} J");
        worst
    };
    let [coarse, fine] = [2e-3, 1e-3].map(drift);
    // Of second order.
    assert!(fine < 5e-3 && fine < 0.35 * coarse, "{coarse} {fine}");
}

#[test]
fn the_rate_of_a_length_to_a_moving_point_is_that_of_differences() {
    for angles in [[-0.4, 0.7], [0.3, -0.9], [1.1, 0.2]] {
        // The frames of both hinges are made at the start: a change there is one of the coordinates.
        let (leg, spring, _) = swinging(angles);
        let compiled = leg.model.compile().unwrap();
        let state = compiled.initial_state();
        let motions = coordinate_motions(&compiled, &state);
        assert_eq!(motions.len(), 2);
        let arms = moment_arms_of(&compiled, spring, &state).unwrap();
        let mut runner = Runner::new(&leg.model, EULER);
        for (k, motion) in motions.into_iter().enumerate() {
            let u = motion.unwrap();
            let d = 1e-5;
            let lengths = [-d, d].map(|d| {
                let mut moved = state.clone();
                for body in [leg.thigh, leg.shank] {
                    let row = compiled.body_rows(body).unwrap().row as usize;
                    moved.q[row] += u[row] * d;
                    let turn = nalgebra::UnitQuaternion::new(u[row + 1] * d)
                        * nalgebra::UnitQuaternion::new(moved.q[row + 1]);
                    moved.q[row + 1] = turn.scaled_axis();
                }
                runner.state = moved;
                placed_length(&runner, spring)
            });
            let slope = (lengths[1] - lengths[0]) / (2.0 * d);
            assert!((slope + arms[k]).abs() < 1e-8, "{angles:?} {k}: {slope} {}", arms[k]);
            assert!(arms[k].abs() > 1e-3, "{angles:?} {k}");
        }
    }
}

/// Length [m] of a spring with its points where bodies have them.
fn placed_length(runner: &Runner, spring: Handle<AxialSpring>) -> f64 {
    let multibody = runner.compiled.multibody().unwrap();
    let mut state: State = runner.state.clone();
    let mut turns = vec![sinew::Mat3::zeros(); multibody.bodies.len()];
    multibody.update_turns(&state.q, &mut turns);
    multibody.place_attached(&mut turns, &mut state.q);
    runner.compiled.stretch_of(spring, &state).unwrap()[0]
}

#[test]
fn moving_points_go_on_with_the_same_bits_from_a_state_and_on_other_threads() {
    let (leg, ..) = swinging([-0.4, 0.7]);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut runner = Runner::new(&leg.model, EULER);
            runner.steps(2e-3, 40);
            let kept = runner.state.clone();
            runner.steps(2e-3, 40);
            let mut other = Runner::new(&leg.model, EULER);
            other.state = kept;
            other.steps(2e-3, 40);
            assert_eq!(runner.state.q, other.state.q);
            runner.state.q
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn a_path_goes_through_a_point_while_its_coordinate_is_in_the_range() {
    let (mut leg, ..) = swinging([0.0, 0.0]);
    let active = Some(MarkerRange { of: leg.knee(), range: [0.1, 2.0] });
    let via = FrameMarker { active, ..FrameMarker::new(leg.thigh, Vec3::new(0.1, 0.2, 0.0)) };
    let via = leg.model.add(via);
    let ends = [(leg.thigh, -0.1), (leg.shank, 0.1)]
        .map(|(body, x)| leg.model.add(FrameMarker::new(body, Vec3::new(x, 0.05, 0.0))));
    let law = AxialLaw::from_name("linear").unwrap();
    let points = vec![ends[0].into(), via.into(), ends[1].into()];
    let path = leg.model.add(MultiPointSpring::new(points, law));
    let mut runner = Runner::new(&leg.model, EULER);
    let mut seen = [0, 0];
    for _ in 0..150 {
        runner.step(2e-3);
        let [a, b, c] = [ends[0], via, ends[1]].map(|point| runner.place(point));
        let angle = runner.state.coordinates[1];
        let through = (0.1 - 1e-5..=2.0 + 1e-5).contains(&angle);
        let expected = if through { (b - a).norm() + (c - b).norm() } else { (c - a).norm() };
        let found = runner.compiled.stretch_of_line(path, &runner.state).unwrap()[0];
        assert!((found - expected).abs() < 1e-14, "{angle}: {found} {expected}");
        seen[usize::from(through)] += 1;
    }
    assert!(seen[0] > 10 && seen[1] > 10, "{seen:?}");
}

#[test]
fn a_cylinder_with_a_side_leads_back_a_path_that_passes_on_the_other() {
    let length = |side: WrapSide, x: f64| {
        let mut model = in_plane(0.0);
        let ends = [-1.0, 1.0].map(|y| model.add(Particle::new(1.0, Vec3::new(x, y, 0.0)).fixed()));
        let pulley = WrapSurface::cylinder(FrameSite::ground(Pose::identity()), 0.2);
        let pulley = model.add(WrapSurface { side, ..pulley });
        let points = ends.map(Into::into).to_vec();
        let law = AxialLaw::from_name("linear").unwrap();
        let line = model.add(MultiPointSpring::new(points, law).over(pulley));
        let compiled = model.compile().unwrap();
        compiled.stretch_of_line(line, &compiled.initial_state()).unwrap()[0]
    };
    for x in [-0.15, -0.3] {
        // Two tangents, and the arc of the far side between them.
        let back = 2.0 * ((1.0f64 + x * x - 0.04).sqrt())
            + 0.2
                * (std::f64::consts::PI + 2.0 * (-x).atan2(1.0)
                    - 2.0 * (0.2 / x.hypot(1.0)).acos());
        let found = length(WrapSide::PositiveX, x);
        assert!((found - back).abs() < 1e-13, "{x}: {found} {back}");
    }
    assert!((length(WrapSide::Any, -0.3) - 2.0).abs() < 1e-15);
    assert!((length(WrapSide::PositiveX, 0.3) - 2.0).abs() < 1e-15);
    let found = length(WrapSide::PositiveX, 0.1);
    assert!((found - length(WrapSide::Any, 0.1)).abs() < 1e-14 && found > 2.0, "{found}");
}
