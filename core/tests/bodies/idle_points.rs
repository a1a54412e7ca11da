//! Markers that nothing but muscles goes through are left out of the iterations of a step: it ends where it does with
//! particles of next to no mass in their places, which are not left out.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, hinge, in_plane, shift, solid_box};
use sinew::Vec3;
use sinew::axial::{AxialLaw, Constants, Value};
use sinew::component::Handle;
use sinew::model::{
    Attachment, FrameMarker, FrameSite, Master, Model, MultiPointSpring, Particle, PointRef,
    RigidBody, WrapSurface,
};
use sinew::solve::{Integrator, NewtonSettings};

/// A place on a body, as a marker or as a particle [kg].
fn place(model: &mut Model, body: Handle<RigidBody>, at: Vec3, as_marker: bool) -> PointRef {
    if as_marker {
        return model.add(FrameMarker::new(body, at)).into();
    }
    let pose = model.get(body).expect("it was added").pose;
    let particle = model.add(Particle::new(1e-11, pose.transform_point(&at.into()).coords));
    model.add(Attachment::new(vec![particle.into()], Master::Body(body)));
    particle.into()
}

/// Two bars on hinges that move in all directions, with a damped spring over a pulley from the ground to the second.
fn limb(as_markers: bool) -> (Model, [Handle<RigidBody>; 2]) {
    let mut model = in_plane(0.0);
    model.set_gravity(Vec3::new(0.0, -9.81, 0.0));
    let bar = |name, x| solid_box(name, 1.5, [0.4, 0.06, 0.04]).at(shift(x, 0.0, 0.0));
    let (upper, lower) = (model.add(bar("upper", 0.2)), model.add(bar("lower", 0.6)));
    hinge(&mut model, [Some(upper), None], Vec3::zeros(), Vec3::new(0.0, 0.6, 0.8));
    hinge(&mut model, [Some(lower), Some(upper)], Vec3::x() * 0.4, Vec3::z());
    let origin: PointRef = model.add(Particle::new(1.0, Vec3::new(-0.1, 0.3, 0.1)).fixed()).into();
    let mut put = |body, at| place(&mut model, body, at, as_markers);
    let points = vec![
        origin,
        put(upper, Vec3::new(0.0, 0.08, 0.02)),
        put(upper, Vec3::new(0.15, 0.07, 0.0)),
        put(lower, Vec3::new(-0.1, 0.05, 0.01)),
    ];
    let knee = FrameSite::on(upper, shift(0.2, 0.0, 0.0));
    let pulley = model.add(WrapSurface::cylinder(knee, 0.04));
    let mut law = AxialLaw::from_name("linear").unwrap();
    law.set("stiffness", Value::Number(300.0)).unwrap();
    law.set("damping", Value::Number(2.0)).unwrap();
    let mut spring = MultiPointSpring::new(points, law).over(pulley);
    spring.rest_length = 0.5;
    model.add(spring);
    (model, [upper, lower])
}

#[test]
fn steps_with_idle_points_end_where_those_with_all_points_do() {
    let rules: [(&str, Integrator); 3] = [
        ("Euler", EULER),
        ("trapezoidal", TRAPEZOIDAL),
        ("midpoint", Integrator::Midpoint(NewtonSettings::default())),
    ];
    for (name, rule) in rules {
        let ends = [true, false].map(|as_markers| {
            let (model, bodies) = limb(as_markers);
            let mut runner = Runner::new(&model, rule);
            runner.steps(2e-3, 150);
            bodies.map(|body| {
                let (pose, velocity, turning) =
                    runner.compiled.body_motion(body, &runner.state).unwrap();
                [pose.translation.vector, velocity, turning]
            })
        });
        for (idle, all) in ends[0].iter().flatten().zip(ends[1].iter().flatten()) {
            // Iterations of backward Euler end at 1e-7 of the momenta, those of the others far below.
            let tolerance = if rule == EULER { 2e-6 } else { 1e-7 };
            assert!((idle - all).norm() < tolerance * (1.0 + all.norm()), "{name}: {idle} {all}");
        }
        assert!(ends[0][1][2].norm() > 0.1, "{name}: it moves");
    }
}
