//! Adhesion of contacts: pull-off forces, the work of parting, capture, energies that only fall, frames, statics, refusals.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::contact::{Adhesion, ContactLaw, ElasticFoundation, HuntCrossley, NormalLaw};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Collider, ColliderShape, CollisionBehavior, FemModel, FrameSite, Model, RigidBody,
};
use sinew::ode::Method;
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings, StaticSettings, VariableStep};
use sinew_datasets::beam::{BeamElement, beam_mesh};

use super::laws::plate;
use super::scenes::{EULER, Scene, TRAPEZOIDAL, add_box, add_sphere, model_under};

const G: f64 = 9.81;
/// Work [J/m²], range [m] and so strength [Pa]; area of a foot [m²].
const WORK: f64 = 0.5;
const RANGE: f64 = 1e-3;
const STRENGTH: f64 = WORK / RANGE;
const AREA: f64 = 0.04;
const RULES: [Integrator; 4] =
    [EULER, TRAPEZOIDAL, Integrator::SymplecticEuler, Integrator::RungeKutta4];

fn sticky() -> ContactLaw {
    ContactLaw::default().sticking(WORK, RANGE)
}

/// Rigid, compliant, and over areas.
fn laws() -> [ContactLaw; 3] {
    let mut soft = sticky();
    (soft.compliance.compliance, soft.compliance.damping) = (1e-4, 100.0);
    let layer = ElasticFoundation { youngs_modulus: 1e6, poissons_ratio: 0.3, thickness: 0.01 };
    let foundation = ContactLaw {
        normal: NormalLaw::ElasticFoundation,
        foundation: layer,
        // Damps the swing of the start within 0.1 s.
        dissipation: 2000.0,
        ..sticky()
    };
    [sticky(), soft, foundation]
}

/// A square foot of vertices that touches the ground with all of its area, at this velocity upwards [m/s].
fn foot(gravity: f64, mass: f64, law: ContactLaw, velocity: f64) -> (Model, Handle<RigidBody>) {
    let mut model = model_under(gravity);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let foot = add_box(&mut model, "foot", mass, half, Pose::translation(0.0, 0.0, 1e-6));
    let collider = model.iter::<Collider>().next().unwrap().0;
    model[foot].mesh = Some(plate(4));
    model[foot].velocity = Vec3::z() * velocity;
    model[collider].shape = ColliderShape::vertices(0.0);
    let ground = model.add(Collider::half_space(Pose::identity()).named("ground"));
    model.add(CollisionBehavior::new(foot, ground, 0.0).with_law(law));
    (model, foot)
}

/// A ball that touches the ground.
fn ball(gravity: f64, mass: f64, radius: f64, law: ContactLaw) -> (Model, Handle<RigidBody>) {
    let mut model = model_under(gravity);
    let ball = add_sphere(&mut model, "ball", mass, radius, Vec3::z() * (radius + 1e-6));
    model.add(Collider::half_space(Pose::identity()).named("ground"));
    model.add(CollisionBehavior::default().with_law(law));
    (model, ball)
}

#[test]
fn what_hangs_stays_up_to_strength_times_area_and_falls_freely_beyond() {
    for law in laws() {
        for integrator in RULES {
            let hang = |share: f64| {
                // Its weight pulls it off.
                let mass = share * STRENGTH * AREA / G;
                let (model, foot) = foot(-G, mass, law, 0.0);
                let mut scene = Scene::new(&model, integrator);
                scene.steps(1e-3, 300);
                (scene.place(foot).z, scene.force().z, scene.velocity(foot).z, mass)
            };
            let (height, force, _, mass) = hang(0.97);
            assert!(height < RANGE, "{law:?} {integrator:?}: {height} m");
            let error = (force / (-mass * G) - 1.0).abs();
            assert!(error < 1e-3, "{law:?} {integrator:?}: {force} N");
            let (height, force, velocity, _) = hang(1.03);
            assert!(height > 2.0 * RANGE && force == 0.0, "{integrator:?}: {height} m, {force} N");
            assert!(velocity > 0.1, "{integrator:?}: {velocity} m/s");
        }
    }
}

#[test]
fn parting_takes_the_work_of_adhesion_times_the_area() {
    let (mass, velocity) = (0.5, 0.5);
    let energy = |v: f64| 0.5 * mass * v * v;
    for integrator in RULES {
        let errors = [4e-5, 2e-5, 1e-5].map(|h| {
            let (model, foot) = foot(0.0, mass, sticky(), velocity);
            let mut scene = Scene::new(&model, integrator);
            while scene.place(foot).z < 1.5 * RANGE {
                scene.step(h);
            }
            let taken = energy(velocity) - energy(scene.velocity(foot).z);
            taken / (WORK * AREA) - 1.0
        });
        // It takes the work and what the last step begins within the range with.
        assert!(errors.iter().all(|it| *it > -1e-3), "{integrator:?}: {errors:?}");
        assert!(errors[2] < 0.01, "{integrator:?}: {errors:?}");
    }
    // With less energy than that it comes back, and stays.
    let slow = (2.0 * 0.9 * WORK * AREA / mass).sqrt();
    let (model, foot) = foot(0.0, mass, sticky(), slow);
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    scene.steps(1e-4, 2000);
    assert!(scene.place(foot).z < 1e-4 && scene.velocity(foot).z.abs() < 1e-6);
    assert!(scene.force().z.abs() < 1e-6, "{}", scene.force());
}

#[test]
fn a_ball_stays_up_to_the_force_of_derjaguin_under_every_law() {
    let radius = 0.05;
    let (work, range) = (2.0, 1e-4);
    let hertz = HuntCrossley { effective_modulus: 1e6, exponent: 1.5, radius: 0.0 };
    let rigid = ContactLaw::default().sticking(work, range);
    let laws = [
        rigid,
        ContactLaw {
            normal: NormalLaw::HuntCrossley,
            hunt_crossley: hertz,
            dissipation: 10.0,
            ..rigid
        },
        ContactLaw { normal: NormalLaw::ElasticFoundation, dissipation: 10.0, ..rigid },
    ];
    let most = 2.0 * PI * work * radius;
    for law in laws {
        for (share, holds) in [(0.98, true), (1.02, false)] {
            let (model, ball) = ball(-G, share * most / G, radius, law);
            let mut scene = Scene::new(&model, EULER);
            // An overlap swings in first.
            scene.steps(5e-4, 1500);
            let height = scene.place(ball).z - radius;
            assert_eq!(height < range, holds, "{:?} at {share}: {height} m", law.normal);
        }
    }
    // Two balls: the radius of their common curvature.
    for (share, holds) in [(0.98, true), (1.02, false)] {
        let mut model = model_under(-G);
        let common = radius * 0.2 / (radius + 0.2);
        let mass = share * 2.0 * PI * work * common / G;
        let upper = add_sphere(&mut model, "upper", mass, radius, Vec3::z() * (0.25 + 1e-6));
        let below = ColliderShape::Sphere { radius: 0.2 };
        model.add(Collider::new(below, FrameSite::ground(Pose::identity())));
        model.add(CollisionBehavior::default().with_law(rigid));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(5e-4, 600);
        assert_eq!(scene.place(upper).z < 0.25 + range, holds, "{share}");
    }
}

#[test]
fn each_contact_of_a_box_holds_its_own_pull() {
    let adhesion = Adhesion { force: 3.0, range: RANGE, work: 0.0 };
    let law = ContactLaw { adhesion, ..ContactLaw::default() };
    for (share, holds) in [(0.97, true), (1.03, false)] {
        let mut model = model_under(-G);
        let half = Vec3::repeat(0.05);
        let mass = share * 4.0 * 3.0 / G;
        let block = add_box(&mut model, "block", mass, half, Pose::translation(0.0, 0.0, 0.05));
        model.add(Collider::half_space(Pose::identity()));
        model.add(CollisionBehavior::default().with_law(law));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(1e-3, 300);
        assert_eq!(scene.place(block).z < 0.05 + RANGE, holds, "{share}");
    }
}

#[test]
fn a_block_of_tissue_hangs_by_its_area() {
    for element in [BeamElement::Hex, BeamElement::QuadTet] {
        for (share, holds) in [(0.95, true), (1.05, false)] {
            let mesh = beam_mesh(element, [3, 3, 1], [0.1, 0.1, 0.05]).unwrap();
            let low = mesh.nodes.iter().map(|p| p.z).fold(f64::MAX, f64::min);
            let law =
                MaterialSpec::Corotated(Isotropic { youngs_modulus: 1e6, poissons_ratio: 0.0 });
            let mut model = model_under(-share * STRENGTH / (1000.0 * 0.05));
            let mut fem = FemModel::new("block", mesh, 1000.0, law);
            fem.stiffness_damping = 0.01;
            let fem = model.add(fem);
            let ground = model.add(Collider::half_space(Pose::translation(0.0, 0.0, low)));
            model.add(CollisionBehavior::new(fem, ground, 0.0).with_law(sticky()));
            let mut scene = Scene::new(&model, EULER);
            scene.steps(2e-3, 120);
            let weight = share * STRENGTH * 0.01;
            match holds {
                true => {
                    let found = scene.force().z / -weight;
                    assert!((found - 1.0).abs() < 1e-4, "{element:?}: {found}");
                }
                false => assert!(scene.force().norm() == 0.0, "{element:?}: {}", scene.force()),
            }
        }
    }
}

#[test]
fn friction_resists_what_adhesion_presses_together() {
    // On a wall: nothing but the adhesion presses.
    for (share, slides) in [(0.95, false), (1.05, true)] {
        let mass = share * 0.4 * STRENGTH * AREA / G;
        let (mut model, foot) = foot(0.0, mass, ContactLaw { friction: 0.4, ..sticky() }, 0.0);
        model.set_gravity(Vec3::x() * G);
        let mut scene = Scene::new(&model, EULER);
        let start = scene.place(foot).x;
        scene.steps(1e-3, 100);
        let slid = scene.place(foot).x - start;
        assert_eq!(slid > 1e-4, slides, "{share}: {slid} m");
    }
}

#[test]
fn a_rebound_with_less_energy_than_the_work_is_captured() {
    let (mass, restitution) = (0.2, 0.5);
    let escape = (2.0 * WORK * AREA / mass).sqrt();
    for (share, stays) in [(0.8, true), (1.3, false)] {
        let law = ContactLaw { restitution, ..sticky() };
        // The approach gains the work of what is within the range.
        let arrival = share * escape / restitution;
        let start = -(arrival * arrival - escape * escape).max(0.0).sqrt();
        let (mut model, foot) = foot(0.0, mass, law, start);
        model[foot].pose = Pose::translation(0.0, 0.0, 2.0 * RANGE);
        let mut scene = Scene::new(&model, TRAPEZOIDAL);
        scene.steps(1e-5, 5000);
        assert_eq!(scene.place(foot).z < RANGE, stays, "{share}: {}", scene.place(foot));
    }
}

#[test]
fn adhesion_brings_no_energy_at_any_length_of_step() {
    // Free bodies that meet, stick, bounce and part: E = kinetic energy less the work of what adheres.
    for integrator in RULES {
        for h in [1e-4, 1e-3, 5e-3] {
            for (law, share) in laws().into_iter().zip([0.5, 1.0, 1.5]) {
                let (mut model, foot) = foot(0.0, 0.5, law, -share);
                model[foot].pose = Pose::translation(0.0, 0.0, 3.0 * RANGE);
                model[foot].angular_velocity = Vec3::new(0.3, -0.2, 0.1) * share;
                let mut scene = Scene::new(&model, integrator);
                let before = scene.kinetic();
                for _ in 0..400 {
                    scene.step(h);
                    let most = before + WORK * AREA;
                    assert!(
                        scene.kinetic() <= most * (1.0 + 1e-9),
                        "{integrator:?} {h}: {}",
                        scene.kinetic()
                    );
                }
                let apart = scene.place(foot).z > 0.2;
                let after = scene.kinetic();
                assert!(
                    !apart || after <= before * (1.0 + 1e-9),
                    "{integrator:?} {h}: {after} of {before} J"
                );
            }
        }
    }
}

/// Two balls that collide off centre in free space and stick, all turned by a rotation: velocities after, turned back.
fn collision(turn: &Pose, swapped: bool) -> ([Vec3; 4], Vec3, Vec3) {
    let mut model = model_under(0.0);
    let at = |p: Vec3| turn.rotation * p;
    let a = add_sphere(&mut model, "a", 1.0, 0.1, at(Vec3::new(-0.11, 0.0, 0.0)));
    let b = add_sphere(&mut model, "b", 2.0, 0.1, at(Vec3::new(0.11, 0.03, 0.01)));
    model[a].velocity = at(Vec3::new(0.2, 0.02, 0.0));
    let law = ContactLaw { friction: 0.3, ..ContactLaw::default().sticking(5.0, 2e-3) };
    let (first, second) = if swapped { (b, a) } else { (a, b) };
    model.add(CollisionBehavior::new(first, second, 0.3).with_law(law));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(1e-3, 300);
    let back = |v: Vec3| turn.rotation.inverse() * v;
    let moments = |body, mass: f64| {
        let rotational = scene.angular_velocity(body) * (0.4 * mass * 0.01);
        scene.place(body).cross(&scene.velocity(body)) * mass + rotational
    };
    let linear = scene.velocity(a) + scene.velocity(b) * 2.0;
    let angular = moments(a, 1.0) + moments(b, 2.0);
    let motions = [
        scene.velocity(a),
        scene.velocity(b),
        scene.angular_velocity(a),
        scene.angular_velocity(b),
    ];
    (motions.map(back), back(linear), back(angular))
}

#[test]
fn balls_that_stick_keep_their_momenta_in_every_frame_whichever_is_a() {
    let (expected, linear, angular) = collision(&Pose::identity(), false);
    let before = Vec3::new(0.2, 0.02, 0.0);
    assert!((linear - before).norm() < 1e-9, "{linear}");
    let moment = Vec3::new(-0.11, 0.0, 0.0).cross(&before);
    assert!((angular - moment).norm() < 1e-9, "{angular} {moment}");
    // They stay together.
    assert!((expected[0] - expected[1]).norm() < 0.15, "{expected:?}");
    let turned = Pose::rotation(Vec3::new(0.7, -0.4, 1.1));
    for (turn, swapped) in [(turned, false), (Pose::identity(), true)] {
        let (found, ..) = collision(&turn, swapped);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).norm() < 1e-6, "{found} {expected}");
        }
    }
}

#[test]
fn statics_keep_what_adheres_at_the_start() {
    let statics = Integrator::Static(StaticSettings::default());
    let settings = SolverSettings { integrator: statics, ..SolverSettings::default() };
    let mass = 0.9 * STRENGTH * AREA / G;
    let (model, foot_body) = foot(-G, mass, sticky(), 0.0);
    let mut scene = Scene::with(&model, settings);
    scene.step(1.0);
    assert!(scene.place(foot_body).z.abs() < 1e-4, "{}", scene.place(foot_body));
    assert!((scene.force().z / (-mass * G) - 1.0).abs() < 1e-6, "{}", scene.force());
    // What is too heavy falls for ever, which is no equilibrium.
    let (model, _) = foot(-G, 1.2 * mass, sticky(), 0.0);
    let compiled = model.compile().unwrap();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut state = compiled.initial_state();
    assert!(solver.step(&compiled, &mut state, 1.0).is_err());
}

#[test]
fn what_cannot_adhere_is_refused_by_name() {
    let fault = |change: &dyn Fn(&mut CollisionBehavior), is_box: bool| {
        let (mut model, _) = foot(G, 1.0, sticky(), 0.0);
        if is_box {
            let collider = model.iter::<Collider>().next().unwrap().0;
            model[collider].shape = ColliderShape::Box { half_extents: Vec3::repeat(0.05) };
        }
        let behavior = model.iter::<CollisionBehavior>().next().unwrap().0;
        change(&mut model[behavior]);
        model.compile().map(|_| ()).map_err(|error| error.to_string())
    };
    let text = fault(&|_| {}, true).unwrap_err();
    assert!(text.contains("adhesion") && text.contains("stand for none"), "{text}");
    assert!(text.contains("adhesion_force"), "{text}");
    let text = fault(&|it| it.law.adhesion.range = 0.0, false).unwrap_err();
    assert!(text.contains("adhesion_range") && text.contains("> 0 where"), "{text}");
    let text = fault(&|it| it.tied = true, false).unwrap_err();
    assert!(text.contains("tied"), "{text}");
    for wrong in [-1.0, f64::NAN, f64::INFINITY] {
        for put in [
            |it: &mut Adhesion, x: f64| it.work = x,
            |it: &mut Adhesion, x: f64| it.force = x,
            |it: &mut Adhesion, x: f64| it.range = x,
        ] {
            let text = fault(&|it| put(&mut it.law.adhesion, wrong), false).unwrap_err();
            assert!(text.contains("adhesion") && text.contains("in [0, 1e"), "{text}");
        }
    }
    let (model, _) = foot(G, 1.0, sticky(), 0.0);
    let integrator = Integrator::Variable(VariableStep {
        method: Method::DormandPrince,
        ..VariableStep::default()
    });
    let settings = SolverSettings { integrator, ..SolverSettings::default() };
    let error = MechSystemSolver::new(&model.compile().unwrap(), settings).err();
    let text = error.map(|it| it.to_string()).unwrap_or_default();
    assert!(text.contains("the adhesion of"), "{text}");
}
