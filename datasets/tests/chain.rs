//! The chain: masses, places and joints of its links, and what it refuses.

use sinew::Vec3;
use sinew::constraint::JointKind;
use sinew::model::{FrameSite, Joint, Model, RigidBody};
use sinew_datasets::chain::{ChainParams, chain};
use sinew_datasets::{Params, find};

fn of(links: usize) -> Model {
    chain(&ChainParams { links, ..ChainParams::default() }).unwrap()
}

fn built(arguments: &[&str]) -> Model {
    (find("chain").unwrap().build)(&mut Params::parse(arguments).unwrap()).unwrap()
}

/// A frame in the world.
fn placed(model: &Model, site: &FrameSite) -> nalgebra::Isometry3<f64> {
    site.body.map_or(site.pose, |body| model[body].pose * site.pose)
}

/// m g l / 2 = 0.32 kg x 9.8 m/s² x 0.1 m = 0.3136 J between horizontal and hanging: the pendulum of
/// docs/theory/rigid.md.
#[test]
fn one_link_is_the_pendulum_of_0_31_joules() {
    let model = of(1);
    model.check().unwrap();
    let (_, link) = model.iter::<RigidBody>().next().unwrap();
    let inertia = link.spatial_inertia().unwrap();
    assert!((inertia.mass() - 0.32).abs() < 1e-14, "{} kg", inertia.mass());
    let height = (link.pose * nalgebra::Point3::from(inertia.center_of_mass())).x;
    assert!((inertia.mass() * 9.8 * height - 0.3136).abs() < 1e-14, "centre at {height} m");
    let about_hinge = inertia.rotational_about(&Vec3::new(-0.1, 0.0, 0.0)).m22;
    // m (l² + w²) / 12 + m l² / 4.
    let expected = 0.32 * (0.04 + 0.0016) / 12.0 + 0.32 * 0.01;
    assert!((about_hinge - expected).abs() < 1e-14 * expected.max(1.0), "{about_hinge}");
}

#[test]
fn links_lie_along_x_and_every_joint_is_closed() {
    for joint in ["hinge", "spherical", "universal", "fixed"] {
        let model = built(&["n=7", &format!("joint={joint}")]);
        model.check().unwrap();
        assert_eq!([model.iter::<RigidBody>().count(), model.iter::<Joint>().count()], [7, 7]);
        for (_, joint) in model.iter::<Joint>() {
            let [c, d] = [&joint.c, &joint.d].map(|site| placed(&model, site));
            assert!((c.translation.vector - d.translation.vector).norm() < 1e-15);
            let kind = joint.settings.kind;
            let mut errors = vec![1.0; kind.row_count()];
            kind.calc_errors(&(d.inverse() * c), &mut errors);
            assert!(errors.iter().all(|e| e.abs() < 1e-15), "{} {errors:?}", joint.name);
            // The axis of a hinge is y.
            assert!((d.rotation * Vec3::z() - Vec3::y()).norm() < 1e-15);
        }
        let (_, last) = model.iter::<RigidBody>().last().unwrap();
        assert!((last.pose.translation.vector - Vec3::new(1.3, 0.0, 0.0)).norm() < 1e-14);
    }
}

#[test]
fn joints_and_drag_are_those_that_were_asked_for() {
    for (name, kind) in [
        ("hinge", JointKind::Hinge),
        ("spherical", JointKind::Spherical),
        ("universal", JointKind::Universal),
        ("fixed", JointKind::Solid),
    ] {
        let model = built(&[&format!("joint={name}"), "damping=0.02"]);
        assert!(model.iter::<Joint>().all(|(_, joint)| joint.settings.kind == kind), "{name}");
        assert!(model.iter::<RigidBody>().all(|(_, link)| link.rotary_damping == Some(0.02)));
    }
    for links in [0, 10_001] {
        assert!(chain(&ChainParams { links, ..ChainParams::default() }).is_err());
    }
    assert!(chain(&ChainParams { width: 0.0, ..ChainParams::default() }).is_err());
}

#[test]
fn the_chain_is_the_same_after_a_round_through_a_document() {
    let text = serde_json::to_string(&of(3)).unwrap();
    let read: Model = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}
