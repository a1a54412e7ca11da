//! Data that the pointer reaches, for the interaction with the picture and for the tools.

use egui::{Pos2, Response};
use sinew::Vec3;
use sinew::schedule::{Command, DragPoint};
use sinew::snapshot::Snapshot;

use crate::geometry::placed_from;
use crate::panels::{Actions, Selection, paths};
use crate::{Hit, View, bounds_of, pick};

/// Speed of a push, in extents of the model [1/s].
const PUSH: f64 = 1.0;

/// Data that the pointer reaches in one frame, and its commands to the session.
pub(super) struct Reach<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) view: &'a mut View,
    pub(super) selection: &'a mut Selection,
    /// Size of the picture [pixel].
    pub(super) size: [u32; 2],
    pub(super) actions: Actions,
}

impl Reach<'_> {
    pub(super) fn pick(&self, pixel: [f64; 2]) -> Option<Hit> {
        pick(self.snapshot, self.view, self.size, pixel)
    }

    /// The surface at a pixel, whatever points and lines lie on it.
    pub(super) fn surface(&self, pixel: [f64; 2]) -> Option<Hit> {
        let mut view = self.view.clone();
        let options = &mut view.options;
        (options.points, options.lines, options.frames, options.joints) =
            (false, false, false, false);
        pick(self.snapshot, &view, self.size, pixel)
    }

    /// Paths of what is selected.
    pub(super) fn selected_paths(&self) -> Vec<String> {
        paths(&self.snapshot.scene.outline, self.selection.ids())
    }

    /// Pulls to below a pixel: what is drawn farther from rest than it is is pulled by less.
    pub(super) fn pull(&mut self, point: DragPoint, start: Vec3, pixel: [f64; 2]) {
        let drawn = self.in_plane(start, pixel);
        let target = match point {
            DragPoint::Point(row) => {
                placed_from(&self.snapshot.scene, row as usize, drawn, &self.view.options)
            }
            DragPoint::Body(..) => Some(drawn),
        };
        self.actions.commands.extend(target.map(|target| Command::Drag { point, target }));
    }

    /// A velocity into the picture.
    pub(super) fn away(&self) -> Vec3 {
        let [low, high] = bounds_of(self.snapshot);
        self.view.camera.back() * (-PUSH * (high - low).norm())
    }
}

/// The pixel of a place of the window.
pub(super) fn pixel_of(response: &Response, at: Pos2) -> [f64; 2] {
    let off = (at - response.rect.min) * response.ctx.pixels_per_point();
    [f64::from(off.x), f64::from(off.y)]
}
