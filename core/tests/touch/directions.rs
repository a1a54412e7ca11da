//! Friction acts against the motion, whatever its heading and the model of friction.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::lcp::FrictionModel;
use sinew::model::{Collider, CollisionBehavior, Model, RigidBody};
use sinew::solve::{ContactMethod, Integrator, SolverSettings};

use super::scenes::{EULER, Scene, add_box, add_slope, block_on_slope, model_under};

const MODELS: [FrictionModel; 3] = [FrictionModel::Box, FrictionModel::Cone4, FrictionModel::Cone8];
const FRICTION: f64 = 0.4;
const GRAVITY: f64 = 9.81;

/// Half the angle between corners of a model [rad].
fn half_facet(friction: FrictionModel) -> f64 {
    let corners = if friction == FrictionModel::Cone8 { 8.0 } else { 4.0 };
    std::f64::consts::PI / corners
}

/// Directions of 0 to 90 degrees by 7.5.
fn headings() -> impl Iterator<Item = Vec3> {
    (0..=12).map(|k| {
        let (sin, cos) = (7.5 * f64::from(k)).to_radians().sin_cos();
        Vec3::new(cos, sin, 0.0)
    })
}

/// A block of 1 kg on a plane under this acceleration across it [m/s²].
fn block_on_plane(push: Vec3) -> (Model, Handle<RigidBody>) {
    let mut model = model_under(GRAVITY);
    model.set_gravity(push - Vec3::z() * GRAVITY);
    add_slope(&mut model, 0.0);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let block = add_box(&mut model, "block", 1.0, half, Pose::translation(0.0, 0.0, 0.05));
    model.add(CollisionBehavior::everything(FRICTION));
    (model, block)
}

fn scene(model: &Model, friction: FrictionModel) -> Scene {
    Scene::with(model, SolverSettings { integrator: EULER, friction, ..Default::default() })
}

/// A polygon with corners on Coulomb's circle would let a push of mu cos(half a facet) slide; with a corner on the
/// slip that there would be it does so at mu, as a box with a side across it.
#[test]
fn a_block_slides_from_the_same_push_on_in_all_directions() {
    for friction in MODELS {
        for heading in headings() {
            for (share, slides) in [(0.999, false), (1.001, true)] {
                let (model, block) = block_on_plane(heading * (share * FRICTION * GRAVITY));
                let mut scene = scene(&model, friction);
                scene.steps(5e-3, 100);
                let velocity = scene.velocity(block);
                let expected = if slides { 0.001 * FRICTION * GRAVITY * 0.5 } else { 0.0 };
                let error = (velocity - heading * expected).norm();
                assert!(error < 1e-6, "{velocity:?} along {heading:?} by {share}, {friction:?}");
            }
        }
    }
}

#[test]
fn friction_is_against_the_motion_within_half_a_facet() {
    for friction in MODELS {
        for heading in headings() {
            // Pushed across its motion.
            let (mut model, block) = block_on_plane(Vec3::z().cross(&heading) * 0.5);
            model[block].velocity = heading;
            let mut scene = scene(&model, friction);
            scene.step(2e-3);
            let force = scene.force();
            let across = Vec3::new(force.x, force.y, 0.0) * force.z.signum();
            let motion = scene.velocity(block);
            let angle = across.angle(&-motion);
            assert!(angle < half_facet(friction), "{angle} to {motion:?}, {friction:?}");
            let share = across.norm() / (FRICTION * GRAVITY);
            let least = half_facet(friction).cos() - 1e-9;
            assert!(share > least && share < 1.0 / least, "{share} of mu N, {friction:?}");
            scene.steps(2e-3, 100);
            let speed = scene.velocity(block).norm();
            assert!(speed < 1.0 - 0.2 * FRICTION * GRAVITY * least + 0.5 * 0.2, "{speed} m/s");
        }
    }
}

#[test]
fn a_block_sticks_on_slopes_of_any_heading_up_to_the_angle_of_friction() {
    for friction in MODELS {
        for k in 0..=12 {
            for (share, slides) in [(0.999, false), (1.001, true)] {
                let angle = (share * FRICTION).atan();
                let (mut model, block, down) = block_on_slope(angle, FRICTION, 0.0);
                // The slope stays, and the block is turned about its normal.
                let up = model[block].pose.rotation * Vec3::z();
                let turn = UnitQuaternion::new(up * (7.5 * f64::from(k)).to_radians());
                model[block].pose.rotation = turn * model[block].pose.rotation;
                let mut scene = scene(&model, friction);
                scene.steps(5e-3, 100);
                let speed = scene.velocity(block).dot(&down);
                let (sin, cos) = angle.sin_cos();
                let pulled = 0.5 * GRAVITY * (sin - FRICTION * cos);
                let expected = if slides { pulled } else { 0.0 };
                assert!((speed - expected).abs() < 1e-6, "{speed} of {expected} m/s, {friction:?}");
            }
        }
    }
}

/// The corners of a box share its weight in many ways; none of them is large.
#[test]
fn redundant_corners_carry_the_weight_in_explicit_steps_with_cones() {
    for friction in [FrictionModel::Cone4, FrictionModel::Cone8] {
        for tower in [1, 2] {
            let mut model = model_under(GRAVITY);
            model.add(Collider::half_space(Pose::identity()));
            let half = Vec3::new(0.1, 0.1, 0.05);
            for k in 0..tower {
                let at = Pose::translation(0.0, 0.0, 0.05 + 0.1 * f64::from(k));
                let body = add_box(&mut model, &format!("b{k}"), 1.0, half, at);
                model[body].velocity = Vec3::new(0.3, 0.2, 0.0);
            }
            model.add(CollisionBehavior::everything(FRICTION));
            let (integrator, contact_method) = (Integrator::RungeKutta4, ContactMethod::Dense);
            let settings =
                SolverSettings { integrator, friction, contact_method, ..Default::default() };
            let mut scene = Scene::with(&model, settings);
            for k in 0..200 {
                scene.step(2e-3);
                let largest = scene.state.contacts.iter().map(|it| it.force.norm());
                let largest = largest.fold(0.0, f64::max);
                // All of the weight and its friction on one corner, and the shock of the first steps.
                let most = f64::from(tower) * GRAVITY * (1.0 + FRICTION) * 2.0;
                assert!(largest < most, "{largest} N in step {k} of {tower}, {friction:?}");
            }
            assert!(scene.kinetic() < 1e-9, "{} J, {tower}, {friction:?}", scene.kinetic());
        }
    }
}
