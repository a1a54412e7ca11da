//! Properties of bodies and of what joins, holds and moves them: what follows from what, and what is
//! refused.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::{JointKind, JointSettings};
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Attachment, Edit, FrameMarker, FrameSite, Joint, Master, Model, MuscleExciter, PointRef,
    Problem, RigidBody,
};
use sinew::property::{Pose, Value};

use crate::fixture::everything;

fn numbers(model: &Model, path: &str) -> Vec<f64> {
    model.get_property(&model.property(path).unwrap()).unwrap().numbers().collect()
}

fn word(model: &Model, path: &str) -> String {
    model.get_property(&model.property(path).unwrap()).unwrap().to_string()
}

#[test]
fn an_inertia_is_given_by_density_by_mass_or_as_it_is_and_each_begins_where_the_other_was() {
    let mut model = Model::new("m");
    let size = Vec3::new(0.1, 0.2, 0.3);
    model.add(RigidBody::from_mesh("b", cuboid_mesh(&size).unwrap(), 1000.0));
    let at = |name: &str| format!("/models/m/rigid_bodies/b:{name}");
    // A box: m (b² + c²) / 12.
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    near(numbers(&model, &at("mass"))[0], 6.0);
    near(numbers(&model, &at("inertia"))[0], 6.0 * 0.13 / 12.0);
    near(numbers(&model, &at("volume"))[0], 0.006);
    model.set_text(&at("mass"), "3").unwrap();
    assert_eq!(word(&model, &at("inertia_method")), "mass");
    assert!(model.get_property(&model.property(&at("density")).unwrap()).is_err());
    near(numbers(&model, &at("inertia"))[0], 3.0 * 0.13 / 12.0);
    model.set_text(&at("inertia_method"), "density").unwrap();
    near(numbers(&model, &at("density"))[0], 500.0);
    model.set_text(&at("center_of_mass"), "0.01 0 0").unwrap();
    assert_eq!(word(&model, &at("inertia_method")), "explicit");
    near(numbers(&model, &at("mass"))[0], 3.0);
    model.set_text(&at("mass"), "1").unwrap();
    near(numbers(&model, &at("inertia"))[0], 3.0 * 0.13 / 12.0);
    let before = model[model.nth::<RigidBody>(0)].clone();
    for (name, value) in [
        ("inertia", "1 0 0 0 1 0 0 0 2.1"),
        ("inertia", "1 0.1 0 0 1 0 0 0 1"),
        ("mass", "0"),
        ("mass", "1e999"),
    ] {
        assert!(model.set_text(&at(name), value).is_err(), "{name} {value}");
        assert_eq!(model[model.nth::<RigidBody>(0)], before);
    }
}

#[test]
fn a_body_without_a_surface_has_no_density() {
    let mut model = everything();
    let hyoid = "/models/outer/rigid_bodies/hyoid:inertia_method";
    let error = model.set_text(hyoid, "density").unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{hyoid} cannot be 'density': the body has no closed surface to take it from")
    );
    assert_eq!(word(&model, hyoid), "explicit");
}

#[test]
fn a_body_without_a_surface_is_refused_as_one_without_an_inertia() {
    let mut model = Model::new("m");
    let open = RigidBody::new("b", sinew::model::Inertia::Density(1000.0));
    let body = model.add(open);
    let (id, error) = model.check().unwrap_err();
    assert_eq!(id, body.id());
    assert_eq!(
        error.of("/b"),
        "/b:inertia is refused: a density or a mass needs a closed surface; give one, or the inertia itself"
    );
    let mass = model.property_of(body, "mass").unwrap();
    assert!(model.get_property(&mass).is_err());
    assert!(model.set_property(&mass, 1.0).is_err());
}

#[test]
fn what_makes_no_joint_is_refused() {
    let mut model = everything();
    let at = |joint: &str, name: &str| format!("/models/outer/connectors/{joint}:{name}");
    let jaw = "/models/outer/rigid_bodies/jaw";
    for (joint, name, value, said) in [
        ("hinge", "body_d", jaw, "body_d is /models/outer/rigid_bodies/jaw, which is on the other"),
        ("hinge", "body_d", "/models/outer", "it must lead to a rigid body, or be empty"),
        ("hinge", "compliance", "1 2", "it must be one number for each row of its kind"),
        ("hinge", "compliance", "1 2 3 4 -5", "must be >= 0, got -5"),
        ("hinge", "coordinate.theta.lower", "inf", "kind is refused: hinge joint: the range"),
        ("hinge", "coordinate.roll.lower", "0", "there is none of that name now"),
        ("gimbal", "coordinate.yaw.upper", "-4", "the range of yaw is"),
        ("ellipsoid", "kind.semi_axes", "1 0 1", "must be > 0, got 0"),
        ("hinge", "kind", "pretzel", "takes a choice of solid, hinge"),
    ] {
        let error = model.set_text(&at(joint, name), value).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    model.set_text(&at("hinge", "body_d"), "").unwrap();
    assert_eq!(word(&model, &at("hinge", "body_d")), "");
    let error = model.set_text(&at("hinge", "body_c"), "").unwrap_err().to_string();
    assert!(error.ends_with("body_d is the ground, which is on the other side already"), "{error}");
    model.set_text(&at("gimbal", "coordinate.yaw.upper"), "inf").unwrap();
    assert_eq!(word(&model, &at("gimbal", "coordinate.yaw.upper")), "inf");
    let gimbal = model.find_handle::<Joint>("/models/outer/connectors/gimbal").unwrap();
    let yaw = model[gimbal].settings.coordinates[2].range;
    assert_eq!((yaw.lower, yaw.upper), (Some(-std::f64::consts::PI), None));
    // From a file, rows may be missing.
    let settings = JointSettings { rows: Vec::new(), ..JointSettings::new(JointKind::Hinge) };
    model[gimbal].settings = settings;
    let error = model.check().unwrap_err().1;
    assert!(matches!(error.problem, Problem::Joint(_)), "{error}");
    for property in model.properties(gimbal) {
        let _ = model.get_property(&property);
    }
}

#[test]
fn a_joint_reads_its_coordinates_and_its_errors_at_the_start() {
    let mut model = Model::new("m");
    let mesh = cuboid_mesh(&Vec3::repeat(0.1)).unwrap();
    let turned = Pose::new(Vec3::new(0.5, 0.0, 0.25), Vec3::z() * 0.5);
    let body = model.add(RigidBody::from_mesh("b", mesh, 1000.0).at(turned));
    let (c, d) = (FrameSite::on(body, Pose::identity()), FrameSite::ground(Pose::identity()));
    model.add(Joint::new(JointKind::Cylindrical, c, d).named("j"));
    let of = |model: &Model, name: &str| numbers(model, &format!("/models/m/connectors/j:{name}"));
    let near = |a: &[f64], b: &[f64]| {
        let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(a.len() == b.len() && off < 1e-15, "{a:?} {b:?}");
    };
    near(&of(&model, "coordinates"), &[0.25, 0.5]);
    near(&of(&model, "errors"), &[0.5, 0.0, 0.0, 0.0]);
    model.set_text("/models/m/rigid_bodies/b:position", "0 0 1").unwrap();
    near(&of(&model, "errors"), &[0.0; 4]);
    near(&of(&model, "coordinates"), &[1.0, 0.5]);
}

#[test]
fn a_marker_is_where_its_body_carries_it() {
    let mut model = everything();
    let jaw = model.find_handle::<RigidBody>("/models/outer/rigid_bodies/jaw").unwrap();
    let turn = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::z() * std::f64::consts::FRAC_PI_2);
    model.set_property(&model.property_of(jaw, "pose").unwrap(), turn).unwrap();
    let position = numbers(&model, "/models/outer/frame_markers/chin:position");
    // 0.1 m along y of the body, which is -x of the world.
    let expected = [0.9, 2.0, 3.0];
    let off = position.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-15, "{position:?}");
}

#[test]
fn keyframes_rise_and_turn_without_stretching() {
    let mut model = everything();
    let path = "/models/outer/rigid_bodies/skull:keyframes";
    let error = |model: &mut Model, text: &str| model.set_text(path, text).unwrap_err().to_string();
    let said = error(&mut model, "0 1 2 3 0 0 0 1 0 1 2 3 0 0 0 1");
    assert!(said.contains("keyframes has a time of 0; it must be finite and above"), "{said}");
    for text in ["0 1 2 3 0 0 0", "0 1 2 3 0 0 0 0"] {
        let said = error(&mut model, text);
        assert!(
            said.contains("it must be a time, x y z and a quaternion")
                || said.contains("quaternion whose length is not 1"),
            "{said}"
        );
    }
    model.set_text(path, "0 1 2 3 0 0 0 2").unwrap();
    assert_eq!(numbers(&model, path), [0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]);
    model.set_text(path, "").unwrap();
    assert!(model[model.nth::<RigidBody>(0)].keyframes.is_empty());
}

#[test]
fn what_cannot_follow_is_not_attached() {
    let mut model = everything();
    let string = "/models/outer/attachments/string";
    let bob = "/models/outer/particles/bob";
    let marker = "/models/outer/frame_markers/chin";
    for (points, said) in [
        (marker.to_owned(), "it must be free, and a frame marker follows its body already"),
        (format!("{bob} {bob}"), "names /models/outer/particles/bob more than once"),
        ("/models".to_owned(), "they must lead to particles, frame markers, or nodes"),
    ] {
        let error = model.set_text(&format!("{string}:points"), &points).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let hung = "/models/outer/particles/hung";
    let error = model.set_text(&format!("{string}:master"), hung).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "refers to /models/outer/particles/hung; it must be another than its master"
        )
    );
    model.set_text(&format!("{string}:master"), bob).unwrap();
    let handle = model.nth::<Attachment>(0);
    let bob = model.find_handle("/models/outer/particles/bob").unwrap();
    assert_eq!(model[handle].master, Master::Particle(bob));
    assert_eq!(model[handle].points.len(), 1);
}

#[test]
fn a_line_has_two_points_and_a_point_is_not_constrained_to_itself() {
    let mut model = everything();
    let bob = "/models/outer/particles/bob";
    let line = "/models/outer/multi_point_springs/peck:points";
    let error = model.set_text(line, bob).unwrap_err().to_string();
    assert!(error.ends_with("points has 1 entries; it needs 2 at least"), "{error}");
    let rod = "/models/outer/constrainers/rod";
    let error = model.set_text(&format!("{rod}:anchor"), bob).unwrap_err().to_string();
    assert!(
        error
            .ends_with("anchor is /models/outer/particles/bob, which is on the other side already"),
        "{error}"
    );
    let marker = "/models/outer/frame_markers/chin";
    model.set_text(&format!("{rod}:anchor"), marker).unwrap();
    let jaw = model.find_handle::<RigidBody>("/models/outer/rigid_bodies/jaw").unwrap();
    let main = model.main();
    let other = model.add_to(main, FrameMarker::new(jaw, Vec3::x()).named("other")).unwrap();
    let path = model.path(other);
    let error = model.set_text(&format!("{rod}:point"), &path).unwrap_err().to_string();
    assert!(error.contains("anchor is /models/outer/rigid_bodies/jaw"), "{error}");
    assert_eq!(word(&model, &format!("{rod}:point")), bob);
}

#[test]
fn an_exciter_keeps_its_gains_and_never_drives_itself() {
    let mut model = everything();
    let main = model.main();
    let first = model.first::<MuscleExciter>().unwrap();
    let second = model.add_to(main, MuscleExciter::new("second", [first])).unwrap();
    let third = model.add_to(main, MuscleExciter::new("third", [second])).unwrap();
    let path = "/models/outer/exciters/exciter";
    let rope = "/models/outer/axial_springs/rope";
    model.set_text(&format!("{path}:gains"), "0.25").unwrap();
    let line = "/models/outer/multi_point_springs/peck";
    model.set_text(&format!("{path}:targets"), &format!("{line} {rope}")).unwrap();
    assert_eq!(numbers(&model, &format!("{path}:gains")), [1.0, 0.25]);
    assert!(model.set_text(&format!("{path}:gains"), "1").is_err());
    let before = model[first].clone();
    for driven in [first.id(), second.id(), third.id()] {
        let property = model.property_of(first, "targets").unwrap();
        let value = Value::Paths(vec![model.path(driven)]);
        let set = model.set_property(&property, value.clone()).unwrap_err().to_string();
        let planned = model.plan(Edit::set(property, value)).unwrap_err().to_string();
        assert!(set.ends_with("targets lead back to it; an exciter cannot drive itself"), "{set}");
        assert_eq!(set, planned);
        assert_eq!(model[first], before, "gains too");
    }
    // In code nothing is refused; compiling does.
    model[first].targets[0].target = third.id();
    assert_eq!(model.check().unwrap_err().1.problem, Problem::Circle);
    model[first].targets[0].target = model.nth::<RigidBody>(0).id();
    assert!(matches!(model.check().unwrap_err().1.problem, Problem::Unfit { .. }));
}

#[test]
fn drag_on_bodies_is_inherited() {
    let mut model = everything();
    for name in ["frame_damping", "rotary_damping", "inertial_damping"] {
        let body = model.property(&format!("/models/outer/rigid_bodies/jaw:{name}")).unwrap();
        let above = model.property(&format!("/models/outer:{name}")).unwrap();
        assert_eq!(model.get_real(&body), Ok(0.0));
        model.set_property(&above, 2.0).unwrap();
        assert_eq!(model.get_real(&body), Ok(2.0));
        model.set_property(&body, 3.0).unwrap();
        assert_eq!(model.get_real(&body), Ok(3.0));
    }
}

#[test]
fn a_marker_is_a_point_wherever_a_point_can_be() {
    let mut model = everything();
    let chin = "/models/outer/frame_markers/chin";
    let marker = PointRef::at(model.find(chin).unwrap()).unwrap();
    for path in [
        "/models/outer/axial_springs/rope:first",
        "/models/outer/force_effectors/0:target",
        "/models/outer/multi_point_springs/peck:points",
    ] {
        let text = if path.ends_with("points") { format!("{chin} {chin}") } else { chin.into() };
        model.set_text(path, &text).unwrap();
        assert_eq!(word(&model, path), text);
    }
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let s = sinew::simulated::Simulated { model: &model, compiled: &compiled, state: &state };
    let position = model.property(&format!("{chin}:position")).unwrap();
    assert_eq!(s.get_property(&position).unwrap(), model.get_property(&position).unwrap());
    assert_eq!(marker.component(), position.host().component());
}
