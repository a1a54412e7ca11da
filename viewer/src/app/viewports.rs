//! Pictures of the model side by side, each with a view of its own. One of them is active: keys, panels, tools and films
//! concern it.

use egui::Ui;
use sinew::schedule::Status;
use sinew::snapshot::Snapshot;

use super::canvas::Canvas;
use crate::panels::{Actions, Selection};
use crate::window::Gpu;
use crate::{Camera, View, ViewOptions};

/// Pictures that can be open at once.
pub(crate) const MOST: usize = 4;

/// Sides from which further pictures are seen at first.
const SIDES: [&str; MOST] = ["iso", "+x", "+y", "+z"];

/// A picture: its view, and the canvas on which it is drawn.
#[derive(Default)]
pub(crate) struct Viewport {
    pub(crate) view: View,
    pub(super) canvas: Canvas,
}

/// All pictures, whether they are open or not.
#[derive(Default)]
pub(super) struct Viewports {
    all: [Viewport; MOST],
    active: usize,
}

impl Viewport {
    /// Shows the whole model.
    pub(super) fn fit(&mut self, snapshot: &Snapshot) {
        self.canvas.fit(&mut self.view, snapshot);
    }

    /// Shows the whole model from a side: `+x` is the side that the eye is on.
    pub(super) fn look_from(&mut self, side: &str, snapshot: &Snapshot) {
        if let Some(direction) = Camera::direction(side) {
            self.view.camera.look_along(-direction);
            self.fit(snapshot);
        }
    }
}

impl Viewports {
    /// The active picture.
    pub(super) fn active(&self) -> &Viewport {
        &self.all[self.active]
    }

    /// The active picture, to be changed.
    pub(super) fn active_mut(&mut self) -> &mut Viewport {
        &mut self.all[self.active]
    }

    /// Gives all pictures the same options.
    pub(super) fn set_options(&mut self, options: &ViewOptions) {
        self.all.iter_mut().for_each(|picture| picture.view.options = options.clone());
    }

    /// Number of the active picture.
    pub(super) fn active_number(&self) -> usize {
        self.active
    }

    pub(super) fn attach(&mut self, gpu: &Gpu) {
        self.all.iter_mut().for_each(|picture| picture.canvas.attach(gpu));
    }

    /// Shows the whole model in all pictures.
    pub(super) fn fit(&mut self, snapshot: &Snapshot) {
        self.all.iter_mut().for_each(|picture| picture.fit(snapshot));
    }

    /// Makes a picture the active one. The tool stays in the hand.
    pub(super) fn activate(&mut self, number: usize) {
        if number == self.active {
            return;
        }
        let tools = std::mem::take(self.active_mut().canvas.tools());
        self.active = number;
        *self.active_mut().canvas.tools() = tools;
    }

    /// Begins a further picture with the options of the active one, seen from another side, and makes it the active one.
    pub(super) fn begin(&mut self, number: usize, snapshot: &Snapshot) {
        self.all[number].view = self.active().view.clone();
        self.all[number].look_from(SIDES[number], snapshot);
        self.activate(number);
    }

    /// Draws a picture and takes in what the pointer does. A press of a button makes it the active one.
    pub(super) fn ui(
        &mut self,
        number: usize,
        ui: &mut Ui,
        gpu: Option<&Gpu>,
        shown: (&Snapshot, &Status),
        selection: &mut Selection,
    ) -> Actions {
        let place = ui.available_rect_before_wrap();
        if ui.input(|input| input.pointer.any_pressed()) && ui.rect_contains_pointer(place) {
            self.activate(number);
        }
        // The display, the theme and what is selected are the same for all.
        let active = &self.active().view.options;
        let (scale, background) = (active.pixel_scale, active.background);
        let selected = active.selection.clone();
        let Viewport { view, canvas } = &mut self.all[number];
        let options = &mut view.options;
        (options.pixel_scale, options.background, options.selection) =
            (scale, background, selected);
        canvas.ui(ui, gpu, shown, view, selection)
    }
}
