//! Finite-strain elements in the spatial form (Bonet and Wood 2008, ch. 9): with g_a the spatial
//! gradient of shape function a, f_a = -sum_p sigma g_a dv and
//! K_ab = sum_p (B_a^T D B_b + (g_a . sigma g_b) I) dv.

use nalgebra::Matrix6;

use super::factor::StiffnessFactor;
use super::geometry::{ElementMatrix, Geometry, PointLaw, outer_sum};
use super::laws::Each;
use super::parallel;
use super::parts::BatchParts;
use super::relaxation::{Relaxed, StressMemory};
use super::tangent::{add_modes, add_pressure, add_tangent, damping_stress};
use super::volume::{MODES, NodalTerms, PointGuard, PointPressures, Sample, Volume, centre};
use super::{ElementReport, ElementTotals, FemBatch, USER_LAW};
use crate::force::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::linalg::BlockPattern;
use crate::material::{Deformation, Material, voigt_isotropic};
use crate::state::Motion;
use crate::{Mat3, Vec3};

/// Elements of one kind and one finite-strain material.
pub(super) struct NonlinearBatch<M, const N: usize, const P: usize> {
    geometry: Geometry<N, P>,
    /// The law; without its part of the volume alone where `volume` has that.
    laws: Each<M>,
    volume: Option<Volume<N, P>>,
    /// Stresses of the law that relax, `None` where it is elastic; what `volume` computes does not.
    memory: Option<StressMemory>,
    /// Keeps points from being squeezed flat where `volume` does not look at them and the law has no value then.
    guard: Option<Each<PointGuard<f64>>>,
    /// True if the law has no value where the volume is not positive.
    needs_volume: bool,
    stiffness_damping: f64,
}

/// Share of its volume that a point keeps in one step, at least [-]: the derivatives at the start of the step say
/// nothing of forces at a smaller one, and a state that is all but inverted is no better to go on from than one that is.
const LEAST_SHARE: f64 = 0.6;
/// Sum of the squares of the three stretches of one step, at most [-]: that of half again the length at the same volume.
/// Of 300 random excitations of a jaw at rest three had steps of 10 ms with 3.7 to 8.9, or a share of 0.54, and went on from
/// these to velocities that no step could follow; the others had 3.4 at most.
const MOST_STRETCH: f64 = 3.6;

impl<M: Material<f64>, const N: usize, const P: usize> NonlinearBatch<M, N, P> {
    pub(super) fn new(
        (geometry, volume, memory): BatchParts<N, P>,
        laws: Each<M>,
        stiffness_damping: f64,
    ) -> Self {
        let needs_volume = geometry.law_kind().needs_positive_volume;
        let guarded = needs_volume && volume.is_some();
        let of_all = guarded.then(|| PointGuard::of(geometry.laws().all())).flatten();
        let guard = of_all.map(|all| geometry.laws().map(|law| PointGuard::of(law).unwrap_or(all)));
        Self { geometry, laws, volume, memory, guard, needs_volume, stiffness_damping }
    }

    /// Deformation of a point, refused where the law has no value.
    #[inline(always)]
    fn deformation(&self, e: usize, p: usize, d: &[Vec3; N]) -> Result<Deformation<f64>, Fault> {
        let deformation = self.geometry.deformation(e, p, d);
        if self.needs_volume && deformation.j <= 0.0 {
            return Err(self.inverted(e, deformation.j));
        }
        Ok(deformation)
    }

    #[cold]
    fn inverted(&self, e: usize, volume_ratio: f64) -> Fault {
        Fault::Inverted {
            fem: self.geometry.fem.to_string(),
            element: self.geometry.elements[e] as usize,
            volume_ratio,
            place: e,
        }
    }

    /// Stress and tangent of the law, `law`, with the stiffness of a point that is squeezed flat; and the pressure of that.
    #[inline(always)]
    fn guarded(
        &self,
        e: usize,
        at: &Deformation<f64>,
        mut law: (Mat3, Matrix6<f64>),
    ) -> ((Mat3, Matrix6<f64>), f64) {
        let guard = self.guard.as_ref();
        let [pressure, slope] = guard.map_or([0.0; 2], |guard| guard.of(e).slopes(at.j));
        if slope != 0.0 {
            law.1 += voigt_isotropic(at.j * slope, 0.0);
        }
        (law, pressure)
    }

    /// Stress and tangent at a point times their factors and its volume now [m³], that of the law as far as it has not
    /// relaxed; and the pressure of a point that is squeezed flat.
    #[inline(always)]
    fn scaled(
        &self,
        place: (usize, usize),
        relaxed: Option<&Relaxed<'_>>,
        at: &Deformation<f64>,
        (factor, volume): (StiffnessFactor, f64),
    ) -> ((Mat3, Matrix6<f64>), f64) {
        let law = self.laws.of(place.0).stress_and_tangent(at);
        let extra = relaxed.map(|it| it.extra(place, at, &law));
        let (law, own) = self.guarded(place.0, at, law);
        let scale = volume * factor.whole;
        let mut law = (law.0 * scale, law.1 * scale);
        if let Some((stress, tangent)) = extra {
            let scale = volume * factor.turning;
            law.0 += stress * scale;
            law.1 += tangent * scale;
        }
        (law, own)
    }

    /// Stress of both, that of the law as far as it has not relaxed.
    #[inline(always)]
    fn guarded_stress(
        &self,
        place: (usize, usize),
        at: &Deformation<f64>,
        relaxed: Option<&Relaxed<'_>>,
    ) -> Mat3 {
        let e = place.0;
        let pressure = self.guard.as_ref().map_or(0.0, |guard| guard.of(e).slopes(at.j)[0]);
        let law = self.laws.of(e).stress(at);
        let law = relaxed.map_or(law, |it| it.stress(place, at, &law));
        law + Mat3::from_diagonal_element(pressure)
    }

    /// The same with that of damping, for the velocity gradient `l`.
    #[inline(always)]
    fn damped_stress(
        &self,
        place: (usize, usize),
        at: &Deformation<f64>,
        relaxed: Option<&Relaxed<'_>>,
        l: &Mat3,
    ) -> Mat3 {
        let e = place.0;
        let (law, own) = self.guarded(e, at, self.laws.of(e).stress_and_tangent(at));
        relaxed.map_or(law.0, |it| it.stress(place, at, &law.0))
            + Mat3::from_diagonal_element(own)
            + damping_stress(l, &law) * self.stiffness_damping
    }

    /// Energy density of both [J/m³], that of the law in the long run.
    fn guarded_energy(&self, e: usize, at: &Deformation<f64>) -> f64 {
        let guard = self.guard.as_ref();
        let share = self.memory.as_ref().map_or(1.0, StressMemory::long_term);
        self.laws.of(e).energy(at) * share + guard.map_or(0.0, |guard| guard.of(e).energy(at.j))
    }

    /// Stresses that have not relaxed after the step of a motion.
    fn relaxed<'m>(&self, motion: &Motion<'m>) -> Option<Relaxed<'m>> {
        self.memory.as_ref().map(|memory| memory.after(motion))
    }

    /// Pressures of the points of element `e`, where they are those of the element; `damped` are velocities of its
    /// nodes and the coefficient beta [s].
    #[inline(always)]
    fn pressures(
        &self,
        e: usize,
        d: &[Vec3; N],
        damped: Option<(&[Vec3; N], f64)>,
    ) -> Option<PointPressures<P>> {
        match self.volume.as_ref()? {
            Volume::Projected(it) => Some(it.pressures(&self.geometry, (e, d), damped)),
            Volume::Centre(_) | Volume::Nodal(_) => None,
        }
    }

    #[inline(always)]
    fn element_force(
        &self,
        (e, relaxed): (usize, Option<&Relaxed<'_>>),
        kin: &Kinematics,
        velocity: VelocityTerms,
    ) -> Result<[Vec3; N], Fault> {
        let d = self.geometry.displacements(e, kin.motion.q);
        let damped = velocity == VelocityTerms::Included && self.stiffness_damping > 0.0;
        let u = damped.then(|| (self.geometry.gather(e, kin.motion.u), self.stiffness_damping));
        let velocities = u.as_ref().map(|(u, beta)| (u, *beta));
        let pressures = self.pressures(e, &d, velocities);
        let mut f = [Vec3::zeros(); N];
        for p in 0..P {
            let deformation = self.deformation(e, p, &d)?;
            let at = self.geometry.spatial_point(e, p, &deformation);
            let (pressure, rate) =
                pressures.as_ref().map_or((0.0, 0.0), |it| (it.pressure[p], it.damping[p]));
            let mut stress = if let Some((u, _)) = velocities {
                let l = outer_sum(u, &self.geometry.gradients[p]) * at.to_space.transpose();
                self.damped_stress((e, p), &deformation, relaxed, &l)
            } else {
                self.guarded_stress((e, p), &deformation, relaxed)
            };
            stress += Mat3::from_diagonal_element(pressure);
            stress += Mat3::from_diagonal_element(rate);
            let stress = stress * at.to_space * at.volume;
            for a in 0..N {
                f[a] -= stress * self.geometry.gradients[p][a];
            }
        }
        if let Some(Volume::Centre(bulk)) = &self.volume {
            let sample = self.geometry.centre_sample(e, &d);
            centre::add_force(&sample, velocities, bulk.of(e), &mut f);
        }
        Ok(f)
    }

    #[inline(always)]
    fn element_stiffness(
        &self,
        (e, relaxed): (usize, Option<&Relaxed<'_>>),
        q: &[Vec3],
        factor: StiffnessFactor,
    ) -> Result<ElementMatrix<N>, Fault> {
        let d = self.geometry.displacements(e, q);
        let pressures = self.pressures(e, &d, None);
        let mut k = [[Mat3::zeros(); N]; N];
        let mut columns = [[Vec3::zeros(); N]; MODES];
        for p in 0..P {
            let deformation = self.deformation(e, p, &d)?;
            let at = self.geometry.spatial_point(e, p, &deformation);
            let (mut law, own) = self.scaled((e, p), relaxed, &deformation, (factor, at.volume));
            let gradients = self.geometry.gradients[p].map(|dn| at.to_space * dn);
            let mut turned = own * factor.turning * at.volume;
            if let (Some(it), Some(Volume::Projected(projection))) = (&pressures, &self.volume) {
                turned += it.pressure[p] * factor.turning * at.volume;
                for (mode, column) in columns.iter_mut().enumerate().take(projection.count) {
                    let weight = projection.modes[e][p][mode] * at.volume;
                    column.iter_mut().zip(&gradients).for_each(|(c, g)| *c += g * weight);
                }
            }
            add_pressure(&mut law, turned);
            add_tangent(&mut k, &gradients, &law.0, &law.1);
        }
        match (&self.volume, &pressures) {
            (Some(Volume::Projected(projection)), Some(it)) => {
                let moduli = projection.moduli(e, &self.geometry.points[e], &it.stiffness);
                add_modes(&mut k, &columns[..projection.count], &moduli, factor.whole);
            }
            (Some(Volume::Centre(bulk)), _) => {
                let sample = self.geometry.centre_sample(e, &d);
                centre::add_stiffness(&sample, bulk.of(e), factor, &mut k)
            }
            (Some(Volume::Projected(_)), None) | (Some(Volume::Nodal(_)) | None, _) => {}
        }
        Ok(k)
    }
}

impl<M: Material<f64>, const N: usize, const P: usize> PointLaw<N, P> for NonlinearBatch<M, N, P> {
    fn values(
        &self,
        e: usize,
        d: &[Vec3; N],
        at: &[Deformation<f64>; P],
        motion: &Motion<'_>,
    ) -> [(Mat3, f64); P] {
        let relaxed = self.relaxed(motion);
        let volume: [(f64, f64); P] = match &self.volume {
            None => [(0.0, 0.0); P],
            Some(Volume::Projected(it)) => {
                let pressures = it.pressures(&self.geometry, (e, d), None);
                let changes = std::array::from_fn(|p| at[p].volume_change());
                let energies = it.energies(e, &self.geometry.points[e], &changes);
                std::array::from_fn(|p| (pressures.pressure[p], energies[p]))
            }
            Some(Volume::Centre(bulk)) => {
                let change = self.geometry.centre_sample(e, d).change;
                [(bulk.of(e).slopes(change).0, bulk.of(e).energy(change)); P]
            }
            Some(Volume::Nodal(patches)) => patches.at_points(e, (self, motion.q)),
        };
        std::array::from_fn(|p| {
            let (pressure, energy) = volume[p];
            let stress = self.guarded_stress((e, p), &at[p], relaxed.as_ref())
                + Mat3::from_diagonal_element(pressure);
            (stress, self.guarded_energy(e, &at[p]) + energy)
        })
    }
}

impl<M: Material<f64>, const N: usize, const P: usize> NodalTerms<N> for NonlinearBatch<M, N, P> {
    fn sample(&self, e: usize, p: usize, q: &[Vec3]) -> Sample<N> {
        self.geometry.sample(e, p, &self.geometry.displacements(e, q))
    }

    fn is_curved(&self) -> bool {
        true
    }
}

impl<M: Material<f64>, const N: usize, const P: usize> ForceEffector for NonlinearBatch<M, N, P> {
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
            let f = self.element_force((e, relaxed.as_ref()), kin, velocity)?;
            self.geometry.scatter(e, part, &f, forces);
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
        let factor = StiffnessFactor::new(scale, self.stiffness_damping);
        let relaxed = self.relaxed(&kin.motion);
        for e in self.geometry.elements_of(part) {
            let k = self.element_stiffness((e, relaxed.as_ref()), kin.motion.q, factor)?;
            self.geometry.scatter_matrix(e, part, &k, blocks);
        }
        if let Some(Volume::Nodal(patches)) = &self.volume {
            patches.add_jacobian(part, (self, kin.motion.q), factor, blocks);
        }
        Ok(())
    }

    fn check_step(&self, start: &[Vec3], end: &[Vec3]) -> Result<(), Fault> {
        if !self.needs_volume {
            return Ok(());
        }
        let fault = |e: usize| {
            let (before, after) =
                (self.geometry.displacements(e, start), self.geometry.displacements(e, end));
            (0..P).find_map(|p| {
                let [before, after] = [&before, &after].map(|d| self.geometry.deformation(e, p, d));
                let least = LEAST_SHARE * before.j.clamp(0.0, 1.0);
                let step = before.f.try_inverse().map_or(0.0, |f| (after.f * f).norm_squared());
                // Written so that what is not a number is refused.
                let holds = after.j > least && step <= MOST_STRETCH;
                (!holds).then(|| self.inverted(e, after.j))
            })
        };
        parallel::check(self.geometry.elements.len(), &fault)
    }

    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        self.totals(q).energy
    }

    fn leaves_out_turns(&self) -> bool {
        self.memory.as_ref().is_some_and(StressMemory::leaves_out_turns)
    }

    fn view(&self) -> EffectorView<'_> {
        // No text of a kernel computes what users write in Rust.
        if self.geometry.law_kind().kernel.is_empty() {
            return EffectorView::Other(USER_LAW);
        }
        let volume = self.volume.as_ref().map(Volume::view);
        self.geometry.view(self.memory.as_ref().map(StressMemory::view), volume)
    }
}

impl<M: Material<f64>, const N: usize, const P: usize> FemBatch for NonlinearBatch<M, N, P> {
    fn reports(&self, motion: &Motion<'_>) -> Vec<ElementReport> {
        self.geometry.reports(motion, self)
    }

    fn totals(&self, q: &[Vec3]) -> ElementTotals {
        let mut totals = parallel::sum(self.geometry.elements.len(), &|e| {
            let (d, mut totals) = (self.geometry.displacements(e, q), ElementTotals::default());
            let at: [_; P] = std::array::from_fn(|p| self.geometry.deformation(e, p, &d));
            let volume = match &self.volume {
                Some(Volume::Projected(it)) => {
                    let changes = std::array::from_fn(|p| at[p].volume_change());
                    it.energies(e, &self.geometry.points[e], &changes)
                }
                Some(Volume::Centre(bulk)) => {
                    [bulk.of(e).energy(self.geometry.centre_sample(e, &d).change); P]
                }
                Some(Volume::Nodal(_)) | None => [0.0; P],
            };
            for (p, at) in at.iter().enumerate() {
                let density = self.guarded_energy(e, at) + volume[p];
                totals.add_point(self.geometry.points[e][p].volume, at.j, density);
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

    fn remembered_stress(&self, e: usize, q: &[Vec3], visit: &mut dyn FnMut(usize, &Mat3)) {
        let Some(memory) = &self.memory else { return };
        let d = self.geometry.displacements(e, q);
        for p in 0..P {
            let at = self.geometry.deformation(e, p, &d);
            visit(p, &memory.seen(&self.laws.of(e).stress(&at), &at));
        }
    }

    fn degenerate_at_rest(&self) -> Option<(u32, f64)> {
        self.geometry.degenerate_at_rest()
    }
}
