//! Constants of the laws of contact, all of them: what is absurd is refused by name, and what is at the ends of the ranges makes
//! no step wrong.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle, Kind};
use sinew::constraint::Pose;
use sinew::contact::{Adhesion, ContactLaw, NormalLaw};
use sinew::model::{Collider, ColliderShape, CollisionBehavior, Model, RigidBody};
use sinew::property::{PropertyInfo, PropertyType};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::MechSystem;

use super::laws::plate;
use super::scenes::{add_box, add_sphere, model_under};

type Put = fn(&mut CollisionBehavior, f64);

/// All constants by their names.
const CONSTANTS: [(&str, Put); 24] = [
    ("friction", |it, x| it.law.friction = x),
    ("static_friction", |it, x| it.law.stribeck.static_friction = x),
    ("stribeck_velocity", |it, x| it.law.stribeck.velocity = x),
    ("viscous_friction", |it, x| it.law.stribeck.viscous = x),
    ("rolling_friction", |it, x| it.law.rolling_friction = x),
    ("restitution", |it, x| it.law.restitution = x),
    ("restitution_threshold", |it, x| it.law.restitution_threshold = x),
    ("compliance", |it, x| it.law.compliance.compliance = x),
    ("damping", |it, x| it.law.compliance.damping = x),
    ("layer_share", |it, x| it.law.automatic.layer_share = x),
    ("damping_ratio", |it, x| it.law.automatic.damping_ratio = x),
    ("youngs_modulus", |it, x| it.law.foundation.youngs_modulus = x),
    ("poissons_ratio", |it, x| it.law.foundation.poissons_ratio = x),
    ("thickness", |it, x| it.law.foundation.thickness = x),
    ("effective_modulus", |it, x| it.law.hunt_crossley.effective_modulus = x),
    ("contact_radius", |it, x| it.law.hunt_crossley.radius = x),
    ("exponent", |it, x| it.law.hunt_crossley.exponent = x),
    ("dissipation", |it, x| it.law.dissipation = x),
    ("adhesion", |it, x| it.law.adhesion.work = x),
    ("adhesion_force", |it, x| it.law.adhesion.force = x),
    ("adhesion_range", |it, x| it.law.adhesion.range = x),
    ("tolerance", |it, x| it.tolerance = Some(x)),
    ("penetration_limit", |it, x| it.penetration_limit = Some(x)),
    ("margin", |it, x| it.margin = Some(x)),
];

/// Their lines in the table of properties.
fn infos() -> Vec<&'static PropertyInfo> {
    let all = Kind::CollisionBehavior.properties().into_iter();
    let is_number = |it: &&PropertyInfo| !it.read_only && it.value_type == PropertyType::Real;
    all.filter(is_number).filter(|it| !it.name.starts_with("render.")).collect()
}

/// A square foot of vertices, or a ball, that falls on the ground.
fn model_of(is_ball: bool, law: ContactLaw) -> (Model, Handle<CollisionBehavior>) {
    let mut model = model_under(9.81);
    let body = if is_ball {
        add_sphere(&mut model, "foot", 1.0, 0.1, Vec3::z() * 0.1)
    } else {
        let at = Pose::identity();
        let foot = add_box(&mut model, "foot", 1.0, Vec3::new(0.1, 0.1, 0.05), at);
        let collider = model.iter::<Collider>().next().unwrap().0;
        model[foot].mesh = Some(plate(2));
        model[collider].shape = ColliderShape::vertices(0.0);
        foot
    };
    model[body].velocity = Vec3::new(0.2, 0.0, -0.5);
    let ground = model.add(Collider::half_space(Pose::identity()).named("ground"));
    let behavior = CollisionBehavior::new(body, ground, law.friction).with_law(law).named("glue");
    let behavior = model.add(behavior);
    (model, behavior)
}

#[test]
fn every_constant_refuses_what_is_absurd_by_its_name_wherever_it_is_set() {
    let names: Vec<&str> = infos().iter().map(|it| it.name).collect();
    assert_eq!(names, CONSTANTS.map(|it| it.0), "the list above has all constants");
    for (info, (name, put)) in infos().into_iter().zip(CONSTANTS) {
        for x in [f64::NAN, f64::NEG_INFINITY, f64::INFINITY, -1.0, 1e300] {
            if info.range.contains(x) {
                assert!(name == "penetration_limit" && x > 0.0, "{name} may be {x}");
                continue;
            }
            let (mut model, behavior) = model_of(true, ContactLaw::default());
            let property = model.property_of(behavior, name).unwrap();
            let before = model.setting(&property);
            let text = model.set_property(&property, x).unwrap_err().to_string();
            let wanted = format!("glue:{name} must be {}, got", info.range);
            assert!(text.contains(&wanted) && text.len() < 150, "{name} = {x}: {text}");
            assert_eq!(model.setting(&property), before);
            put(&mut model[behavior], x);
            let text = model.compile().err().map(|it| it.to_string()).unwrap_or_default();
            let wanted = format!("glue:{name} is ");
            assert!(text.contains(&wanted) && text.len() < 150, "{name} = {x}: {text}");
        }
    }
}

#[test]
fn lengths_and_tensions_that_no_contact_has_are_refused_with_what_to_do() {
    let error = |put: &dyn Fn(&mut CollisionBehavior)| {
        let (mut model, behavior) = model_of(true, ContactLaw::default().sticking(0.1, 1e-3));
        put(&mut model[behavior]);
        model.compile().err().map(|it| it.to_string()).unwrap_or_default()
    };
    assert_eq!(error(&|_| {}), "");
    // The radius of the ball is 0.1 m.
    for range in [0.2, 5e3] {
        let text = error(&|it| it.law.adhesion.range = range);
        let wanted = format!("glue:adhesion_range is {range} m; it must be <= 0.1 m");
        assert!(text.contains(&wanted) && text.contains("unit"), "{text}");
        assert!(text.contains("foot") && text.contains("ground"), "{text}");
    }
    let text = error(&|it| it.tolerance = Some(0.5));
    assert!(text.contains("glue:tolerance is 0.5 m; it must be <= 0.1 m"), "{text}");
    let text = error(&|it| it.law.adhesion.range = 1e-300);
    assert!(text.contains("glue:adhesion has a tension of 1e299; it must be <= 1e12 Pa"), "{text}");
    assert!(text.contains("raise `adhesion_range`"), "{text}");
}

/// Steps what falls; the error where it is refused. Adhesion does work on what it presses into a layer.
fn fall(model: &Model, adheres: bool) -> Result<(), String> {
    let compiled = model.compile().map_err(|it| it.to_string())?;
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    let mut state = compiled.initial_state();
    let energy = |state: &_| {
        let all = compiled.energies(state);
        all.kinetic + all.gravitational
    };
    let body = model.iter::<RigidBody>().next().unwrap().0;
    let most = if adheres { f64::MAX } else { energy(&state) + 1e-9 };
    for _ in 0..30 {
        solver.step(&compiled, &mut state, 1e-3).map_err(|it| it.to_string())?;
        let (now, place) = (energy(&state), compiled.body_motion(body, &state).unwrap().0);
        assert!(now.is_finite() && now <= most, "{now} J of {most} J");
        let far = place.translation.vector.norm();
        assert!(far < 1.0 || adheres && far.is_finite(), "{far} m away");
    }
    Ok(())
}

#[test]
fn at_the_ends_of_their_ranges_constants_bring_no_energy_and_are_finite_or_named() {
    let laws = [
        NormalLaw::Linear,
        NormalLaw::Automatic,
        NormalLaw::ElasticFoundation,
        NormalLaw::LogarithmicFoundation,
        NormalLaw::HuntCrossley,
    ];
    for (info, (name, put)) in infos().into_iter().zip(CONSTANTS) {
        let ends = [info.range.low(), info.range.high()];
        for (end, is_inside) in ends.into_iter().filter(|(end, _)| end.is_finite()) {
            let x = if is_inside { end } else { 0.999_999 * end + 1e-12 };
            for normal in laws {
                let is_ball = normal == NormalLaw::HuntCrossley;
                let mut law = ContactLaw { normal, ..ContactLaw::rough(0.3) };
                let adheres = name.starts_with("adhesion");
                if adheres {
                    law.adhesion = Adhesion { work: 0.01, force: 0.0, range: 1e-3 };
                }
                let (mut model, behavior) = model_of(is_ball, law);
                put(&mut model[behavior], x);
                if let Err(text) = fall(&model, adheres) {
                    assert!(
                        ["glue", "foot", "body 0"].iter().any(|name| text.contains(name)),
                        "{name} = {x}, {normal:?}: {text}"
                    );
                }
            }
        }
    }
}
