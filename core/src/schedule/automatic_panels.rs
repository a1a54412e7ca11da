//! Control panels of a model that has none: the excitations of its muscles.

use std::collections::BTreeSet;

use crate::component::ComponentId;
use crate::kinds::{
    AxialSpring, ControlPanel, ControlWidget, MultiPointSpring, MuscleExciter, PanelItem,
};
use crate::model::Model;
use crate::property::NamedProperty;

/// Sliders that are shown on a panel: more are found in the tree.
const MOST: usize = 60;

/// Panels of the exciters, and of muscles that none drives.
pub(super) fn automatic_panels(model: &Model) -> Vec<ControlPanel> {
    let exciters = model.iter::<MuscleExciter>();
    let driven: BTreeSet<ComponentId> = exciters
        .flat_map(|(_, exciter)| exciter.targets.iter().map(|excited| excited.target))
        .collect();
    let exciters = model.iter::<MuscleExciter>();
    let exciters = exciters.map(|(at, it)| slider(at.id(), &it.name)).take(MOST);
    let straight = model.iter::<AxialSpring>();
    let straight = straight.filter(|(_, it)| it.material.is_muscle());
    let straight = straight.map(|(at, it)| (at.id(), it.name.as_str()));
    let bent = model.iter::<MultiPointSpring>();
    let bent = bent.filter(|(_, it)| it.material.is_muscle());
    let bent = bent.map(|(at, it)| (at.id(), it.name.as_str()));
    let muscles = straight.chain(bent).filter(|(id, _)| !driven.contains(id));
    let muscles = muscles.map(|(id, name)| slider(id, name)).take(MOST);
    let panels = [("Exciters", exciters.collect()), ("Muscles", muscles.collect::<Vec<_>>())];
    let panels = panels.into_iter().filter(|(_, items): &(_, Vec<_>)| !items.is_empty());
    panels.map(|(name, items)| ControlPanel::new(name, items)).collect()
}

/// The excitation of a component on a slider.
fn slider(id: ComponentId, name: &str) -> PanelItem {
    PanelItem {
        label: (!name.is_empty()).then(|| name.to_owned()),
        widget: ControlWidget::Slider,
        low: Some(0.0),
        high: Some(1.0),
        ..PanelItem::new(NamedProperty::new(id, "excitation"))
    }
}
