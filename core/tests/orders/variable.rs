//! Rules of variable step on models: published motions, drift, impacts and events at their exact times, what is refused.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Compliance;
use sinew::constraint::{JointKind, Pose};
use sinew::contact::ContactLaw;
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    Collider, CollisionBehavior, Event, FrameSite, Inertia, Joint, Model, Particle, RigidBody,
};
use sinew::ode::Method;
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings, VariableStep};

use crate::order_rules::end;
use crate::order_scenes::SCENES;
use crate::scenes::{Runner, about_y, bricard, double_pendulum, four_bar, in_plane, rod};

pub(crate) const METHODS: [Method; 4] =
    [Method::RungeKuttaFehlberg, Method::DormandPrince, Method::Adams, Method::Radau];

fn variable(method: Method, tolerance: f64) -> Integrator {
    let (relative, absolute) = (tolerance, tolerance);
    Integrator::Variable(VariableStep { method, relative, absolute, ..VariableStep::default() })
}

/// Every kind of force and memory moves as under many steps of the classical Runge-Kutta rule.
#[test]
fn scenes_of_every_kind_end_where_fine_steps_of_runge_kutta_end() {
    for scene in SCENES {
        let reference = end(scene, Integrator::RungeKutta4, 4 * scene.steps);
        let size = reference.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let stiff = scene.name.contains("uscle") || scene.name.contains("Maxwell");
        for method in METHODS.into_iter().filter(|&it| it != Method::Radau || stiff) {
            let found = end(scene, variable(method, 1e-9), 4);
            let apart =
                found.iter().zip(&reference).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            assert!(apart < 2e-6 * size, "{}, {method:?}: {apart:e} of {size}", scene.name);
        }
    }
}

/// MB-A01-pendulum: x at every second [m].
const PENDULUM_X: [f64; 11] = [
    -1.0,
    0.9862917511318754,
    -0.7935661953433208,
    0.1766517899228403,
    0.5775636282486326,
    -0.9423054350437567,
    0.9994975399393528,
    -0.9986187791754799,
    0.9198579831077399,
    -0.4983737090575599,
    -0.275087462576122,
];

#[test]
fn a_pendulum_is_where_its_elliptic_functions_have_it_and_stays_on_its_rod() {
    for method in METHODS {
        let mut model = in_plane(9.81);
        let bob = model.add(Particle::new(1.0, Vec3::x() * -1.0));
        rod(&mut model, bob, None);
        let mut runner = Runner::new(&model, variable(method, 1e-11));
        let start = runner.energy();
        for expected in &PENDULUM_X[1..=3] {
            for _ in 0..10 {
                runner.step(0.1);
                assert!(runner.drift() < 1e-10, "{method:?}: {:e}", runner.drift());
            }
            let x = runner.place(bob).x;
            assert!((x - expected).abs() < 1e-6, "{method:?}: {x}, {expected}");
        }
        let change = (runner.energy() - start).abs();
        assert!(change < 1e-6, "{method:?}: {change:e}");
    }
}

/// Angles of MB-double-pendulum at 2 s.
pub(crate) fn check_double_pendulum(integrator: Integrator) {
    let (model, [a, b]) = double_pendulum();
    let mut runner = Runner::new(&model, integrator);
    for _ in 0..20 {
        runner.step(0.1);
        assert!(runner.drift() < 1e-10, "{integrator:?}: {:e}", runner.drift());
    }
    let [a, b] = [a, b].map(|p| runner.place(p));
    let angles = [a, b - a].map(|v| v.x.atan2(-v.y));
    for (angle, expected) in angles.iter().zip([-0.4829715342517698, -1.3240487123022966]) {
        assert!((angle - expected).abs() < 1e-6, "{integrator:?}: {angle}, {expected}");
    }
}

#[test]
fn a_double_pendulum_moves_as_published() {
    METHODS.iter().for_each(|&method| check_double_pendulum(variable(method, 1e-10)));
}

/// MB-A04-bricard, whose rows depend on each other: place of P3 after a quarter of a second. The run up to there.
pub(crate) fn check_bricard(integrator: Integrator) -> Runner {
    let (model, third) = bricard();
    let mut runner = Runner::new(&model, integrator);
    runner.steps(0.125, 2);
    let end = runner.point(third, Vec3::x() * 0.5);
    let apart =
        (end - Vec3::new(0.9980925029676071, -1.0599397876777203, 0.9382638232488572)).norm();
    assert!(apart < 1e-4 && runner.drift() < 1e-10, "{end}, {:e}", runner.drift());
    runner
}

#[test]
fn loops_with_redundant_rows_keep_them() {
    check_bricard(variable(Method::DormandPrince, 1e-6));
}

/// MB-A02-Nfourbar with one window, before it comes near to the position in which its rows are singular.
#[test]
fn a_four_bar_keeps_its_energy() {
    let (model, _) = four_bar(1);
    let mut runner = Runner::new(&model, variable(Method::DormandPrince, 1e-8));
    let start = runner.energy();
    runner.steps(0.05, 6);
    assert!(runner.drift() < 1e-10, "{:e}", runner.drift());
    assert!((runner.energy() - start).abs() < 1e-5, "{}", runner.energy() - start);
}

/// States come from dense output: they do not hang on how often they are asked for, and cost little.
#[test]
fn states_do_not_hang_on_how_often_they_are_asked_for() {
    for method in METHODS {
        let run = |h: f64, count: usize| {
            let (model, _) = double_pendulum();
            let mut runner = Runner::new(&model, variable(method, 1e-9));
            let mut solves = 0;
            for _ in 0..count {
                let stats =
                    runner.solver.step(&runner.compiled, &mut runner.state, h).expect("steps");
                solves += stats.linear_solves;
            }
            (runner.state.q[1], solves)
        };
        let ((coarse, few), (fine, many)) = (run(0.1, 10), run(0.01, 100));
        assert!((coarse - fine).norm() < 1e-6, "{method:?}: {coarse} {fine}");
        assert!(many < 3 * few, "{method:?}: {many} evaluations, {few}");
    }
}

fn ball(restitution: f64) -> (Model, Handle<RigidBody>) {
    ball_by(ContactLaw { restitution, restitution_threshold: 1e-3, ..ContactLaw::rough(0.3) })
}

/// A ball whose lowest point is at 1 m, over a plane.
fn ball_by(law: ContactLaw) -> (Model, Handle<RigidBody>) {
    let mut model = Model::new("ball");
    model.set_gravity(Vec3::z() * -9.81);
    let inertia = SpatialInertia::of_sphere(1.0, 0.1).expect("an inertia");
    let body = RigidBody::new("ball", Inertia::Explicit(inertia));
    let body = model.add(body.at(Pose::translation(0.0, 0.0, 1.1)));
    model.add(Collider::sphere(body, 0.1));
    model.add(Collider::half_space(Pose::identity()));
    model.add(CollisionBehavior::default().with_law(law));
    (model, body)
}

/// Height of a ball that fell from 1 m [m].
fn height(restitution: f64, time: f64) -> f64 {
    let g: f64 = 9.81;
    let (mut start, mut speed) = ((2.0 / g).sqrt(), (2.0 * g).sqrt());
    if time < start {
        return 1.0 - 0.5 * g * time * time;
    }
    loop {
        speed *= restitution;
        let flight = 2.0 * speed / g;
        if time < start + flight {
            let t = time - start;
            return speed * t - 0.5 * g * t * t;
        }
        start += flight;
    }
}

#[test]
fn a_ball_is_where_its_closed_form_has_it_after_every_bounce_and_then_rests() {
    for method in METHODS {
        let (model, body) = ball(0.5);
        let mut runner = Runner::new(&model, variable(method, 1e-10));
        let mut highest = 0.0f64;
        for step in 1..=130 {
            runner.step(0.01);
            let (z, exact) =
                (runner.pose(body).translation.z - 0.1, height(0.5, 0.01 * f64::from(step)));
            assert!((z - exact).abs() < 1e-8, "{method:?}, {step}: {z}, {exact}");
            if step > 50 && step < 93 {
                highest = highest.max(z);
            }
        }
        // A quarter of the height, but for the time of the nearest state.
        assert!((highest - 0.25).abs() < 0.5 * 9.81 * 0.005f64.powi(2), "{method:?}: {highest}");
        runner.steps(0.01, 70);
        let (z, u) = (runner.pose(body).translation.z - 0.1, runner.state.u[0].norm());
        assert!(z.abs() < 2e-5 && u < 1e-6, "{method:?}: {z:e}, {u:e}");
        let force: f64 = runner.state.contacts.iter().map(|it| it.force.z).sum();
        assert!((force - 9.81).abs() < 1e-6, "{method:?}: {force}");
    }
}

/// MB-joint-limit: a rod falls on the end of its range and springs back by half.
#[test]
fn a_rod_springs_back_from_the_end_of_its_range_to_its_exact_peak() {
    for method in METHODS {
        let mut model = Model::new("rod");
        model.set_gravity(Vec3::z() * -9.81);
        let inertia = SpatialInertia::of_box(1.0, &Vec3::new(1.0, 1e-4, 1e-4)).expect("an inertia");
        let body = RigidBody::new("rod", Inertia::Explicit(inertia));
        let body = model.add(body.at(Pose::translation(0.5, 0.0, 0.0)));
        let (c, d) = (
            FrameSite::on(body, about_y(-0.5, 0.0, 0.0)),
            FrameSite::ground(about_y(0.0, 0.0, 0.0)),
        );
        let mut hinge = Joint::new(JointKind::Hinge, c, d).named("hinge");
        // From the horizontal 60° down, which is 30° from below.
        hinge.settings.coordinates[0].range.upper = Some(60f64.to_radians());
        hinge.settings.coordinates[0].restitution = 0.5;
        model.add(hinge);
        let mut runner = Runner::new(&model, variable(method, 1e-10));
        let (mut back, mut peak) = (false, 0.0f64);
        for _ in 0..900 {
            let before = runner.angular_velocity(body).y;
            runner.step(1e-3);
            let turned = runner.angular_velocity(body).y;
            if before > 4.0 && turned < 0.0 {
                back = true;
            }
            let along = runner.pose(body) * Vec3::x();
            let from_below = 90.0 - (-along.z).atan2(along.x).to_degrees();
            if back {
                peak = peak.max(from_below);
                if turned > 0.0 {
                    break;
                }
            }
        }
        // The nearest state is half a millisecond off the peak.
        assert!((peak - 49.4946496725814).abs() < 2e-4, "{method:?}: {peak}");
    }
}

#[test]
fn events_happen_at_the_time_of_their_crossing_and_not_after_a_step() {
    for method in METHODS {
        let mut model = Model::new("m");
        model.add(Particle::new(1.0, Vec3::z()).named("p"));
        model.set_gravity(Vec3::z() * -9.8);
        let when = "{/models/m/particles/p:position.z}";
        model.add(Event::new(when, 0.5, "set /models/m:gravity 0 0 0").named("float"));
        let settings = SolverSettings { integrator: variable(method, 1e-12), ..Default::default() };
        let simulation = Simulation::new(model, settings).expect("a simulation");
        let mut run = Scheduler::new(simulation, SchedulerSettings::with_step(0.05)).expect("runs");
        run.advance(1.0).expect("reaches the end");
        // It goes on with the speed at the height of 0.5 m.
        let fall = (1.0 / 9.8f64).sqrt();
        let exact = 0.5 - 9.8 * fall * (1.0 - fall);
        let state = run.simulation_mut().state().expect("a state");
        assert!((state.q[0].z - exact).abs() < 1e-10, "{method:?}: {}, {exact}", state.q[0].z);
        assert!((state.u[0].z + 9.8 * fall).abs() < 1e-10, "{method:?}: {}", state.u[0].z);
    }
}

#[test]
fn what_a_rule_cannot_take_is_refused_by_its_name() {
    let refused = |model: &Model, step: VariableStep| {
        let compiled = model.compile().expect("compiles");
        let settings =
            SolverSettings { integrator: Integrator::Variable(step), ..Default::default() };
        MechSystemSolver::new(&compiled, settings).err().map(|error| error.to_string())
    };
    assert_eq!(refused(&ball(0.5).0, VariableStep::default()), None);
    let coarse = VariableStep { relative: 0.0, ..VariableStep::default() };
    assert!(refused(&ball(0.5).0, coarse).is_some_and(|text| text.contains("a tolerance of 0")));
    let compliance = Compliance { compliance: 1e-5, damping: 0.0 };
    let law = ContactLaw { compliance, ..ContactLaw::default() };
    let (model, _) = ball_by(law);
    let text = refused(&model, VariableStep::new(Method::Adams)).expect("is refused");
    let relaxing = SCENES.iter().find(|scene| scene.name.starts_with("viscoelastic")).unwrap();
    let by_radau = refused(&(relaxing.model)(), VariableStep::new(Method::Radau));
    let by_radau = by_radau.expect("is refused");
    assert!(by_radau.starts_with("radau cannot take the viscoelastic tissue 'cube'"), "{by_radau}");
    assert!(text.starts_with("adams cannot take the compliant contact of "), "{text}");
}
