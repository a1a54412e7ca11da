//! The tissue of a document as several, where interfaces speak of parts of its mesh that share no node: what is tied, or
//! touches with a friction of its own, is a tissue here.

use std::collections::{BTreeMap, BTreeSet};

use sinew::Vec3;
use sinew::component::{ComponentId, Handle};
use sinew::fem::{ElementFace, Field, VolumeMesh};
use sinew::geometry::DisjointSets;
use sinew::model::{
    Attachment, BodyLoad, ClosedVolume, Dirichlet, FemModel, MuscleBundle, PointLoad, PointRef,
    Region, Shell, Stored, SurfaceLoad,
};

use super::import::Import;
use crate::tree::Span;

/// Tissues of the document, and what of its mesh is in which.
pub(super) struct Parts {
    pub(super) tissues: Vec<Handle<FemModel>>,
    /// Part of each node of the document, and its number there.
    nodes: Vec<(usize, u32)>,
    /// The same of each element.
    elements: Vec<(usize, u32)>,
}

impl Parts {
    /// The tissue of a node of the document.
    pub(super) fn tissue_of(&self, node: u32) -> Option<Handle<FemModel>> {
        let part = self.nodes.get(node as usize)?.0;
        self.tissues.get(part).copied()
    }

    /// Those of some nodes of the document that are in a tissue, by their numbers there.
    pub(super) fn numbers_in(&self, tissue: Handle<FemModel>, nodes: &[u32]) -> Vec<u32> {
        let part = self.tissues.iter().position(|it| *it == tissue);
        part.map_or(Vec::new(), |part| self.nodes_of(part)(nodes))
    }

    fn nodes_of(&self, part: usize) -> impl Fn(&[u32]) -> Vec<u32> {
        move |list| within(list, &self.nodes, part)
    }

    fn elements_of(&self, part: usize) -> impl Fn(&[u32]) -> Vec<u32> {
        move |list| within(list, &self.elements, part)
    }

    /// A point as that of its part.
    fn point(&self, point: PointRef) -> PointRef {
        let PointRef::FemNode(_, node) = point else { return point };
        let (part, number) = self.nodes[node as usize];
        PointRef::FemNode(self.tissues[part], number)
    }

    /// The mesh of a part, with what of the sets and fields is in it.
    fn mesh(&self, whole: &VolumeMesh, part: usize) -> VolumeMesh {
        let own = |places: &[(usize, u32)]| places.iter().map(|it| it.0 == part).collect();
        let [own_nodes, own_elements]: [Vec<bool>; 2] = [own(&self.nodes), own(&self.elements)];
        let places = whole.nodes.iter().zip(&own_nodes).filter(|it| *it.1).map(|it| *it.0);
        let mut mesh = VolumeMesh::new(places.collect());
        for ((kind, nodes), _) in whole.elements().zip(&own_elements).filter(|it| *it.1) {
            let nodes = self.nodes_of(part)(nodes);
            mesh.push_element(kind, &nodes).expect("it is an element of the whole mesh");
        }
        mesh.node_sets = kept(&whole.node_sets, |list| self.nodes_of(part)(list));
        mesh.element_sets = kept(&whole.element_sets, |list| self.elements_of(part)(list));
        mesh.face_sets = kept(&whole.face_sets, |faces| {
            let own = faces.iter().filter(|it| own_elements[it.element as usize]);
            let number = |face: &ElementFace| self.elements[face.element as usize].1;
            own.map(|face| ElementFace { element: number(face), ..*face }).collect()
        });
        mesh.triangle_sets = kept(&whole.triangle_sets, |triangles| {
            let own = triangles.iter().filter(|it| own_nodes[it[0] as usize]);
            own.map(|nodes| nodes.map(|node| self.nodes[node as usize].1)).collect()
        });
        let fields = |fields: &BTreeMap<String, Field>, own: &[bool]| {
            fields.iter().map(|(k, field)| (k.clone(), rows_of(field, own))).collect()
        };
        mesh.node_fields = fields(&whole.node_fields, &own_nodes);
        mesh.element_fields = fields(&whole.element_fields, &own_elements);
        mesh
    }

    /// A part of a tissue, whose mesh is `whole`.
    fn tissue(&self, fem: &FemModel, whole: &VolumeMesh, part: usize) -> FemModel {
        let mesh = self.mesh(whole, part);
        // One for all, or one an element.
        let vectors = |list: &Vec<Vec3>| match list.len() {
            0 | 1 => list.clone(),
            _ => list
                .iter()
                .zip(&self.elements)
                .filter(|it| it.1.0 == part)
                .map(|it| *it.0)
                .collect(),
        };
        let regions = fem.regions.iter().map(|it| Region {
            elements: self.elements_of(part)(&it.elements),
            material: it.material,
        });
        let mut regions: Vec<Region> = regions.filter(|it| !it.elements.is_empty()).collect();
        let mut material = fem.material;
        if let [one] = &regions[..]
            && one.elements.len() == mesh.element_count()
        {
            material = one.material;
            regions.clear();
        }
        let supports = fem.dirichlet.iter().map(|it| {
            let nodes = self.nodes_of(part)(&it.nodes);
            Dirichlet { nodes, ..it.clone() }
        });
        let dirichlet = supports.filter(|it| !it.nodes.is_empty()).collect();
        let [fibres, sheets] = [&fem.fibres, &fem.sheets].map(vectors);
        FemModel { mesh, material, regions, dirichlet, fibres, sheets, ..fem.clone() }
    }
}

/// Those of a list that are in a part, by their numbers there.
fn within(list: &[u32], places: &[(usize, u32)], part: usize) -> Vec<u32> {
    let places = list.iter().map(|&k| places[k as usize]);
    places.filter(|it| it.0 == part).map(|it| it.1).collect()
}

/// Sets with what `left` leaves of each, without those of which it leaves nothing.
fn kept<T>(
    sets: &BTreeMap<String, Vec<T>>,
    left: impl Fn(&Vec<T>) -> Vec<T>,
) -> BTreeMap<String, Vec<T>> {
    let sets = sets.iter().map(|(name, list)| (name.clone(), left(list)));
    sets.filter(|it| !it.1.is_empty()).collect()
}

/// Rows of a field for which `own` is true.
fn rows_of(field: &Field, own: &[bool]) -> Field {
    let rows = field.values.chunks_exact(field.components).zip(own).filter(|it| *it.1);
    let values = rows.flat_map(|it| it.0).copied().collect();
    Field { components: field.components, values }
}

/// Part of each node: what shares nodes is together, so is what one side has; all that no side has is one part. Parts are
/// numbered by their first nodes.
fn parts_of(mesh: &VolumeMesh, sides: &[Vec<u32>]) -> Vec<usize> {
    let mut together = DisjointSets::new(mesh.nodes.len());
    let elements = mesh.elements().map(|(_, nodes)| nodes);
    let triangles = mesh.triangle_sets.values().flatten().map(|nodes| &nodes[..]);
    for nodes in elements.chain(triangles).chain(sides.iter().map(|it| &it[..])) {
        nodes.windows(2).for_each(|pair| together.join(pair[0], pair[1]));
    }
    let roots: Vec<u32> = (0..mesh.nodes.len() as u32).map(|n| together.find(n)).collect();
    let mut named = vec![false; roots.len()];
    sides.iter().flatten().for_each(|&node| named[roots[node as usize] as usize] = true);
    let mut numbers = BTreeMap::new();
    let number = |root: u32| {
        let key = named[root as usize].then_some(root);
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    };
    roots.into_iter().map(number).collect()
}

/// Part and number there of each of some things, by their parts.
fn numbered(parts: impl Iterator<Item = usize>) -> Vec<(usize, u32)> {
    let mut counts: Vec<u32> = Vec::new();
    let mut number = |part: usize| {
        counts.resize(counts.len().max(part + 1), 0);
        counts[part] += 1;
        (part, counts[part] - 1)
    };
    parts.map(&mut number).collect()
}

impl Import<'_> {
    /// Makes a tissue of each part that sides of interfaces, lists of nodes, tell apart. Supports, loads, shells and
    /// attachments go with their nodes.
    pub(super) fn part_tissue(&mut self, sides: &[Vec<u32>]) -> Option<Parts> {
        let first = self.tissue?;
        let fem = self.model.get_mut(first)?;
        let of_nodes = parts_of(&fem.mesh, sides);
        let count = of_nodes.iter().max().map_or(1, |it| it + 1);
        let elements = fem.mesh.elements().map(|(_, nodes)| of_nodes[nodes[0] as usize]);
        let elements = numbered(elements);
        let nodes = numbered(of_nodes.into_iter());
        let mut parts = Parts { tissues: vec![first], nodes, elements };
        if count == 1 {
            return Some(parts);
        }
        let whole = std::mem::take(&mut fem.mesh);
        let fem = fem.clone();
        let names = self.names_of(&parts, &whole, count);
        let span = self.place_of(first.id());
        for (part, name) in names.into_iter().enumerate() {
            let own = FemModel { name, ..parts.tissue(&fem, &whole, part) };
            if part == 0 {
                *self.model.get_mut(first)? = own;
                continue;
            }
            let handle = self.model.add(own);
            self.put(handle.id(), span);
            parts.tissues.push(handle);
        }
        self.redirect(&parts);
        Some(parts)
    }

    fn place_of(&self, id: ComponentId) -> Span {
        let place = self.places.iter().find(|it| it.0 == id);
        place.map_or(self.root.span, |it| it.1)
    }

    /// A name for each part: that of the elements in the document that its first one is among.
    fn names_of(&self, parts: &Parts, whole: &VolumeMesh, count: usize) -> Vec<String> {
        let named: Vec<&str> =
            self.meshes().flat_map(|it| it.all("Elements")).map(|it| it.name()).collect();
        let mut names: Vec<String> = Vec::new();
        for part in 0..count {
            let first = parts.elements.iter().position(|it| it.0 == part);
            let holds = |name: &&&str| {
                let set = whole.element_sets.get(**name);
                first.is_some_and(|first| set.is_some_and(|set| set.contains(&(first as u32))))
            };
            let own = named.iter().find(holds).map_or("tissue", |name| name);
            let own = crate::imported::plain_name(own);
            let taken = names.iter().filter(|name| **name == own).count();
            names.push(if taken == 0 { own } else { format!("{own}_{part}") });
        }
        names
    }

    /// Has what speaks of the first tissue speak of the parts.
    fn redirect(&mut self, parts: &Parts) {
        let first_alone = |part: usize| (part == 0).then_some(());
        self.spread(parts, |it: &Attachment, part| {
            first_alone(part)?;
            let points = it.points.iter().map(|&point| parts.point(point)).collect();
            Some(Attachment { points, ..it.clone() })
        });
        self.spread(parts, |it: &PointLoad, part| {
            first_alone(part)?;
            Some(PointLoad { target: parts.point(it.target), ..it.clone() })
        });
        self.spread(parts, |it: &MuscleBundle, part| {
            let elements = parts.elements_of(part)(&it.elements);
            let own = MuscleBundle { elements, fem: parts.tissues[part], ..it.clone() };
            (!own.elements.is_empty()).then_some(own)
        });
        self.spread(parts, |it: &BodyLoad, part| {
            Some(BodyLoad { fem: parts.tissues[part], ..it.clone() })
        });
        let surfaces = |&fem: &Handle<FemModel>| -> BTreeSet<String> {
            let mesh = self.model.get(fem).map(|it| &it.mesh);
            let names = mesh.map(|it| it.face_sets.keys().chain(it.triangle_sets.keys()));
            names.into_iter().flatten().cloned().collect()
        };
        let surfaces: Vec<BTreeSet<String>> = parts.tissues.iter().map(surfaces).collect();
        self.spread(parts, |it: &SurfaceLoad, part| {
            let is_there = surfaces[part].contains(&it.surface);
            is_there.then(|| SurfaceLoad { fem: parts.tissues[part], ..it.clone() })
        });
        self.spread(parts, |it: &ClosedVolume, part| {
            let is_there = surfaces[part].contains(&it.surface);
            is_there.then(|| ClosedVolume { fem: parts.tissues[part], ..it.clone() })
        });
        self.spread(parts, |it: &Shell, part| {
            let is_there = surfaces[part].contains(&it.surface);
            is_there.then(|| Shell { fem: parts.tissues[part], ..it.clone() })
        });
    }

    /// Puts what `copy` makes of each component of a kind for each part in its place: the first one itself, and others
    /// beside it.
    fn spread<T: Stored + Clone>(&mut self, parts: &Parts, copy: impl Fn(&T, usize) -> Option<T>) {
        let all: Vec<(Handle<T>, T)> =
            self.model.iter::<T>().map(|(handle, it)| (handle, it.clone())).collect();
        for (handle, it) in all {
            let mut copies = (0..parts.tissues.len()).filter_map(|part| copy(&it, part));
            if let (Some(first), Some(own)) = (copies.next(), self.model.get_mut(handle)) {
                *own = first;
            }
            for other in copies {
                let span = self.place_of(handle.id());
                let added = self.model.add(other);
                self.put(added.id(), span);
            }
        }
    }
}
