//! Widgets for values of properties, and the changes that a user makes by them.

use egui::{ComboBox, Response, Role, TextEdit, Ui, WidgetInfo};
use sinew::property::{PropertyInfo, PropertyType, Value};

use super::draft::Drafts;
use super::merge::{Change, Common, parts};
use super::numeric::{DIGITS, Entry, FEWER, clamped, edit, ends, number, with_digits};

/// Change of a colour that is none: a tenth of what eight bits tell apart [-].
const ROUNDING: f32 = 4e-4;
/// Width of a field of text [point].
const FIELD: f32 = 140.0;

/// Result of a widget.
#[derive(Default)]
pub(super) struct Edited {
    pub(super) change: Option<Change>,
    /// Reason for refusing the entry.
    pub(super) refusal: Option<String>,
    /// True if the user still holds it.
    pub(super) editing: bool,
}

impl Edited {
    fn whole(value: Value) -> Self {
        Self { change: Some(Change::Whole(value)), ..Self::default() }
    }
}

/// A value that is only read, with as many digits as are of use.
pub(super) fn shown(value: &Value) -> String {
    let numbers = parts(value);
    let digits = if numbers.len() > 1 { FEWER } else { DIGITS };
    let numbers: Vec<String> = numbers.into_iter().map(|x| with_digits(x, digits)).collect();
    match value {
        Value::Bool(_) => value.to_string(),
        _ if numbers.is_empty() => value.to_string(),
        _ => numbers.join("  "),
    }
}

/// A box to be ticked, that tells its name.
pub(super) fn tick(ui: &mut Ui, on: &mut bool, mixed: bool, name: &str) -> bool {
    let response = ui.add(egui::Checkbox::without_text(on).indeterminate(mixed));
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, *on, name));
    response.changed()
}

/// Tells what a widget is of, to those who cannot see what stands beside it.
pub(crate) fn name(response: &Response, label: &str) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(label));
}

/// The widget of a value other than text.
pub(super) fn picked(ui: &mut Ui, row: &Common<'_>, value: &Value) -> Edited {
    match (row.info.value_type, value) {
        (_, &Value::Bool(mut on)) => {
            let changed = tick(ui, &mut on, row.mixed, row.info.name);
            if changed { Edited::whole(Value::Bool(on)) } else { Edited::default() }
        }
        (_, &Value::Colour(before)) => {
            let mut rgb = before;
            let response = ui.color_edit_button_rgb(&mut rgb);
            name(&response, row.info.name);
            if row.mixed {
                ui.weak("mixed");
            }
            // A picker that is open tells of rounding as of changes.
            let differs = rgb.iter().zip(before).any(|(a, b)| (a - b).abs() > ROUNDING);
            match response.changed() && differs {
                true => Edited::whole(Value::Colour(rgb)),
                false => Edited::default(),
            }
        }
        (PropertyType::Choice(words), Value::Choice(now)) => choose(ui, row, now, words),
        _ => numbers(ui, row, value),
    }
}

fn choose(ui: &mut Ui, row: &Common<'_>, now: &str, words: &[&'static str]) -> Edited {
    let shown = if row.mixed { "mixed" } else { now };
    let mut edited = Edited::default();
    let list = ComboBox::from_id_salt(row.info.name).selected_text(shown);
    let list = list.show_ui(ui, |ui| {
        for word in words {
            let same = !row.mixed && *word == now;
            if ui.selectable_label(same, *word).clicked() && !same {
                edited = Edited::whole(Value::Choice(word));
            }
        }
    });
    name(&list.response, row.info.name);
    edited
}

/// Rows of three numbers.
fn numbers(ui: &mut Ui, row: &Common<'_>, value: &Value) -> Edited {
    let numbers = parts(value);
    let mut edited = Edited::default();
    ui.vertical(|ui| {
        for (line, chunk) in numbers.chunks(3).enumerate() {
            ui.horizontal(|ui| {
                for (column, &x) in chunk.iter().enumerate() {
                    one_number(ui, row, (3 * line + column, numbers.len()), x, &mut edited);
                }
            });
        }
    });
    edited
}

/// One number of `count`.
fn one_number(
    ui: &mut Ui,
    row: &Common<'_>,
    (part, count): (usize, usize),
    before: f64,
    edited: &mut Edited,
) {
    let info = row.info;
    let angle = info.value_type == PropertyType::Pose && part >= 3;
    let slider = ends(info.range.low().0, info.range.high().0).filter(|_| count == 1);
    let mixed = row.mixed && row.mixed_parts.get(part).copied().unwrap_or(false);
    let mut x = before;
    let (whole, narrow) = (info.value_type == PropertyType::Int, count > 1);
    let entry = Entry { slider, whole, mixed, angle, narrow };
    let (response, changed) = edit(ui, &mut x, entry);
    edited.editing |= response.dragged() || response.has_focus();
    // A range of a pose is that of its position. A hand stops at its end; what is typed is taken at its word.
    if !angle && response.dragged() {
        x = clamped(x, &info.range);
    }
    if changed && (x != before || mixed) {
        match refusal(info, x).filter(|_| !angle) {
            None => edited.change = Some(Change::Part(part, x)),
            why => edited.refusal = why,
        }
    }
    let end = name_of_part(info.value_type, part, count);
    name(&response, &format!("{}{end}", info.name));
    if let PropertyType::Pose = info.value_type {
        response.on_hover_text(end.trim());
    }
}

/// Reason for refusing a number for a property, in words; `None` where it fits.
fn refusal(info: &PropertyInfo, x: f64) -> Option<String> {
    let range = info.range.describe(info.value_type);
    let unit =
        if matches!(info.unit, "" | "-") { String::new() } else { format!(" {}", info.unit) };
    let why = || format!("`{}` must be {range}, got {}{unit}", info.name, number(x));
    (!info.range.contains(x)).then(why)
}

/// Suffix of the name of a property that tells its numbers apart.
fn name_of_part(ty: PropertyType, part: usize, count: usize) -> String {
    match (ty, count) {
        (PropertyType::Pose, _) => {
            format!(" {}", ["x", "y", "z", "roll", "pitch", "yaw"][part.min(5)])
        }
        (_, 1) => String::new(),
        (_, 3) => format!(" {}", ["x", "y", "z"][part]),
        _ => format!(" {part}"),
    }
}

/// Field for text: it is taken when the field is left.
pub(super) fn text(ui: &mut Ui, row: &Common<'_>, texts: &mut Drafts<String>) -> Edited {
    let info = row.info;
    let known = if row.mixed { String::new() } else { row.value.to_string() };
    let mut text = texts.get(ui, info.name, &known);
    let wrong = !readable(info, &text);
    let mut field = TextEdit::singleline(&mut text).min_size(egui::vec2(FIELD, 0.0));
    if row.mixed {
        field = field.hint_text("mixed");
    }
    if wrong {
        field = field.text_color(ui.visuals().error_fg_color);
    }
    let response = ui.add(field);
    name(&response, info.name);
    if response.changed() {
        texts.put(ui, info.name, text.clone());
    }
    let editing = response.has_focus();
    // A frame may be built twice, of which the second is told again that the field was left.
    let let_go = texts.hold(ui, info.name, editing);
    let given_up = ui.input(|input| input.key_pressed(egui::Key::Escape));
    if let_go && given_up {
        texts.drop(info.name);
        return Edited::default();
    }
    let left = let_go && text != known;
    if left && wrong {
        texts.drop(info.name);
        let refusal = Some(format!("`{}` cannot be '{text}': {}", info.name, info.doc));
        return Edited { refusal, ..Edited::default() };
    }
    let read = Value::parse(info.value_type, &text).filter(|_| left);
    Edited { change: read.map(Change::Whole), editing, refusal: None }
}

/// True if a text can be a value; none is also the way that several are shown.
fn readable(info: &PropertyInfo, text: &str) -> bool {
    text.is_empty() || Value::parse(info.value_type, text).is_some()
}
