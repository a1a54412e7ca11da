//! Gizmos: arrows, rings and handles that move, turn, scale and mirror what is selected. A drag tells its numbers, shows where it
//! leads, and is one edit when the button is released; numbers can be entered in its place. What a handle reads off a pixel stands in
//! `handles`.

use egui::{Response, Ui};
use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::editing::{EditCommand, MapDescription};
use sinew::property::Value;
use sinew::schedule::Command;
use sinew::snapshot::{Shape, Snapshot};

use super::super::reach::{Reach, pixel_of};
use super::handles::{moved_by, nearest_handle, reading};
use super::motion::{Axes, GizmoFrame, Handle, Motion};
use super::{ghost, gizmo_draw};
use crate::geometry::bounds_of_component;

/// Length of an arrow [point].
const LENGTH: f64 = 80.0;

/// A handle that is dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Grab {
    handle: Handle,
    /// Its reading where it was grabbed.
    start: Vec3,
    /// Numbers of the motion along the axes.
    numbers: Vec3,
    place: GizmoFrame,
}

impl Grab {
    /// The handle at a pixel.
    fn at(motion: Motion, place: GizmoFrame, pixel: [f64; 2], reach: &Reach<'_>) -> Option<Self> {
        let handle = nearest_handle(motion, &place, pixel, reach)?;
        let start = reading(motion, handle, &place, pixel, reach)?;
        let (_, neutral) = motion.unit();
        Some(Self { handle, start, numbers: Vec3::repeat(neutral), place })
    }
}

/// The gizmo of what is selected.
#[derive(Default)]
pub(in super::super) struct Gizmo {
    pub(super) axes: Axes,
    pub(super) snaps: bool,
    /// True if the plane of a mirror goes through the origin of the world, not through what is selected.
    pub(super) is_about_origin: bool,
    place: Option<GizmoFrame>,
    grab: Option<Grab>,
    /// Numbers to be entered, of moves, turns, scales and mirrors.
    entries: Option<[[f64; 3]; 4]>,
}

impl Gizmo {
    /// Numbers of a motion to be entered.
    pub(super) fn entry_mut(&mut self, motion: Motion) -> &mut [f64; 3] {
        let entries = self.entries.get_or_insert([[0.0; 3], [0.0; 3], [1.0; 3], [1.0; 3]]);
        &mut entries[motion as usize]
    }

    /// Lets go of a handle without an edit; true if one was dragged.
    pub(super) fn let_go(&mut self) -> bool {
        // Numbers of the drag are gone too.
        self.grab.take().inspect(|_| self.entries = None).is_some()
    }

    /// The edit of these numbers along the axes of the gizmo; `None` where it has no place.
    pub(super) fn command(
        &self,
        motion: Motion,
        paths: Vec<String>,
        numbers: [f64; 3],
    ) -> Option<EditCommand> {
        let place = self.grab.map(|grab| grab.place).or(self.place)?;
        let (axes, numbers) = (place.axes, Vec3::from(numbers));
        let center = self.middle(motion, &place);
        Some(match motion {
            Motion::Move => EditCommand::Translate { paths, by: (axes * numbers).into() },
            Motion::Turn => {
                let turn = (axes * numbers.map(f64::to_radians)).into();
                EditCommand::Rotate { paths, turn, about: center.into() }
            }
            Motion::Scale | Motion::Mirror if axes == UnitQuaternion::identity() => {
                EditCommand::Scale { paths, factors: numbers.into(), about: center.into() }
            }
            Motion::Scale | Motion::Mirror => {
                let (linear, translation) = place.map(motion, numbers, center);
                let linear = [0, 1, 2].map(|i| [0, 1, 2].map(|j| linear[(i, j)]));
                let map = MapDescription::Affine { linear, translation: translation.into() };
                EditCommand::Transform { paths, map, options: Default::default() }
            }
        })
    }

    /// The point that stays where it is.
    fn middle(&self, motion: Motion, place: &GizmoFrame) -> Vec3 {
        let is_fixed = motion == Motion::Mirror && self.is_about_origin;
        if is_fixed { Vec3::zeros() } else { place.center }
    }

    /// The edit that mirrors across the plane that an axis of the gizmo is normal to.
    pub(super) fn mirror(&self, paths: Vec<String>, axis: usize) -> Option<EditCommand> {
        let mut factors = [1.0; 3];
        factors[axis] = -1.0;
        self.command(Motion::Mirror, paths, factors)
    }

    /// Takes in a click on a handle of the mirror and draws it; true if one was clicked.
    fn take_mirror(
        &self,
        place: &GizmoFrame,
        ui: &Ui,
        at: &Response,
        reach: &mut Reach<'_>,
    ) -> bool {
        let motion = Motion::Mirror;
        let clicked = at.interact_pointer_pos().filter(|_| at.clicked());
        let handle = clicked.and_then(|it| nearest_handle(motion, place, pixel_of(at, it), reach));
        if let Some(Handle::Axis(axis)) = handle {
            let command = self.mirror(reach.selected_paths(), axis);
            reach.actions.commands.extend(command.map(|command| Command::Edit(vec![command])));
        }
        gizmo_draw::draw(ui, at.rect, reach, (motion, place), None);
        handle.is_some()
    }

    /// Takes in a drag of a handle and draws the gizmo; true while a handle is dragged, or where one was clicked.
    pub(super) fn take_in(
        &mut self,
        motion: Motion,
        ui: &Ui,
        response: &Response,
        reach: &mut Reach<'_>,
    ) -> bool {
        self.place = self.place_of(reach);
        let Some(place) = self.place else {
            self.grab = None;
            return false;
        };
        if motion == Motion::Mirror {
            return self.take_mirror(&place, ui, response, reach);
        }
        let pressed = ui.input(|input| input.pointer.press_origin());
        if let Some(at) = pressed.filter(|_| response.drag_started_by(egui::PointerButton::Primary))
        {
            self.grab = Grab::at(motion, place, pixel_of(response, at), reach);
        }
        let is_dragged = self.grab.is_some();
        // Ctrl does the other while it is held.
        let snaps = self.snaps != ui.input(|input| input.modifiers.command);
        if let Some(at) = response.interact_pointer_pos() {
            self.drag_to((motion, snaps), pixel_of(response, at), reach);
        }
        let dragged = self.grab;
        if response.drag_stopped() {
            self.end(motion, reach);
        }
        let shown = dragged.map_or(place, |grab| grab.place);
        let numbers = self.grab.map(|grab| (grab.handle, grab.numbers));
        if let Some((_, numbers)) = numbers {
            let map = shown.map(motion, numbers, self.middle(motion, &shown));
            ghost::draw(ui, response.rect, reach, map);
        }
        gizmo_draw::draw(ui, response.rect, reach, (motion, &shown), numbers);
        is_dragged
    }

    /// Takes the handle that is dragged to a pixel.
    fn drag_to(&mut self, (motion, snaps): (Motion, bool), pixel: [f64; 2], reach: &Reach<'_>) {
        let Some(grab) = self.grab else { return };
        let Some(now) = reading(motion, grab.handle, &grab.place, pixel, reach) else { return };
        let mut numbers = moved_by(motion, grab.handle, grab.start, now);
        if snaps {
            let step = step_of(grab.place.length);
            numbers = numbers.map(|number| motion.snapped(number, step));
        }
        self.grab = Some(Grab { numbers, ..grab });
        *self.entry_mut(motion) = numbers.into();
    }

    /// The edit of a drag, once its button is released.
    fn end(&mut self, motion: Motion, reach: &mut Reach<'_>) {
        let Some(grab) = self.grab else { return };
        let (_, neutral) = motion.unit();
        let command = self.command(motion, reach.selected_paths(), grab.numbers.into());
        self.grab = None;
        *self.entry_mut(motion) = [neutral; 3];
        if grab.numbers != Vec3::repeat(neutral) {
            reach.actions.commands.extend(command.map(|command| Command::Edit(vec![command])));
        }
    }

    fn place_of(&self, reach: &Reach<'_>) -> Option<GizmoFrame> {
        let (snapshot, id) = (reach.snapshot, reach.selection.last()?);
        let frame = frame_of(snapshot, id);
        let center = match frame {
            Some((center, _)) => center,
            None => {
                let [low, high] = bounds_of_component(snapshot, id)?;
                0.5 * (low + high)
            }
        };
        let of = |id: Option<ComponentId>| id.and_then(|id| frame_of(snapshot, id)).map(|it| it.1);
        let axes = match self.axes {
            Axes::World => None,
            Axes::Own => of(Some(id)),
            Axes::Parent => of(parent_of(snapshot, id)),
        };
        let scale = f64::from(reach.view.options.pixel_scale);
        let length = LENGTH * scale * reach.view.camera.pixel_at(center, reach.size);
        Some(GizmoFrame { center, axes: axes.unwrap_or_default(), length })
    }
}

/// GizmoFrame and axes of the frame that is drawn of a component.
fn frame_of(snapshot: &Snapshot, id: ComponentId) -> Option<(Vec3, UnitQuaternion<f64>)> {
    let frame =
        snapshot.scene.items.iter().filter(|item| item.owner == id).find_map(|item| match item
            .shape
        {
            Shape::Frame { frame, .. } | Shape::Rigid { frame, .. } => Some(frame),
            Shape::Tissue { .. } | Shape::Fibres { .. } | Shape::Points(_) | Shape::Lines(_) => {
                None
            }
        })?;
    let frame = snapshot.frames.get(frame as usize)?;
    let [i, j, k, w] = frame.rotation.map(f64::from);
    let turn = UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, i, j, k));
    Some((snapshot.scene.origin + Vec3::from(frame.position.map(f64::from)), turn))
}

/// The body that a component is on, by its properties.
fn parent_of(snapshot: &Snapshot, id: ComponentId) -> Option<ComponentId> {
    let sheet = snapshot.sheets.iter().find(|sheet| sheet.owner == id)?;
    let row = sheet.rows.iter().find(|row| ["body", "body_d"].contains(&row.info.name))?;
    let Value::Path(path) = &row.value else { return None };
    let outline = &snapshot.scene.outline;
    Some(outline.rows[crate::panels::row_at(outline, path)?].id)
}

/// A step of a move: a power of ten of about a tenth of an arrow [m].
fn step_of(length: f64) -> f64 {
    10f64.powf((0.1 * length).log10().round())
}
