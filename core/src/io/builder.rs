//! What a parser fills while it reads: nodes, elements in Sinew's node order, region numbers, and
//! counts of what is passed over.

use std::collections::{BTreeMap, HashMap};

use super::error::Problem;
use crate::Vec3;
use crate::fem::{ElementKind, VolumeMesh};

#[derive(Default)]
pub(super) struct Builder {
    pub(super) mesh: VolumeMesh,
    /// Cells below three dimensions, by name.
    pub(super) skipped: BTreeMap<&'static str, usize>,
    /// What the user should know.
    pub(super) notes: Vec<String>,
    /// For each cell of the file its element, where it became one.
    pub(super) element_of_cell: Vec<Option<u32>>,
}

impl Builder {
    /// Appends a node at `at`, in the unit of the file.
    pub(super) fn add_node(&mut self, number: u64, at: [f64; 3]) -> Result<(), Problem> {
        if !at.iter().all(|x| x.is_finite()) {
            return Err(Problem::NonFinite { node: number, at });
        }
        self.mesh.nodes.push(Vec3::from(at));
        Ok(())
    }

    /// Counts a cell that is no solid.
    pub(super) fn skip(&mut self, name: &'static str) {
        *self.skipped.entry(name).or_default() += 1;
        self.element_of_cell.push(None);
    }

    /// Appends an element whose nodes stand in the order of a file; `index` finds a node.
    pub(super) fn add_element(
        &mut self,
        number: u64,
        kind: ElementKind,
        order: &[u8],
        nodes: &[i64],
        index: impl Fn(i64) -> Option<usize>,
    ) -> Result<(), Problem> {
        let expected = kind.node_count();
        if nodes.len() != expected {
            let found = nodes.len() as u64;
            return Err(Problem::NodeCount { element: number, kind: name(kind), expected, found });
        }
        let node_count = self.mesh.nodes.len();
        let mut own = [0_u32; 20];
        for (slot, &place) in own.iter_mut().zip(order) {
            let node = nodes[place as usize];
            let missing = || Problem::MissingNode { element: number, node, node_count, hint: "" };
            let found = index(node).filter(|&n| n < node_count).ok_or_else(missing)?;
            *slot = u32::try_from(found).map_err(|_| missing())?;
        }
        let element = self.mesh.element_count() as u32;
        // Lengths and indices are checked above.
        self.mesh.push_element(kind, &own[..expected]).map_err(|_| Problem::NodeCount {
            element: number,
            kind: name(kind),
            expected,
            found: nodes.len() as u64,
        })?;
        self.element_of_cell.push(Some(element));
        Ok(())
    }

    /// Puts the elements into sets `stem_value` by the value of each cell; `values[i]` belongs to
    /// the cell `first + i`.
    pub(super) fn add_regions(&mut self, stem: &str, first: usize, values: &[i64]) {
        let mut regions: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for (cell, &value) in self.element_of_cell[first..].iter().zip(values) {
            if let Some(element) = cell {
                regions.entry(value).or_default().push(*element);
            }
        }
        // An array with a value of its own for almost each element numbers them, it names no region.
        if regions.len() > MAX_REGIONS {
            self.notes.push(format!(
                "cell array `{stem}` has {} different values and was not taken as regions",
                regions.len()
            ));
            return;
        }
        for (value, elements) in regions {
            self.add_to_set(format!("{stem}_{value}"), elements);
        }
    }

    pub(super) fn add_to_set(&mut self, name: String, elements: Vec<u32>) {
        self.mesh.element_sets.entry(name).or_default().extend(elements);
    }
}

/// More than any anatomical model names (TotalSegmentator has 117 classes), fewer than elements.
const MAX_REGIONS: usize = 512;

/// The cell arrays that are taken as regions.
const REGION_ARRAYS: [&str; 9] = [
    "region",
    "regions",
    "region_id",
    "material",
    "material_id",
    "gmsh:physical",
    "medit:ref",
    "tetgen:ref",
    "cellentityids",
];

/// The stem of the set names when an array of this name holds regions.
pub(super) fn region_stem(array: &str) -> Option<String> {
    let lower = array.to_ascii_lowercase();
    let found = REGION_ARRAYS.contains(&lower.as_str());
    // A colon in a set name would read as the separator of component and property in a path.
    found.then(|| lower.trim_start_matches("gmsh:").replace(':', "_"))
}

/// A kind in words.
pub(super) fn name(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Tet4 => "tetrahedron",
        ElementKind::Hex8 => "hexahedron",
        ElementKind::Wedge6 => "wedge",
        ElementKind::Pyramid5 => "pyramid",
        ElementKind::Tet10 => "quadratic tetrahedron",
        ElementKind::Hex20 => "quadratic hexahedron",
        ElementKind::Wedge15 => "quadratic wedge",
        ElementKind::Pyramid13 => "quadratic pyramid",
    }
}

/// Node numbers of a file, mapped to indices without an array as long as the largest number.
pub(super) enum NodeNumbers {
    /// Numbers follow each other from this one.
    Consecutive {
        first: u64,
        count: usize,
    },
    Sparse(HashMap<u64, u32>),
}

impl NodeNumbers {
    /// # Errors
    /// The first number that is given twice.
    pub(super) fn new(numbers: &[u64]) -> Result<Self, Problem> {
        let first = numbers.first().copied().unwrap_or(0);
        let follows = |(i, &n): (usize, &u64)| n.checked_sub(first) == Some(i as u64);
        if numbers.iter().enumerate().all(follows) {
            return Ok(Self::Consecutive { first, count: numbers.len() });
        }
        let mut map = HashMap::with_capacity(numbers.len());
        for (i, &id) in numbers.iter().enumerate() {
            if map.insert(id, i as u32).is_some() {
                return Err(Problem::DuplicateNode { id });
            }
        }
        Ok(Self::Sparse(map))
    }

    pub(super) fn index(&self, number: i64) -> Option<usize> {
        let number = u64::try_from(number).ok()?;
        match self {
            Self::Consecutive { first, count } => {
                let i = usize::try_from(number.checked_sub(*first)?).ok()?;
                (i < *count).then_some(i)
            }
            Self::Sparse(map) => map.get(&number).map(|&i| i as usize),
        }
    }
}
