//! The order of the rows: along a space-filling curve through the rest positions, so that rows
//! which are coupled lie close in memory and a contiguous range of rows is compact.

use std::sync::Arc;

use super::flat::Flat;
use crate::Vec3;
use crate::model::PointRef;

/// Rows of all particles, markers, nodes and bodies, and their rest positions by row. A body has two
/// consecutive rows: its centre of mass, and its rotation.
pub(super) struct Numbering {
    pub(super) particle_rows: Vec<u32>,
    pub(super) marker_rows: Vec<u32>,
    /// First row of each body.
    pub(super) body_rows: Vec<u32>,
    /// Rows of the nodes of each tissue.
    pub(super) fem_rows: Vec<Vec<u32>>,
    /// Rest position of each row [m].
    pub(super) rest: Arc<Vec<Vec3>>,
}

/// Numbers all points and bodies, in the order of `known` where it has as many points. The rest positions of bodies are
/// zero: they depend on what is attached to them.
pub(super) fn number(flat: &Flat<'_>, known: Option<&Numbering>) -> Numbering {
    let particles = flat.particles.iter().map(|p| p.position);
    let markers = flat.markers.iter().map(|marker| flat.place_of(marker));
    let nodes = flat.fems.iter().flat_map(|f| f.mesh.nodes.iter().copied());
    let all: Vec<Vec3> = particles.chain(markers).chain(nodes).collect();
    let known = known.map(Numbering::rows_of_points).filter(|rows| rows.len() == all.len());
    let rows = known.unwrap_or_else(|| rows_along_curve(&all));
    let mut rest = vec![Vec3::zeros(); all.len()];
    for (&row, p) in rows.iter().zip(&all) {
        rest[row as usize] = *p;
    }
    let (particle_rows, others) = rows.split_at(flat.particles.len());
    let (marker_rows, mut nodes) = others.split_at(flat.markers.len());
    let mut fem_rows = Vec::new();
    for fem in &flat.fems {
        let (own, others) = nodes.split_at(fem.mesh.nodes.len());
        fem_rows.push(own.to_vec());
        nodes = others;
    }
    let mut body_rows = Vec::new();
    for _ in &flat.bodies {
        body_rows.push(rest.len() as u32);
        rest.extend([Vec3::zeros(); 2]);
    }
    let (particle_rows, marker_rows) = (particle_rows.to_vec(), marker_rows.to_vec());
    Numbering { particle_rows, marker_rows, body_rows, fem_rows, rest: Arc::new(rest) }
}

impl Numbering {
    /// Rows of particles, markers and nodes, one list after the other.
    fn rows_of_points(&self) -> Vec<u32> {
        let nodes = self.fem_rows.iter().flatten();
        self.particle_rows.iter().chain(&self.marker_rows).chain(nodes).copied().collect()
    }

    /// Row of a point that was checked to exist.
    pub(super) fn row(&self, flat: &Flat<'_>, point: PointRef) -> u32 {
        let place = |place: Option<usize>| place.expect("references were checked");
        match point {
            PointRef::Particle(id) => self.particle_rows[place(flat.places.particles.place(id))],
            PointRef::Marker(id) => self.marker_rows[place(flat.places.markers.place(id))],
            PointRef::FemNode(id, node) => {
                self.fem_rows[place(flat.places.fems.place(id))][node as usize]
            }
        }
    }

    /// The point of a row; `None` for a row of a body.
    pub(super) fn point_at(&self, flat: &Flat<'_>, row: u32) -> Option<PointRef> {
        if let Some(k) = self.particle_rows.iter().position(|&r| r == row) {
            return Some(PointRef::Particle(flat.places.particles.handles()[k]));
        }
        if let Some(k) = self.marker_rows.iter().position(|&r| r == row) {
            return Some(PointRef::Marker(flat.places.markers.handles()[k]));
        }
        self.fem_rows.iter().enumerate().find_map(|(f, rows)| {
            let node = rows.iter().position(|&r| r == row)? as u32;
            Some(PointRef::FemNode(flat.places.fems.handles()[f], node))
        })
    }
}

/// Row of every point: the points sorted along the Morton curve.
fn rows_along_curve(points: &[Vec3]) -> Vec<u32> {
    let finite = |p: &&Vec3| p.iter().all(|c| c.is_finite());
    let first = points.iter().find(finite).copied().unwrap_or_else(Vec3::zeros);
    let (low, high) = points
        .iter()
        .filter(finite)
        .fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    // One scale for all axes: a long body is cut along its length first.
    let extent = (high - low).max();
    let scale = if extent > 0.0 { f64::from((1u32 << 21) - 1) / extent } else { 0.0 };
    let code = |p: &Vec3| {
        let cell = (p - low) * scale;
        spread(cell[0] as u64) << 2 | spread(cell[1] as u64) << 1 | spread(cell[2] as u64)
    };
    let mut order: Vec<(u64, u32)> =
        points.iter().enumerate().map(|(i, p)| (code(p), i as u32)).collect();
    order.sort_unstable();
    let mut rows = vec![0; points.len()];
    for (row, &(_, point)) in order.iter().enumerate() {
        rows[point as usize] = row as u32;
    }
    rows
}

/// Puts two zero bits between the lowest 21 bits of `x`.
fn spread(x: u64) -> u64 {
    let mut x = x & 0x1f_ffff;
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        x = (x | x << shift) & mask;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_a_permutation_and_neighbours_on_a_line_stay_neighbours() {
        let points: Vec<Vec3> =
            (0..50).map(|i| Vec3::new(f64::from(i * 7 % 50), 0.0, 0.0)).collect();
        let rows = rows_along_curve(&points);
        for (i, p) in points.iter().enumerate() {
            assert_eq!(rows[i], p[0] as u32, "row of the point at {p:?}");
        }
    }
}
