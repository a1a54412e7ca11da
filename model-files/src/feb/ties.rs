//! Nodes that tied interfaces attach: they leave conditions, and those beside the surfaces are told.

use std::collections::BTreeSet;

use sinew::component::Handle;
use sinew::fem::{VolumeMesh, locate};
use sinew::geometry::boundary;
use sinew::model::FemModel;

use super::import::Import;
use crate::xml_tree::Element;

/// Nodes on the surface of a mesh that are no farther than `reach` [m] from another one.
pub(super) fn near(mesh: &VolumeMesh, to: &VolumeMesh, reach: f64) -> Vec<u32> {
    let outside = boundary(mesh).node_of_vertex;
    let points: Vec<_> = outside.iter().map(|&node| mesh.nodes[node as usize]).collect();
    let placed = outside.into_iter().zip(locate(to, &points));
    placed.filter(|(_, it)| it.offset.norm() <= reach).map(|(node, _)| node).collect()
}

impl Import<'_> {
    /// Takes nodes that a tie attaches out of supports, and tells of those that are not of its surfaces.
    pub(super) fn release_tied(
        &mut self,
        at: &Element,
        fem: Handle<FemModel>,
        (near, named): (&[u32], &BTreeSet<u32>),
    ) {
        let beside = near.iter().filter(|node| !named.contains(node)).count();
        if beside > 0 {
            let message =
                format!("{beside} nodes beside the surfaces of {} are tied as well", at.label());
            self.findings.warn(at.span, message);
        }
        let tied: BTreeSet<u32> = near.iter().copied().collect();
        let Some(fem) = self.model.get_mut(fem) else { return };
        let count = |fem: &FemModel| fem.dirichlet.iter().map(|it| it.nodes.len()).sum::<usize>();
        let before = count(fem);
        fem.dirichlet.iter_mut().for_each(|it| it.nodes.retain(|node| !tied.contains(node)));
        fem.dirichlet.retain(|it| !it.nodes.is_empty());
        let released = before - count(fem);
        if released > 0 {
            let message = format!(
                "{released} nodes of conditions follow the other side of {}, which says where they are",
                at.label()
            );
            self.findings.warn(at.span, message);
        }
    }
}
