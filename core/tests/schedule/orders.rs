//! Prescribed motion along curves, by every rule: velocities at the ends of steps, reactions against m a(t), and the order at
//! which what hangs on it moves.

use std::f64::consts::FRAC_PI_2;

use sinew::component::ComponentType;
use sinew::constraint::{JointKind, Pose};
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    AxialSpring, FrameSite, Inertia, Joint, LinearAxial, Model, Particle, RigidBody,
};
use sinew::schedule::{InputProbe, Scheduler, SchedulerSettings, Simulation};
use sinew::solve::{ImplicitMode, Integrator, NewtonSettings, SolverSettings};
use sinew::{Mat3, Vec3};

use super::scenes::{real, vector};

const G: f64 = 9.8;
/// Amplitude [m] and angular frequency [1/s] of what is shaken.
const A: f64 = 0.1;
const W: f64 = 5.0;
/// End of the runs [s].
const END: f64 = 0.4;
const MASS: f64 = 2.0;

/// Rules with their orders.
fn rules() -> [(&'static str, Integrator, f64); 6] {
    let newton = NewtonSettings { max_iterations: 50, tolerance: 1e-12 };
    let linearized = ImplicitMode::Linearized;
    [
        ("backward Euler", Integrator::BackwardEuler(linearized), 1.0),
        ("backward Euler, Newton", Integrator::BackwardEuler(ImplicitMode::Newton(newton)), 1.0),
        ("trapezoidal", Integrator::Trapezoidal(linearized), 2.0),
        ("midpoint", Integrator::Midpoint(newton), 2.0),
        ("symplectic Euler", Integrator::SymplecticEuler, 1.0),
        ("Runge-Kutta 4", Integrator::RungeKutta4, 4.0),
    ]
}

/// Place, velocity and acceleration of what is shaken; it starts with a velocity.
fn shaken(t: f64) -> [f64; 3] {
    [A * (W * t).sin(), A * W * (W * t).cos(), -A * W * W * (W * t).sin()]
}

fn run_of(model: Model, integrator: Integrator, h: f64) -> Scheduler {
    let settings = SolverSettings { integrator, ..SolverSettings::default() };
    let simulation = Simulation::new(model, settings).unwrap();
    Scheduler::new(simulation, SchedulerSettings::with_step(h)).unwrap()
}

/// Feeds a property with what is shaken: a number, or a vector along x.
fn shake(run: &mut Scheduler, path: &str) {
    let property = run.simulation_mut().property(path).unwrap();
    let signal = |t: f64, values: &mut [f64]| {
        values.fill(0.0);
        values[0] = shaken(t)[0];
    };
    run.add_input_probe(InputProbe::new("motion", vec![property], Box::new(signal)).unwrap());
}

/// Order by the errors of two runs, of 40 and 80 steps, and the finer error.
fn order_of(error: impl Fn(u32) -> f64) -> (f64, f64) {
    let [coarse, fine] = [40, 80].map(&error);
    ((coarse / fine).log2(), fine)
}

fn body(name: &str) -> RigidBody {
    let inertia = SpatialInertia::new(MASS, Vec3::zeros(), Mat3::from_diagonal_element(0.1));
    RigidBody::new(name, Inertia::Explicit(inertia.unwrap()))
}

/// A particle and a body that are driven: the velocity is that of the curve at every end of a step, and the reaction m a(t), to the
/// fourth order whatever the rule.
#[test]
fn the_reaction_of_what_is_driven_is_its_mass_times_the_acceleration_of_now() {
    for (name, integrator, _) in rules() {
        let error = |steps: u32| {
            let mut model = Model::new("m");
            model.set_gravity(Vec3::zeros());
            model.add(Particle::new(MASS, Vec3::zeros()).fixed().named("p"));
            model.add(body("b").fixed());
            let mut run = run_of(model, integrator, END / f64::from(steps));
            shake(&mut run, "/models/m/particles/p:position");
            shake(&mut run, "/models/m/rigid_bodies/b:position");
            let mut worst = 0.0f64;
            for k in 1..=steps {
                run.step().unwrap();
                let [_, speed, acceleration] = shaken(END * f64::from(k) / f64::from(steps));
                for path in ["particles/p", "rigid_bodies/b"] {
                    let velocity = vector(&mut run, &format!("/models/m/{path}:velocity")).x;
                    assert!((velocity - speed).abs() < 1e-6, "{name} {k}: {velocity} {speed}");
                    let pull = vector(&mut run, &format!("/models/m/{path}:reaction")).x;
                    worst = worst.max((pull - MASS * acceleration).abs());
                }
            }
            worst
        };
        let (order, fine) = order_of(error);
        assert!(fine < 1e-5 * MASS * A * W * W, "{name}: {fine}");
        assert!(order > 3.0 || fine < 1e-7, "{name}: {order} {fine}");
    }
}

/// A sled on a rail whose coordinate is driven.
fn sled() -> Model {
    let mut model = Model::new("m");
    model.set_gravity(Vec3::z() * -G);
    let sled = model.add(body("sled"));
    let along_x = Pose::rotation(Vec3::y() * FRAC_PI_2);
    let (c, d) = (FrameSite::on(sled, along_x), FrameSite::ground(along_x));
    let mut rail = Joint::new(JointKind::Slider, c, d).named("rail");
    rail.settings.coordinates[0].locked = true;
    model.add(rail);
    model
}

/// The force of a joint whose coordinate is driven is m a as a mean over the step, from the first on; the velocity of what it
/// moves is that of the curve.
#[test]
fn the_force_of_a_driven_joint_is_the_change_of_momentum() {
    for (name, integrator, _) in rules() {
        let h = 0.01;
        let mut run = run_of(sled(), integrator, h);
        shake(&mut run, "/models/m/connectors/rail:coordinate.z.value");
        let force = |run: &mut Scheduler| vector(run, "/models/m/connectors/rail:force").x;
        assert!(force(&mut run).abs() < 1e-9, "before the first step, and before the probe acts");
        for k in 1..=40 {
            run.step().unwrap();
            let t = h * f64::from(k);
            let [before, now] = [t - h, t].map(shaken);
            let mean = match integrator {
                Integrator::RungeKutta4 => now[2],
                _ => (now[1] - before[1]) / h,
            };
            let read = force(&mut run);
            assert!((read - MASS * mean).abs() < 1e-4, "{name} {k}: {read} {}", MASS * mean);
            let place = vector(&mut run, "/models/m/rigid_bodies/sled:position").x;
            assert!((place - now[0]).abs() < 1e-9, "{name} {k}: {place} {}", now[0]);
            let velocity = vector(&mut run, "/models/m/rigid_bodies/sled:velocity").x;
            assert!((velocity - now[1]).abs() < 1e-6, "{name} {k}: {velocity} {}", now[1]);
        }
    }
}

/// Angle and rate of a pendulum of length 1 m, radius of gyration k about its centre 1 m below the pivot.
fn pendulum_at(end: f64, inertia: f64) -> [f64; 2] {
    let rate = |t: f64, [angle, speed]: [f64; 2]| {
        let pull = G * angle.sin() + shaken(t)[2] * angle.cos();
        [speed, -MASS * pull / (inertia + MASS)]
    };
    let (steps, mut y) = (4000, [0.3, -shaken(0.0)[1] * MASS * f64::cos(0.3) / (inertia + MASS)]);
    let h = end / f64::from(steps);
    for k in 0..steps {
        let t = h * f64::from(k);
        let add = |y: [f64; 2], d: [f64; 2], by: f64| [y[0] + d[0] * by, y[1] + d[1] * by];
        let a = rate(t, y);
        let b = rate(t + 0.5 * h, add(y, a, 0.5 * h));
        let c = rate(t + 0.5 * h, add(y, b, 0.5 * h));
        let d = rate(t + h, add(y, c, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
    }
    y
}

/// A pendulum on a sled: its pivot is shaken by the coordinate of the rail. It hangs at an angle of 0.3 and at rest; the first moment
/// sets the pivot in motion by an impulse.
#[test]
fn a_pendulum_whose_pivot_is_shaken_moves_at_the_order_of_the_rule() {
    let inertia = 0.1;
    for (name, integrator, expected) in rules() {
        let error = |steps: u32| {
            let mut model = sled();
            let sled = model.find_handle::<RigidBody>("/models/m/rigid_bodies/sled").unwrap();
            let turn = Pose::rotation(Vec3::x() * FRAC_PI_2);
            let hangs = Pose::rotation(Vec3::y() * -0.3);
            let place = hangs * Pose::translation(0.0, 0.0, -1.0);
            let bob = model.add(body("bob").at(place));
            let c = FrameSite::on(bob, Pose::translation(0.0, 0.0, 1.0) * turn);
            let d = FrameSite::on(sled, turn);
            model.add(Joint::new(JointKind::Hinge, c, d).named("pivot"));
            let mut run = run_of(model, integrator, END / f64::from(steps));
            shake(&mut run, "/models/m/connectors/rail:coordinate.z.value");
            for _ in 0..steps {
                run.step().unwrap();
            }
            let x = vector(&mut run, "/models/m/rigid_bodies/bob:position").x;
            let angle = (x - shaken(END)[0]).asin();
            (angle - pendulum_at(END, inertia)[0]).abs()
        };
        let (order, fine) = order_of(error);
        assert!(order > expected - 0.35, "{name}: order {order}, error {fine}");
    }
}

/// A dashpot pulls a particle after a driven one: m v' = c (V - v), whose solution is known.
#[test]
fn a_dashpot_on_a_driven_particle_acts_at_the_order_of_the_rule() {
    let damping = 5.0;
    let k = damping / MASS;
    // v = B cos wt + C sin wt - B exp(-kt), with v' = k (A w cos wt - v).
    let speed = |t: f64| {
        let share = A * W * k / (k * k + W * W);
        share * (k * (W * t).cos() + W * (W * t).sin() - k * (-k * t).exp())
    };
    for (name, integrator, expected) in rules() {
        let error = |steps: u32| {
            let mut model = Model::new("m");
            model.set_gravity(Vec3::zeros());
            let hand = model.add(Particle::new(1.0, Vec3::zeros()).fixed().named("hand"));
            let free =
                Particle { point_damping: Some(0.0), ..Particle::new(MASS, Vec3::x() * -0.5) };
            let free = model.add(free.named("free"));
            let dashpot = LinearAxial { stiffness: 0.0, damping, rest_length: 0.5 };
            model.add(AxialSpring::new([free, hand], dashpot));
            let mut run = run_of(model, integrator, END / f64::from(steps));
            shake(&mut run, "/models/m/particles/hand:position");
            for _ in 0..steps {
                run.step().unwrap();
            }
            (vector(&mut run, "/models/m/particles/free:velocity").x - speed(END)).abs()
        };
        let (order, fine) = order_of(error);
        assert!(order > expected - 0.35, "{name}: order {order}, error {fine}");
    }
}

/// Keyframes of a coordinate lead it without a probe, straight or along a spline, from where they have it at the start; a waypoint
/// leads back.
#[test]
fn keyframes_lead_a_coordinate_that_is_locked() {
    use sinew::model::{CoordinateKeyframe, KeyframeInterpolation};
    let (acceleration, h) = (1.5, 0.01);
    let parabola = |t: f64| 0.2 + 0.5 * acceleration * t * t;
    for (name, integrator, _) in rules() {
        for interpolation in [KeyframeInterpolation::Linear, KeyframeInterpolation::Spline] {
            let mut model = sled();
            let rail = model.find_handle::<Joint>("/models/m/connectors/rail").unwrap();
            let coordinate = &mut model[rail].settings.coordinates[0];
            let frame = |k: i32| {
                let time = 0.1 * f64::from(k);
                CoordinateKeyframe { time, value: parabola(time) }
            };
            coordinate.keyframes = (0..=5).map(frame).collect();
            coordinate.keyframe_interpolation = interpolation;
            let mut run = run_of(model, integrator, h);
            run.add_waypoint(0.2, false).unwrap();
            let expected = match interpolation {
                KeyframeInterpolation::Linear => 0.0,
                _ => MASS * acceleration,
            };
            let force = vector(&mut run, "/models/m/connectors/rail:force");
            let expected = Vec3::new(expected, 0.0, MASS * G);
            assert!((force - expected).norm() < 1e-6, "{name} at the start: {force} {expected}");
            let path = "/models/m/connectors/rail:coordinate.z.value";
            let mut seen = Vec::new();
            for k in 1..=40 {
                run.step().unwrap();
                let t = h * f64::from(k);
                let place = vector(&mut run, "/models/m/rigid_bodies/sled:position").x;
                let share = (t / 0.1).fract();
                let from = 0.1 * (t / 0.1).floor();
                let expected = match interpolation {
                    KeyframeInterpolation::Linear => {
                        parabola(from) * (1.0 - share) + parabola(from + 0.1) * share
                    }
                    _ => parabola(t),
                };
                assert!((place - expected).abs() < 1e-9, "{name} {k}: {place} {expected}");
                assert!((real(&mut run, path) - place).abs() < 1e-9);
                if interpolation == KeyframeInterpolation::Spline {
                    let force = vector(&mut run, "/models/m/connectors/rail:force").x;
                    assert!((force - MASS * acceleration).abs() < 1e-5, "{name} {k}: {force}");
                }
                seen.push(place);
            }
            run.rewind(0.2).unwrap();
            run.advance(0.4).unwrap();
            let place = vector(&mut run, "/models/m/rigid_bodies/sled:position").x;
            assert_eq!(place, seen[39], "the same way again");
        }
    }
}
