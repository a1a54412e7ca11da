//! The forces of sheets: energy A t sum_z w W(E + z chi) over points through the thickness t of each triangle, with E the
//! strain of the middle surface and chi its bending since rest; forces are its first derivative by the positions of the
//! nodes of the patch, the stiffness its second, whole. A pressure along the normal follows the surface.

use nalgebra::Vector3;

use super::grown::Grown;
use super::patch::Patch;
use super::strained::{NodeStrains, Resultants, Strained};
use super::{Layer, PlaneLaw, Stencil};
use crate::force::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::linalg::{BlockPattern, add_block};
use crate::model::Schedule;
use crate::{Mat3, Vec3};

/// Places and weights of Gauss points through the thickness, of which it is 2: three are exact for laws that are linear in
/// strain, and near for others.
const ACROSS: [(f64, f64); 3] = [
    (-0.774_596_669_241_483_4, 5.0 / 18.0),
    (0.0, 4.0 / 9.0),
    (0.774_596_669_241_483_4, 5.0 / 18.0),
];

/// Law and thickness of a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SheetLaw {
    pub(crate) law: PlaneLaw,
    /// Thickness [m].
    pub(crate) thickness: f64,
    /// Deformation at rest from the shape without stress, in the axes of the triangle; `None` where it is free of stress there.
    pub(crate) at_rest: Option<Mat3>,
}

/// Input of sheets of one component.
pub(crate) struct SheetInput<'a> {
    /// Its path, for errors.
    pub(crate) name: String,
    pub(crate) layer: Layer,
    /// Patches by the rows of their nodes.
    pub(crate) stencils: Vec<Stencil>,
    /// Law of each triangle, from its axes at rest.
    pub(crate) law: &'a dyn Fn(usize, &[Vec3; 3]) -> SheetLaw,
    /// Rest positions of all rows [m].
    pub(crate) rest: &'a [Vec3],
    /// Rayleigh damping by stiffness [s].
    pub(crate) stiffness_damping: f64,
    /// Pressure along the normal at a schedule value of 1 [Pa], and its time course.
    pub(crate) pressure: (f64, Schedule),
    /// Share of each triangle in its place [-]: less than 1 where others lie over it.
    pub(crate) share: f64,
}

/// One triangle.
struct Triangle {
    rows: Vec<u32>,
    slots: Vec<u32>,
    patch: Patch,
    law: SheetLaw,
    grown: Option<Grown>,
}

/// Triangles of one component.
pub(crate) struct Sheets {
    name: String,
    layer: Layer,
    triangles: Vec<Triangle>,
    stiffness_damping: f64,
    pressure: (f64, Schedule),
    share: f64,
    parts: Vec<Vec<u32>>,
}

impl Sheets {
    /// The triangles of a component; the error is the first without an area at rest.
    pub(crate) fn new(input: SheetInput<'_>) -> Result<Self, usize> {
        let triangle = |(e, stencil): (usize, Stencil)| {
            let rest: Vec<Vec3> =
                stencil.nodes.iter().map(|&row| input.rest[row as usize]).collect();
            let patch = Patch::new(&stencil, input.layer, &rest).ok_or(e)?;
            let law = (input.law)(e, &patch.axes);
            let grown = law.at_rest.map(|elastic| Grown::new(&elastic, patch.rest));
            Ok::<_, usize>(Triangle { rows: stencil.nodes, slots: Vec::new(), patch, law, grown })
        };
        let triangles =
            input.stencils.into_iter().enumerate().map(triangle).collect::<Result<_, _>>()?;
        Ok(Self {
            name: input.name,
            layer: input.layer,
            triangles,
            stiffness_damping: input.stiffness_damping,
            pressure: input.pressure,
            share: input.share,
            parts: Vec::new(),
        })
    }

    /// Rows of the corners of each triangle, with the area at rest [m²] times the thickness [m], as much of it as is its own.
    pub(crate) fn volumes(&self) -> impl Iterator<Item = ([u32; 3], f64)> {
        self.triangles.iter().map(|t| {
            let volume = t.patch.area * t.law.thickness * self.share;
            ([t.rows[0], t.rows[1], t.rows[2]], volume)
        })
    }

    fn resultants(&self, e: usize, at: &Strained) -> Result<Resultants, Fault> {
        let Triangle { law: SheetLaw { law, thickness, .. }, grown, .. } = &self.triangles[e];
        let from_rest = [at.membrane, at.bending];
        let ([membrane, bending], thickness) = match grown {
            None => (from_rest, *thickness),
            Some(grown) => (grown.strains(from_rest), grown.thickness(*thickness)),
        };
        let mut sums = Resultants {
            energy: 0.0,
            force: Vector3::zeros(),
            moment: Vector3::zeros(),
            stretching: Mat3::zeros(),
            coupling: Mat3::zeros(),
            bending: Mat3::zeros(),
        };
        let points: &[(f64, f64)] = match self.layer {
            Layer::Membrane => &[(0.0, 1.0)],
            Layer::Shell => &ACROSS,
        };
        for &(place, weight) in points {
            let (z, weight) = (0.5 * place * thickness, weight * thickness * self.share);
            let response = law.at(&(membrane + bending * z)).ok_or_else(|| self.fault(e, at))?;
            sums.energy += response.energy * weight;
            sums.force += response.stress * weight;
            sums.moment += response.stress * (weight * z);
            sums.stretching += response.tangent * weight;
            sums.coupling += response.tangent * (weight * z);
            sums.bending += response.tangent * (weight * z * z);
        }
        Ok(match grown {
            None => sums,
            Some(grown) => grown.at_rest(sums),
        })
    }

    #[cold]
    fn fault(&self, e: usize, at: &Strained) -> Fault {
        let patch = &self.triangles[e].patch;
        Fault::Inverted {
            fem: self.name.clone(),
            element: e,
            volume_ratio: 0.5 * at.turn.length / patch.area,
            place: e,
        }
    }

    /// Pressure along the normal at a moment [Pa], the share of a triangle.
    fn pressure_at(&self, kin: &Kinematics) -> f64 {
        self.share * self.pressure.0 * self.pressure.1.at(kin.load.time) * kin.load.factor
    }

    fn add_triangle_forces(
        &self,
        e: usize,
        part: &Part,
        (kin, velocity): (&Kinematics, VelocityTerms),
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let triangle = &self.triangles[e];
        let at = Strained::of(&triangle.patch, &triangle.rows, kin.motion.q);
        let sums = self.resultants(e, &at)?;
        let strains = at.strains(&triangle.patch, self.layer);
        let (mut force, mut moment) = (sums.force, sums.moment);
        if velocity == VelocityTerms::Included && self.stiffness_damping > 0.0 {
            let rate = |of: fn(&NodeStrains) -> &Mat3| -> Vector3<f64> {
                let nodes = triangle.rows.iter().zip(&strains);
                nodes.map(|(&row, it)| of(it) * kin.motion.u[row as usize]).sum()
            };
            let (stretching, bending) = (rate(|it| &it.membrane), rate(|it| &it.bending));
            let beta = self.stiffness_damping;
            force += (sums.stretching * stretching + sums.coupling * bending) * beta;
            moment += (sums.coupling * stretching + sums.bending * bending) * beta;
        }
        let push = at.turn.normal * (self.pressure_at(kin) * at.turn.length / 6.0);
        for (k, &row) in triangle.rows.iter().enumerate() {
            let Some(i) = part.local(row) else { continue };
            let inner = strains[k].membrane.tr_mul(&force) + strains[k].bending.tr_mul(&moment);
            forces[i] -= inner * triangle.patch.area;
            if k < 3 {
                forces[i] += push;
            }
        }
        Ok(())
    }

    fn add_triangle_jacobian(
        &self,
        e: usize,
        part: &Part,
        (kin, scale): (&Kinematics, JacobianScale),
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        let triangle = &self.triangles[e];
        let at = Strained::of(&triangle.patch, &triangle.rows, kin.motion.q);
        let sums = self.resultants(e, &at)?;
        let strains = at.strains(&triangle.patch, self.layer);
        let whole =
            triangle.patch.area * (scale.position + scale.velocity * self.stiffness_damping);
        let turning = triangle.patch.area * scale.position;
        let curvature = at.curvature(&triangle.patch, &sums);
        let pressure = self.pressure_at(kin) * scale.position / 12.0;
        for (k, row) in triangle.rows.iter().enumerate() {
            if !part.rows.contains(row) {
                continue;
            }
            for l in 0..at.count {
                let (a, b) = (&strains[k], &strains[l]);
                let material = a
                    .membrane
                    .tr_mul(&(sums.stretching * b.membrane + sums.coupling * b.bending))
                    + a.bending.tr_mul(&(sums.coupling * b.membrane + sums.bending * b.bending));
                let mut block = material * whole + curvature.block(&at, (k, l)) * turning;
                if k < 3 && l < 3 {
                    block -= (at.turn.by_corner[l] - at.turn.by_corner[k]) * pressure;
                }
                let slot = triangle.slots[k * at.count + l] as usize - part.first_slot;
                add_block(blocks, slot, &block);
            }
        }
        Ok(())
    }
}

impl ForceEffector for Sheets {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.triangles.iter().for_each(|triangle| visit(&triangle.rows));
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let slot = |i, j| pattern.slot(i, j).expect("triangles are part of the pattern");
        for triangle in &mut self.triangles {
            let rows = &triangle.rows;
            triangle.slots =
                rows.iter().flat_map(|&i| rows.iter().map(move |&j| slot(i, j))).collect();
        }
        self.parts = partition.assign(self.triangles.iter().map(|triangle| &triangle.rows[..]));
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let mut own = self.parts[part.index].iter();
        own.try_for_each(|&e| self.add_triangle_forces(e as usize, part, (kin, velocity), forces))
    }

    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        let mut own = self.parts[part.index].iter();
        own.try_for_each(|&e| self.add_triangle_jacobian(e as usize, part, (kin, scale), blocks))
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        let of = |(e, triangle): (usize, &Triangle)| {
            let at = Strained::of(&triangle.patch, &triangle.rows, q);
            self.resultants(e, &at).map_or(f64::NAN, |sums| sums.energy * triangle.patch.area)
        };
        self.triangles.iter().enumerate().map(of).sum()
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Border("shells and membranes")
    }
}
