//! Control panels: those of a model file, or one of all muscles; and what a model file has of them.

use sinew::axial::{Constants, Role};
use sinew::model::{AxialSpring, Model, MultiPointSpring, MuscleExciter};
use sinew::schedule::{ControlItem, ControlPanel, ControlWidget, Scheduler};
use sinew_model_files::{Panel, PanelItem, Widget};

use crate::load::ModelSource;

/// Sliders that are shown of a model without panels: more are found in the tree.
const MOST: usize = 60;

/// The control panels of a model.
pub(super) fn of(source: &ModelSource) -> Vec<ControlPanel> {
    if source.panels.is_empty() {
        return automatic(&source.model);
    }
    source.panels.iter().map(panel).collect()
}

fn panel(panel: &Panel) -> ControlPanel {
    ControlPanel { name: panel.name.clone(), items: panel.items.iter().map(item).collect() }
}

/// Widgets by their words in a model file.
const WIDGETS: [(Widget, ControlWidget); 6] = [
    (Widget::Slider, ControlWidget::Slider),
    (Widget::Number, ControlWidget::Number),
    (Widget::Checkbox, ControlWidget::Checkbox),
    (Widget::Choice, ControlWidget::Choice),
    (Widget::Colour, ControlWidget::Colour),
    (Widget::Text, ControlWidget::Text),
];

fn item(item: &PanelItem) -> ControlItem {
    let PanelItem { property, label, widget, low, high } = item.clone();
    let widget = WIDGETS.into_iter().find(|(word, _)| Some(*word) == widget);
    let widget = widget.map(|(_, widget)| widget).unwrap_or_default();
    ControlItem { property, label, widget, low, high }
}

/// The panels of a run as a model file has them: without properties of what was deleted.
pub(super) fn saved(scheduler: &Scheduler) -> Vec<Panel> {
    let model = scheduler.simulation().model();
    let item = |it: ControlItem| {
        let ControlItem { property, label, widget, low, high } = it;
        let widget = WIDGETS.into_iter().find(|(_, it)| *it == widget).map(|(word, _)| word);
        PanelItem { property, label, widget, low, high }
    };
    let panels = scheduler.panels().into_iter().map(|panel| {
        let items = panel.items.into_iter().filter(|it| model.property(&it.property).is_ok());
        Panel { name: panel.name, items: items.map(item).collect() }
    });
    panels.filter(|panel| !panel.items.is_empty()).collect()
}

/// Excitations: of the exciters, and of muscles that none drives.
fn automatic(model: &Model) -> Vec<ControlPanel> {
    let slider = |path: String, name: &str| ControlItem {
        property: format!("{path}:excitation"),
        label: (!name.is_empty()).then(|| name.to_owned()),
        widget: ControlWidget::Slider,
        low: Some(0.0),
        high: Some(1.0),
    };
    let exciters = model.iter::<MuscleExciter>();
    let exciters = exciters.map(|(at, it)| slider(model.path(at.id()), &it.name));
    let exciters: Vec<ControlItem> = exciters.take(MOST).collect();
    let driven = |id| {
        let mut all = model.iter::<MuscleExciter>();
        all.any(|(_, exciter)| exciter.targets.iter().any(|excited| excited.target == id))
    };
    let straight = model.iter::<AxialSpring>();
    let straight = straight.filter(|(_, it)| it.material.kind().role == Role::Active);
    let straight = straight.map(|(at, it)| (at.id(), it.name.as_str()));
    let bent = model.iter::<MultiPointSpring>();
    let bent = bent.filter(|(_, it)| it.material.kind().role == Role::Active);
    let bent = bent.map(|(at, it)| (at.id(), it.name.as_str()));
    let muscles = straight.chain(bent).filter(|&(id, _)| !driven(id));
    let muscles = muscles.map(|(id, name)| slider(model.path(id), name)).take(MOST);
    let panels = [("Exciters", exciters), ("Muscles", muscles.collect())];
    let panels = panels.into_iter().filter(|(_, items)| !items.is_empty());
    panels.map(|(name, items)| ControlPanel { name: name.to_owned(), items }).collect()
}
