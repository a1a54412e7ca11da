//! Widgets for values of properties.

use egui::{ComboBox, DragValue, Slider, TextEdit, Ui};
use sinew::property::{PropertyInfo, PropertyType, Value};

/// An editor for a value; the new one as text, when it was changed.
pub(super) fn edit(ui: &mut Ui, info: &PropertyInfo, value: &Value) -> Option<String> {
    match (value, info.value_type) {
        (Value::Bool(it), _) => {
            let mut on = *it;
            ui.checkbox(&mut on, "").changed().then(|| on.to_string())
        }
        (Value::Choice(word), PropertyType::Choice(words)) => choose(ui, info.name, word, words),
        (Value::Colour(color), _) => {
            let mut color = *color;
            let changed = ui.color_edit_button_rgb(&mut color).changed();
            changed.then(|| Value::Colour(color).to_string())
        }
        (Value::Real(x), _) => {
            let mut x = *x;
            number(ui, info, &mut x).then(|| x.to_string())
        }
        (Value::Int(x), _) => {
            let mut x = *x;
            ui.add(DragValue::new(&mut x)).changed().then(|| x.to_string())
        }
        (Value::Vector(_) | Value::Matrix(_) | Value::Pose(_), _) => numbers(ui, info, value),
        (other, _) => text(ui, info.name, &other.to_string()),
    }
}

/// Changes one number; whether it was changed. Bounded ones have a slider.
pub(super) fn number(ui: &mut Ui, info: &PropertyInfo, x: &mut f64) -> bool {
    let (low, high) = (info.range.low().0, info.range.high().0);
    if low.is_finite() && high.is_finite() {
        return ui.add(Slider::new(x, low..=high).smallest_positive(1e-6)).changed();
    }
    let speed = speed(*x);
    ui.add(DragValue::new(x).speed(speed).range(low..=high)).changed()
}

/// A hundredth of a number for each point that the pointer moves.
pub(super) fn speed(x: f64) -> f64 {
    if x == 0.0 { 0.01 } else { 0.01 * x.abs() }
}

fn numbers(ui: &mut Ui, info: &PropertyInfo, value: &Value) -> Option<String> {
    let mut all: Vec<f64> = value.numbers().collect();
    let mut changed = false;
    ui.vertical(|ui| {
        for row in all.chunks_mut(if all_in_one_row(value) { 4 } else { 3 }) {
            ui.horizontal(|ui| {
                for x in row {
                    let speed = speed(*x);
                    let drag = DragValue::new(x).speed(speed).max_decimals(6);
                    changed |= ui.add(drag).changed();
                }
            });
        }
    });
    let value = changed.then(|| Value::from_numbers(info.value_type, &all)).flatten()?;
    Some(value.to_string())
}

/// Whether a value has no more numbers than fit beside each other.
fn all_in_one_row(value: &Value) -> bool {
    value.numbers().len() <= 4
}

fn choose(ui: &mut Ui, id: &str, word: &str, words: &[&'static str]) -> Option<String> {
    let mut chosen = word;
    ComboBox::from_id_salt(id).selected_text(word).show_ui(ui, |ui| {
        for choice in words {
            ui.selectable_value(&mut chosen, choice, *choice);
        }
    });
    (chosen != word).then(|| chosen.to_owned())
}

fn text(ui: &mut Ui, name: &str, now: &str) -> Option<String> {
    let id = ui.scope_id().with(name);
    let kept: Option<String> = ui.data(|data| data.get_temp(id));
    let mut text = kept.unwrap_or_else(|| now.to_owned());
    let field = ui.add(TextEdit::singleline(&mut text).desired_width(140.0));
    if field.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text.clone()));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    (field.lost_focus() && text != now).then_some(text)
}
