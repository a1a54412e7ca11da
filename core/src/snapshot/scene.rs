//! Items to be drawn, and those of their data that do not move: shared between snapshots until the
//! model is edited.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::styles::Styles;
use super::{Fibres, Outline, Style, Tetrahedra};
use crate::Vec3;
use crate::component::ComponentId;
use crate::fem::ElementFace;
use crate::model::Model;

/// Everything that can be drawn of a model.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Rises with every scene of a run: data made from an older one are stale.
    pub serial: u64,
    /// Place that all points and frames are relative to [m]: f32 is fine near it, and coarse far away.
    pub origin: Vec3,
    /// Corners of the box around everything at the start, relative to `origin` [m].
    pub bounds: [[f32; 3]; 2],
    /// Place at rest of each point that is a node of a tissue or follows one, relative to `origin` [m];
    /// NaN of others.
    pub rest: Arc<Vec<[f32; 3]>>,
    /// Items in the order of the tree. What is not visible is there too.
    pub items: Arc<Vec<Item>>,
    /// The tree of components.
    pub outline: Arc<Outline>,
}

impl Scene {
    /// The same with the names and looks that these components, and what inherits from them, have now; `None` where one of
    /// them came or went, or its name may change what its siblings go by.
    pub(super) fn repainted(&self, model: &Model, changed: &BTreeSet<ComponentId>) -> Option<Self> {
        let mut outline = self.outline.clone();
        let (mut styles, mut items) = (Styles::new(model), self.items.clone());
        for &id in changed {
            let row = self.outline.row(id).filter(|_| model.contains(id))?;
            let repainted = Arc::make_mut(&mut outline);
            repainted.repaint(model, row, &mut styles);
            if !(self.outline.is_named_apart(row) && repainted.is_named_apart(row)) {
                return None;
            }
            // Items are in the order of the rows.
            let end = self.outline.rows[row].end as usize;
            let row_of = |item: &Item| self.outline.row(item.owner).unwrap_or_default();
            let first = items.partition_point(|item| row_of(item) < row);
            let count = items[first..].partition_point(|item| row_of(item) < end);
            for at in first..first + count {
                let style = styles.of(items[at].owner);
                if items[at].style != style {
                    Arc::make_mut(&mut items)[at].style = style;
                }
            }
        }
        Some(Self { serial: self.serial + 1, items, outline, rest: self.rest.clone(), ..*self })
    }
}

/// Drawing of one component.
#[derive(Clone, Debug)]
pub struct Item {
    /// The component that it shows.
    pub owner: ComponentId,
    /// Appearance; inherited parts are filled in.
    pub style: Style,
    /// Shape of the item.
    pub shape: Shape,
}

/// Shapes of items. Points are indices into [`Snapshot::points`](super::Snapshot::points), frames into
/// [`Snapshot::frames`](super::Snapshot::frames).
#[derive(Clone, Debug)]
pub enum Shape {
    /// A surface that moves with a frame: a bone.
    Rigid {
        /// The frame.
        frame: u32,
        /// Vertices in the frame [m].
        vertices: Arc<Vec<[f32; 3]>>,
        /// Vertices of each triangle, anticlockwise seen from outside.
        triangles: Arc<Vec<[u32; 3]>>,
    },
    /// A tissue.
    Tissue {
        /// Point of each node of the mesh.
        nodes: Arc<Vec<u32>>,
        /// Points of each triangle of the surface, anticlockwise seen from outside. Faces of quadratic
        /// elements come as several triangles.
        triangles: Arc<Vec<[u32; 3]>>,
        /// Face of an element that each triangle is on; those of sheets come last and are on none.
        faces: Arc<Vec<ElementFace>>,
        /// Named faces.
        face_sets: Arc<BTreeMap<String, Vec<ElementFace>>>,
        /// Points at the ends of each edge of a face of the surface.
        edges: Arc<Vec<[u32; 2]>>,
        /// The inside, to be cut and shrunk.
        inside: Arc<Tetrahedra>,
        /// Fibres in its elements, where its material or its mesh has them.
        fibres: Arc<Fibres>,
        /// True if there are fibres in it, its own or those of muscle bundles.
        threaded: bool,
        /// Elements that are flat or inside out at rest.
        faulty: Arc<Vec<Faulty>>,
    },
    /// Fibres of a muscle bundle.
    Fibres {
        /// Their positions.
        fibres: Arc<Fibres>,
        /// Place of its excitation in [`Snapshot::lines`](super::Snapshot::lines).
        value: u32,
    },
    /// Points: particles, markers, nodes of a group.
    Points(Arc<Vec<u32>>),
    /// Springs and muscles.
    Lines(Lines),
    /// A frame with axes: of a body, of a joint.
    Frame {
        /// The frame.
        frame: u32,
        /// Axes that a joint turns about, as unit vectors in the frame; empty for others.
        axes: Vec<[f32; 3]>,
    },
}

/// An element that is flat or inside out at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Faulty {
    /// Its place in the mesh.
    pub element: u32,
    /// Points at the ends of its edges.
    pub edges: Vec<[u32; 2]>,
}

/// One line through two points or more.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Its points, from end to end.
    pub points: Vec<u32>,
    /// Place of its excitation and tension in [`Snapshot::lines`](super::Snapshot::lines).
    pub value: u32,
    /// True if it can be excited.
    pub muscle: bool,
}
