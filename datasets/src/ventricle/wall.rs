//! Mesh and fibres of the wall: quadratic elements on the ellipsoids of Land2015, x = (r_s sin u cos v, r_s sin u sin v, r_l cos u), with u
//! from -pi at the apex to the base, v around the axis, and radii that grow across the wall.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use sinew::Vec3;
use sinew::fem::{ElementFace, ElementKind, Field, MeshError, VolumeMesh};

/// Radii across and along the axis of the inner surface, their growth across the wall, and the height of the base [m].
const INNER: [f64; 2] = [7e-3, 17e-3];
const THICKNESS: f64 = 3e-3;
const BASE: f64 = 5e-3;

/// Place of a node in half elements along, around and across the wall.
type GridIndex = [usize; 3];

/// The wall in so many elements along, around and across, with fibres at angles to circles about the axis inside and outside \[degrees\].
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    pub(super) counts: [usize; 3],
    pub(super) angles: [f64; 2],
}

/// Coordinates of a node: u and v [rad], radii [m], share of the wall [-].
struct Coordinates {
    u: f64,
    v: f64,
    short: f64,
    long: f64,
    across: f64,
}

impl Wall {
    /// Mesh with sets and fibres.
    pub(super) fn mesh(&self) -> Result<VolumeMesh, MeshError> {
        let mut nodes: BTreeMap<GridIndex, u32> = BTreeMap::new();
        let mut mesh = VolumeMesh::default();
        let [along, around, across] = self.counts;
        for i in 0..along {
            for j in 0..around {
                for k in 0..across {
                    let kind = if i == 0 { ElementKind::Wedge15 } else { ElementKind::Hex20 };
                    let own = kind.nodes().iter().map(|&r| {
                        let place = self.place(kind, [i, j, k], r);
                        *nodes.entry(place).or_insert_with(|| {
                            mesh.nodes.push(self.position(place));
                            mesh.nodes.len() as u32 - 1
                        })
                    });
                    let own: Vec<u32> = own.collect();
                    mesh.push_element(kind, &own)?;
                }
            }
        }
        self.add_sets(&mut mesh, &nodes);
        Ok(mesh)
    }

    /// Place of the node at reference coordinates `r` of an element. Of a wedge, the first corner is on the axis.
    fn place(&self, kind: ElementKind, [i, j, k]: [usize; 3], r: [f64; 3]) -> GridIndex {
        // Reference coordinates of nodes are whole or half numbers.
        let half = |cell: usize, r: f64| 2 * cell + (1.0 + r).round() as usize;
        let (along, around) = if kind == ElementKind::Wedge15 {
            let away = r[0] + r[1];
            let turn = if away > 0.0 { 2.0 * r[0] / away - 1.0 } else { -1.0 };
            (half(i, 2.0 * away - 1.0), half(j, turn))
        } else {
            (half(i, r[1]), half(j, r[0]))
        };
        let around = if along == 0 { 0 } else { around % (2 * self.counts[1]) };
        [along, around, half(k, r[2])]
    }

    fn coordinates(&self, place: GridIndex) -> Coordinates {
        let share = |axis: usize| place[axis] as f64 / (2 * self.counts[axis]) as f64;
        let across = share(2);
        let [short, long] = INNER.map(|radius| radius + THICKNESS * across);
        let base = -(BASE / long).acos();
        Coordinates { u: share(0) * (base + PI) - PI, v: share(1) * TAU, short, long, across }
    }

    fn position(&self, place: GridIndex) -> Vec3 {
        let Coordinates { u, v, short, long, .. } = self.coordinates(place);
        if place[0] == 0 {
            return Vec3::new(0.0, 0.0, -long);
        }
        Vec3::new(short * u.sin() * v.cos(), short * u.sin() * v.sin(), long * u.cos())
    }

    /// Direction of the fibres; zero on the axis, where they have none.
    fn fibre(&self, place: GridIndex) -> Vec3 {
        if place[0] == 0 {
            return Vec3::zeros();
        }
        let Coordinates { u, v, short, long, across } = self.coordinates(place);
        let by_u = Vec3::new(short * u.cos() * v.cos(), short * u.cos() * v.sin(), -long * u.sin());
        let by_v = Vec3::new(-u.sin() * v.sin(), u.sin() * v.cos(), 0.0);
        let [inner, outer] = self.angles.map(f64::to_radians);
        let (sin, cos) = (inner + (outer - inner) * across).sin_cos();
        by_u.normalize() * sin + by_v.normalize() * cos
    }

    fn add_sets(&self, mesh: &mut VolumeMesh, nodes: &BTreeMap<GridIndex, u32>) {
        let mut place_of = vec![[0; 3]; nodes.len()];
        nodes.iter().for_each(|(place, &node)| place_of[node as usize] = *place);
        let [along, _, across] = self.counts.map(|count| 2 * count);
        let surfaces: [(&str, usize, usize); 3] =
            [("endocardium", 2, 0), ("epicardium", 2, across), ("base", 0, along)];
        for (name, axis, at) in surfaces {
            let is_on = |node: u32| place_of[node as usize][axis] == at;
            let mut faces = Vec::new();
            for (element, (kind, own)) in (0..).zip(mesh.elements()) {
                let on = |face: &[u8]| face.iter().all(|&corner| is_on(own[corner as usize]));
                let faces_of = (0..).zip(kind.faces()).filter(|(_, face)| on(face));
                faces.extend(faces_of.map(|(face, _)| ElementFace { element, face }));
            }
            mesh.face_sets.insert(name.into(), faces);
        }
        let base = (0..).zip(&place_of).filter(|(_, place)| place[0] == along);
        mesh.node_sets.insert("base".into(), base.map(|(node, _)| node).collect());
        let apex = [0, across].map(|k| nodes[&[0, 0, k]]);
        mesh.node_sets.insert("apex".into(), apex.to_vec());
        let values = place_of.iter().flat_map(|&place| <[f64; 3]>::from(self.fibre(place)));
        let field = Field { components: 3, values: values.collect() };
        mesh.node_fields.insert("myofibres".into(), field);
    }
}
