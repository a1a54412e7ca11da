//! Pressures that follow the surface that they act on, and tractions that do not (BonetWood2008, section 8.5): with
//! x_s, x_t the derivatives of positions by the coordinates of a face, f_a = -p sum of w N_a x_s × x_t over its points.
//! The derivative of that is symmetric up to a term on the border of the surface; the matrix takes its symmetric part,
//! which leaves equilibria as they are and Newton's method somewhat slower where the border is free.

use super::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::fem::{FACE_NODES, FacePoint, face_points};
use crate::linalg::{BlockPattern, add_block};
use crate::model::Schedule;
use crate::{Mat3, Vec3};

/// Load on a surface.
pub(crate) struct SurfacePressure {
    /// Pressure at a schedule value of 1 [Pa].
    pub(crate) pressure: f64,
    /// Traction at a schedule value of 1 [Pa].
    pub(crate) traction: Vec3,
    /// Their time course.
    pub(crate) schedule: Schedule,
}

/// One loaded face.
struct Face {
    load: u32,
    /// Rows of its nodes, corners first, counterclockwise from outside.
    rows: Vec<u32>,
    /// Slot of each pair of rows.
    slots: Vec<u32>,
    /// Area at rest that belongs to each node, times its shape function [m²].
    areas: [f64; FACE_NODES],
}

/// All loads on surfaces.
#[derive(Default)]
pub(crate) struct SurfaceLoads {
    loads: Vec<SurfacePressure>,
    faces: Vec<Face>,
    parts: Vec<Vec<u32>>,
    /// Row, force at a schedule value of 1 [N] and time course of each node of each face, where there are tractions
    /// alone.
    tractions: Vec<(u32, Vec3, Schedule)>,
}

impl SurfaceLoads {
    /// Loads, each with the rows of the nodes of its faces; `rest` are positions of all rows [m].
    pub(crate) fn new(loads: Vec<(SurfacePressure, Vec<Vec<u32>>)>, rest: &[Vec3]) -> Self {
        let mut all = Self::default();
        for (k, (load, faces)) in (0..).zip(loads) {
            all.loads.push(load);
            all.faces.extend(faces.into_iter().map(|rows| {
                let mut areas = [0.0; FACE_NODES];
                for point in face_points(rows.len()) {
                    let area = normal(point, &rows, rest).norm();
                    areas.iter_mut().zip(&point.n).for_each(|(sum, n)| *sum += n * area);
                }
                Face { load: k, rows, slots: Vec::new(), areas }
            }));
        }
        if !all.follow() {
            all.tractions = all.faces.iter().flat_map(|face| all.tractions_of(face)).collect();
        }
        all
    }

    /// True if a load turns with its surface.
    fn follow(&self) -> bool {
        self.loads.iter().any(|load| load.pressure != 0.0)
    }

    /// Tractions on the nodes of a face.
    fn tractions_of(&self, face: &Face) -> impl Iterator<Item = (u32, Vec3, Schedule)> {
        let SurfacePressure { traction, schedule, .. } = &self.loads[face.load as usize];
        let nodes = face.rows.iter().zip(&face.areas);
        nodes.map(move |(&row, area)| (row, traction * *area, schedule.clone()))
    }

    /// Pressure [Pa] and traction [Pa] of each load at a moment.
    fn at(&self, load: u32, kin: &Kinematics) -> (f64, Vec3) {
        let SurfacePressure { pressure, traction, schedule } = &self.loads[load as usize];
        let factor = schedule.at(kin.load.time) * kin.load.factor;
        (pressure * factor, traction * factor)
    }
}

/// x_s and x_t of a point of a face.
fn tangents(point: &FacePoint, rows: &[u32], q: &[Vec3]) -> [Vec3; 2] {
    let mut sums = [Vec3::zeros(); 2];
    for (&row, slopes) in rows.iter().zip(&point.slopes) {
        sums[0] += q[row as usize] * slopes[0];
        sums[1] += q[row as usize] * slopes[1];
    }
    sums
}

/// w x_s × x_t: outward, as long as the area of the point [m²].
fn normal(point: &FacePoint, rows: &[u32], q: &[Vec3]) -> Vec3 {
    let [along_s, along_t] = tangents(point, rows, q);
    along_s.cross(&along_t) * point.weight
}

/// Symmetric part of the derivative of p w N_a x_s × x_t by x_b.
fn block(point: &FacePoint, [along_s, along_t]: &[Vec3; 2], (a, b): (usize, usize)) -> Mat3 {
    // N_a (N_b,t [x_s]× - N_b,s [x_t]×): the other half is the transpose with a and b exchanged.
    let half = |a: usize, b: usize| {
        let [by_s, by_t] = point.slopes[b];
        (along_s * by_t - along_t * by_s) * (point.n[a] * point.weight)
    };
    (half(a, b) - half(b, a)).cross_matrix() * 0.5
}

impl ForceEffector for SurfaceLoads {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.faces.iter().for_each(|face| visit(&face.rows));
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let slot = |i, j| pattern.slot(i, j).expect("faces are part of the pattern");
        for face in &mut self.faces {
            let rows = &face.rows;
            face.slots = rows.iter().flat_map(|&i| rows.iter().map(move |&j| slot(i, j))).collect();
        }
        self.parts = partition.assign(self.faces.iter().map(|face| &face.rows[..]));
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        _velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for &k in &self.parts[part.index] {
            let face = &self.faces[k as usize];
            let (pressure, traction) = self.at(face.load, kin);
            for (a, &row) in face.rows.iter().enumerate() {
                if let Some(i) = part.local(row) {
                    forces[i] += traction * face.areas[a];
                }
            }
            for point in face_points(face.rows.len()) {
                let push = normal(point, &face.rows, kin.motion.q) * pressure;
                for (&row, n) in face.rows.iter().zip(&point.n) {
                    if let Some(i) = part.local(row) {
                        forces[i] -= push * *n;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for &k in &self.parts[part.index] {
            let face = &self.faces[k as usize];
            let pressure = self.at(face.load, kin).0 * scale.position;
            if pressure == 0.0 {
                continue;
            }
            for point in face_points(face.rows.len()) {
                let tangents = tangents(point, &face.rows, kin.motion.q);
                for (a, row) in face.rows.iter().enumerate() {
                    if !part.rows.contains(row) {
                        continue;
                    }
                    for b in 0..face.rows.len() {
                        let slot = face.slots[a * face.rows.len() + b] as usize - part.first_slot;
                        add_block(blocks, slot, &(block(point, &tangents, (a, b)) * pressure));
                    }
                }
            }
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        match self.follow() {
            false => EffectorView::PointForces(&self.tractions),
            true => EffectorView::Border("pressures on surfaces"),
        }
    }
}
