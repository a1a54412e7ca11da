//! Selections: nodes and elements of a tissue by their properties, in place of their numbers. A
//! selection is worked out when the file is read; what is saved are numbers.

use std::collections::BTreeMap;

use sinew::Vec3;
use sinew::component::{Address, ComponentId, Handle};
use sinew::fem::{ElementFace, VolumeMesh};
use sinew::formula::Condition;
use sinew::geometry::{SurfaceMesh, boundary};
use sinew::model::{FemModel, RigidBody};

use super::mesh::box_around;
use super::value::{indices, numbers};
use super::{Job, Reader};
use crate::diagnostic::Diagnostic;
use crate::tree::{Node, Table, Tree, get};

/// Keys of a selection; `of` where it is not told which tissue is meant.
pub(crate) const SELECTION_KEYS: [(&str, &str); 8] = [
    ("of", "Path of the tissue, where a list of points is asked for"),
    ("set", "Name of a set of the mesh: of nodes, of faces or of elements"),
    ("material", "Number or name of a material in the mesh file: the set `material_2`"),
    ("box", "Two opposite corners, [x, y, z] each"),
    ("where", "A condition on x, y and z, such as `z < 0.1 and x^2 + y^2 < 0.04`"),
    ("near", "Path of a rigid body with a surface or of a tissue, or a point [x, y, z]"),
    ("within", "Largest distance from `near`; of a point alone, the nearest one is taken"),
    ("surface", "true: only what lies on the surface of the tissue"),
];

/// Kind of the selected things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Members {
    /// Nodes.
    Nodes,
    /// Elements, which are where the mean of their corners is.
    Elements,
}

impl Members {
    fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Elements => "elements",
        }
    }

    fn count(self, mesh: &VolumeMesh) -> usize {
        match self {
            Self::Nodes => mesh.nodes.len(),
            Self::Elements => mesh.element_count(),
        }
    }

    /// Positions of all of them [m].
    fn positions(self, mesh: &VolumeMesh) -> Vec<Vec3> {
        let middle = |e: usize| {
            let (kind, nodes) = mesh.element(e);
            let corners = &nodes[..kind.corner_count()];
            let sum: Vec3 = corners.iter().map(|&n| mesh.nodes[n as usize]).sum();
            sum / corners.len() as f64
        };
        match self {
            Self::Nodes => mesh.nodes.clone(),
            Self::Elements => (0..mesh.element_count()).map(middle).collect(),
        }
    }

    /// The members of a set of the mesh; for nodes those of a set of nodes, or else of faces, or else of
    /// elements.
    fn of_set(self, mesh: &VolumeMesh, name: &str) -> Option<Vec<u32>> {
        let elements = mesh.element_sets.get(name);
        if let Self::Elements = self {
            return elements.cloned();
        }
        if let Some(nodes) = mesh.node_sets.get(name) {
            return Some(nodes.clone());
        }
        let of_face = |at: &sinew::fem::ElementFace| {
            let (kind, nodes) = mesh.element(at.element as usize);
            kind.faces()[usize::from(at.face)].iter().map(|&k| nodes[usize::from(k)])
        };
        let faces = mesh.face_sets.get(name);
        let faces = faces.map(|faces| faces.iter().flat_map(of_face).collect::<Vec<_>>());
        let of_elements = |elements: &Vec<u32>| {
            elements.iter().flat_map(|&e| mesh.element(e as usize).1).copied().collect()
        };
        faces.or_else(|| elements.map(of_elements)).map(sorted)
    }

    /// Names of all sets that have such members.
    fn set_names(self, mesh: &VolumeMesh) -> Vec<&str> {
        let nodes = mesh.node_sets.keys().chain(mesh.face_sets.keys());
        let nodes = nodes.filter(|_| self == Self::Nodes);
        nodes.chain(mesh.element_sets.keys()).map(String::as_str).collect()
    }

    /// Indices of those on the surface of a mesh.
    fn on_surface(self, mesh: &VolumeMesh) -> Vec<u32> {
        let surface = boundary(mesh);
        sorted(match self {
            Self::Nodes => surface.node_of_vertex,
            Self::Elements => surface.element_of_triangle,
        })
    }
}

/// Rising, each once.
fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// True if a value says by names or tables what it means; numbers are read as they are.
pub(super) fn is_selection(node: &Node) -> bool {
    match &node.value {
        Tree::Text(text) => !matches!(text.as_str(), "inf" | "-inf"),
        Tree::Table(_) => true,
        Tree::List(list) => list.iter().any(is_selection),
        Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Real(_) => false,
    }
}

impl Reader {
    /// Nodes or elements of a tissue: by number, by the name of a set, by a table, or a list of all these,
    /// which is what any of them means.
    pub(super) fn members(
        &self,
        node: &Node,
        fem: Handle<FemModel>,
        members: Members,
        job: &Job,
    ) -> Result<Vec<u32>, Diagnostic> {
        match &node.value {
            Tree::Text(name) => self.of_set(name, node, fem, members),
            Tree::Table(table) => {
                if let Some(of) = get(table, "of") {
                    let message = "which tissue is meant is told already: leave out 'of'";
                    return Err(Diagnostic::error(of.span, message));
                }
                self.selection(table, node, (fem, members), job)
            }
            Tree::List(list) => {
                let each = list.iter().map(|item| self.members(item, fem, members, job));
                Ok(sorted(each.collect::<Result<Vec<_>, _>>()?.concat()))
            }
            _ => indices(node),
        }
    }

    pub(super) fn mesh_of(
        &self,
        fem: Handle<FemModel>,
        at: &Node,
    ) -> Result<&VolumeMesh, Diagnostic> {
        let tissue = self.draft.model().get(fem).map(|fem| &fem.mesh);
        tissue.ok_or_else(|| Diagnostic::error(at.span, "say first which tissue this is of"))
    }

    fn of_set(
        &self,
        name: &str,
        at: &Node,
        fem: Handle<FemModel>,
        members: Members,
    ) -> Result<Vec<u32>, Diagnostic> {
        let mesh = self.mesh_of(fem, at)?;
        members.of_set(mesh, name).ok_or_else(|| {
            let message = format!("the mesh has no set of {} '{name}'", members.name());
            Diagnostic::unknown(at.span, message, name, members.set_names(mesh).into_iter())
        })
    }

    /// Selection by a table: the indices that meet all its conditions.
    fn selection(
        &self,
        table: &Table,
        at: &Node,
        (fem, members): (Handle<FemModel>, Members),
        job: &Job,
    ) -> Result<Vec<u32>, Diagnostic> {
        check_keys(table, at)?;
        let mesh = self.mesh_of(fem, at)?;
        let mut left: Vec<u32> = (0..members.count(mesh) as u32).collect();
        let among = |set: Vec<u32>| {
            let set = sorted(set);
            move |k: &u32| set.binary_search(k).is_ok()
        };
        if let Some(node) = get(table, "set") {
            let name = node.text().ok_or_else(|| expected(node, "the name of a set"))?;
            left.retain(among(self.of_set(name, node, fem, members)?));
        }
        if let Some(node) = get(table, "material") {
            left.retain(among(self.of_set(&set_of_material(node)?, node, fem, members)?));
        }
        if let Some(node) = get(table, "surface") {
            match node.value {
                Tree::Bool(true) => left.retain(among(members.on_surface(mesh))),
                Tree::Bool(false) => {}
                _ => return Err(expected(node, "true or false")),
            }
        }
        let positions = members.positions(mesh);
        self.keep_in_space(table, &positions, &mut left, job)?;
        match left.is_empty() {
            false => Ok(left),
            true => Err(nothing(at, &positions, members, self.length_in(job))),
        }
    }

    /// Makes a set of the faces of the surface of a tissue all of whose nodes a selection has: its name.
    pub(super) fn set_of_faces(
        &mut self,
        node: &Node,
        fem: Handle<FemModel>,
        job: &Job,
    ) -> Result<String, Diagnostic> {
        let nodes = sorted(self.members(node, fem, Members::Nodes, job)?);
        let mesh = self.mesh_of(fem, node)?;
        let selected = |at: &ElementFace| {
            let (kind, all) = mesh.element(at.element as usize);
            let mut face = kind.faces()[usize::from(at.face)].iter();
            face.all(|&k| nodes.binary_search(&all[usize::from(k)]).is_ok())
        };
        let mut faces = boundary(mesh).face_of_triangle;
        faces.dedup();
        faces.retain(selected);
        if faces.is_empty() {
            let count = nodes.len();
            let message =
                format!("no face of the surface has all of its nodes among these {count}");
            return Err(Diagnostic::error(node.span, message));
        }
        self.add_set(fem, |mesh| &mut mesh.face_sets, faces)
            .ok_or_else(|| Diagnostic::error(node.span, "say first which tissue this is of"))
    }

    /// Makes a set of the nodes of a selection: its name.
    pub(super) fn set_of_nodes(
        &mut self,
        node: &Node,
        fem: Handle<FemModel>,
        job: &Job,
    ) -> Result<String, Diagnostic> {
        let nodes = self.members(node, fem, Members::Nodes, job)?;
        self.add_set(fem, |mesh| &mut mesh.node_sets, nodes)
            .ok_or_else(|| Diagnostic::error(node.span, "say first which tissue this is of"))
    }

    /// Adds a set to the mesh of a tissue, by a name that is free; where a set of the selected has these members, its name.
    fn add_set<T: PartialEq>(
        &mut self,
        fem: Handle<FemModel>,
        sets: impl Fn(&mut VolumeMesh) -> &mut BTreeMap<String, Vec<T>>,
        members: Vec<T>,
    ) -> Option<String> {
        let sets = sets(&mut self.draft.get_mut(fem)?.mesh);
        let named = (0..).map(|k| format!("selection_{k}"));
        let mut usable = named.filter(|name| sets.get(name).is_none_or(|known| *known == members));
        let name = usable.next()?;
        sets.insert(name.clone(), members);
        Some(name)
    }

    /// Metres in the unit of length of the file that a component is in.
    fn length_in(&self, job: &Job) -> f64 {
        self.scopes[job.scope].units.length.factor().apply(1.0)
    }

    /// Keeps what is where a table says.
    fn keep_in_space(
        &self,
        table: &Table,
        positions: &[Vec3],
        left: &mut Vec<u32>,
        job: &Job,
    ) -> Result<(), Diagnostic> {
        let length = self.scopes[job.scope].units.length.factor();
        if let Some(node) = get(table, "box") {
            let corners = numbers(node).filter(|list| list.len() == 6);
            let corners = corners.ok_or_else(|| expected(node, "[[x, y, z], [x, y, z]]"))?;
            let corner = |k: usize| Vec3::from_column_slice(&corners[k..k + 3]);
            let [a, b] = [corner(0), corner(3)].map(|p| p.map(|x| length.apply(x)));
            let margin = Vec3::repeat(margin(positions));
            let (low, high) = (a.inf(&b) - margin, a.sup(&b) + margin);
            left.retain(|&k| {
                let p = positions[k as usize];
                (0..3).all(|i| (low[i]..=high[i]).contains(&p[i]))
            });
        }
        if let Some(node) = get(table, "where") {
            let text = node.text().ok_or_else(|| expected(node, "a condition in quotes"))?;
            let condition = Condition::parse(text);
            let condition = condition.map_err(|e| Diagnostic::error(node.span, e.to_string()))?;
            let unit = self.length_in(job);
            left.retain(|&k| condition.holds(&(positions[k as usize] / unit).into()));
        }
        let within = get(table, "within").map(distance).transpose()?;
        match (get(table, "near"), within.map(|x| length.apply(x))) {
            (None, None) => Ok(()),
            (None, Some(_)) => {
                let node = get(table, "within").map_or(Default::default(), |node| node.span);
                Err(Diagnostic::error(node, "'within' is a distance from 'near', which is missing"))
            }
            (Some(near), within) => self.keep_near(near, within, (positions, left), job),
        }
    }

    /// Keeps what is within a distance [m] of a surface or a point; of a point alone, the nearest one.
    fn keep_near(
        &self,
        near: &Node,
        within: Option<f64>,
        (positions, left): (&[Vec3], &mut Vec<u32>),
        job: &Job,
    ) -> Result<(), Diagnostic> {
        let kept: Vec<Vec3> = left.iter().map(|&k| positions[k as usize]).collect();
        let distances = match near.text() {
            Some(path) => {
                let at = self.component_at(path, near.span, job.start, job.scope)?;
                let (surface, points) = self.surface_near(at, near, kept)?;
                surface.distances(&points)
            }
            None => {
                let point = numbers(near).filter(|list| list.len() == 3);
                let point = point.ok_or_else(|| expected(near, "a path, or a point [x, y, z]"))?;
                let length = self.scopes[job.scope].units.length.factor();
                let point = Vec3::from_column_slice(&point).map(|x| length.apply(x));
                kept.iter().map(|p| (p - point).norm()).collect()
            }
        };
        let limit = match (within, near.text()) {
            (Some(within), _) => within + margin(positions),
            (None, None) => distances.iter().copied().fold(f64::INFINITY, f64::min),
            (None, Some(_)) => return Err(expected(near, "'within' beside it, a distance")),
        };
        let mut distances = distances.into_iter();
        left.retain(|_| distances.next().is_some_and(|distance| distance <= limit));
        if within.is_none() {
            left.truncate(1);
        }
        Ok(())
    }

    /// A surface, and points in its frame [m].
    fn surface_near(
        &self,
        at: ComponentId,
        node: &Node,
        points: Vec<Vec3>,
    ) -> Result<(SurfaceMesh, Vec<Vec3>), Diagnostic> {
        let model = self.draft.model();
        if let Some(fem) = at.typed::<FemModel>().and_then(|fem| model.get(fem)) {
            return Ok((boundary(&fem.mesh).mesh, points));
        }
        let body = at.typed::<RigidBody>().and_then(|body| model.get(body));
        let surface = body.and_then(|body| Some((body.mesh.clone()?, body.pose)));
        let (surface, pose) =
            surface.ok_or_else(|| expected(node, "a rigid body with a mesh, or a tissue"))?;
        let own = |p: &Vec3| pose.inverse_transform_point(&(*p).into()).coords;
        Ok((surface, points.iter().map(own).collect()))
    }

    /// Nodes of a tissue that a table with `of` selects: the tissue, and their numbers.
    pub(super) fn selected_nodes(
        &self,
        table: &Table,
        at: &Node,
        job: &Job,
    ) -> Result<(Handle<FemModel>, Vec<u32>), Diagnostic> {
        let Some(of) = get(table, "of") else {
            return Err(expected(at, "a selection with 'of', the path of a tissue,"));
        };
        let path = of.text().ok_or_else(|| expected(of, "the path of a tissue"))?;
        let id = self.component_at(path, of.span, job.start, job.scope)?;
        let fem = id.typed::<FemModel>().ok_or_else(|| expected(of, "the path of a tissue"))?;
        Ok((fem, self.selection(table, at, (fem, Members::Nodes), job)?))
    }

    /// Paths of the nodes that a table with `of` selects.
    pub(super) fn selected_points(
        &self,
        table: &Table,
        at: &Node,
        job: &Job,
    ) -> Result<Vec<String>, Diagnostic> {
        let (fem, nodes) = self.selected_nodes(table, at, job)?;
        let model = self.draft.model();
        Ok(nodes.into_iter().map(|k| model.path(Address::Node(fem.id(), k))).collect())
    }
}

fn expected(node: &Node, what: &str) -> Diagnostic {
    let message = format!("{what} is expected, not {}", node.value.describe());
    Diagnostic::error(node.span, message)
}

/// Refuses keys that are not those of a selection, and a table that selects by nothing.
fn check_keys(table: &Table, at: &Node) -> Result<(), Diagnostic> {
    let known = SELECTION_KEYS.map(|(key, _)| key);
    if let Some(entry) = table.iter().find(|entry| !known.contains(&entry.key.as_str())) {
        let message = format!("a selection has no '{}'", entry.key);
        return Err(Diagnostic::unknown(entry.key_span, message, &entry.key, known.into_iter()));
    }
    if table.iter().any(|entry| entry.key != "of") {
        return Ok(());
    }
    let message = "a selection needs 'set', 'material', 'box', 'where', 'near' or 'surface'";
    Err(Diagnostic::error(at.span, message))
}

/// A selection that selects nothing, with where there is something, in the unit of the file.
fn nothing(at: &Node, positions: &[Vec3], members: Members, unit: f64) -> Diagnostic {
    let (count, name) = (positions.len(), members.name());
    let error = Diagnostic::error(at.span, format!("this selects none of the {count} {name}"));
    let Some([low, high]) = box_around(positions) else { return error };
    let text =
        |p: Vec3| format!("[{}, {}, {}]", short(p.x / unit), short(p.y / unit), short(p.z / unit));
    error.help(format!("in the unit of the file they lie from {} to {}", text(low), text(high)))
}

/// Distance outside a box or a radius that still counts as inside, as a part of the size of the
/// mesh: rounding moves points by that.
const MARGIN: f64 = 1e-9;

fn margin(positions: &[Vec3]) -> f64 {
    MARGIN * box_around(positions).map_or(0.0, |[low, high]| (high - low).norm())
}

/// A number to six digits.
fn short(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// Name of the set of a material, by its number or name.
fn set_of_material(node: &Node) -> Result<String, Diagnostic> {
    match &node.value {
        Tree::Int(number) => Ok(format!("material_{number}")),
        Tree::Text(name) => Ok(format!("material_{name}")),
        _ => Err(expected(node, "the number of a material")),
    }
}

/// A distance in the unit of the file.
fn distance(node: &Node) -> Result<f64, Diagnostic> {
    node.number().filter(|x| *x >= 0.0).ok_or_else(|| expected(node, "a distance >= 0"))
}
