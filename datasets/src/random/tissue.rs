//! A tissue of any element and law, fixed at one end, free, or hanging on a body.

use sinew::component::{ComponentType, Handle};
use sinew::material::MaterialSpec;
use sinew::model::{Attachment, Dirichlet, FemModel, Master, Model, PointRef, RigidBody};

use super::Draws;
use crate::beam::{BeamElement, beam_mesh};

/// Adds a block of a few cells; to a body, if there is one, or to the world.
pub(super) fn add_tissue(
    model: &mut Model,
    draws: &mut Draws,
    body: Option<Handle<RigidBody>>,
) -> Handle<FemModel> {
    let (_, element) = draws.pick(BeamElement::NAMES);
    let counts = [1 + draws.below(3), 1 + draws.below(2), 1];
    let size = [0.03 * counts[0] as f64, 0.03 * counts[1] as f64, 0.03];
    let mesh = beam_mesh(element, counts, size).expect("a grid of a few cells");
    let end: Vec<u32> = (0..mesh.nodes.len() as u32)
        .filter(|&node| mesh.nodes[node as usize].x < -0.49 * size[0])
        .collect();
    let laws: Vec<MaterialSpec> =
        MaterialSpec::examples().into_iter().filter(|law| !law.kind().muscle).collect();
    let mut fem = FemModel::new("tissue", mesh, 1000.0, draws.pick(&laws));
    fem.mass_damping = draws.pick(&[0.0, 0.0, 2.0]);
    fem.stiffness_damping = draws.pick(&[0.0, 0.0, 0.005]);
    let fixing = draws.below(3);
    if fixing == 0 {
        fem.dirichlet.push(Dirichlet::fix(end.clone()));
    }
    let fem = model.add(fem);
    if let (1, Some(body)) = (fixing, body) {
        let points = end.into_iter().map(|node| PointRef::FemNode(fem, node)).collect();
        model.add(Attachment::new(points, Master::Body(body)).named("hanging"));
    }
    fem
}
