//! Prescribed motions, before the first step.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::active::Thelen2003;
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    AxialSpring, FrameMarker, Inertia, Keyframe, Model, Particle, PointKeyframe, PointRef,
    RigidBody,
};

fn keyframes() -> Vec<Keyframe> {
    let turned = Pose::new(Vec3::new(0.3, 0.0, 0.2), Vec3::z());
    let frames = [(0.0, Pose::translation(0.1, 0.0, 0.0)), (0.5, turned)];
    frames.map(|(time, pose)| Keyframe { time, pose }).to_vec()
}

fn prescribed_body() -> RigidBody {
    let inertia = SpatialInertia::new(1.0, Vec3::zeros(), sinew::Mat3::identity()).unwrap();
    RigidBody {
        keyframes: keyframes(),
        ..RigidBody::new("led", Inertia::Explicit(inertia)).fixed()
    }
}

/// Keyframes 0.2 m, 0.2 m and 1 rad apart in half a second.
#[test]
fn what_goes_through_keyframes_has_their_velocity_at_the_start() {
    let mut model = Model::new("led");
    let frames = [(0.0, 0.0), (0.5, 0.1)];
    let frames = frames.map(|(time, x)| PointKeyframe { time, position: Vec3::x() * x });
    let particle = model.add(Particle::new(1.0, Vec3::zeros()).prescribed(frames.to_vec()));
    let body = model.add(prescribed_body());
    let marker = model.add(FrameMarker::new(body, Vec3::y()));
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let velocity = |point: PointRef| state.u[compiled.find_row(point).unwrap()];
    let (_, of_body, angular_velocity) = compiled.body_motion(body, &state).unwrap();
    assert!((velocity(particle.into()) - Vec3::x() * 0.2).norm() < 1e-12);
    assert!((of_body - Vec3::new(0.4, 0.0, 0.4)).norm() < 1e-9, "{of_body}");
    assert!((angular_velocity - Vec3::z() * 2.0).norm() < 1e-9, "{angular_velocity}");
    let expected = Vec3::new(0.4 - 2.0, 0.0, 0.4);
    assert!((velocity(marker.into()) - expected).norm() < 1e-9);
}

/// Its fibre is that of the place where the body begins, which is not where the body was defined.
#[test]
fn a_muscle_on_a_body_with_keyframes_starts_at_rest_where_these_begin() {
    let tension = |start: f64| {
        let mut model = Model::new("muscle");
        let origin = model.add(Particle::new(1.0, Vec3::zeros()).fixed());
        let frames = vec![Keyframe { time: 0.0, pose: Pose::translation(0.3, 0.0, 0.0) }];
        let body = RigidBody { keyframes: frames, ..prescribed_body() }
            .at(Pose::translation(start, 0.0, 0.0));
        let body = model.add(body);
        let marker = model.add(FrameMarker::new(body, Vec3::zeros()));
        let law = AxialLaw::Thelen2003(Thelen2003::default());
        let ends = [PointRef::from(origin), marker.into()];
        let muscle = model.add(AxialSpring { excitation: 0.3, ..AxialSpring::with_law(ends, law) });
        let compiled = model.compile().unwrap();
        compiled.stretch_of(muscle, &compiled.initial_state()).unwrap()[2]
    };
    let (there, elsewhere) = (tension(0.3), tension(0.37));
    assert!(there > 10.0 && (elsewhere / there - 1.0).abs() < 1e-9, "{there} {elsewhere}");
}
