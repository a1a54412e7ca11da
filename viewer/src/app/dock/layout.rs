//! The arrangement of the panes as plain data, to be kept between sessions.

use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

use super::Dock;
use crate::app::pane::Pane;

/// A part of the arrangement: a pane, or several parts together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::app) enum Layout {
    /// A pane by its title.
    Pane {
        /// Its title.
        title: String,
        /// True if it is open.
        open: bool,
    },
    /// Parts of which one is before the others.
    Tabs {
        /// The parts.
        parts: Vec<Layout>,
        /// Place of the one in front.
        front: usize,
    },
    /// Parts beside each other, with their shares of the room.
    Row {
        /// The parts, each with its share.
        parts: Vec<(f32, Layout)>,
    },
    /// The same, below each other.
    Column {
        /// The parts, each with its share.
        parts: Vec<(f32, Layout)>,
    },
}

impl Dock {
    /// The arrangement.
    pub(in crate::app) fn layout(&self) -> Option<Layout> {
        self.part(self.tree.root()?)
    }

    fn part(&self, tile: TileId) -> Option<Layout> {
        let tiles = &self.tree.tiles;
        match tiles.get(tile)? {
            Tile::Pane(pane) => {
                let (title, open) = (pane.title().to_owned(), self.tree.is_visible(tile));
                Some(Layout::Pane { title, open })
            }
            Tile::Container(Container::Tabs(tabs)) => {
                let front = tabs.children.iter().position(|&child| tabs.is_active(child));
                let parts = tabs.children.iter().filter_map(|&child| self.part(child)).collect();
                Some(Layout::Tabs { parts, front: front.unwrap_or_default() })
            }
            Tile::Container(Container::Linear(linear)) => {
                let share = |child: TileId| {
                    let own = linear.shares.iter().find(|(of, _)| **of == child);
                    own.map_or(1.0, |(_, share)| *share)
                };
                let parts = linear.children.iter();
                let parts = parts.filter_map(|&child| Some((share(child), self.part(child)?)));
                let parts = parts.collect();
                Some(match linear.dir {
                    LinearDir::Horizontal => Layout::Row { parts },
                    LinearDir::Vertical => Layout::Column { parts },
                })
            }
            // Panes are never put into a grid here.
            Tile::Container(Container::Grid(_)) => None,
        }
    }

    /// The panes in an arrangement; `None` where a pane is missing or there twice, or the model cannot be seen.
    pub(in crate::app) fn arranged(layout: &Layout) -> Option<Self> {
        let mut tiles = Tiles::default();
        let mut closed = Vec::new();
        let root = build(layout, &mut tiles, &mut closed)?;
        let count = |pane: Pane| {
            tiles.tiles().filter(|tile| matches!(tile, Tile::Pane(it) if *it == pane)).count()
        };
        if Pane::ALL.into_iter().any(|pane| count(pane) != 1) {
            return None;
        }
        let mut tree = Tree::new(egui::Id::unique("panes"), root, tiles);
        closed.into_iter().for_each(|tile| tree.set_visible(tile, false));
        let dock = Self { tree };
        dock.is_open(Pane::Picture(0)).then_some(dock)
    }
}

fn build(layout: &Layout, tiles: &mut Tiles<Pane>, closed: &mut Vec<TileId>) -> Option<TileId> {
    let linear =
        |dir, parts: &[(f32, Layout)], tiles: &mut Tiles<Pane>, closed: &mut Vec<TileId>| {
            let children = parts.iter().map(|(_, part)| build(part, tiles, closed));
            let children = children.collect::<Option<Vec<_>>>()?;
            let mut linear = Linear::new(dir, children.clone());
            for (child, (share, _)) in children.into_iter().zip(parts) {
                if !(*share > 0.0 && share.is_finite()) {
                    return None;
                }
                linear.shares.set_share(child, *share);
            }
            Some(tiles.insert_container(linear))
        };
    match layout {
        Layout::Pane { title, open } => {
            let pane = Pane::ALL.into_iter().find(|pane| pane.title() == title)?;
            let tile = tiles.insert_pane(pane);
            if !open {
                closed.push(tile);
            }
            Some(tile)
        }
        Layout::Tabs { parts, front } => {
            let children = parts.iter().map(|part| build(part, tiles, closed));
            let children = children.collect::<Option<Vec<_>>>()?;
            let front = children.get(*front).copied();
            let mut tabs = Tabs::new(children);
            if let Some(front) = front {
                tabs.set_active(front);
            }
            Some(tiles.insert_container(tabs))
        }
        Layout::Row { parts } => linear(LinearDir::Horizontal, parts, tiles, closed),
        Layout::Column { parts } => linear(LinearDir::Vertical, parts, tiles, closed),
    }
}
