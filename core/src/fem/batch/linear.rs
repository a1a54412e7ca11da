//! Linear elasticity, in a fixed frame or in one that turns with each element (stiffness warping:
//! Mueller and Gross 2004; as ArtiSynth has it, the rotation is that of the polar decomposition at
//! the centre of the element and its derivative is left out of the tangent).
//!
//! f = -R K0 (R^T x - X), K = R K0 R^T. With more than one point K0 is kept; with one point it is
//! made from the turned gradients of an isotropic law, which is cheaper than reading it.

use super::factor::StiffnessFactor;
use super::geometry::{ElementMatrix, Geometry, PointLaw, outer_sum};
use super::laws::Each;
use super::parallel;
use super::parts::BatchParts;
use super::relaxation::{Relaxed, StressMemory};
use super::tangent::add_tangent;
use super::volume::{NodalTerms, Sample, Volume};
use super::{ElementReport, ElementTotals, FemBatch};
use crate::force::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::linalg::BlockPattern;
use crate::material::{AnyLaw, Axes, Deformation, LawFrame, Material, polar_rotation};
use crate::state::Motion;
use crate::{Mat3, Vec3};

/// Sum of the two smallest signed stretches over the largest below which an inverted element has no rotation [-]: at zero
/// the rotation of the polar decomposition turns by 180 degrees, and with it the energy of all points but the centre.
const LEAST_PLANE: f64 = 0.25;

/// True if an element that is deformed by `before` and then, within one step, by `after` has rotations, the second of
/// them a turn of the first by 60 degrees at most. Elements that are not inverted always do.
fn keeps_rotation(before: &Mat3, after: &Mat3) -> bool {
    let inverted = [before, after].map(|f| f.determinant() < 0.0);
    if inverted == [false; 2] {
        return true;
    }
    let rotation = polar_rotation(after);
    let stretch = rotation.tr_mul(after);
    let stretches = ((stretch + stretch.transpose()) * 0.5).symmetric_eigenvalues();
    let largest = stretches.max();
    let plane = stretches.sum() - largest;
    // The trace of a rotation by an angle a is 1 + 2 cos a.
    let turns = polar_rotation(before).dot(&rotation) < 2.0;
    !(turns || inverted[1] && plane < LEAST_PLANE * largest)
}

/// Elements of one kind and one linear material.
pub(super) struct LinearBatch<const N: usize, const P: usize> {
    pub(super) geometry: Geometry<N, P>,
    /// The law; without its part of the volume alone where `volume` has that.
    pub(super) laws: Each<AnyLaw<f64>>,
    pub(super) volume: Option<Volume<N, P>>,
    /// Stresses of the law that relax, `None` where it is elastic; what `volume` computes does not.
    pub(super) memory: Option<StressMemory>,
    /// Lamé's constants lambda and mu, of an isotropic law.
    lame: Each<[f64; 2]>,
    turns: bool,
    stiffness_damping: f64,
    /// Upper blocks of K0 of each element, row by row; empty with one point and an isotropic law.
    stiffness: Vec<Mat3>,
    /// Forces in the rest shape that growth and prestrain leave; empty where elements are free of stress there.
    pub(super) rest_forces: Vec<[Vec3; N]>,
}

impl<const N: usize, const P: usize> LinearBatch<N, P> {
    const UPPER: usize = N * (N + 1) / 2;

    pub(super) fn new(
        (geometry, volume, memory): BatchParts<N, P>,
        laws: Each<AnyLaw<f64>>,
        stiffness_damping: f64,
    ) -> Self {
        let isotropic = geometry.law_kind().axes == Axes::None;
        let lame = laws.map(|law| {
            let (_, c) = law.unturned(&Deformation::new(Mat3::zeros()));
            [c[(0, 1)], c[(3, 3)]]
        });
        let turns = laws.all().frame() == LawFrame::Element;
        let (stiffness, rest_forces) = (Vec::new(), Vec::new());
        let mut batch = Self {
            geometry,
            laws,
            volume,
            memory,
            lame,
            turns,
            stiffness_damping,
            stiffness,
            rest_forces,
        };
        if !batch.geometry.offsets.is_empty() {
            let elements = 0..batch.geometry.rows.len();
            batch.rest_forces = elements.map(|e| batch.rest_force(e)).collect();
        }
        if P > 1 || !isotropic {
            batch.stiffness = batch.rest_stiffness(isotropic);
        }
        batch
    }

    /// Upper blocks of K0 of all elements, row by row.
    fn rest_stiffness(&self, isotropic: bool) -> Vec<Mat3> {
        let count = self.geometry.rows.len();
        let mut upper = Vec::with_capacity(Self::UPPER * count);
        for e in 0..count {
            let mut k = [[Mat3::zeros(); N]; N];
            for p in 0..P {
                if isotropic {
                    self.add_point_stiffness(e, p, &Mat3::identity(), &mut k);
                } else {
                    self.add_anisotropic_stiffness(e, p, &mut k);
                }
            }
            self.add_volume_stiffness(e, &mut k);
            for a in 0..N {
                upper.extend_from_slice(&k[a][a..]);
            }
        }
        upper
    }

    /// B_a^T D B_b with the moduli D along the axes of the element.
    pub(super) fn add_anisotropic_stiffness(&self, e: usize, p: usize, k: &mut ElementMatrix<N>) {
        let point = &self.geometry.points[e][p];
        let rest = Deformation::new(Mat3::zeros()).with_axes(self.geometry.axes_of(e));
        let (_, moduli) = self.laws.of(e).unturned(&rest);
        let to_space = point.inverse_jacobian.transpose();
        let gradients = self.geometry.gradients[p].map(|dn| to_space * dn);
        add_tangent(k, &gradients, &Mat3::zeros(), &(moduli * point.volume));
    }

    /// lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I, with gradients turned by `r`.
    #[inline(always)]
    pub(super) fn add_point_stiffness(
        &self,
        e: usize,
        p: usize,
        r: &Mat3,
        k: &mut ElementMatrix<N>,
    ) {
        let point = &self.geometry.points[e][p];
        let to_space = r * point.inverse_jacobian.transpose();
        let g = self.geometry.gradients[p].map(|dn| to_space * dn);
        let [lambda, mu] = self.lame.of(e).map(|modulus| modulus * point.volume);
        for a in 0..N {
            for b in a..N {
                let shear = mu * g[a].dot(&g[b]);
                let block = &mut k[a][b];
                for j in 0..3 {
                    for i in 0..3 {
                        block[(i, j)] += lambda * g[a][i] * g[b][j] + mu * g[b][i] * g[a][j];
                    }
                    block[(j, j)] += shear;
                }
            }
        }
    }

    /// Rotation of element `e`.
    #[inline(always)]
    pub(super) fn rotation(&self, e: usize, d: &[Vec3; N]) -> Mat3 {
        if self.turns {
            polar_rotation(&self.geometry.centre_gradient(e, d))
        } else {
            Mat3::identity()
        }
    }

    /// Displacement in the frame of the element, R^T x - X, plus beta R^T u where damping counts.
    #[inline(always)]
    pub(super) fn local_displacement(
        &self,
        e: usize,
        r: &Mat3,
        kin: &Kinematics,
        velocity: VelocityTerms,
    ) -> [Vec3; N] {
        let back = r.transpose();
        let rest = self.geometry.gather(e, &self.geometry.rest);
        let mut local = self.geometry.gather(e, kin.motion.q);
        for a in 0..N {
            local[a] = back * local[a] - rest[a];
        }
        if velocity == VelocityTerms::Included && self.stiffness_damping > 0.0 {
            let u = self.geometry.gather(e, kin.motion.u);
            for a in 0..N {
                local[a] += back * u[a] * self.stiffness_damping;
            }
        }
        local
    }

    /// K0 d for the local displacement `d`.
    #[inline(always)]
    pub(super) fn stiffness_product(&self, e: usize, d: &[Vec3; N]) -> [Vec3; N] {
        let mut f = [Vec3::zeros(); N];
        if self.stiffness.is_empty() {
            let point = &self.geometry.points[e][0];
            let h = outer_sum(d, &self.geometry.gradients[0]) * point.inverse_jacobian;
            let to_reference =
                self.stress(e, &h) * point.inverse_jacobian.transpose() * point.volume;
            for a in 0..N {
                f[a] = to_reference * self.geometry.gradients[0][a];
            }
            return f;
        }
        let mut blocks = self.stiffness[Self::UPPER * e..Self::UPPER * (e + 1)].iter();
        for a in 0..N {
            for b in a..N {
                let Some(block) = blocks.next() else { return f };
                f[a] += block * d[b];
                if a != b {
                    f[b] += block.tr_mul(&d[a]);
                }
            }
        }
        f
    }

    /// Stress of a local displacement gradient.
    #[inline(always)]
    fn stress(&self, e: usize, h: &Mat3) -> Mat3 {
        let [lambda, mu] = *self.lame.of(e);
        (h + h.transpose()) * mu + Mat3::identity() * (lambda * h.trace())
    }

    #[inline(always)]
    fn element_stiffness(&self, e: usize, r: &Mat3, k: &mut ElementMatrix<N>) {
        if self.stiffness.is_empty() {
            *k = [[Mat3::zeros(); N]; N];
            return self.add_point_stiffness(e, 0, r, k);
        }
        let back = r.transpose();
        let mut blocks = self.stiffness[Self::UPPER * e..Self::UPPER * (e + 1)].iter();
        for a in 0..N {
            for b in a..N {
                let Some(block) = blocks.next() else { return };
                k[a][b] = if self.turns { r * (block * back) } else { *block };
            }
        }
    }
}

impl<const N: usize, const P: usize> ForceEffector for LinearBatch<N, P> {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.geometry.visit_cliques(visit);
        if let Some(Volume::Nodal(patches)) = &self.volume {
            patches.visit_cliques(visit);
        }
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        self.geometry.bind(pattern, partition);
        if let Some(Volume::Nodal(patches)) = &mut self.volume {
            patches.bind(pattern, partition);
        }
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let relaxed = self.relaxed(&kin.motion);
        for e in self.geometry.elements_of(part) {
            let r = self.rotation(e, &self.geometry.displacements(e, kin.motion.q));
            let local = self.local_displacement(e, &r, kin, velocity);
            let mut f = self.local_force(e, &local);
            if let Some(relaxed) = &relaxed {
                self.add_relaxed((e, &r), kin, relaxed, &mut f);
            }
            self.geometry.scatter(e, part, &f.map(|f| -(r * f)), forces);
        }
        if let Some(Volume::Nodal(patches)) = &self.volume {
            let damped = velocity == VelocityTerms::Included && self.stiffness_damping > 0.0;
            let damped = damped.then_some((kin.motion.u, self.stiffness_damping));
            patches.add_forces(part, (self, kin.motion.q), damped, forces);
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
        let factor = scale.position + scale.velocity * self.stiffness_damping;
        let relaxed = self.relaxed(&kin.motion);
        let mut k = [[Mat3::zeros(); N]; N];
        for e in self.geometry.elements_of(part) {
            let r = self.rotation(e, &self.geometry.displacements(e, kin.motion.q));
            self.element_stiffness(e, &r, &mut k);
            for a in 0..N {
                k[a][a..].iter_mut().for_each(|block| *block *= factor);
            }
            if let Some(relaxed) = &relaxed {
                let more = (relaxed.factor - 1.0) * scale.position;
                self.add_law_stiffness((e, &r), more, &mut k);
            }
            self.geometry.scatter_matrix(e, part, &k, blocks);
        }
        if let Some(Volume::Nodal(patches)) = &self.volume {
            patches.add_jacobian(part, (self, kin.motion.q), StiffnessFactor::of(factor), blocks);
        }
        Ok(())
    }

    fn leaves_out_turns(&self) -> bool {
        self.turns
    }

    fn add_jacobian_of_turns(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        if !self.turns {
            return Ok(());
        }
        for e in self.geometry.elements_of(part) {
            if let Some(k) = self.turning_stiffness(e, kin, scale.position) {
                self.geometry.scatter_matrix(e, part, &k, blocks);
            }
        }
        Ok(())
    }

    fn check_step(&self, start: &[Vec3], end: &[Vec3]) -> Result<(), Fault> {
        // One point with an isotropic law has an energy of the stretches alone, whatever its rotation.
        if !self.turns || self.stiffness.is_empty() {
            return Ok(());
        }
        let gradient = |e, q| self.geometry.centre_gradient(e, &self.geometry.displacements(e, q));
        let lost = |e| !keeps_rotation(&gradient(e, start), &gradient(e, end));
        let fault = |e: usize| Fault::Unoriented {
            fem: self.geometry.fem.to_string(),
            element: self.geometry.elements[e] as usize,
            place: e,
        };
        parallel::check(self.geometry.elements.len(), &|e| lost(e).then(|| fault(e)))
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        if !self.is_quadratic() {
            return self.totals(q).energy;
        }
        let energy =
            |e| ElementTotals { energy: self.quadratic_energy(e, q), ..Default::default() };
        parallel::sum(self.geometry.elements.len(), &energy).energy
    }

    fn view(&self) -> EffectorView<'_> {
        let volume = self.volume.as_ref().map(Volume::view);
        self.geometry.view(self.memory.as_ref().map(StressMemory::view), volume)
    }
}

impl<const N: usize, const P: usize> NodalTerms<N> for LinearBatch<N, P> {
    /// The rotation of the element counts as fixed, as in the tangent.
    fn sample(&self, e: usize, p: usize, q: &[Vec3]) -> Sample<N> {
        let d = self.geometry.displacements(e, q);
        let (r, point) = (self.rotation(e, &d), &self.geometry.points[e][p]);
        let to_space = r * point.inverse_jacobian.transpose();
        Sample {
            change: r.tr_mul(&self.geometry.deformation(e, p, &d).f).trace() - 3.0,
            rest_volume: point.volume,
            volume: point.volume,
            gradients: self.geometry.gradients[p].map(|dn| to_space * dn),
        }
    }

    fn is_curved(&self) -> bool {
        false
    }
}

impl<const N: usize, const P: usize> LinearBatch<N, P> {
    /// Stress [Pa] and energy density [J/m³] of the points of element `e`, without those of volumes around nodes.
    fn own_values(
        &self,
        (e, relaxed): (usize, Option<&Relaxed<'_>>),
        d: &[Vec3; N],
        at: &[Deformation<f64>; P],
    ) -> [(Mat3, f64); P] {
        let share = self.memory.as_ref().map_or(1.0, StressMemory::long_term);
        let r = self.rotation(e, d);
        let strains = at.map(|at| {
            let h = r.tr_mul(&at.f) - Mat3::identity();
            (h + h.transpose()) * 0.5
        });
        let volume = match &self.volume {
            Some(Volume::Projected(it)) => {
                let points = &self.geometry.points[e];
                let changes = it.project(e, points, &strains.map(|strain| strain.trace()));
                changes.map(|change| (it.bulk.of(e).slopes(change).0, it.bulk.of(e).energy(change)))
            }
            Some(Volume::Centre(bulk)) => {
                let change = r.tr_mul(&self.geometry.centre_gradient(e, d)).trace() - 3.0;
                [(bulk.of(e).slopes(change).0, bulk.of(e).energy(change)); P]
            }
            Some(Volume::Nodal(_)) | None => [(0.0, 0.0); P],
        };
        std::array::from_fn(|p| {
            let ((pressure, energy), strain) = (volume[p], strains[p]);
            let local = Deformation::new(strain).with_axes(at[p].axes);
            let stress = self.laws.of(e).unturned(&local).0;
            let now = relaxed.map_or(stress, |it| stress * it.factor + it.left(e, p));
            let whole = r * now * r.transpose() + Mat3::from_diagonal_element(pressure);
            (whole, 0.5 * stress.dot(&strain) * share + energy)
        })
    }
}

impl<const N: usize, const P: usize> PointLaw<N, P> for LinearBatch<N, P> {
    fn values(
        &self,
        e: usize,
        d: &[Vec3; N],
        at: &[Deformation<f64>; P],
        motion: &Motion<'_>,
    ) -> [(Mat3, f64); P] {
        let relaxed = self.relaxed(motion);
        let mut values = self.own_values((e, relaxed.as_ref()), d, at);
        if let Some(Volume::Nodal(patches)) = &self.volume {
            for (value, (pressure, energy)) in
                values.iter_mut().zip(patches.at_points(e, (self, motion.q)))
            {
                value.0 += Mat3::from_diagonal_element(pressure);
                value.1 += energy;
            }
        }
        values
    }
}

impl<const N: usize, const P: usize> FemBatch for LinearBatch<N, P> {
    fn reports(&self, motion: &Motion<'_>) -> Vec<ElementReport> {
        self.geometry.reports(motion, self)
    }

    fn totals(&self, q: &[Vec3]) -> ElementTotals {
        let mut totals = parallel::sum(self.geometry.elements.len(), &|e| {
            let (d, mut totals) = (self.geometry.displacements(e, q), ElementTotals::default());
            let at = std::array::from_fn(|p| self.geometry.deformation(e, p, &d));
            for (p, (_, density)) in self.own_values((e, None), &d, &at).into_iter().enumerate() {
                totals.add_point(self.geometry.points[e][p].volume, at[p].j, density);
            }
            totals
        });
        if let Some(Volume::Nodal(patches)) = &self.volume {
            totals.energy += patches.energy((self, q));
        }
        totals
    }

    fn report_of(&self, element: u32, motion: &Motion<'_>) -> Option<ElementReport> {
        self.geometry.report_of(element, motion, self)
    }

    fn elements(&self) -> &[u32] {
        &self.geometry.elements
    }

    fn memory(&self) -> Option<&StressMemory> {
        self.memory.as_ref()
    }

    fn memory_mut(&mut self) -> Option<&mut StressMemory> {
        self.memory.as_mut()
    }

    /// In the frame of the element.
    fn remembered_stress(&self, e: usize, q: &[Vec3], visit: &mut dyn FnMut(usize, &Mat3)) {
        let d = self.geometry.displacements(e, q);
        let r = self.rotation(e, &d);
        for p in 0..P {
            let h = r.tr_mul(&self.geometry.deformation(e, p, &d).f) - Mat3::identity();
            visit(p, &self.law_stress(e, &h));
        }
    }

    fn degenerate_at_rest(&self) -> Option<(u32, f64)> {
        self.geometry.flat_at_rest()
    }
}
