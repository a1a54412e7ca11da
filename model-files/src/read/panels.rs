//! The section of control panels: components with absolute paths. A property that is not there is told and left out.

use std::rc::Rc;

use sinew::component::{ComponentId, ROOT};
use sinew::model::{ControlPanel, MechModel};
use sinew::property::PropertyError;

use super::Reader;
use super::group::GroupContext;
use super::probes::span_of;
use crate::diagnostic::Diagnostic;
use crate::panels::{Panel, PanelItem};
use crate::tree::{Node, Span, Table, Tree, get};

impl Reader {
    /// Panels beside a `root` are in the first mechanical model of it; their paths begin at the root.
    pub(super) fn panels_of_root(&mut self, main: Option<ComponentId>, table: &Rc<Table>) {
        if main.is_some() {
            return;
        }
        let first = self.draft.model().iter::<MechModel>().next();
        let parent = first.map_or(ROOT, |(at, _)| at.id());
        self.probe_tables.push((table.clone(), GroupContext { parent, start: ROOT, scope: 0 }));
    }

    /// The component of a panel whose paths begin at `start`.
    pub(super) fn panel(
        &mut self,
        item: &Node,
        panel: Panel,
        start: ComponentId,
    ) -> Option<ControlPanel> {
        let Panel { name, items } = panel;
        let mut found = Panel { name, items: Vec::new() };
        for (k, it) in items.into_iter().enumerate() {
            self.limits_of(&it, item);
            match self.property_path(&it.property, start) {
                Ok(property) => found.items.push(PanelItem { property, ..it }),
                Err(error) => {
                    let message = format!("{error}; it is left out of the panel '{}'", found.name);
                    self.findings.warn(property_span(item, k).unwrap_or(item.span), message);
                }
            }
        }
        let made = found.component(self.draft.model());
        let refused = |error: PropertyError| Diagnostic::error(item.span, error.to_string());
        self.findings.take(made.map_err(refused))
    }

    fn limits_of(&mut self, it: &PanelItem, node: &Node) {
        if let (Some(low), Some(high)) = (it.low, it.high)
            && (low >= high || !low.is_finite() || !high.is_finite())
        {
            let message = format!("a slider from {low} to {high} has no way to go");
            self.findings.error(|| Diagnostic::error(node.span, message));
        }
    }
}

fn property_span(panel: &Node, k: usize) -> Option<Span> {
    let Tree::List(items) = &get(panel.table()?, "items")?.value else { return None };
    Some(span_of(items.get(k)?, "property"))
}
