//! Point loads on a selection: one load a point, which share the force equally.

use sinew::component::ComponentId;
use sinew::model::{PointLoad, PointRef};

use super::{Job, Reader};
use crate::diagnostic::Diagnostic;
use crate::tree::{Node, get};

impl Reader {
    /// Spreads a load over its `targets`: the first stays where it is, the others follow it.
    pub(super) fn spread_load(&mut self, id: ComponentId, job: &Job) {
        let Some(load) = id.typed::<PointLoad>() else { return };
        let Some(node) = get(&job.table, "targets").cloned() else { return };
        let points = self.targets(&node, job);
        let Some(points) = self.findings.take(points) else { return };
        let Some(whole) = self.draft.model().get(load).cloned() else { return };
        let force = whole.force / points.len() as f64;
        for (k, target) in points.into_iter().enumerate() {
            if k > 0 {
                let name = match whole.name.as_str() {
                    "" => String::new(),
                    name => format!("{name}_{k}"),
                };
                let share = PointLoad { name, target, force, ..whole.clone() };
                if let Err(error) = self.draft.add(job.start, share, None) {
                    return self.findings.error(|| Diagnostic::error(node.span, error.to_string()));
                }
            } else if let Some(first) = self.draft.get_mut(load) {
                (first.target, first.force) = (target, force);
            }
        }
    }

    /// The points that `targets` means.
    fn targets(&self, node: &Node, job: &Job) -> Result<Vec<PointRef>, Diagnostic> {
        if let Some(target) = get(&job.table, "target") {
            let message = "give 'target' or 'targets', not both";
            return Err(Diagnostic::error(target.span, message));
        }
        let Some(table) = node.table() else {
            let found = node.value.describe();
            let message =
                format!("'targets' is a selection such as {{ of = .., set = .. }}, not {found}");
            return Err(Diagnostic::error(node.span, message));
        };
        let (fem, nodes) = self.selected_nodes(table, node, job)?;
        Ok(nodes.into_iter().map(|k| PointRef::FemNode(fem, k)).collect())
    }
}
