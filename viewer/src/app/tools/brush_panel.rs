//! The brush in the palette: its radius, the name of the painted faces, and a load on them.

use egui::{DragValue, TextEdit, Ui};
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::editing::EditCommand;
use sinew::fem::ElementFace;
use sinew::schedule::Command;
use sinew::snapshot::{Outline, Shape, Snapshot};

use super::brush::{Brush, LoadEntry};
use crate::panels::{Actions, name, paths};

impl Brush {
    /// Draws the entries of the brush.
    pub(super) fn panel(&mut self, ui: &mut Ui, front: &Snapshot, actions: &mut Actions) {
        ui.separator();
        ui.horizontal(|ui| {
            ui.label("radius").on_hover_text("Of the brush, in points of the window");
            let radius = DragValue::new(&mut self.radius).range(2.0..=100.0).speed(0.5);
            name(&ui.add(radius.max_decimals(0)), "radius of the brush");
        });
        ui.horizontal_wrapped(|ui| {
            ui.selectable_value(&mut self.erases, false, "Paint");
            ui.selectable_value(&mut self.erases, true, "Erase")
                .on_hover_text("Shift does it while it is held");
            if ui.button("Clear").clicked() {
                self.put(front, None, &[]);
            }
            self.sets(ui, front);
        });
        self.told(ui, front);
        self.load(ui);
        let wanted = ui.horizontal_wrapped(|ui| {
            let names = ui.button("Name faces").on_hover_text(
                "A set of faces of the mesh, which surface loads and shells take by its name",
            );
            let loads = ui.button("Add load").on_hover_text("A surface load on these faces");
            (names.clicked() || loads.clicked()).then(|| loads.clicked())
        });
        if let Some(loads) = wanted.inner {
            match self.commands(front, loads) {
                Ok(commands) => actions.commands.push(Command::Edit(commands)),
                Err(why) => actions.refusals.push(why),
            }
        }
    }

    /// Named faces of the tissues, to go on from.
    fn sets(&mut self, ui: &mut Ui, front: &Snapshot) {
        let mut sets: Vec<(ComponentId, &String, &Vec<ElementFace>)> = Vec::new();
        for item in front.scene.items.iter() {
            if let Shape::Tissue { face_sets, .. } = &item.shape {
                sets.extend(face_sets.iter().map(|(name, faces)| (item.owner, name, faces)));
            }
        }
        let mut taken = None;
        ui.add_enabled_ui(!sets.is_empty(), |ui| {
            ui.menu_button("Named faces", |ui| {
                for (tissue, set, faces) in sets {
                    let row = front.scene.outline.row(tissue);
                    let of = row.map_or("", |row| front.scene.outline.rows[row].label.as_str());
                    if ui.button(format!("{set} of {of}")).clicked() {
                        taken = Some((tissue, set.clone(), faces));
                        ui.close();
                    }
                }
            });
        });
        if let Some((tissue, set, faces)) = taken {
            self.put(front, Some(tissue), faces);
            self.entry.name = set;
        }
    }

    /// Count and area of what is painted.
    fn told(&self, ui: &mut Ui, front: &Snapshot) {
        let tissue = paths(&front.scene.outline, self.tissue.as_slice()).pop();
        match tissue.filter(|_| !self.faces.is_empty()) {
            Some(path) => {
                let of = path.rsplit('/').next().unwrap_or_default();
                let area = self.area(front);
                ui.label(format!("{} faces of {of}, {area:.4e} m²", self.faces.len()));
            }
            None => drop(ui.weak("nothing is painted")),
        }
    }

    /// Area of the painted faces now [m²].
    fn area(&self, front: &Snapshot) -> f64 {
        let marked = self.marked();
        let mut items = front.scene.items.iter();
        let triangles = items.find_map(|item| match &item.shape {
            Shape::Tissue { triangles, .. } if Some(item.owner) == marked.owner => Some(triangles),
            _ => None,
        });
        let Some(triangles) = triangles else { return 0.0 };
        let area = |t: &u32| {
            let corner = |p: u32| front.points.get(p as usize).map(|p| p.map(f64::from));
            let [a, b, c] = triangles.get(*t as usize)?.map(corner);
            let [a, b, c] = [Vec3::from(a?), Vec3::from(b?), Vec3::from(c?)];
            Some(0.5 * (b - a).cross(&(c - a)).norm())
        };
        marked.triangles.iter().filter_map(area).sum()
    }

    fn load(&mut self, ui: &mut Ui) {
        let LoadEntry { name: set, pressure, traction } = &mut self.entry;
        ui.horizontal(|ui| {
            ui.label("name");
            let field = ui.add(TextEdit::singleline(set).desired_width(120.0));
            name(&field, "name of the faces");
        });
        let number = |ui: &mut Ui, value: &mut f64, label: &str| {
            let field = DragValue::new(value).speed(10.0).update_while_editing(false);
            name(&ui.add(field.max_decimals(9)), label);
        };
        ui.horizontal(|ui| {
            ui.label("pressure").on_hover_text("Inwards, wherever the faces have moved to");
            number(ui, pressure, "pressure of the load");
            ui.label("Pa");
        });
        ui.horizontal(|ui| {
            ui.label("traction").on_hover_text("Of a direction that stays, by area at rest");
            for (value, axis) in traction.iter_mut().zip(["x", "y", "z"]) {
                number(ui, value, &format!("traction {axis} of the load"));
            }
            ui.label("Pa");
        });
    }

    /// Edits that give the painted faces their name, and put a load on them; what has the name is not named again.
    fn commands(&self, front: &Snapshot, loads: bool) -> Result<Vec<EditCommand>, String> {
        let LoadEntry { name, pressure, traction } = &self.entry;
        let outline = &front.scene.outline;
        let path = paths(outline, self.tissue.as_slice()).pop();
        let Some(path) = path.filter(|_| !self.faces.is_empty()) else {
            return Err("no face is painted: draw over a tissue".to_owned());
        };
        if name.trim().is_empty() {
            return Err("the painted faces need a name".to_owned());
        }
        let name = name.trim().to_owned();
        let mut commands = Vec::new();
        if !self.is_named(front, &name) {
            let faces = self.faces.iter().map(|at| [at.element, u32::from(at.face)]).collect();
            let (path, name) = (path.clone(), name.clone());
            commands.push(EditCommand::NameFaces { path, name, faces });
        }
        if loads {
            if *pressure == 0.0 && *traction == [0.0; 3] {
                return Err("the load is 0: enter a pressure or a traction".to_owned());
            }
            commands.push(self.load_on(path, &name, outline));
        }
        if commands.is_empty() {
            return Err(format!("these faces are called {name} already"));
        }
        Ok(commands)
    }

    /// A load on faces of this name, which gets a name that is free.
    fn load_on(&self, tissue: String, faces: &str, outline: &Outline) -> EditCommand {
        let LoadEntry { pressure, traction: [x, y, z], .. } = &self.entry;
        let properties = [
            ("target", tissue),
            ("surface", faces.to_owned()),
            ("pressure", pressure.to_string()),
            ("traction", format!("{x} {y} {z}")),
        ];
        let properties = properties.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let is_taken = |name: &String| outline.rows.iter().any(|row| row.label == *name);
        let plain = format!("{faces}_load");
        let further = (2..).map(|k| format!("{plain}{k}"));
        let free = std::iter::once(plain.clone()).chain(further).find(|it| !is_taken(it));
        let path = free.unwrap_or(plain);
        EditCommand::Add { kind: "surface_load".to_owned(), path, properties }
    }

    /// True if the mesh has just these faces under a name.
    fn is_named(&self, front: &Snapshot, name: &str) -> bool {
        front.scene.items.iter().any(|item| match &item.shape {
            Shape::Tissue { face_sets, .. } if Some(item.owner) == self.tissue => {
                face_sets.get(name).is_some_and(|faces| faces.iter().eq(&self.faces))
            }
            _ => false,
        })
    }
}
