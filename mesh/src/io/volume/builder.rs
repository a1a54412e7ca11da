//! The builder that parsers fill: nodes, elements in Sinew's node order, region numbers, and counts
//! of skipped entries.

use std::collections::BTreeMap;

use crate::Vec3;
use crate::io::element_codes;
use crate::io::error::Problem;
use crate::io::text::scanner::shorten;
use crate::{ElementKind, Field, VolumeMesh};

#[derive(Default)]
pub(in crate::io) struct Builder {
    pub(in crate::io) mesh: VolumeMesh,
    /// Cells below three dimensions, by name.
    pub(in crate::io) skipped: BTreeMap<&'static str, usize>,
    /// Notes for the user.
    pub(in crate::io) notes: Vec<String>,
    /// For each cell of the file its element, where it became one.
    pub(in crate::io) element_of_cell: Vec<Option<u32>>,
    /// Named faces by their nodes; they become faces of elements when all elements are known.
    pub(in crate::io) faces: BTreeMap<String, Vec<NamedFace>>,
    /// Entries of all sets so far.
    set_entries: usize,
}

/// A face as a file names it.
#[derive(Clone, Copy, Debug)]
pub(in crate::io) struct NamedFace {
    /// The corners in rising order; `u32::MAX` in the fourth place of a triangle.
    pub(in crate::io) corners: [u32; 4],
    /// The element, where the file says which.
    pub(in crate::io) element: Option<u32>,
}

/// Entries of all sets together, for each node and element of the mesh: many times what models have,
/// and little enough that a small file cannot ask for a huge list by naming one set often.
const SET_ENTRIES: usize = 64;

impl Builder {
    /// Appends a node at `at`, in the unit of the file.
    pub(in crate::io) fn add_node(&mut self, number: u64, at: [f64; 3]) -> Result<(), Problem> {
        if !at.iter().all(|x| x.is_finite()) {
            return Err(Problem::NonFinite { node: number, at });
        }
        self.mesh.nodes.push(Vec3::from(at));
        Ok(())
    }

    /// Counts a cell that is no solid.
    pub(in crate::io) fn skip(&mut self, name: &'static str) {
        *self.skipped.entry(name).or_default() += 1;
        self.element_of_cell.push(None);
    }

    /// The nodes of a face or line by their numbers, corners only.
    pub(in crate::io) fn corners(
        &self,
        element: u64,
        nodes: &[i64],
        index: impl Fn(i64) -> Option<usize>,
    ) -> Result<Vec<u32>, Problem> {
        let node_count = self.mesh.nodes.len();
        let find = |&node: &i64| {
            let found = index(node).filter(|&n| n < node_count).map(|n| n as u32);
            found.ok_or(Problem::MissingNode { element, node, node_count, hint: "" })
        };
        nodes.iter().map(find).collect()
    }

    /// Appends an element whose nodes stand in the order of a file; `index` finds a node.
    pub(in crate::io) fn add_element(
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
            return Err(Problem::NodeCount {
                element: number,
                kind: element_codes::name(kind),
                expected,
                found,
            });
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
            kind: element_codes::name(kind),
            expected,
            found: nodes.len() as u64,
        })?;
        self.element_of_cell.push(Some(element));
        Ok(())
    }

    /// Puts the elements into sets `stem_value` by the value of each cell; `values[i]` belongs to
    /// the cell `first + i`.
    pub(in crate::io) fn add_regions(&mut self, stem: &str, first: usize, values: &[i64]) {
        let mut regions: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for (cell, &value) in self.element_of_cell[first..].iter().zip(values) {
            if let Some(element) = cell {
                regions.entry(value).or_default().push(*element);
            }
        }
        // An array with a value of its own for almost each element numbers them, it names no region.
        if regions.len() > MAX_REGIONS {
            self.notes.push(format!(
                "cell array `{stem}` has {} different values and was kept as a field, not as regions",
                regions.len()
            ));
            let values: Vec<f64> = values.iter().map(|&value| value as f64).collect();
            self.add_cell_field(stem, 1, first, &values);
            return;
        }
        for (value, elements) in regions {
            self.mesh.element_sets.entry(format!("{stem}_{value}")).or_default().extend(elements);
        }
    }

    /// Counts `more` entries of sets.
    ///
    /// # Errors
    /// More than any model has.
    fn count_entries(&mut self, name: &str, more: usize) -> Result<(), Problem> {
        let size = self.mesh.nodes.len() + self.mesh.element_count();
        self.set_entries = self.set_entries.saturating_add(more);
        if self.set_entries > SET_ENTRIES * (size + 1024) {
            return Err(Problem::SetsTooLarge { set: name.to_owned(), entries: self.set_entries });
        }
        Ok(())
    }

    /// Adds elements to a named set.
    pub(in crate::io) fn add_to_set(
        &mut self,
        name: &str,
        elements: Vec<u32>,
    ) -> Result<(), Problem> {
        self.count_entries(name, elements.len())?;
        self.mesh.element_sets.entry(name.to_owned()).or_default().extend(elements);
        Ok(())
    }

    /// Adds nodes to a named set.
    pub(in crate::io) fn add_to_node_set(
        &mut self,
        name: &str,
        nodes: &[u32],
    ) -> Result<(), Problem> {
        self.count_entries(name, nodes.len())?;
        self.mesh.node_sets.entry(name.to_owned()).or_default().extend(nodes);
        Ok(())
    }

    /// Adds a face with these corners to a named set, of `element` where the file says so.
    pub(in crate::io) fn add_face(
        &mut self,
        set: &str,
        corners: &[u32],
        element: Option<u32>,
    ) -> Result<(), Problem> {
        self.count_entries(set, 1)?;
        let mut own = [u32::MAX; 4];
        own.iter_mut().zip(corners).for_each(|(slot, &node)| *slot = node);
        own.sort_unstable();
        let face = NamedFace { corners: own, element };
        match self.faces.get_mut(set) {
            Some(faces) => faces.push(face),
            None => drop(self.faces.insert(set.to_owned(), vec![face])),
        }
        Ok(())
    }

    /// Keeps numbers of the cells or at the nodes from `first` on, one row of `components` each.
    pub(in crate::io) fn add_field(
        &mut self,
        (name, of_cells): (&str, bool),
        components: usize,
        first: usize,
        values: &[f64],
    ) {
        match of_cells {
            true => self.add_cell_field(name, components, first, values),
            false => self.add_node_field(name, components, first, values),
        }
    }

    /// Keeps numbers at the nodes from `first` on, one row of `components` a node.
    pub(in crate::io) fn add_node_field(
        &mut self,
        name: &str,
        components: usize,
        first: usize,
        values: &[f64],
    ) {
        let rows = values.chunks_exact(components.max(1)).enumerate();
        let rows = rows.map(|(i, row)| (first + i, row));
        let count = self.mesh.nodes.len();
        add_field(&mut self.mesh.node_fields, (name, components, count), rows, &mut self.notes);
    }

    /// Keeps rows of numbers of nodes or of elements, by their indices; others stay as they are, or zero.
    pub(in crate::io) fn add_rows<'a>(
        &mut self,
        of_nodes: bool,
        name: &str,
        components: usize,
        rows: impl Iterator<Item = (usize, &'a [f64])>,
    ) {
        let (fields, count) = if of_nodes {
            (&mut self.mesh.node_fields, self.mesh.nodes.len())
        } else {
            let count = self.mesh.element_count();
            (&mut self.mesh.element_fields, count)
        };
        add_field(fields, (name, components, count), rows, &mut self.notes);
    }

    /// Keeps numbers of the cells from `first` on, one row of `components` a cell.
    pub(in crate::io) fn add_cell_field(
        &mut self,
        name: &str,
        components: usize,
        first: usize,
        values: &[f64],
    ) {
        let rows = values.chunks_exact(components.max(1));
        let cells = self.element_of_cell.get(first..).unwrap_or_default();
        let rows = cells.iter().zip(rows).filter_map(|(e, row)| Some(((*e)? as usize, row)));
        let count = self.mesh.element_count();
        add_field(&mut self.mesh.element_fields, (name, components, count), rows, &mut self.notes);
    }
}

/// Fields of a file, as many as are kept: each takes eight bytes a node or element and component.
const MAX_FIELDS: usize = 256;
/// Components of a field; a tensor has nine.
const MAX_COMPONENTS: usize = 1024;

/// Puts rows of numbers into a field of `count` rows; rows that the file does not give stay zero.
fn add_field<'a>(
    fields: &mut BTreeMap<String, Field>,
    (name, components, count): (&str, usize, usize),
    rows: impl Iterator<Item = (usize, &'a [f64])>,
    notes: &mut Vec<String>,
) {
    let known = fields.get(name).map(|field| field.components);
    let fits = (1..=MAX_COMPONENTS).contains(&components)
        && known.is_none_or(|known| known == components)
        && (known.is_some() || fields.len() < MAX_FIELDS);
    if !fits {
        notes.push(format!(
            "field `{}` ({components} components) passed over",
            shorten(name.as_bytes())
        ));
        return;
    }
    let field =
        fields.entry(name.to_owned()).or_insert_with(|| Field { components, values: Vec::new() });
    // Pieces of a file add their nodes one after the other.
    field.values.resize((count * components).max(field.values.len()), 0.0);
    for (row, values) in rows {
        if let Some(slot) = field.values.get_mut(row * components..(row + 1) * components) {
            slot.copy_from_slice(values);
        }
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
pub(in crate::io) fn region_stem(array: &str) -> Option<String> {
    let lower = array.to_ascii_lowercase();
    let found = REGION_ARRAYS.contains(&lower.as_str());
    // A colon in a set name would read as the separator of component and property in a path.
    found.then(|| lower.trim_start_matches("gmsh:").replace(':', "_"))
}
