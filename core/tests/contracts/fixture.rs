//! Small distorted meshes of every element kind, all laws, random motions, dense matrices.

use nalgebra::{DMatrix, DVector};
use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::force::{JacobianScale, VelocityTerms};
use sinew::linalg::BlockMatrix;
use sinew::material::{Axes, Isotropic, LawFrame, Material, MaterialSpec};
use sinew::model::{FemModel, Model};
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, State};
use sinew_datasets::beam::{BeamElement, beam_mesh};

pub(crate) const ISOTROPIC: Isotropic = Isotropic { youngs_modulus: 5e4, poissons_ratio: 0.3 };
pub(crate) const DENSITY: f64 = 1000.0;

/// The beam mesh that is made of one kind.
pub(crate) fn beam_element(kind: ElementKind) -> BeamElement {
    match kind {
        ElementKind::Tet4 => BeamElement::Tet,
        ElementKind::Hex8 => BeamElement::Hex,
        ElementKind::Wedge6 => BeamElement::Wedge,
        ElementKind::Pyramid5 => BeamElement::Pyramid,
        ElementKind::Tet10 => BeamElement::QuadTet,
        ElementKind::Hex20 => BeamElement::QuadHex,
        ElementKind::Wedge15 => BeamElement::QuadWedge,
        ElementKind::Pyramid13 => BeamElement::QuadPyramid,
    }
}

/// The laws in most use, with all their constants at work: for promises of solvers, which know no law.
pub(crate) fn laws() -> Vec<MaterialSpec> {
    all_laws().into_iter().take(5).collect()
}

/// Every law of a tissue, with all its constants at work.
pub(crate) fn all_laws() -> Vec<MaterialSpec> {
    MaterialSpec::examples().into_iter().filter(|law| !law.kind().muscle).collect()
}

/// Two cells of one kind, 0.2 x 0.1 x 0.1 m, bent so that no element is a parallelepiped.
pub(crate) fn distorted_mesh(kind: ElementKind) -> VolumeMesh {
    let mut mesh = beam_mesh(beam_element(kind), [2, 1, 1], [0.2, 0.1, 0.1]).unwrap();
    for p in &mut mesh.nodes {
        let bend = Vec3::new((13.0 * p.y).sin(), (11.0 * p.z + 3.0 * p.x).sin(), (9.0 * p.x).cos());
        *p += bend * 0.008;
    }
    mesh
}

/// A free tissue without weight.
pub(crate) fn floating(mesh: VolumeMesh, material: MaterialSpec) -> Model {
    let mut model = Model::new("floating");
    model.set_gravity(Vec3::zeros());
    let mut fem = FemModel::new("tissue", mesh, DENSITY, material);
    // Fibres that turn from element to element, along no axis of space.
    let numbers = &mut Numbers(77);
    fem.fibres = numbers.vectors(fem.mesh.element_count(), 1.0);
    fem.sheets = vec![Vec3::new(0.3, 1.0, -0.4)];
    model.add(fem);
    model
}

/// True if elements of this kind and law have a stress that follows from their energy. Elements
/// that turn as a whole but have several points have not: their rotation is that of the centre.
pub(crate) fn has_energy(kind: ElementKind, law: &MaterialSpec) -> bool {
    !is_corotated(law) || kind.points().len() == 1 && law.kind().axes == Axes::None
}

/// True if a law measures strain in a frame that turns with the element.
pub(crate) fn is_corotated(law: &MaterialSpec) -> bool {
    law.law::<f64>().frame() == LawFrame::Element
}

/// True if stress grows exponentially with strain, with exponents far above 1.
pub(crate) fn is_exponential(law: &MaterialSpec) -> bool {
    let names = ["fung_orthotropic", "guccione", "hgo", "holzapfel_ogden"];
    names.contains(&law.name())
}

/// Numbers that look random and are the same in every run (SplitMix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// Between -1 and 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Components between -`size` and `size`.
    pub(crate) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| size * self.next())
    }

    pub(crate) fn vectors(&mut self, count: usize, size: f64) -> Vec<Vec3> {
        (0..count).map(|_| self.vector(size)).collect()
    }
}

/// A motion away from rest: nodes displaced by up to 4 mm, some 5 % of the edges, and moving.
pub(crate) fn random_state(model: &CompiledModel, seed: u64) -> State {
    let mut numbers = Numbers(seed);
    let mut state = model.initial_state();
    for (q, u) in state.q.iter_mut().zip(&mut state.u) {
        *q += numbers.vector(4e-3);
        *u = numbers.vector(0.5);
    }
    state
}

pub(crate) fn motion(state: &State) -> Motion<'_> {
    Motion::at(&state.q, &state.u)
}

/// Forces at a state.
pub(crate) fn forces(system: &dyn MechSystem, state: &State, velocity: VelocityTerms) -> Vec<Vec3> {
    let mut f = vec![Vec3::zeros(); state.q.len()];
    system.forces(LoadCase::at(state.time), motion(state), velocity, &mut f).unwrap();
    f
}

/// -scale.position df/dq - scale.velocity df/du at a state.
pub(crate) fn jacobian(
    system: &dyn MechSystem,
    state: &State,
    position: f64,
    velocity: f64,
) -> BlockMatrix {
    let mut matrix = BlockMatrix::zeros(system.pattern().clone());
    let scale = JacobianScale { position, velocity };
    system.add_jacobian(LoadCase::at(state.time), motion(state), scale, &mut matrix).unwrap();
    matrix
}

pub(crate) fn dense(matrix: &BlockMatrix) -> DMatrix<f64> {
    let pattern = matrix.pattern();
    let mut dense = DMatrix::zeros(3 * pattern.size(), 3 * pattern.size());
    for row in 0..pattern.size() {
        for slot in pattern.row(row) {
            let column = pattern.columns()[slot] as usize;
            dense.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(&matrix.block(slot));
        }
    }
    dense
}

pub(crate) fn flat(vectors: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * vectors.len(), vectors.iter().flat_map(|v| v.iter().copied()))
}

/// Largest norm of a vector of the list.
pub(crate) fn largest(vectors: &[Vec3]) -> f64 {
    vectors.iter().map(|v| v.norm()).fold(0.0, f64::max)
}

/// Defaults but for the integrator.
pub(crate) fn with_integrator(integrator: Integrator) -> SolverSettings {
    SolverSettings { integrator, ..SolverSettings::default() }
}

/// Takes `count` steps of `h` [s].
pub(crate) fn run(
    system: &dyn MechSystem,
    state: &mut State,
    settings: SolverSettings,
    (count, h): (usize, f64),
) {
    let mut solver = MechSystemSolver::new(system, settings).unwrap();
    for _ in 0..count {
        solver.step(system, state, h).unwrap();
    }
}

/// Runs `work` in a pool of that many threads.
pub(crate) fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}
