//! Balls with rolling resistance: a moment of at most a lever times the normal force.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::contact::ContactLaw;
use sinew::lcp::FrictionModel;
use sinew::model::{CollisionBehavior, Model, RigidBody};
use sinew::solve::{ContactMethod, SolverSettings};

use super::scenes::{EULER, Scene, add_slope, add_sphere, model_under};

const RADIUS: f64 = 0.1;
const LEVER: f64 = 1e-3;

/// A ball of 2 kg on a slope [rad], and the direction down it.
fn ball_on_slope(angle: f64) -> (Model, Handle<RigidBody>, Vec3) {
    let mut model = model_under(9.81);
    let slope = add_slope(&mut model, angle);
    let up = slope.rotation * Vec3::z();
    let ball = add_sphere(&mut model, "ball", 2.0, RADIUS, up * RADIUS);
    let behavior = CollisionBehavior::everything(0.5);
    let law = ContactLaw { rolling_friction: LEVER, ..behavior.law };
    model.add(behavior.with_law(law));
    (model, ball, slope.rotation * Vec3::x())
}

fn settings(contact_method: ContactMethod, friction: FrictionModel) -> SolverSettings {
    SolverSettings { integrator: EULER, contact_method, friction, ..Default::default() }
}

/// m a = -f and (2/5) m R² a / R = f R - b m g: a = -(5/7) g b / R.
#[test]
fn a_ball_that_rolls_is_slowed_by_its_rolling_friction() {
    for (method, friction) in [
        (ContactMethod::Dense, FrictionModel::Box),
        (ContactMethod::Sparse, FrictionModel::Box),
        (ContactMethod::Dense, FrictionModel::Cone8),
    ] {
        let (mut model, ball, along) = ball_on_slope(0.0);
        let heading = Vec3::new(0.6, 0.8, 0.0);
        model[ball].velocity = heading;
        model[ball].angular_velocity = Vec3::z().cross(&heading) / RADIUS;
        let mut scene = Scene::with(&model, settings(method, friction));
        let start = scene.place(ball);
        scene.steps(5e-3, 200);
        let slowed = 5.0 / 7.0 * 9.81 * LEVER / RADIUS;
        let (speed, way) = (scene.velocity(ball).dot(&heading), scene.place(ball) - start);
        let expected = 1.0 - slowed;
        assert!((speed / expected - 1.0).abs() < 1e-6, "{speed} of {expected} m/s, {method:?}");
        // Of first order in the step.
        let distance = 1.0 - 0.5 * slowed;
        assert!((way.norm() / distance - 1.0).abs() < 1e-3, "{way:?} of {distance} m, {method:?}");
        assert!(way.cross(&heading).norm() < 1e-9, "{way:?} along {along:?}, {method:?}");
    }
}

#[test]
fn a_ball_rests_on_slopes_up_to_its_lever_over_its_radius() {
    for method in [ContactMethod::Dense, ContactMethod::Sparse] {
        for share in [0.9f64, 1.1] {
            let angle = (share * LEVER / RADIUS).atan();
            let (model, ball, down) = ball_on_slope(angle);
            let mut scene = Scene::with(&model, settings(method, FrictionModel::Box));
            scene.steps(5e-3, 200);
            let speed = scene.velocity(ball).dot(&down);
            let (sin, cos) = angle.sin_cos();
            let pulled = 5.0 / 7.0 * 9.81 * (sin - cos * LEVER / RADIUS).max(0.0);
            assert!(
                (speed - pulled).abs() < 1e-6,
                "{speed} of {pulled} m/s at {share}, {method:?}"
            );
        }
    }
}
