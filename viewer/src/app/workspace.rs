//! Contents of the panes: the picture and its view, the tree, properties, controls, curves. Each
//! frame they read one snapshot, and what they ask for comes out as [`Requests`].

use egui::{ScrollArea, Ui};
use sinew::schedule::Status;
use sinew::snapshot::{Quantity, Snapshot};

use super::curves::Curves;
use super::pane::Pane;
use super::viewports::{Viewport, Viewports};
use super::views::{ViewRequest, Views};
use super::worlds::Worlds;
use crate::panels::{
    Actions, Controls, Navigation, Plots, Properties, Selection, ShownPanel, TrackingPanel,
};
use crate::window::Gpu;
use crate::{Slice, SliceKind, Titles};

/// Selected components whose properties are shown: each has some dozens, in every snapshot.
pub(super) const MOST_SHEETS: usize = 2000;

/// Requests of the panes in a frame.
#[derive(Default)]
pub(super) struct Requests {
    pub(super) actions: Actions,
    /// A saved view.
    pub(super) view: Option<ViewRequest>,
    /// Quantity that tissues are to be coloured by.
    pub(super) color_by: Option<Quantity>,
    /// The pane of the view is to be opened.
    pub(super) show_view: bool,
}

/// Input of the panes in a frame.
pub(super) struct PaneFrame<'a> {
    /// The device that draws; without it the picture stays empty.
    pub(super) gpu: Option<&'a Gpu>,
    pub(super) front: &'a Snapshot,
    pub(super) status: &'a Status,
    pub(super) requests: &'a mut Requests,
}

/// Contents of the panes.
#[derive(Default)]
pub(crate) struct Workspace {
    pub(super) viewports: Viewports,
    pub(super) quantity: Quantity,
    pub(super) selection: Selection,
    pub(super) navigation: Navigation,
    pub(super) properties: Properties,
    pub(super) controls: Controls,
    pub(super) plots: Plots,
    pub(super) views: Views,
    pub(super) curves: Curves,
    pub(super) worlds: Worlds,
    tracking: TrackingPanel,
}

impl Workspace {
    /// With anatomical titles for the tree.
    pub(super) fn new(titles: Titles) -> Self {
        Self { navigation: Navigation::new(titles), ..Self::default() }
    }

    /// Nothing is kept of the model before.
    pub(super) fn forget_model(&mut self) {
        self.navigation.forget_model();
        self.selection.clear();
        self.properties = Properties::default();
        self.controls = Controls::default();
        self.tracking = TrackingPanel::default();
        self.plots.clear();
        let options = &mut self.picture_mut().view.options;
        options.slice = None;
        options.further_planes.clear();
    }

    /// The active picture.
    pub(crate) fn picture(&self) -> &Viewport {
        self.viewports.active()
    }

    /// The active picture, to be changed.
    pub(crate) fn picture_mut(&mut self) -> &mut Viewport {
        self.viewports.active_mut()
    }

    /// Draws a pane and takes in what is done in it.
    pub(super) fn pane(&mut self, pane: Pane, ui: &mut Ui, frame: &mut PaneFrame<'_>) {
        let front = frame.front;
        match pane {
            Pane::Tree => {
                let actions = &mut frame.requests.actions;
                self.navigation.ui(ui, &front.scene.outline, &mut self.selection, actions);
            }
            Pane::Properties if self.selection.ids().len() > MOST_SHEETS => {
                let count = self.selection.ids().len();
                ui.label(format!(
                    "{count} components are selected: properties are those of {MOST_SHEETS} at most"
                ));
            }
            Pane::Properties => scrolled(ui, |ui| {
                self.properties.offer(&frame.status.panels);
                self.properties.ui(ui, &front.sheets, &mut frame.requests.actions);
            }),
            Pane::Picture(number) => self.draw_picture(number, ui, frame),
            Pane::Plots => self.plots.ui(ui, &mut frame.requests.actions),
            Pane::Controls => scrolled(ui, |ui| {
                let actions = &mut frame.requests.actions;
                self.controls.ui(ui, &frame.status.panels, &front.readings, actions);
            }),
            Pane::View => scrolled(ui, |ui| self.view_panel(ui, frame)),
            Pane::Curves => self.curves.ui(ui, &mut frame.requests.actions),
            Pane::World => self.worlds.ui(ui, &mut frame.requests.actions),
            Pane::Inverse => scrolled(ui, |ui| {
                let actions = &mut frame.requests.actions;
                self.tracking.ui(ui, frame.status.tracking.as_deref(), actions);
            }),
            Pane::Build => self.draw_tools(ui, frame),
        }
    }

    fn draw_tools(&mut self, ui: &mut Ui, frame: &mut PaneFrame<'_>) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let shown = (frame.front, self.selection.ids());
            let tools = self.viewports.active_mut().canvas.tools();
            tools.panel(ui, shown, &mut frame.requests.actions);
        });
    }

    fn draw_picture(&mut self, number: usize, ui: &mut Ui, frame: &mut PaneFrame<'_>) {
        let PaneFrame { gpu, front, status, requests } = frame;
        let (viewports, selection) = (&mut self.viewports, &mut self.selection);
        let actions = viewports.ui(number, ui, *gpu, (*front, *status), selection);
        requests.actions.append(actions);
        if front.serial == 0 {
            let text =
                status.busy.as_deref().unwrap_or("drop a model file here, or open one (Ctrl+O)");
            let center = ui.max_rect().center();
            let style = egui::TextStyle::Heading.resolve(ui.style());
            let color = egui::Color32::GRAY;
            ui.painter().text(center, egui::Align2::CENTER_CENTER, text, style, color);
        }
    }

    /// A plane through the middle of the model, or none. What lies nearer to the eye is cut away, on the left
    /// or the right of the middle: the face, which looks along x, is kept.
    pub(super) fn toggle_cut(&mut self, front: &Snapshot) {
        let view = &mut self.viewports.active_mut().view;
        if view.options.slice.take().is_some() {
            return;
        }
        let [low, high] = crate::bounds_of(front);
        let origin = (low + high) * 0.5;
        let side = if view.camera.back().y < 0.0 { -1.0 } else { 1.0 };
        let normal = sinew::Vec3::y() * side;
        view.options.slice = Some(Slice { origin, normal, kind: SliceKind::Clip });
    }

    /// The properties that are read for sliders and fields, and those that are sampled for curves.
    pub(super) fn followed(&self, panels: &[ShownPanel]) -> [Vec<String>; 2] {
        [Controls::paths(panels), self.plots.paths()]
    }
}

/// Content that scrolls where it is higher than its pane.
fn scrolled(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ScrollArea::both().auto_shrink(false).show(ui, content);
}
