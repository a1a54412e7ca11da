//! Set-up and solution of the problems: supports and loads on faces of a mesh, equilibrium,
//! displacements, reactions, and stress at a point of an element.

use sinew::fem::{ElementKind, VolumeMesh};
use sinew::force::VelocityTerms;
use sinew::material::{Deformation, Isotropic, MaterialSpec};
use sinew::model::{Dirichlet, Edit, FemModel, Model, PointLoad};
use sinew::solve::{Integrator, MechSystemSolver, NewtonSettings, SolverSettings, StaticSettings};
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, State};
use sinew::{Mat3, Vec3};

/// A node, and a force on it [N].
pub(crate) type NodeForce = (u32, Vec3);

/// A tissue of one material, without weight.
pub(crate) fn tissue(mesh: VolumeMesh, material: MaterialSpec) -> Model {
    let mut model = Model::new("validation");
    model.set_gravity(Vec3::zeros());
    model.add(FemModel::new("solid", mesh, 1000.0, material));
    model
}

pub(crate) fn isotropic(youngs_modulus: f64, poissons_ratio: f64) -> Isotropic {
    Isotropic { youngs_modulus, poissons_ratio }
}

/// The nodes where `predicate` holds.
pub(crate) fn nodes_where(mesh: &VolumeMesh, predicate: impl Fn(&Vec3) -> bool) -> Vec<u32> {
    (0..mesh.nodes.len() as u32).filter(|&n| predicate(&mesh.nodes[n as usize])).collect()
}

/// True if two coordinates of a mesh of size 0.01 m to 10 m are the same.
pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Holds some axes of the nodes.
pub(crate) fn fix(model: &mut Model, nodes: Vec<u32>, axes: [bool; 3]) {
    model.fem_mut(0).dirichlet.push(Dirichlet { axes, ..Dirichlet::fix(nodes) });
}

/// Leads the nodes along a displacement field of the rest position [m].
pub(crate) fn prescribe(model: &mut Model, nodes: Vec<u32>, field: impl Fn(&Vec3) -> Vec3) {
    let displacement = nodes.iter().map(|&n| field(&model.fem(0).mesh.nodes[n as usize])).collect();
    model.fem_mut(0).dirichlet.push(Dirichlet { displacement, ..Dirichlet::fix(nodes) });
}

/// A model in equilibrium.
pub(crate) struct Solved {
    pub(crate) model: Model,
    pub(crate) compiled: CompiledModel,
    pub(crate) state: State,
}

/// Equilibrium of `model`, reached in equal increments from rest.
///
/// # Panics
/// When there is none to be found.
pub(crate) fn solve(model: Model, increments: usize) -> Solved {
    let compiled = model.compile().expect("the model compiles");
    // The linear law is solved by its first iteration; what is left is the rounding of large
    // positions that carry small strains.
    let linear = matches!(model.fem(0).material, MaterialSpec::Linear(_));
    let tolerance = if linear { 1e-6 } else { 1e-10 };
    let mut solved = Solved { state: compiled.initial_state(), model, compiled };
    solved.settle(increments, tolerance);
    solved
}

impl Solved {
    fn settle(&mut self, increments: usize, tolerance: f64) {
        let newton = NewtonSettings { max_iterations: 200, tolerance };
        let integrator = Integrator::Static(StaticSettings { increments, newton });
        let settings = SolverSettings { integrator, ..SolverSettings::default() };
        let mut solver = MechSystemSolver::new(&self.compiled, settings).expect("a solver");
        solver.step(&self.compiled, &mut self.state, 0.01).expect("equilibrium is found");
    }

    /// Equilibrium under other point loads, sought from where the body is.
    pub(crate) fn reload(&mut self, forces: Vec<NodeForce>) {
        let old = self.model.iter::<PointLoad>().map(|(load, _)| load.id()).collect();
        self.model.edit(Edit::Delete(old)).expect("loads can be deleted");
        load(&mut self.model, forces);
        self.compiled = self.model.compile().expect("the model compiles");
        // Slender bodies: rounding leaves 1e-10.
        self.settle(1, 1e-8);
    }

    pub(crate) fn mesh(&self) -> &VolumeMesh {
        &self.model.fem(0).mesh
    }

    pub(crate) fn position(&self, node: u32) -> Vec3 {
        self.state.q[self.compiled.block_of_node(self.compiled.fems()[0], node as usize)]
    }

    /// Displacement of a node [m].
    pub(crate) fn displacement(&self, node: u32) -> Vec3 {
        self.position(node) - self.mesh().nodes[node as usize]
    }

    /// Mean displacement of some nodes [m].
    pub(crate) fn mean_displacement(&self, nodes: &[u32]) -> Vec3 {
        nodes.iter().map(|&n| self.displacement(n)).sum::<Vec3>() / nodes.len() as f64
    }

    /// Reactions of the nodes [N]: minus the forces on each, zero where it is free.
    pub(crate) fn reactions(&self) -> Vec<Vec3> {
        let mut forces = vec![Vec3::zeros(); self.compiled.block_count()];
        let motion = Motion::at(&self.state.q, &self.state.u);
        let load = LoadCase::at(self.state.time);
        let outcome = self.compiled.forces(load, motion, VelocityTerms::Excluded, &mut forces);
        outcome.expect("forces exist");
        let row = |n| self.compiled.block_of_node(self.compiled.fems()[0], n);
        (0..self.mesh().nodes.len()).map(|n| -forces[row(n)]).collect()
    }

    /// Mean Cauchy stress [Pa] of a body without loads in its inside, from the work of its
    /// reactions: V sigma = sum of f x, in the rest shape for the linear law.
    pub(crate) fn mean_stress(&self) -> Mat3 {
        let linear = matches!(self.model.fem(0).material, MaterialSpec::Linear(_));
        let rest = self.compiled.initial_state();
        let volume = self.compiled.at(if linear { &rest } else { &self.state }).volume();
        let moment: Mat3 = self
            .reactions()
            .iter()
            .enumerate()
            .map(|(n, f)| {
                let at = if linear { self.mesh().nodes[n] } else { self.position(n as u32) };
                f * at.transpose()
            })
            .sum();
        moment / volume
    }

    /// Rest position and displacement gradient at a point of an element.
    pub(crate) fn displacement_gradient(&self, element: usize, at: [f64; 3]) -> (Vec3, Mat3) {
        let (kind, nodes) = self.mesh().element(element);
        let (n, dn) = shape(kind, at);
        let rest = |&n: &u32| self.mesh().nodes[n as usize];
        let jacobian: Mat3 = nodes.iter().zip(&dn).map(|(n, d)| rest(n) * d.transpose()).sum();
        let by_reference: Mat3 =
            nodes.iter().zip(&dn).map(|(&n, d)| self.displacement(n) * d.transpose()).sum();
        let inverse = jacobian.try_inverse().expect("the element has a volume");
        (nodes.iter().zip(&n).map(|(id, n)| rest(id) * *n).sum(), by_reference * inverse)
    }

    /// Rest position and Cauchy stress [Pa] at a point of an element.
    pub(crate) fn stress(&self, element: usize, at: [f64; 3]) -> (Vec3, Mat3) {
        let (x, h) = self.displacement_gradient(element, at);
        let deformation = Deformation::new(h);
        (x, super::laws::evaluate(&self.model.fem(0).material, &deformation).1)
    }
}

/// Shape functions and their derivatives at a point of the reference element.
pub(crate) fn shape(kind: ElementKind, at: [f64; 3]) -> (Vec<f64>, Vec<Vec3>) {
    let mut n = vec![0.0; kind.node_count()];
    let mut dn = vec![[0.0; 3]; kind.node_count()];
    kind.shape(at, &mut n);
    kind.gradient(at, &mut dn);
    (n, dn.into_iter().map(Vec3::from).collect())
}

/// Gauss points and weights on [0, 1], exact to degree 5.
const GAUSS: [[f64; 2]; 3] = [
    [0.112_701_665_379_258_31, 5.0 / 18.0],
    [0.5, 8.0 / 18.0],
    [0.887_298_334_620_741_7, 5.0 / 18.0],
];

/// Nodal forces [N] that do the work of a traction [Pa] on the faces whose nodes all fulfil
/// `on_face`; the traction is a function of the rest position and the outward normal.
pub(crate) fn traction(
    mesh: &VolumeMesh,
    on_face: impl Fn(&Vec3) -> bool,
    traction: impl Fn(&Vec3, &Vec3) -> Vec3,
) -> Vec<NodeForce> {
    let mut forces = vec![Vec3::zeros(); mesh.nodes.len()];
    for (kind, nodes) in mesh.elements() {
        let loaded =
            |face: &&[u8]| face.iter().all(|&k| on_face(&mesh.nodes[nodes[k as usize] as usize]));
        for face in kind.faces().iter().copied().filter(loaded) {
            add_face_load((mesh, kind, nodes), face, &traction, &mut forces);
        }
    }
    (0..).zip(forces).filter(|(_, f)| f.norm() > 0.0).collect()
}

/// Loads nodes of the only tissue.
pub(crate) fn load(model: &mut Model, forces: Vec<NodeForce>) {
    let fem = model.nth::<FemModel>(0);
    for (node, force) in forces {
        model.add(PointLoad::new((fem, node), force));
    }
}

/// Hexahedra and tetrahedra: a face is the image of a square, a triangle of one with two corners
/// that coincide.
fn add_face_load(
    (mesh, kind, nodes): (&VolumeMesh, ElementKind, &[u32]),
    face: &[u8],
    traction: &impl Fn(&Vec3, &Vec3) -> Vec3,
    forces: &mut [Vec3],
) {
    let corner = |k: usize| Vec3::from(kind.nodes()[face[k] as usize]);
    let quad = matches!(face.len(), 4 | 8);
    let [a, b, c, d] = [corner(0), corner(1), corner(2), corner(if quad { 3 } else { 2 })];
    for [s, ws] in GAUSS {
        for [t, wt] in GAUSS {
            let at = (a * (1.0 - s) + b * s) * (1.0 - t) + (d * (1.0 - s) + c * s) * t;
            let along_s = (b - a) * (1.0 - t) + (c - d) * t;
            let along_t = (d - a) * (1.0 - s) + (c - b) * s;
            let (n, dn) = shape(kind, at.into());
            let rest = |n: u32| mesh.nodes[n as usize];
            let x: Vec3 = nodes.iter().zip(&n).map(|(&id, n)| rest(id) * *n).sum();
            let jacobian: Mat3 =
                nodes.iter().zip(&dn).map(|(&id, d)| rest(id) * d.transpose()).sum();
            let area = (jacobian * along_s).cross(&(jacobian * along_t)) * (ws * wt);
            let force = traction(&x, &area.normalize()) * area.norm();
            nodes.iter().zip(&n).for_each(|(&id, n)| forces[id as usize] += force * *n);
        }
    }
}
