//! Properties that are put onto control panels: by their menu, or by being dragged there.

use egui::{Response, Ui};
use sinew::model::ControlWidget;
use sinew::property::{PropertyInfo, PropertyType};
use sinew::schedule::{Command, ControlItem, PanelEdit, ShownPanel};
use sinew::snapshot::Sheet;

use super::numeric::ends;
use super::{Actions, frame_target};

/// Properties under the pointer while a name is dragged.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DraggedProperties(Vec<ControlItem>);

impl DraggedProperties {
    /// The property of all sheets.
    pub(super) fn new(info: &PropertyInfo, sheets: &[Sheet]) -> Self {
        Self(items(info, sheets))
    }
}

/// True if a property can be shown on a panel: panels show numbers.
pub(super) fn fits(info: &PropertyInfo) -> bool {
    info.value_type.is_numeric() && !info.read_only
}

/// A property of each sheet, with the widget that fits it: a slider where its range has two ends.
fn items(info: &PropertyInfo, sheets: &[Sheet]) -> Vec<ControlItem> {
    let bounds = ends(info.range.low().0, info.range.high().0);
    let widget = match info.value_type {
        PropertyType::Bool => ControlWidget::Checkbox,
        _ if bounds.is_some() => ControlWidget::Slider,
        _ => ControlWidget::Auto,
    };
    let bounds = bounds.filter(|_| widget == ControlWidget::Slider);
    let item = |sheet: &Sheet| ControlItem {
        property: format!("{}:{}", sheet.path, info.name),
        label: None,
        widget,
        low: bounds.map(|[low, _]| low),
        high: bounds.map(|[_, high]| high),
    };
    sheets.iter().map(item).collect()
}

/// The first of `Panel 1`, `Panel 2` that is no panel's name.
fn free_name<'p>(panels: impl Iterator<Item = &'p str> + Clone) -> String {
    let mut names = (1u32..).map(|k| format!("Panel {k}"));
    names.find(|name| panels.clone().all(|it| it != name)).unwrap_or_default()
}

fn add(items: Vec<ControlItem>, panel: &str, actions: &mut Actions) {
    let add = |item| Command::EditPanel(PanelEdit::Add { panel: panel.to_owned(), item });
    actions.commands.extend(items.into_iter().map(add));
}

/// The entry of a menu: all panels, and a new one.
pub(super) fn menu(
    ui: &mut Ui,
    names: &[String],
    info: &PropertyInfo,
    sheets: &[Sheet],
    actions: &mut Actions,
) {
    let hint = "A slider or a field on a panel, which is saved with the model";
    let menu = ui.menu_button("Add to panel", |ui| {
        for name in names {
            if ui.button(name).clicked() {
                add(items(info, sheets), name, actions);
                ui.close();
            }
        }
        if ui.button("A new panel").clicked() {
            let name = free_name(names.iter().map(String::as_str));
            add(items(info, sheets), &name, actions);
            ui.close();
        }
    });
    menu.response.on_hover_text(hint);
}

/// Takes in properties that are let go of over a panel, or over none for a new one; what is below the pointer is framed.
pub(super) fn take_dropped(
    ui: &Ui,
    area: &Response,
    panel: Option<&str>,
    panels: &[ShownPanel],
    actions: &mut Actions,
) {
    if area.dnd_hover_payload::<DraggedProperties>().is_some() {
        frame_target(ui, area);
    }
    if let Some(dropped) = area.dnd_release_payload::<DraggedProperties>() {
        let free = || free_name(panels.iter().map(|panel| panel.name.as_str()));
        let name = panel.map_or_else(free, str::to_owned);
        add(dropped.0.clone(), &name, actions);
    }
}
