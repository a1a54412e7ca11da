//! Muscles in elements of one kind: the stress of the fibres of each bundle at its activation,
//! beside that of the tissue, and the stiffening of the tissue around active fibres. The bundles of
//! an element are computed together, since most of the work is what all of them share: its
//! deformation and its matrix.

use super::factor::StiffnessFactor;
use super::geometry::{ElementMatrix, Geometry, SpatialPoint, outer_sum};
use super::tangent::{add_tangent, damping_stress};
use crate::force::{
    BundleBatch, Fault, JacobianScale, Kinematics, Part, RowPartition, VelocityTerms,
};
use crate::linalg::BlockPattern;
use crate::material::{AnyLaw, Deformation, Material, MaterialSpec};
use crate::{Mat3, Vec3};

/// Fibres of one bundle in an element.
#[derive(Clone, Debug)]
pub(crate) struct ElementFibres {
    /// Number of the bundle.
    pub(crate) bundle: usize,
    pub(crate) law: AnyLaw<f64>,
    /// Axes of the fibres, columns of a rotation.
    pub(crate) axes: Mat3,
    /// The same at each quadrature point; empty where they are alike.
    pub(crate) at_points: Vec<Mat3>,
}

impl ElementFibres {
    /// Axes at point `p`.
    #[inline(always)]
    pub(super) fn axes_at(&self, p: usize) -> Mat3 {
        self.at_points.get(p).copied().unwrap_or(self.axes)
    }
}

/// Muscles of an element: fibres of its bundles, and the tissue around them.
#[derive(Clone, Debug)]
pub(crate) struct ElementMuscles {
    pub(crate) fibres: Vec<ElementFibres>,
    /// The tissue around them, where bundles stiffen it.
    pub(crate) around: Option<Surroundings>,
}

/// Tissue around fibres.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub(crate) material: MaterialSpec,
    /// Its law without the part of the volume alone.
    law: AnyLaw<f64>,
    /// Axes of the material.
    pub(crate) axes: Mat3,
}

impl Surroundings {
    pub(crate) fn new(material: MaterialSpec, axes: Mat3) -> Self {
        Self { law: material.without_bulk(), material, axes }
    }
}

/// Present activations of bundles.
pub(crate) trait Activations {
    /// Activation of a bundle [-]; `None` where it is switched off.
    fn activation(&self, bundle: usize) -> Option<f64>;

    /// Share of the stiffness of the tissue around them that the fibres of a bundle add [-].
    fn share(&self, bundle: usize) -> f64;
}

/// One bundle alone: what a change of its activation adds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneBundle {
    pub(crate) bundle: usize,
    /// Share of the tissue's stiffness that full activation adds [-].
    pub(crate) stiffening: f64,
    /// Activation about which what is added is taken [-].
    pub(crate) activation: f64,
    /// Factor of what is added.
    pub(crate) factor: f64,
}

/// Half the range of activations over which the derivative of stress is taken [-]: most laws are linear in it, of active
/// strain it leaves 1e-8 of the derivative.
const HALF_RANGE: f64 = 1.0 / 4096.0;

/// Elements of one kind with muscles.
pub(crate) trait FibreBatch: Send + Sync {
    /// Hands every group of coupled rows to `visit`.
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32]));

    /// Looks up, once, the slots of its blocks and the elements of each part.
    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition);

    /// Adds forces [N].
    fn add_forces(
        &self,
        part: &Part,
        at: (&Kinematics, VelocityTerms),
        activations: &dyn Activations,
        forces: &mut [Vec3],
    ) -> Result<(), Fault>;

    /// Adds the derivative of the forces of a bundle by its activation, times its factor.
    fn add_active_forces(
        &self,
        part: &Part,
        at: (&Kinematics, VelocityTerms),
        own: OneBundle,
        forces: &mut [Vec3],
    ) -> Result<(), Fault>;

    /// Adds their Jacobian.
    fn add_jacobian(
        &self,
        part: &Part,
        at: (&Kinematics, JacobianScale),
        activations: &dyn Activations,
        blocks: &mut [f64],
    ) -> Result<(), Fault>;

    /// Energy of the fibres of a bundle that are not active [J].
    fn passive_energy(&self, bundle: usize, q: &[Vec3]) -> f64;

    /// Volume at rest of the elements of a bundle [m³], and the integrals over it of stretch and of Cauchy stress along the
    /// fibres.
    fn fibre_sums(&self, bundle: usize, q: &[Vec3], activation: f64) -> [f64; 3];

    /// Mean Cauchy stress [Pa] that muscles add to the element with this index in the mesh, and the energy of their fibres that
    /// are not active per volume at rest [J/m³]; `None` where it has no muscles of this batch.
    fn report_of(
        &self,
        element: u32,
        q: &[Vec3],
        activations: &dyn Activations,
    ) -> Option<(Mat3, f64)>;

    /// Bundle with the largest active stress in the element with this index in the mesh; `None` where none is active.
    fn strongest_in(
        &self,
        element: u32,
        q: &[Vec3],
        activations: &dyn Activations,
    ) -> Option<usize>;

    /// Elements of a bundle as data: its fibres, of one material; the tissue that they stiffen, a batch a law.
    fn data_of(&self, bundle: usize, material: &MaterialSpec, stiffens: bool) -> Vec<BundleBatch>;
}

/// See [`FibreBatch`].
pub(super) struct MuscleBatch<const N: usize, const P: usize> {
    pub(super) geometry: Geometry<N, P>,
    pub(super) muscles: Vec<ElementMuscles>,
    /// Rayleigh damping by stiffness of the tissue [s].
    pub(super) stiffness_damping: f64,
}

/// Muscles acting in an element, and the share of its tissue.
struct Acting<'m> {
    fibres: &'m [ElementFibres],
    around: Option<&'m Surroundings>,
    share: f64,
}

impl<const N: usize, const P: usize> MuscleBatch<N, P> {
    pub(super) fn new(
        geometry: Geometry<N, P>,
        muscles: Vec<ElementMuscles>,
        stiffness_damping: f64,
    ) -> Self {
        Self { geometry, muscles, stiffness_damping }
    }

    fn acting(&self, e: usize, activations: &dyn Activations) -> Acting<'_> {
        let ElementMuscles { fibres, around } = &self.muscles[e];
        let share: f64 = fibres.iter().map(|own| activations.share(own.bundle)).sum();
        Acting { fibres, around: around.as_ref().filter(|_| share > 0.0), share }
    }

    /// Deformation of a point, refused where the laws have no value.
    fn deformation(&self, e: usize, p: usize, d: &[Vec3; N]) -> Result<Deformation<f64>, Fault> {
        let deformation = self.geometry.deformation(e, p, d);
        if deformation.j > 0.0 {
            return Ok(deformation);
        }
        Err(Fault::Inverted {
            fem: self.geometry.fem.to_string(),
            element: self.geometry.elements[e] as usize,
            volume_ratio: deformation.j,
            place: e,
        })
    }

    fn element_force(
        &self,
        e: usize,
        (kin, velocity): (&Kinematics, VelocityTerms),
        activations: &dyn Activations,
    ) -> Result<[Vec3; N], Fault> {
        let (d, acting) =
            (self.geometry.displacements(e, kin.motion.q), self.acting(e, activations));
        let damped = velocity == VelocityTerms::Included && self.stiffness_damping > 0.0;
        let u = (damped && acting.around.is_some()).then(|| self.geometry.gather(e, kin.motion.u));
        let mut f = [Vec3::zeros(); N];
        for p in 0..P {
            let deformation = self.deformation(e, p, &d)?;
            let at = self.geometry.spatial_point(e, p, &deformation);
            let stress = self.stress(p, (&deformation, &at), &acting, (activations, u.as_ref()));
            let stress = stress * at.to_space * at.volume;
            for a in 0..N {
                f[a] -= stress * self.geometry.gradients[p][a];
            }
        }
        Ok(f)
    }

    /// Stress of all muscles at point `p`, with that of the damping of what they stiffen at the velocities `u` of the nodes.
    fn stress(
        &self,
        p: usize,
        (deformation, at): (&Deformation<f64>, &SpatialPoint),
        acting: &Acting<'_>,
        (activations, u): (&dyn Activations, Option<&[Vec3; N]>),
    ) -> Mat3 {
        let mut stress = Mat3::zeros();
        for own in acting.fibres {
            let Some(activation) = activations.activation(own.bundle) else { continue };
            let deformation = deformation.with_axes(own.axes_at(p)).with_activation(activation);
            stress += own.law.stress(&deformation);
        }
        if let Some(around) = acting.around {
            stress += self.stress_around(p, (deformation, at), around, u) * acting.share;
        }
        stress
    }

    /// Stress of the tissue around fibres at point `p`, with that of its damping at the velocities `u` of the nodes.
    fn stress_around(
        &self,
        p: usize,
        (deformation, at): (&Deformation<f64>, &SpatialPoint),
        Surroundings { law, axes, .. }: &Surroundings,
        u: Option<&[Vec3; N]>,
    ) -> Mat3 {
        let deformation = deformation.with_axes(*axes);
        match u {
            None => law.stress(&deformation),
            Some(u) => {
                let law = law.stress_and_tangent(&deformation);
                let l = outer_sum(u, &self.geometry.gradients[p]) * at.to_space.transpose();
                law.0 + damping_stress(&l, &law) * self.stiffness_damping
            }
        }
    }

    /// Derivative of the force of one bundle, whose fibres in the element are these, by its activation.
    fn active_force(
        &self,
        (e, fibres): (usize, &ElementFibres),
        (kin, velocity): (&Kinematics, VelocityTerms),
        own: OneBundle,
    ) -> Result<[Vec3; N], Fault> {
        let d = self.geometry.displacements(e, kin.motion.q);
        let around = self.muscles[e].around.as_ref().filter(|_| own.stiffening > 0.0);
        let damped = velocity == VelocityTerms::Included && self.stiffness_damping > 0.0;
        let u = (damped && around.is_some()).then(|| self.geometry.gather(e, kin.motion.u));
        let mut f = [Vec3::zeros(); N];
        for p in 0..P {
            let deformation = self.deformation(e, p, &d)?;
            let at = self.geometry.spatial_point(e, p, &deformation);
            let along = deformation.with_axes(fibres.axes_at(p));
            let [more, less] = [HALF_RANGE, -HALF_RANGE]
                .map(|change| fibres.law.stress(&along.with_activation(own.activation + change)));
            let mut stress = (more - less) * (0.5 / HALF_RANGE);
            if let Some(around) = around {
                stress +=
                    self.stress_around(p, (&deformation, &at), around, u.as_ref()) * own.stiffening;
            }
            let stress = stress * at.to_space * (at.volume * own.factor);
            for a in 0..N {
                f[a] -= stress * self.geometry.gradients[p][a];
            }
        }
        Ok(f)
    }

    fn element_stiffness(
        &self,
        e: usize,
        (kin, scale): (&Kinematics, JacobianScale),
        activations: &dyn Activations,
    ) -> Result<Option<ElementMatrix<N>>, Fault> {
        let (d, acting) =
            (self.geometry.displacements(e, kin.motion.q), self.acting(e, activations));
        let around = StiffnessFactor::new(scale, self.stiffness_damping).whole * acting.share;
        let (mut k, mut any) = ([[Mat3::zeros(); N]; N], false);
        for p in 0..P {
            let deformation = self.deformation(e, p, &d)?;
            let at = self.geometry.spatial_point(e, p, &deformation);
            let mut sum: Option<(Mat3, _)> = None;
            let mut add = |law: (Mat3, nalgebra::Matrix6<f64>), factor: f64| {
                let (stress, tangent) = sum.get_or_insert_with(Default::default);
                *stress += law.0 * factor;
                *tangent += law.1 * factor;
            };
            for own in acting.fibres {
                let Some(activation) = activations.activation(own.bundle) else { continue };
                let deformation = deformation.with_axes(own.axes_at(p)).with_activation(activation);
                // Slack fibres: what pulls with nothing at all has no stiffness.
                if own.law.stress(&deformation) != Mat3::zeros() {
                    add(own.law.stress_and_tangent(&deformation), scale.position * at.volume);
                }
            }
            if let Some(Surroundings { law, axes, .. }) = acting.around {
                let deformation = deformation.with_axes(*axes);
                add(law.stress_and_tangent(&deformation), around * at.volume);
            }
            if let Some((stress, tangent)) = sum {
                let gradients = self.geometry.gradients[p].map(|dn| at.to_space * dn);
                add_tangent(&mut k, &gradients, &stress, &tangent);
                any = true;
            }
        }
        Ok(any.then_some(k))
    }

    /// Place here of the element with this index in the mesh; indices rise.
    fn place_of(&self, element: u32) -> Option<usize> {
        self.geometry.elements.binary_search(&element).ok()
    }

    /// The elements of a bundle with its fibres there.
    pub(super) fn of_bundle(&self, bundle: usize) -> impl Iterator<Item = (usize, &ElementFibres)> {
        let fibres = self.muscles.iter().map(|muscles| &muscles.fibres);
        let own =
            move |fibres: &'_ Vec<ElementFibres>| fibres.iter().position(|f| f.bundle == bundle);
        fibres.enumerate().filter_map(move |(e, fibres)| Some((e, &fibres[own(fibres)?])))
    }

    /// Calls with the volume at rest and the deformation of each point of an element.
    fn for_points(
        &self,
        e: usize,
        q: &[Vec3],
        mut visit: impl FnMut(usize, f64, Deformation<f64>),
    ) {
        let d = self.geometry.displacements(e, q);
        for p in 0..P {
            visit(p, self.geometry.points[e][p].volume, self.geometry.deformation(e, p, &d));
        }
    }
}

impl<const N: usize, const P: usize> FibreBatch for MuscleBatch<N, P> {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.geometry.visit_cliques(visit);
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        self.geometry.bind(pattern, partition);
    }

    fn add_forces(
        &self,
        part: &Part,
        at: (&Kinematics, VelocityTerms),
        activations: &dyn Activations,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for e in self.geometry.elements_of(part) {
            let f = self.element_force(e, at, activations)?;
            self.geometry.scatter(e, part, &f, forces);
        }
        Ok(())
    }

    fn add_active_forces(
        &self,
        part: &Part,
        at: (&Kinematics, VelocityTerms),
        own: OneBundle,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for e in self.geometry.elements_of(part) {
            let fibres = &self.muscles[e].fibres;
            if let Some(fibres) = fibres.iter().find(|it| it.bundle == own.bundle) {
                let f = self.active_force((e, fibres), at, own)?;
                self.geometry.scatter(e, part, &f, forces);
            }
        }
        Ok(())
    }

    fn add_jacobian(
        &self,
        part: &Part,
        at: (&Kinematics, JacobianScale),
        activations: &dyn Activations,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for e in self.geometry.elements_of(part) {
            if let Some(k) = self.element_stiffness(e, at, activations)? {
                self.geometry.scatter_matrix(e, part, &k, blocks);
            }
        }
        Ok(())
    }

    fn passive_energy(&self, bundle: usize, q: &[Vec3]) -> f64 {
        let mut energy = 0.0;
        for (e, own) in self.of_bundle(bundle) {
            self.for_points(e, q, |p, volume, at| {
                energy += volume * own.law.energy(&at.with_axes(own.axes_at(p)));
            });
        }
        energy
    }

    fn fibre_sums(&self, bundle: usize, q: &[Vec3], activation: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (e, own) in self.of_bundle(bundle) {
            self.for_points(e, q, |p, volume, at| {
                let at = at.with_axes(own.axes_at(p)).with_activation(activation);
                let image = at.f * at.axes.column(0);
                let along = image.normalize();
                sums[0] += volume;
                sums[1] += volume * image.norm();
                sums[2] += volume * along.dot(&(own.law.stress(&at) * along));
            });
        }
        sums
    }

    fn report_of(
        &self,
        element: u32,
        q: &[Vec3],
        activations: &dyn Activations,
    ) -> Option<(Mat3, f64)> {
        let e = self.place_of(element)?;
        let acting = self.acting(e, activations);
        let (mut stress, mut energy, mut rest_volume) = (Mat3::zeros(), 0.0, 0.0);
        self.for_points(e, q, |p, free_volume, deformation| {
            let (volume, _) =
                self.geometry.offsets.measured_from_rest((e, p), free_volume, &deformation);
            let at = self.geometry.spatial_point(e, p, &deformation);
            stress += self.stress(p, (&deformation, &at), &acting, (activations, None)) * volume;
            let on = |own: &&ElementFibres| activations.activation(own.bundle).is_some();
            for own in acting.fibres.iter().filter(on) {
                energy += own.law.energy(&deformation.with_axes(own.axes_at(p))) * free_volume;
            }
            rest_volume += volume;
        });
        Some((stress / rest_volume, energy / rest_volume))
    }

    fn strongest_in(
        &self,
        element: u32,
        q: &[Vec3],
        activations: &dyn Activations,
    ) -> Option<usize> {
        let e = self.place_of(element)?;
        let active = |own: &ElementFibres| {
            let activation = activations.activation(own.bundle).filter(|a| *a > 0.0)?;
            let mut sum = Mat3::zeros();
            self.for_points(e, q, |p, volume, deformation| {
                let along = deformation.with_axes(own.axes_at(p));
                let more = own.law.stress(&along.with_activation(activation));
                sum += (more - own.law.stress(&along)) * volume;
            });
            Some((own.bundle, sum.norm()))
        };
        let all = self.muscles[e].fibres.iter().filter_map(active);
        let strongest = all.filter(|(_, stress)| *stress > 0.0);
        strongest.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(bundle, _)| bundle)
    }

    fn data_of(&self, bundle: usize, material: &MaterialSpec, stiffens: bool) -> Vec<BundleBatch> {
        self.bundle_batches(bundle, material, stiffens)
    }
}
