//! Gizmos: arrows, rings and handles that move, turn, scale and mirror what is selected. A drag tells its number and is one edit
//! when the button is released; numbers can be entered in its place.

use egui::{Response, Ui};
use nalgebra::UnitQuaternion;
use sinew::component::ComponentId;
use sinew::editing::{EditCommand, MapDescription};
use sinew::property::Value;
use sinew::schedule::Command;
use sinew::snapshot::{Shape, Snapshot};
use sinew::{Mat3, Vec3};

use super::super::reach::{Reach, pixel_of};
use super::gizmo_draw;
use super::motion::{Axes, GizmoFrame, Motion};
use crate::camera::plane_crossing;
use crate::geometry::bounds_of_component;

/// Length of an arrow [point].
const LENGTH: f64 = 80.0;
/// Distance within which the pointer meets a handle [point].
const REACH: f64 = 8.0;
/// Lines of sight along an arrow tell nothing of a place on it: sine of the least angle squared [-].
const ALONG: f64 = 1e-4;

/// A handle that is dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Grab {
    axis: usize,
    /// Parameter at which it was grabbed: on the axis [m], or about it [rad].
    start: f64,
    amount: f64,
    place: GizmoFrame,
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
        self.grab.take().is_some()
    }

    /// The edit of these numbers along the axes of the gizmo; `None` where it has no place.
    pub(super) fn command(
        &self,
        motion: Motion,
        paths: Vec<String>,
        numbers: [f64; 3],
    ) -> Option<EditCommand> {
        let GizmoFrame { center, axes, .. } = self.grab.map(|grab| grab.place).or(self.place)?;
        let numbers = Vec3::from(numbers);
        let is_fixed = motion == Motion::Mirror && self.is_about_origin;
        let center = if is_fixed { Vec3::zeros() } else { center };
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
                let turn = axes.to_rotation_matrix().into_inner();
                let linear = turn * Mat3::from_diagonal(&numbers) * turn.transpose();
                let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| linear[(i, j)]));
                let translation = (center - linear * center).into();
                let map = MapDescription::Affine { linear: rows, translation };
                EditCommand::Transform { paths, map, options: Default::default() }
            }
        })
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
        let axis = clicked.and_then(|it| nearest_handle(motion, place, pixel_of(at, it), reach));
        if let Some(axis) = axis {
            let command = self.mirror(reach.selected_paths(), axis);
            reach.actions.commands.extend(command.map(|command| Command::Edit(vec![command])));
        }
        gizmo_draw::draw(ui, at.rect, reach, (motion, place), None);
        axis.is_some()
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
            let pixel = pixel_of(response, at);
            self.grab = nearest_handle(motion, &place, pixel, reach).and_then(|axis| {
                let start = parameter(motion, &place, axis, pixel, reach)?;
                let (_, amount) = motion.unit();
                Some(Grab { axis, start, amount, place })
            });
        }
        let is_dragged = self.grab.is_some();
        if let Some(at) = response.interact_pointer_pos() {
            self.drag_to(motion, pixel_of(response, at), reach);
        }
        if response.drag_stopped() {
            self.end(motion, reach);
        }
        let shown = self.grab.map_or(place, |grab| grab.place);
        let dragged = self.grab.map(|grab| (grab.axis, grab.amount));
        gizmo_draw::draw(ui, response.rect, reach, (motion, &shown), dragged);
        is_dragged
    }

    /// The edit of a drag, once its button is released.
    /// Takes the handle that is dragged to a pixel.
    fn drag_to(&mut self, motion: Motion, pixel: [f64; 2], reach: &Reach<'_>) {
        let Some(grab) = self.grab else { return };
        let Some(now) = parameter(motion, &grab.place, grab.axis, pixel, reach) else { return };
        let amount = amount(motion, grab.start, now);
        let step = step_of(grab.place.length);
        let amount = if self.snaps { motion.snapped(amount, step) } else { amount };
        self.grab = Some(Grab { amount, ..grab });
        self.entry_mut(motion)[grab.axis] = amount;
    }

    fn end(&mut self, motion: Motion, reach: &mut Reach<'_>) {
        let Some(grab) = self.grab else { return };
        let (_, neutral) = motion.unit();
        let mut numbers = [neutral; 3];
        numbers[grab.axis] = grab.amount;
        let command = self.command(motion, reach.selected_paths(), numbers);
        self.grab = None;
        *self.entry_mut(motion) = [neutral; 3];
        if grab.amount != neutral {
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

fn nearest_handle(
    motion: Motion,
    place: &GizmoFrame,
    pixel: [f64; 2],
    reach: &Reach<'_>,
) -> Option<usize> {
    let limit = REACH * f64::from(reach.view.options.pixel_scale);
    let apart = |k: usize| {
        let seen: Option<Vec<_>> =
            place.handle(motion, k).into_iter().map(|point| reach.seen(point)).collect();
        let seen = seen?;
        let parts = seen.windows(2).map(|ends| distance(pixel, ends[0], ends[1]));
        parts.min_by(f64::total_cmp)
    };
    let near = (0..3).filter_map(|k| Some((apart(k)?, k))).filter(|it| it.0 <= limit);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|it| it.1)
}

/// Distance of a pixel from a segment [pixel].
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let [p, a, b] = [p, a, b].map(nalgebra::Vector2::from);
    let along = b - a;
    let part = (p - a).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
    (p - a - along * part.clamp(0.0, 1.0)).norm()
}

/// GizmoFrame on an axis that a line of sight is nearest to [m], or angle about it where it meets its plane [rad].
fn parameter(
    motion: Motion,
    place: &GizmoFrame,
    axis: usize,
    pixel: [f64; 2],
    reach: &Reach<'_>,
) -> Option<f64> {
    let ray = reach.view.camera.ray(pixel, reach.size);
    let direction = place.axis(axis);
    let from = ray.origin - place.center;
    match motion {
        Motion::Move | Motion::Scale | Motion::Mirror => {
            let cosine = direction.dot(&ray.direction);
            let sine = 1.0 - cosine * cosine;
            (sine > ALONG)
                .then(|| (from.dot(&direction) - cosine * from.dot(&ray.direction)) / sine)
        }
        Motion::Turn => {
            let along = plane_crossing(&ray, place.center, direction)?;
            let arm = ray.at(along) - place.center;
            let [u, v] = [1, 2].map(|next| place.axis((axis + next) % 3));
            Some(arm.dot(&v).atan2(arm.dot(&u)))
        }
    }
}

/// The number of a drag: m, degrees or a factor.
fn amount(motion: Motion, start: f64, now: f64) -> f64 {
    match motion {
        Motion::Move | Motion::Mirror => now - start,
        Motion::Turn => {
            let turn = std::f64::consts::TAU;
            let angle = now - start;
            (angle - turn * (angle / turn).round()).to_degrees()
        }
        Motion::Scale => now / start,
    }
}

/// A step of a move: a power of ten of about a tenth of an arrow [m].
fn step_of(length: f64) -> f64 {
    10f64.powf((0.1 * length).log10().round())
}
