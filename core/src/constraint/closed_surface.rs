//! Volume inside of a closed surface of faces, and its derivatives by the positions of their nodes: V = 1/3 ∫ x · (x_s × x_t)
//! by the coordinates s, t of faces, a cubic of positions that the points of faces integrate exactly (BonetWood2008, section
//! 8.5: its derivative is what a pressure of 1 pushes with).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sinew_mesh::{FACE_NODES, FacePoint, face_points};

use super::lids::{Lid, rims};
use crate::{Mat3, Vec3};

/// Faces that bound no volume.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceFault {
    /// An edge that faces pass along more than once in one direction.
    #[error(
        "is no surface of one side: more than two faces meet at the edge of nodes {0} and {1}, or they are turned against each other there"
    )]
    Edge(u32, u32),
    /// Two openings that have a corner in common, or an opening that does not close.
    #[error("has openings that meet at node {0}: take faces away, or add some, so that they part")]
    Rim(u32),
    /// Nothing is inside.
    #[error("has a volume of {0:e} m³ at rest; it must have something inside")]
    Empty(f64),
}

/// A face, or a part of a lid, whose first position is that of the middle of the lid.
struct Patch<'a> {
    nodes: &'a [u32],
    lid: Option<&'a Lid>,
    points: &'static [FacePoint],
    positions: [Vec3; FACE_NODES],
}

/// A closed surface of faces; openings are closed by lids. What is inside has a positive volume at rest, on whichever side of
/// the faces it is.
#[derive(Clone, Debug, Default)]
pub struct ClosedSurface {
    /// Block rows of its nodes, each once.
    rows: Vec<u32>,
    /// Numbers of nodes of each face in `rows`, corners first.
    faces: Vec<Vec<u32>>,
    lids: Vec<Lid>,
    /// 1 where normals of the faces point outwards, else -1.
    side: f64,
    rest_volume: f64,
    rest_area: f64,
}

impl ClosedSurface {
    /// The surface of faces, each with its nodes counterclockwise and corners first, at rest at `rest` [m].
    ///
    /// # Errors
    /// [`SurfaceFault`].
    pub fn new(faces: &[Vec<u32>], rest: &[Vec3]) -> Result<Self, SurfaceFault> {
        let mut known = BTreeMap::new();
        let mut rows = Vec::new();
        let mut number = |&node: &u32| {
            *known.entry(node).or_insert_with(|| {
                rows.push(node);
                rows.len() as u32 - 1
            })
        };
        let numbered = |face: &Vec<u32>| face.iter().map(&mut number).collect();
        let faces: Vec<Vec<u32>> = faces.iter().map(numbered).collect();
        let lids = rims(&faces, &rows)?;
        let (side, rest_volume, rest_area) = (1.0, 0.0, 0.0);
        let mut own = Self { rows, faces, lids, side, rest_volume, rest_area };
        let (volume, area) = (own.volume(rest), own.area(rest));
        if !volume.is_normal() || volume.abs() < area.powf(1.5) * FLAT {
            return Err(SurfaceFault::Empty(volume));
        }
        (own.side, own.rest_volume, own.rest_area) = (volume.signum(), volume.abs(), area);
        Ok(own)
    }

    /// The same surface between the block rows of its nodes.
    #[must_use]
    pub fn with_rows(mut self, row: impl Fn(u32) -> u32) -> Self {
        self.rows.iter_mut().for_each(|node| *node = row(*node));
        self
    }

    /// Block rows of its nodes, each once.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Volume at rest [m³].
    pub fn rest_volume(&self) -> f64 {
        self.rest_volume
    }

    /// Area of its faces at rest [m²].
    pub fn rest_area(&self) -> f64 {
        self.rest_area
    }

    /// Number of openings that lids close.
    pub fn lid_count(&self) -> usize {
        self.lids.len()
    }

    /// Hands the block rows of every face to `visit`.
    pub fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        let mut rows = [0; FACE_NODES];
        for face in &self.faces {
            face.iter().zip(&mut rows).for_each(|(&k, row)| *row = self.rows[k as usize]);
            visit(&rows[..face.len()]);
        }
    }

    /// Faces and parts of lids at positions `q` [m], less that of the first node: the volume does not depend on the origin, and
    /// has more digits near to it.
    fn visit(&self, q: &[Vec3], visit: &mut dyn FnMut(&Patch<'_>)) {
        let Some(&first) = self.rows.first() else { return };
        let origin = q[first as usize];
        let place = |k: u32| q[self.rows[k as usize] as usize] - origin;
        let mut positions = [Vec3::zeros(); FACE_NODES];
        for nodes in &self.faces {
            nodes.iter().zip(&mut positions).for_each(|(&k, x)| *x = place(k));
            visit(&Patch { nodes, lid: None, points: face_points(nodes.len()), positions });
        }
        for lid in &self.lids {
            let centre = lid.rim().map(place).sum::<Vec3>() * lid.share();
            for nodes in lid.parts() {
                positions[0] = centre;
                nodes.iter().zip(&mut positions[1..]).for_each(|(&k, x)| *x = place(k));
                visit(&Patch { nodes, lid: Some(lid), points: lid_points(nodes.len()), positions });
            }
        }
    }

    /// Volume [m³] at positions `q` [m].
    pub fn volume(&self, q: &[Vec3]) -> f64 {
        let mut sum = 0.0;
        self.visit(q, &mut |patch| {
            for point in patch.points {
                let [x, along_s, along_t] = patch.at(point);
                sum += x.dot(&along_s.cross(&along_t)) * point.weight;
            }
        });
        sum * self.side / 3.0
    }

    /// Area of its faces [m²], without lids.
    fn area(&self, q: &[Vec3]) -> f64 {
        let mut sum = 0.0;
        self.visit(q, &mut |patch| {
            if patch.lid.is_none() {
                let area = |point: &FacePoint| {
                    let [_, along_s, along_t] = patch.at(point);
                    along_s.cross(&along_t).norm() * point.weight
                };
                sum += patch.points.iter().map(area).sum::<f64>();
            }
        });
        sum
    }

    /// Derivative of the volume by the position of each node [m²], in the order of its rows, into `values`.
    pub fn gradient(&self, q: &[Vec3], values: &mut [Vec3]) {
        values.fill(Vec3::zeros());
        let third = self.side / 3.0;
        self.visit(q, &mut |patch| {
            let mut slopes = [Vec3::zeros(); FACE_NODES];
            for point in patch.points {
                let (at, factor) = (patch.at(point), point.weight * third);
                let count = patch.place_count();
                for (a, slope) in slopes[..count].iter_mut().enumerate() {
                    *slope += slope_of(point, &at, a) * factor;
                }
            }
            for (&k, slope) in patch.nodes.iter().zip(&slopes[patch.first()..]) {
                values[k as usize] += slope;
            }
            if let Some(lid) = patch.lid {
                let share = slopes[0] * lid.share();
                lid.rim().for_each(|k| values[k as usize] += share);
            }
        });
    }

    /// Hands `factor` times the blocks of the second derivative of the volume to `visit` with their block rows; what the middles of lids
    /// add between nodes of a rim is left out.
    pub fn curvature(&self, q: &[Vec3], factor: f64, visit: &mut dyn FnMut(u32, u32, Mat3)) {
        let third = factor * self.side / 3.0;
        self.visit(q, &mut |patch| {
            let first = patch.first();
            for point in patch.points {
                let at = patch.at(point);
                for (a, &row) in patch.nodes.iter().enumerate() {
                    for (b, &column) in patch.nodes.iter().enumerate() {
                        let axis = bend_of(point, &at, (a + first, b + first));
                        let block = (axis * (point.weight * third)).cross_matrix();
                        visit(self.rows[row as usize], self.rows[column as usize], block);
                    }
                }
            }
        });
    }
}

/// Volume of what counts as flat, over the power 3/2 of its area.
const FLAT: f64 = 1e-9;

impl Patch<'_> {
    /// Place of its first node among the positions.
    fn first(&self) -> usize {
        usize::from(self.lid.is_some())
    }

    /// Number of positions: of nodes, and of the middle of a lid.
    fn place_count(&self) -> usize {
        self.nodes.len() + self.first()
    }

    /// x, x_s and x_t of a point.
    fn at(&self, point: &FacePoint) -> [Vec3; 3] {
        let mut sums = [Vec3::zeros(); 3];
        let places = &self.positions[..self.place_count()];
        for (x, (n, [by_s, by_t])) in places.iter().zip(point.n.iter().zip(&point.slopes)) {
            sums[0] += x * *n;
            sums[1] += x * *by_s;
            sums[2] += x * *by_t;
        }
        sums
    }
}

/// Derivative of x · (x_s × x_t) by the position of a node.
fn slope_of(point: &FacePoint, [x, along_s, along_t]: &[Vec3; 3], a: usize) -> Vec3 {
    let [by_s, by_t] = point.slopes[a];
    along_s.cross(along_t) * point.n[a] + along_t.cross(x) * by_s + x.cross(along_s) * by_t
}

/// The vector whose cross product is the second derivative of x · (x_s × x_t) by the positions of two nodes.
fn bend_of(point: &FacePoint, [x, along_s, along_t]: &[Vec3; 3], (a, b): (usize, usize)) -> Vec3 {
    let (n, d) = (&point.n, &point.slopes);
    along_s * (n[a] * d[b][1] - d[a][1] * n[b])
        + along_t * (d[a][0] * n[b] - n[a] * d[b][0])
        + x * (d[a][1] * d[b][0] - d[a][0] * d[b][1])
}

/// Points of a part of a lid, from its middle to a side of the rim of 2 or 3 nodes: a triangle whose two other sides are straight.
/// The middle is the first place.
fn lid_points(nodes: usize) -> &'static [FacePoint] {
    static RULES: LazyLock<[Vec<FacePoint>; 2]> = LazyLock::new(|| {
        let curved = face_points(6).iter().map(|point| {
            let mut own = point.clone();
            // Of a triangle whose sides from the middle of the lid have their nodes half way.
            let half = |of: &dyn Fn(usize) -> f64| {
                [of(0) + 0.5 * (of(3) + of(5)), of(1) + 0.5 * of(3), of(2) + 0.5 * of(5), of(4)]
            };
            own.n[..4].copy_from_slice(&half(&|k| point.n[k]));
            for side in 0..2 {
                let slopes = half(&|k| point.slopes[k][side]);
                own.slopes.iter_mut().zip(slopes).for_each(|(own, new)| own[side] = new);
            }
            own
        });
        [face_points(3).to_vec(), curved.collect()]
    });
    &RULES[usize::from(nodes == 3)]
}
