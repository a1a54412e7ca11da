//! Meshes that stand in the model file: nodes, elements, sets and fields.

use std::collections::BTreeMap;
use std::rc::Rc;

use sinew::fem::{ElementFace, ElementKind, Field, VolumeMesh};
use sinew::geometry::SurfaceMesh;

use super::solids;
use super::value::{indices, numbers, vectors};
use crate::diagnostic::Diagnostic;
use crate::tree::{Entry, Node, Table, Tree, get};
use crate::units::Length;

/// A surface by its triangles or as a solid [m].
pub(super) fn surface(node: &Node, unit: Length) -> Result<SurfaceMesh, Diagnostic> {
    let table = node.table().cloned().unwrap_or_default();
    if let Some(solid) = solids::solid(&table) {
        return solids::surface(&table, solid, unit);
    }
    let [vertices, triangles] =
        [needed(&table, "vertices", node)?, needed(&table, "triangles", node)?];
    let vertices = vectors(vertices, unit.factor())?;
    let corners = indices(triangles)?;
    let (triangles, rest) = corners.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(Diagnostic::error(node.span, "a triangle has three corners"));
    }
    let made = SurfaceMesh::new(vertices, triangles.to_vec());
    made.map_err(|error| Diagnostic::error(node.span, error.to_string()))
}

/// A volume mesh by its elements or as a solid [m].
pub(super) fn volume(node: &Node, unit: Length) -> Result<VolumeMesh, Diagnostic> {
    let table = node.table().cloned().unwrap_or_default();
    if let Some(solid) = solids::solid(&table) {
        return solids::volume(node, &table, solid, unit);
    }
    let nodes = vectors(needed(&table, "nodes", node)?, unit.factor())?;
    let elements = needed(&table, "elements", node)?;
    let mut mesh = VolumeMesh::new(nodes);
    let runs = runs(elements)?;
    for entry in runs.iter().flat_map(|table| table.iter()) {
        let Some(kind) = ElementKind::from_name(&entry.key) else {
            let message = format!("there is no kind of element '{}'", entry.key);
            let known = ElementKind::ALL.into_iter().map(ElementKind::name);
            return Err(Diagnostic::unknown(entry.key_span, message, &entry.key, known));
        };
        let corners = indices(&entry.value)?;
        let elements = corners.chunks_exact(kind.node_count());
        if !elements.remainder().is_empty() {
            let message = format!("each {} has {} nodes", entry.key, kind.node_count());
            return Err(Diagnostic::error(entry.value.span, message));
        }
        for nodes in elements {
            let pushed = mesh.push_element(kind, nodes);
            pushed.map_err(|error| Diagnostic::error(entry.value.span, error.to_string()))?;
        }
    }
    mesh.node_sets = sets(&table, "node_sets", mesh.nodes.len())?;
    mesh.element_sets = sets(&table, "element_sets", mesh.element_count())?;
    mesh.face_sets = face_sets(&table, &mesh)?;
    mesh.triangle_sets = triangle_sets(&table, mesh.nodes.len())?;
    mesh.node_fields = fields(&table, "node_fields", mesh.nodes.len())?;
    mesh.element_fields = fields(&table, "element_fields", mesh.element_count())?;
    Ok(mesh)
}

/// Elements kind by kind: one table of kinds, or a list of such tables where kinds are mixed.
fn runs(elements: &Node) -> Result<Vec<Rc<Table>>, Diagnostic> {
    let items = match &elements.value {
        Tree::List(list) => &list[..],
        _ => std::slice::from_ref(elements),
    };
    let run = |item: &Node| {
        let message =
            || format!("elements are lists of nodes by their kind, not {}", item.value.describe());
        let refused = || Diagnostic::error(item.span, message()).help("elements = { tet4 = [..] }");
        item.table().cloned().ok_or_else(refused)
    };
    items.iter().map(run).collect()
}

/// Sets of triangles: three nodes each.
fn triangle_sets(
    table: &Table,
    count: usize,
) -> Result<BTreeMap<String, Vec<[u32; 3]>>, Diagnostic> {
    let mut all = BTreeMap::new();
    for entry in table_of(table, "triangle_sets")? {
        let numbers = indices(&entry.value)?;
        let (triangles, rest) = numbers.as_chunks::<3>();
        if !rest.is_empty() || numbers.iter().any(|&node| node as usize >= count) {
            let message =
                format!("each triangle has three nodes from 0 to {}", count.saturating_sub(1));
            return Err(Diagnostic::error(entry.value.span, message));
        }
        all.insert(entry.key.clone(), triangles.to_vec());
    }
    Ok(all)
}

/// Sets of faces: a pair of element and number of its face each.
fn face_sets(
    table: &Table,
    mesh: &VolumeMesh,
) -> Result<BTreeMap<String, Vec<ElementFace>>, Diagnostic> {
    let kinds: Vec<ElementKind> = mesh.elements().map(|(kind, _)| kind).collect();
    let mut all = BTreeMap::new();
    for entry in table_of(table, "face_sets")? {
        let numbers = indices(&entry.value)?;
        let (pairs, rest) = numbers.as_chunks::<2>();
        let face = |&[element, face]: &[u32; 2]| {
            let count = kinds.get(element as usize)?.faces().len();
            let face = u8::try_from(face).ok().filter(|&face| usize::from(face) < count)?;
            Some(ElementFace { element, face })
        };
        let faces: Option<Vec<ElementFace>> = pairs.iter().map(face).collect();
        let Some(faces) = faces.filter(|_| rest.is_empty()) else {
            let message = "faces are pairs of the number of an element and that of its face";
            return Err(Diagnostic::error(entry.value.span, message));
        };
        all.insert(entry.key.clone(), faces);
    }
    Ok(all)
}

/// Fields with so many places.
fn fields(table: &Table, key: &str, places: usize) -> Result<BTreeMap<String, Field>, Diagnostic> {
    let mut all = BTreeMap::new();
    for entry in table_of(table, key)? {
        let field = entry.value.table().and_then(|field| {
            let components = indices(get(field, "components")?).ok()?;
            let values = numbers(get(field, "values")?)?;
            Some(Field { components: *components.first()? as usize, values })
        });
        let fits = |field: &Field| {
            field.components > 0 && places.checked_mul(field.components) == Some(field.values.len())
        };
        let Some(field) = field.filter(fits) else {
            let message = format!("a field has 'components' and {places} times as many 'values'");
            return Err(Diagnostic::error(entry.value.span, message));
        };
        all.insert(entry.key.clone(), field);
    }
    Ok(all)
}

/// The entries of a table in a table; none where it is not there.
fn table_of<'t>(table: &'t Table, key: &str) -> Result<&'t [Entry], Diagnostic> {
    let Some(node) = get(table, key) else { return Ok(&[]) };
    let message = || Diagnostic::error(node.span, format!("'{key}' is a table"));
    node.table().map(|table| &table[..]).ok_or_else(message)
}

/// Sets of numbers below `count`.
fn sets(table: &Table, key: &str, count: usize) -> Result<BTreeMap<String, Vec<u32>>, Diagnostic> {
    let set = |entry: &Entry| {
        let members = indices(&entry.value)?;
        match members.iter().find(|&&k| k as usize >= count) {
            None => Ok((entry.key.clone(), members)),
            Some(odd) => {
                let message = format!("the mesh has no number {odd}: it has {count}, from 0 on");
                Err(Diagnostic::error(entry.value.span, message))
            }
        }
    };
    table_of(table, key)?.iter().map(set).collect()
}

fn needed<'t>(table: &'t Table, key: &str, node: &Node) -> Result<&'t Node, Diagnostic> {
    get(table, key).ok_or_else(|| {
        Diagnostic::error(
            node.span,
            format!(
                "a mesh needs a 'file', a 'box', 'sphere' or 'cylinder', or '{key}' and what goes with it"
            ),
        )
    })
}
