//! Models that are excited.

use sinew::axial::active::{ConstantMuscle, PeckMuscle, SimpleMuscle, Thelen2003};
use sinew::axial::{ActivationDynamics, ActivationModel, AxialLaw};
use sinew::component::{ComponentId, Handle};
use sinew::material::{MaterialSpec, SimpleMuscleConstants};
use sinew::model::{
    Attachment, AxialSpring, Collider, CollisionBehavior, CoordinateActuator, Dirichlet, Excited,
    FemModel, FrameMarker, JointCoordinate, Master, Model, MultiPointSpring, MuscleBundle,
    MuscleExciter, Particle, PointRef, RigidBody,
};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::BeamElement;

use crate::scenes::{grid, hinge, in_plane, nodes_where, shift, solid_box};

/// A model with what is excited in it.
pub(crate) struct Excitable {
    pub(crate) model: Model,
    pub(crate) excited: Vec<ComponentId>,
    /// Excitation of each that responses are taken at [-].
    pub(crate) level: f64,
}

pub(crate) fn constant(max_force: f64) -> AxialLaw {
    AxialLaw::ConstantMuscle(ConstantMuscle { max_force, ..Default::default() })
}

/// A muscle whose force depends on length and rate, with damping.
pub(crate) fn peck(max_force: f64, length: f64) -> AxialLaw {
    AxialLaw::Peck(PeckMuscle {
        max_force,
        optimal_length: length,
        max_length: 1.4 * length,
        tendon_ratio: 0.2,
        damping: 3.0,
        ..Default::default()
    })
}

/// A muscle from a fixed point of the world to a point of a body, in its frame.
pub(crate) fn muscle(
    model: &mut Model,
    (from, body, to): (Vec3, Handle<RigidBody>, Vec3),
    law: AxialLaw,
) -> Handle<AxialSpring> {
    let from = model.add(Particle::new(1.0, from).fixed());
    let to = model.add(FrameMarker::new(body, to));
    let mut muscle = AxialSpring::with_law([PointRef::from(from), to.into()], law);
    muscle.rest_length = 0.3;
    model.add(muscle)
}

/// First-order activation of 20 and 60 ms.
pub(crate) fn slow() -> ActivationDynamics {
    ActivationDynamics {
        model: ActivationModel::FirstOrder,
        activation_time: 0.02,
        deactivation_time: 0.06,
        least: 0.01,
    }
}

/// The excitation of [`lever`] whose muscle has an elastic tendon.
pub(crate) const ELASTIC: usize = 2;

/// A bar of 2 kg on a hinge, with muscles of several laws and dynamics, a line over it, an exciter of two of them, and an
/// actuator of the hinge.
pub(crate) fn lever() -> Excitable {
    let mut model = in_plane(9.81);
    let bar = model.add(solid_box("forearm", 2.0, [0.6, 0.05, 0.05]).at(shift(0.3, 0.0, 0.0)));
    let joint = hinge(&mut model, [Some(bar), None], Vec3::zeros(), Vec3::z());
    let above = Vec3::new(0.02, 0.3, 0.01);
    let first = muscle(&mut model, (above, bar, Vec3::x() * -0.1), constant(200.0));
    let second = muscle(&mut model, (above * 0.9, bar, Vec3::x() * -0.12), peck(300.0, 0.3));
    model[second].activation = slow();
    let thelen = Thelen2003 {
        max_isometric_force: 150.0,
        optimal_fibre_length: 0.12,
        tendon_slack_length: 0.2,
        ..Default::default()
    };
    let below = Vec3::new(0.01, -0.3, 0.0);
    let third = muscle(&mut model, (below, bar, Vec3::x() * -0.15), AxialLaw::Thelen2003(thelen));
    let ends = [Vec3::new(0.1, 0.4, 0.0), Vec3::new(0.7, 0.3, 0.0)];
    let [a, b] = ends.map(|x| model.add(Particle::new(1.0, x).fixed()));
    let via = model.add(FrameMarker::new(bar, Vec3::new(0.2, 0.02, 0.0)));
    let law = AxialLaw::SimpleMuscle(SimpleMuscle {
        max_force: 40.0,
        stiffness: 30.0,
        damping: 2.0,
        ..Default::default()
    });
    let mut line = MultiPointSpring::new(vec![a.into(), via.into(), b.into()], law);
    line.rest_length = 0.6;
    let line = model.add(line);
    let mut exciter = MuscleExciter::new("pair", [ComponentId::from(line), first.into()]);
    exciter.targets = vec![
        Excited { gain: 0.6, ..exciter.targets[0] },
        Excited { gain: 0.3, ..exciter.targets[1] },
    ];
    let exciter = model.add(exciter);
    let motor = model.add(CoordinateActuator::new(JointCoordinate::new(joint, "theta"), 5.0));
    let excited =
        vec![first.into(), second.into(), third.into(), line.into(), exciter.into(), motor.into()];
    Excitable { model, excited, level: 0.5 }
}

/// A body in space, held by six muscles at its corners: every motion of it is that of one set of excitations.
pub(crate) fn hexapod(law: impl Fn(f64) -> AxialLaw) -> (Excitable, Handle<RigidBody>) {
    let mut model = in_plane(0.0);
    let mut body = solid_box("platform", 1.5, [0.2, 0.1, 0.3]);
    body.inertial_damping = Some(2.0);
    let body = model.add(body);
    let ends = [
        ([0.4, 0.1, 0.0], [0.1, -0.05, 0.1]),
        ([-0.35, 0.3, 0.1], [-0.1, 0.05, 0.15]),
        ([0.1, 0.45, -0.2], [0.05, 0.05, -0.15]),
        ([0.05, -0.4, 0.25], [-0.1, -0.05, 0.0]),
        ([0.2, 0.1, 0.5], [0.1, 0.05, 0.15]),
        ([-0.3, -0.2, -0.45], [0.0, -0.05, -0.15]),
    ];
    let excited = ends.map(|(from, to)| {
        let (from, to) = (Vec3::from(from), Vec3::from(to));
        ComponentId::from(muscle(&mut model, (from, body, to), law((to - from).norm())))
    });
    (Excitable { model, excited: excited.to_vec(), level: 0.5 }, body)
}

/// A bar of tissue with two bundles, one of slow activation; one end on `base`.
fn bar_of_tissue(corner: Vec3) -> (FemModel, impl Fn(Handle<FemModel>) -> [MuscleBundle; 2]) {
    let mesh = grid(BeamElement::Hex, [4, 2, 2], [0.2, 0.05, 0.05], corner);
    let law = MaterialSpec::from_name("mr").expect("a law of that name");
    let mut fem = FemModel::new("tissue", mesh, 1050.0, law);
    fem.mass_damping = 5.0;
    let bundles = |tissue| {
        let law = MaterialSpec::SimpleMuscle(SimpleMuscleConstants { max_stress: 2e4 });
        let along = MuscleBundle::new(tissue, law).in_elements((0..8).collect(), vec![Vec3::x()]);
        let law = MaterialSpec::from_name("blemker_muscle").expect("a law of that name");
        let mut across = MuscleBundle::new(tissue, law)
            .in_elements((4..16).collect(), vec![Vec3::new(1.0, 1.0, 0.3)]);
        across.activation = slow();
        [along, across]
    };
    (fem, bundles)
}

/// A bar of tissue, one end fixed.
pub(crate) fn tissue() -> Excitable {
    let mut model = in_plane(9.81);
    let (mut fem, bundles) = bar_of_tissue(Vec3::zeros());
    let base = nodes_where(&fem.mesh, |x| x.x < 1e-9);
    fem.dirichlet.push(Dirichlet::fix(base));
    let fem = model.add(fem);
    let excited = bundles(fem).map(|bundle| model.add(bundle).into());
    Excitable { model, excited: excited.to_vec(), level: 0.5 }
}

/// A bar of tissue, one end on a body that hangs on a hinge and is pulled by a muscle to a node.
pub(crate) fn attached_tissue() -> Excitable {
    let mut model = in_plane(9.81);
    let arm = model.add(solid_box("arm", 1.0, [0.3, 0.05, 0.05]).at(shift(0.15, 0.0, 0.0)));
    hinge(&mut model, [Some(arm), None], Vec3::zeros(), Vec3::z());
    let (fem, bundles) = bar_of_tissue(Vec3::new(0.3, -0.025, -0.025));
    let base = nodes_where(&fem.mesh, |x| x.x < 0.3 + 1e-9);
    let far = nodes_where(&fem.mesh, |x| x.x > 0.5 - 1e-9)[0];
    let fem = model.add(fem);
    let points = base.into_iter().map(|node| PointRef::FemNode(fem, node)).collect();
    model.add(Attachment::new(points, Master::Body(arm)));
    let mut excited: Vec<ComponentId> =
        bundles(fem).map(|bundle| model.add(bundle).into()).to_vec();
    let above = model.add(Particle::new(1.0, Vec3::new(0.1, 0.4, 0.1)).fixed());
    let ends = [PointRef::from(above), PointRef::FemNode(fem, far)];
    excited.push(model.add(AxialSpring::with_law(ends, constant(6.0))).into());
    Excitable { model, excited, level: 0.5 }
}

/// Two particles that muscles pull, without bodies and rows.
pub(crate) fn particles() -> Excitable {
    let mut model = in_plane(9.81);
    let [a, b] =
        [[0.1, 0.0, 0.0], [0.3, 0.1, 0.05]].map(|x| model.add(Particle::new(0.5, x.into())));
    let wall = model.add(Particle::new(1.0, Vec3::new(-0.2, 0.3, 0.0)).fixed());
    let mut excited = Vec::new();
    for (ends, law) in
        [([wall, a], peck(20.0, 0.4)), ([a, b], constant(8.0)), ([b, wall], peck(15.0, 0.5))]
    {
        excited.push(model.add(AxialSpring::with_law(ends, law)).into());
    }
    Excitable { model, excited, level: 0.5 }
}

/// A box at rest on the ground that muscles pull down, up and along; friction keeps it, or does not.
pub(crate) fn resting_box(friction: f64) -> Excitable {
    let mut model = in_plane(9.81);
    let floor = solid_box("floor", 1.0, [2.0, 0.2, 2.0]).at(shift(0.0, -0.1, 0.0)).fixed();
    let floor = model.add(floor);
    let body = model.add(solid_box("box", 2.0, [0.2, 0.1, 0.3]).at(shift(0.0, 0.05, 0.0)));
    let [a, b] = [(floor, [2.0, 0.2, 2.0]), (body, [0.2, 0.1, 0.3])]
        .map(|(of, size)| model.add(Collider::boxed(of, Vec3::from(size) * 0.5)));
    model.add(CollisionBehavior::new(a, b, friction));
    let up = muscle(&mut model, (Vec3::new(0.0, 1.0, 0.0), body, Vec3::y() * 0.05), constant(6.0));
    let along =
        muscle(&mut model, (Vec3::new(1.0, 0.05, 0.0), body, Vec3::x() * 0.1), constant(8.0));
    Excitable { model, excited: vec![up.into(), along.into()], level: 0.5 }
}

/// A body of 2 kg whose mass is all but a point 0.5 m below a hinge, with actuators that pull one way each.
pub(crate) fn pendulum([flexor, extensor]: [f64; 2]) -> (Excitable, JointCoordinate) {
    let mut model = in_plane(9.81);
    let inertia =
        sinew::dynamics::SpatialInertia::new(2.0, Vec3::y() * -0.5, Mat3::identity() * 1e-6);
    let body = RigidBody::new("bob", sinew::model::Inertia::Explicit(inertia.expect("an inertia")));
    let body = model.add(body);
    let joint = hinge(&mut model, [Some(body), None], Vec3::zeros(), Vec3::z());
    let coordinate = JointCoordinate::new(joint, "theta");
    let excited = [flexor, -extensor]
        .map(|moment| model.add(CoordinateActuator::new(coordinate.clone(), moment)).into());
    (Excitable { model, excited: excited.to_vec(), level: 0.5 }, coordinate)
}
