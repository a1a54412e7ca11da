//! Particles that forces do not move: through keyframes, or at their velocities.

use super::scenes::{EULER, Runner, TRAPEZOIDAL};
use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::model::{
    Attachment, AxialSpring, Edit, LinearAxial, Master, Model, Particle, PointKeyframe,
};
use sinew::property::Value;
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;

fn keyframes() -> Vec<PointKeyframe> {
    let frame = |time, x, z| PointKeyframe { time, position: Vec3::new(x, 0.0, z) };
    vec![frame(0.1, 0.2, 0.0), frame(0.6, 0.2, 0.1), frame(0.85, -0.1, 0.1)]
}

/// The place at a time, by hand.
fn place_at(t: f64) -> Vec3 {
    let (up, aside) = (((t - 0.1) / 0.5).clamp(0.0, 1.0), ((t - 0.6) / 0.25).clamp(0.0, 1.0));
    Vec3::new(0.2 - 0.3 * aside, 0.0, 0.1 * up)
}

/// With a step that meets none of the times of the keyframes; what is attached goes along.
#[test]
fn a_particle_goes_through_its_keyframes_and_takes_along_what_is_attached() {
    for (integrator, attached) in [(EULER, false), (TRAPEZOIDAL, false), (EULER, true)] {
        let mut model = Model::new("led");
        let prescribed = model.add(Particle::new(1.0, Vec3::x() * 0.5).prescribed(keyframes()));
        let other = model.add(Particle::new(0.3, Vec3::new(0.5, 0.2, 0.0)));
        if attached {
            model.add(Attachment::new(vec![other.into()], Master::Particle(prescribed)));
        }
        let mut runner = Runner::new(&model, integrator);
        assert_eq!(runner.place(prescribed), place_at(0.0), "at rest before the first keyframe");
        for k in 1..=80 {
            runner.step(0.0123);
            let expected = place_at(0.0123 * f64::from(k));
            assert!(
                (runner.place(prescribed) - expected).norm() < 1e-14,
                "{}",
                runner.place(prescribed)
            );
            if attached {
                let offset = runner.place(other) - expected - Vec3::y() * 0.2;
                assert!(offset.norm() < 1e-14, "{offset}");
            }
        }
    }
}

#[test]
fn a_particle_without_keyframes_keeps_its_velocity() {
    let velocity = Vec3::new(0.3, -0.2, 0.1);
    let mut model = Model::new("led");
    let prescribed = model.add(Particle::new(1.0, Vec3::x()).velocity(velocity).fixed());
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    for k in 1..=100 {
        runner.step(0.05);
        let expected = Vec3::x() + velocity * (0.05 * f64::from(k));
        assert!((runner.place(prescribed) - expected).norm() < 1e-14);
        assert!((runner.velocity(prescribed) - velocity).norm() < 1e-12);
    }
}

/// Drawn along evenly, a bob hangs behind at the stretch that its weight asks for: the particle carries it.
#[test]
fn a_prescribed_particle_reports_the_force_that_moves_it() {
    let mut model = Model::new("crane");
    let hook = Particle::new(2.0, Vec3::zeros()).velocity(Vec3::z() * 0.4).fixed();
    let hook = model.add(hook.named("hook"));
    let bob = Particle::new(0.5, Vec3::z() * -0.3).velocity(Vec3::z() * 0.4);
    let bob = model.add(Particle { point_damping: Some(0.0), ..bob });
    let rope = LinearAxial { stiffness: 500.0, damping: 20.0, rest_length: 0.3 };
    model.add(AxialSpring::new([hook, bob], rope));
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    for _ in 0..400 {
        simulation.step(0.01).unwrap();
    }
    let reaction = simulation.property("/models/crane/particles/hook:reaction").unwrap();
    let Value::Vector(force) = simulation.get(&reaction).unwrap() else { panic!("a vector") };
    assert!((force - Vec3::z() * (2.5 * 9.8)).norm() < 1e-6, "{force}");
}

/// Let go, it flies on; held again, it goes on at the velocity of its model from where it is.
#[test]
fn a_particle_is_let_go_and_prescribed_again_in_a_running_simulation() {
    let mut model = Model::new("led");
    model.set_gravity(Vec3::zeros());
    let prescribed = Particle::new(1.0, Vec3::zeros()).velocity(Vec3::x()).fixed().named("p");
    model.add(prescribed);
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let property = |s: &Simulation, name: &str| {
        s.property(&format!("/models/led/particles/p:{name}")).unwrap()
    };
    let [dynamic, position, velocity, frames] =
        ["dynamic", "position", "velocity", "keyframes"].map(|name| property(&simulation, name));
    let x = |s: &mut Simulation| match s.get(&position).unwrap() {
        Value::Vector(x) => x.x,
        other => panic!("{other}"),
    };
    let steps = |s: &mut Simulation| {
        (0..10).for_each(|_| {
            s.step(0.1).unwrap();
        })
    };
    steps(&mut simulation);
    assert!((x(&mut simulation) - 1.0).abs() < 1e-12, "{}", x(&mut simulation));
    simulation.set(&dynamic, true).unwrap();
    steps(&mut simulation);
    assert!((x(&mut simulation) - 2.0).abs() < 1e-12, "{}", x(&mut simulation));
    simulation.set(&dynamic, false).unwrap();
    simulation.set(&velocity, Value::Vector(Vec3::x() * -0.5)).unwrap();
    steps(&mut simulation);
    assert!((x(&mut simulation) - 1.5).abs() < 1e-12, "{}", x(&mut simulation));
    let list = vec![3.0, 1.5, 0.0, 0.0, 4.0, 5.5, 0.0, 0.0];
    simulation.set(&frames, Value::List(list)).unwrap();
    steps(&mut simulation);
    assert!((x(&mut simulation) - 5.5).abs() < 1e-12, "{}", x(&mut simulation));
    let main = simulation.model().find("/models/led").unwrap().component();
    simulation.edit(Edit::add(main, Particle::new(1.0, Vec3::y()))).unwrap();
    steps(&mut simulation);
    assert!((x(&mut simulation) - 5.5).abs() < 1e-12, "{}", x(&mut simulation));
}

#[test]
fn keyframes_whose_times_do_not_rise_are_refused() {
    let mut frames = keyframes();
    frames[2].time = 0.5;
    let mut model = Model::new("led");
    model.add(Particle::new(1.0, Vec3::zeros()).prescribed(frames).named("pin"));
    let message = model.compile().err().expect("times fall").to_string();
    assert!(message.contains("pin:keyframes") && message.contains("0.5"), "{message}");
}
