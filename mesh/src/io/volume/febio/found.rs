//! Numbers and lists that were found so far, and whose task the rest of the model is.

use std::collections::{HashMap, HashSet};

use crate::io::volume::numbers::Numbers;

/// Reader of the rest of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum Rest {
    /// Nobody: what is passed over is told, shells are among it.
    PassedOver,
    /// The caller: nothing is told, and shells become triangles.
    ReadElsewhere,
}

/// The numbers that the file gives to nodes and solids, and its lists of them.
pub(super) struct Found {
    pub(super) lists: Lists,
    pub(super) nodes: Numbers,
    pub(super) elements: Numbers,
}

/// Lists of nodes and of solids in the order of the file, by name: MeshData counts along them.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) nodes: HashMap<String, Vec<u32>>,
    pub(super) solids: HashMap<String, Vec<u32>>,
    /// Names of parts of shells or lines, whose data are no fields.
    pub(super) lower: HashSet<String>,
}
