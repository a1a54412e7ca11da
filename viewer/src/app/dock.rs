//! The panes of the window as tiles: each can be moved, resized, put into the tabs of another and closed.
//! Sizes are shares of the window, so that no pane grows with what is in it.

mod layout;

use egui::{Ui, WidgetText};
use egui_tiles::{
    Behavior, Linear, LinearDir, SimplificationOptions, TileId, Tiles, Tree, UiResponse,
};

use super::pane::Pane;
use super::viewports::MOST;
use super::workspace::{PaneFrame, Workspace};

pub(super) use layout::Layout;

/// Shares of the columns from left to right: the tree, the model, the controls.
const COLUMNS: [f32; 3] = [0.23, 0.52, 0.25];
/// Shares of the model and the curves below it.
const ROWS: [f32; 2] = [0.68, 0.32];

/// Arrangement of the panes.
pub(super) struct Dock {
    tree: Tree<Pane>,
}

impl Default for Dock {
    /// Properties below the tree, further pictures beside and below the model, plots below these, drawings of curves and worlds in tabs beside it, how it
    /// is drawn in a tab beside the controls. Further pictures, plots, drawings, worlds and inverse control are closed.
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let [
            tree,
            properties,
            picture,
            plots,
            controls,
            view,
            build,
            curves,
            world,
            second,
            third,
            fourth,
            inverse,
        ] = Pane::ALL.map(|pane| tiles.insert_pane(pane));
        let left = tiles.insert_vertical_tile(vec![tree, properties]);
        let pictures = tiles.insert_tab_tile(vec![picture, curves, world]);
        let upper = tiles.insert_horizontal_tile(vec![pictures, second]);
        let lower = tiles.insert_horizontal_tile(vec![third, fourth]);
        let pictures = tiles.insert_vertical_tile(vec![upper, lower]);
        let middle = linear(LinearDir::Vertical, [pictures, plots].into_iter().zip(ROWS));
        let middle = tiles.insert_container(middle);
        let right = tiles.insert_tab_tile(vec![controls, view, build, inverse]);
        let columns = [left, middle, right].into_iter().zip(COLUMNS);
        let root = tiles.insert_container(linear(LinearDir::Horizontal, columns));
        let mut dock = Self { tree: Tree::new(egui::Id::unique("panes"), root, tiles) };
        dock.set_open(Pane::Controls, true);
        dock.set_open(Pane::Plots, false);
        dock.set_open(Pane::Curves, false);
        dock.set_open(Pane::World, false);
        dock.set_open(Pane::Inverse, false);
        (1..MOST).for_each(|number| dock.set_open(Pane::Picture(number), false));
        dock
    }
}

fn linear(dir: LinearDir, children: impl Iterator<Item = (TileId, f32)> + Clone) -> Linear {
    let mut linear = Linear::new(dir, children.clone().map(|(tile, _)| tile).collect());
    children.for_each(|(tile, share)| linear.shares.set_share(tile, share));
    linear
}

impl Dock {
    /// True if a pane is open, in a tab that may be behind another.
    pub(super) fn is_open(&self, pane: Pane) -> bool {
        self.tree.tiles.find_pane(&pane).is_some_and(|tile| self.tree.is_visible(tile))
    }

    /// Opens a pane, before others in its tabs, or closes it.
    pub(super) fn set_open(&mut self, pane: Pane, open: bool) {
        let Some(tile) = self.tree.tiles.find_pane(&pane) else { return };
        self.tree.set_visible(tile, open);
        if open {
            self.tree.make_active(|other, _| other == tile);
        }
    }

    /// Opens a pane that is closed or behind another, and closes one that is seen.
    pub(super) fn toggle(&mut self, pane: Pane) {
        self.set_open(pane, !self.is_seen(pane));
    }

    /// True if a pane is open and not behind another.
    pub(super) fn is_seen(&self, pane: Pane) -> bool {
        let tile = self.tree.tiles.find_pane(&pane);
        tile.is_some_and(|tile| self.is_open(pane) && self.tree.active_tiles().contains(&tile))
    }

    /// The panes that are seen.
    #[cfg(test)]
    pub(super) fn seen(&self) -> Vec<Pane> {
        Pane::ALL.into_iter().filter(|&pane| self.is_seen(pane)).collect()
    }

    /// Draws the panes.
    pub(super) fn ui(&mut self, ui: &mut Ui, workspace: &mut Workspace, frame: PaneFrame<'_>) {
        let is_open = |&number: &usize| self.is_open(Pane::Picture(number));
        let several = (0..MOST).filter(is_open).count() > 1;
        let mut panes = Panes { workspace, frame, several, closed: None };
        self.tree.ui(&mut panes, ui);
        if let Some(tile) = panes.closed {
            self.tree.set_visible(tile, false);
            // The first picture is always open.
            let active = workspace.viewports.active_number();
            if !self.is_open(Pane::Picture(active)) {
                workspace.viewports.activate(0);
            }
        }
    }
}

/// Behaviour that draws the panes.
struct Panes<'a> {
    workspace: &'a mut Workspace,
    frame: PaneFrame<'a>,
    /// True if there are several pictures, one of which is active.
    several: bool,
    closed: Option<TileId>,
}

impl Behavior<Pane> for Panes<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        let margin = if matches!(pane, Pane::Picture(_)) { 0 } else { 6 };
        let inside = egui::Frame::NONE.inner_margin(margin);
        inside.show(ui, |ui| self.workspace.pane(*pane, ui, &mut self.frame));
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        let active = Pane::Picture(self.workspace.viewports.active_number());
        let mark = if self.several && *pane == active { " (active)" } else { "" };
        format!("{}{mark}", pane.title()).into()
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some_and(|pane| *pane != Pane::Picture(0))
    }

    fn on_tab_close(&mut self, _: &mut Tiles<Pane>, tile: TileId) -> bool {
        // It is hidden rather than removed: its key brings it back.
        self.closed = Some(tile);
        false
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() }
    }
}

#[cfg(test)]
mod tests;
