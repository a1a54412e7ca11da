//! A case: a model, how it starts and how it is stepped; and the cases that the suite is made of.

use super::meshes::{CELL, block, mixed, nodes_where};
use crate::Vec3;
use crate::fem::{ElementFace, ElementKind, VolumeMesh};
use crate::material::{Isotropic, MaterialSpec, Value};
use crate::model::{
    BodyLoad, Dirichlet, FemModel, Model, PointLoad, PointRef, Schedule, SurfaceLoad,
};
use crate::solve::{ImplicitMode, Integrator, SolverSettings};
use crate::system::State;

use super::tolerances::{NEARLY_INCOMPRESSIBLE, RESIDUAL};

/// Beams of a few cells of it swing at 3 to 6 Hz, so that 0.2 s show a stiffness that is wrong.
const SOFT: Isotropic = Isotropic { youngs_modulus: 2e5, poissons_ratio: 0.3 };
/// Cells of a block of linear elements, of quadratic ones, and of one with several workgroups of
/// nodes on a device.
const CELLS: [usize; 3] = [4, 2, 2];
const FEW_CELLS: [usize; 3] = [2, 2, 1];
const MANY_CELLS: [usize; 3] = [7, 5, 5];

/// Case that a backend is compared on.
#[derive(Clone, Debug)]
pub struct Case {
    /// The model.
    pub model: Model,
    /// Settings; the solver of linear systems is the backend's own affair.
    pub settings: SolverSettings,
    /// Lengths of the steps [s].
    pub steps: Vec<f64>,
    /// Changes the state that the model starts in.
    pub start: fn(&mut State),
    /// Factor on the tolerances of [`Precision::F32`](crate::backend::Precision::F32) [-].
    pub f32_factor: f64,
}

impl Case {
    /// A model from its start, 20 steps of 10 ms by backward Euler.
    pub fn new(model: Model) -> Self {
        let settings = SolverSettings { cg_tolerance: RESIDUAL, ..SolverSettings::default() };
        Self { model, settings, steps: vec![0.01; 20], start: |_| (), f32_factor: 1.0 }
    }

    pub(super) fn stepped(self, integrator: Integrator, steps: Vec<f64>) -> Self {
        Self { settings: SolverSettings { integrator, ..self.settings }, steps, ..self }
    }
}

/// The law of that name with all its constants at work; those in most use as stiff as [`SOFT`].
pub(super) fn law(name: &str) -> MaterialSpec {
    let examples = MaterialSpec::examples();
    let mut law = *examples.iter().find(|law| law.name() == name).expect("a law of the list");
    if law.kind().constants == Isotropic::LIST {
        law.put("youngs_modulus", Value::Number(SOFT.youngs_modulus));
        law.put("poissons_ratio", Value::Number(SOFT.poissons_ratio));
    }
    for (constant, value) in [("c10", 2.5e4), ("c01", 1.5e4), ("c11", 4e3), ("c20", 8e3)] {
        law.put(constant, Value::Number(value));
    }
    if name == "mr" {
        law.put("c02", Value::Number(2e3));
        law.put("bulk_modulus", Value::Number(1.6e5));
    }
    law
}

/// A tissue damped a little, fixed nowhere.
pub(super) fn tissue(name: &str, mesh: VolumeMesh, material: MaterialSpec) -> FemModel {
    let mut fem = FemModel::new(name, mesh, 1000.0, material);
    (fem.mass_damping, fem.stiffness_damping) = (2.0, 0.01);
    fem
}

fn is_left(p: &Vec3) -> bool {
    p.x < 1e-9
}

/// Holds a tissue where x = 0.
pub(super) fn fixed(mut fem: FemModel) -> FemModel {
    fem.dirichlet.push(Dirichlet::fix(nodes_where(&fem.mesh, is_left)));
    fem
}

pub(super) fn model_of(fems: impl IntoIterator<Item = FemModel>) -> Model {
    let mut model = Model::new("case");
    for fem in fems {
        model.add(fem);
    }
    model
}

/// A beam fixed at one end that falls under its weight.
pub(super) fn beam(kind: ElementKind, law_name: &str) -> Case {
    let cells = if kind.is_quadratic() { FEW_CELLS } else { CELLS };
    Case::new(model_of([fixed(tissue("beam", block(kind, cells), law(law_name)))]))
}

/// 288 nodes: more than a workgroup of any kernel.
pub(super) fn many_nodes() -> Case {
    let mesh = block(ElementKind::Hex8, MANY_CELLS);
    Case::new(model_of([fixed(tissue("block", mesh, law("corot")))]))
}

pub(super) fn trapezoidal(kind: ElementKind, law_name: &str) -> Case {
    let rule = Integrator::Trapezoidal(ImplicitMode::Linearized);
    beam(kind, law_name).stepped(rule, vec![0.01; 20])
}

/// Without damping by stiffness, which would make the stable step smaller than that of the waves:
/// 0.05 m / 16 m/s = 3 ms.
pub(super) fn symplectic(kind: ElementKind, law_name: &str) -> Case {
    let mut case = beam(kind, law_name);
    case.model.fem_mut(0).stiffness_damping = 0.0;
    case.stepped(Integrator::SymplecticEuler, vec![5e-4; 60])
}

pub(super) fn uneven_steps() -> Case {
    let rule = Integrator::BackwardEuler(ImplicitMode::Linearized);
    beam(ElementKind::Hex8, "corot").stepped(rule, [0.01, 0.003, 0.02, 0.005].repeat(5))
}

/// Damped by one of alpha [1/s], beta [s] and the drag on points [N s/m].
pub(super) fn damped(alpha: f64, beta: f64, drag: f64) -> Case {
    let mut case = beam(ElementKind::Hex8, "neohook");
    let fem = case.model.fem_mut(0);
    (fem.mass_damping, fem.stiffness_damping) = (alpha, beta);
    case.model.main_mut().point_damping = Some(drag);
    case
}

fn rising() -> Schedule {
    Schedule::Table(vec![[0.0, 0.0], [0.045, 1.0], [0.1, 0.4], [0.5, 2.0]])
}

/// Pulled aside at every node by a share of its mass.
pub(super) fn body_load() -> Case {
    let mut case = beam(ElementKind::Hex8, "corot");
    let weights = case.model.fem(0).mesh.nodes.iter().map(|p| 1.0 + p.y / CELL).collect();
    let acceleration = Vec3::new(1.0, 12.0, 3.0);
    let load = BodyLoad::new(case.model.nth(0), acceleration);
    case.model.add(BodyLoad { weights, schedule: rising(), ..load });
    case
}

/// Pulled at two nodes, one of them twice.
pub(super) fn point_loads() -> Case {
    let mut case = beam(ElementKind::Tet4, "corot");
    let right = nodes_where(&case.model.fem(0).mesh, |p| p.x > 3.99 * CELL);
    let mut pull = |node: u32, force: Vec3, schedule: Schedule| {
        let target = PointRef::FemNode(case.model.nth(0), node);
        case.model.add(PointLoad { schedule, ..PointLoad::new(target, force) });
    };
    pull(right[0], Vec3::new(2.0, 30.0, 1.0), rising());
    pull(right[2], Vec3::new(0.0, 0.0, 25.0), Schedule::default());
    pull(right[2], Vec3::new(0.0, -20.0, 0.0), rising());
    case
}

/// Pulled at the faces of its far end.
pub(super) fn traction(kind: ElementKind) -> Case {
    let mut case = beam(kind, "neohook");
    let fem = case.model.fem_mut(0);
    let end = if kind.is_quadratic() { FEW_CELLS[0] } else { CELLS[0] } as f64 * CELL;
    let right = nodes_where(&fem.mesh, |p| p.x > end - 0.01 * CELL);
    let faces = (0..fem.mesh.element_count() as u32).flat_map(|element| {
        let (kind, nodes) = fem.mesh.element(element as usize);
        let at_end = |face: &[u8]| face.iter().all(|&k| right.contains(&nodes[usize::from(k)]));
        let faces = (0u8..).zip(kind.faces()).filter(move |(_, face)| at_end(face));
        faces.map(move |(face, _)| ElementFace { element, face }).collect::<Vec<_>>()
    });
    let faces: Vec<_> = faces.collect();
    assert!(!faces.is_empty(), "a beam has an end");
    fem.mesh.face_sets.insert("end".to_owned(), faces);
    let pull = Vec3::new(1e3, 3e3, 2e3);
    let load = SurfaceLoad::traction(case.model.nth(0), "end", pull);
    case.model.add(SurfaceLoad { schedule: rising(), ..load });
    case
}

/// On rollers: each axis fixed on a face of its own.
pub(super) fn rollers() -> Case {
    let mut fem = tissue("block", block(ElementKind::Hex8, CELLS), law("neohook"));
    for axis in 0..3 {
        let mut axes = [false; 3];
        axes[axis] = true;
        // Faces are bent by the distortion, 5 mm at most.
        let nodes = nodes_where(&fem.mesh, |p| p[axis] < 0.3 * CELL);
        fem.dirichlet.push(Dirichlet { axes, ..Dirichlet::fix(nodes) });
    }
    Case::new(model_of([fem]))
}

/// The far end displaced along x and y, to and fro.
pub(super) fn prescribed(integrator: Integrator, law_name: &str) -> Case {
    let mut fem = fixed(tissue("beam", block(ElementKind::Hex8, CELLS), law(law_name)));
    let right = nodes_where(&fem.mesh, |p| p.x > 3.99 * CELL);
    let schedule = Schedule::Table(vec![[0.0, 0.0], [0.1, 1.0], [0.2, -0.5]]);
    fem.dirichlet.push(Dirichlet {
        axes: [true, true, false],
        displacement: vec![Vec3::new(0.04, 0.06, 9.0)],
        schedule,
        ..Dirichlet::fix(right)
    });
    Case::new(model_of([fem])).stepped(integrator, vec![0.01; 20])
}

/// Two beams apart, of other kinds, laws, densities and damping.
pub(super) fn two_tissues() -> Case {
    let first = fixed(tissue("first", block(ElementKind::Hex8, FEW_CELLS), law("corot")));
    let mut mesh = block(ElementKind::Tet4, FEW_CELLS);
    mesh.nodes.iter_mut().for_each(|p| p.y += 5.0 * CELL);
    let mut second = fixed(tissue("second", mesh, law("neohook")));
    (second.density, second.mass_damping, second.stiffness_damping) = (1500.0, 0.0, 0.003);
    Case::new(model_of([first, second]))
}

/// All kinds of one order in one tissue.
pub(super) fn mixed_kinds(quadratic: bool, law_name: &str) -> Case {
    Case::new(model_of([fixed(tissue("beam", mixed(quadratic), law(law_name)))]))
}

/// A beam of three materials, two of them of one law.
pub(super) fn regions() -> Case {
    let mut case = beam(ElementKind::Hex8, "corot");
    let fem = case.model.fem_mut(0);
    let stiff = Isotropic { youngs_modulus: 6e5, poissons_ratio: 0.2 };
    let count = fem.mesh.element_count() as u32;
    let every_third = |first| (first..count).step_by(3).collect();
    for (first, material) in [(0, MaterialSpec::Corotated(stiff)), (1, law("mr"))] {
        fem.regions.push(crate::model::Region { elements: every_third(first), material });
    }
    case
}

/// Beams whose constants, density and fibres vary in space, of laws with and without axes.
pub(super) fn fields() -> Case {
    let field = |fem: &mut FemModel, name: &str, formula: &str| {
        fem.fields.insert(name.to_owned(), formula.to_owned());
    };
    let mut first = fixed(tissue("first", block(ElementKind::Hex8, FEW_CELLS), law("corot")));
    field(&mut first, "youngs_modulus", "2e5 * (1 + 4 * x)");
    field(&mut first, "density", "1000 + 3000 * y");
    let beside = |kind, law_name: &str, place: f64| {
        let mut mesh = block(kind, FEW_CELLS);
        mesh.nodes.iter_mut().for_each(|p| p.y += place * CELL);
        fixed(tissue(law_name, mesh, law(law_name)))
    };
    let mut second = beside(ElementKind::Tet4, "neohook", 5.0);
    field(&mut second, "youngs_modulus", "1e5 * (1 + z / 0.1) ^ 2");
    let mut third = beside(ElementKind::Hex8, "transverse_linear", 10.0);
    field(&mut third, "fibres", "1; x; z");
    let stiffness = third.material.kind().constants.iter().find(|constant| constant.unit == "Pa");
    let stiffness = stiffness.expect("a modulus").name;
    let value = match third.material.get(stiffness) {
        Some(Value::Number(value)) => value,
        _ => 1e5,
    };
    field(&mut third, stiffness, &format!("{value} * (1 + x)"));
    Case::new(model_of([first, second, third]))
}

/// A block that nothing holds, without weight and damping.
fn free(law_name: &str) -> Case {
    let mut fem = tissue("body", block(ElementKind::Hex8, CELLS), law(law_name));
    (fem.mass_damping, fem.stiffness_damping) = (0.0, 0.0);
    let mut model = model_of([fem]);
    model.set_gravity(Vec3::zeros());
    Case::new(model)
}

/// Thrown and turning, and stretched by 5 %, so that it vibrates.
pub(super) fn thrown(law_name: &str) -> Case {
    let start = |state: &mut State| {
        let angular_velocity = Vec3::new(1.0, 2.0, -2.0);
        for (q, u) in state.q.iter_mut().zip(&mut state.u) {
            *u = Vec3::new(2.0, 0.5, -1.0) + angular_velocity.cross(q);
            q.x *= 1.05;
        }
    };
    Case { start, ..free(law_name) }
}

/// Turned by 2 rad about an axis that is none of the grid's, and turning on.
pub(super) fn turned(law_name: &str) -> Case {
    let start = |state: &mut State| {
        let axis = Vec3::new(1.0, -2.0, 0.5).normalize();
        let rotation = nalgebra::Rotation3::new(2.0 * axis);
        let middle = Vec3::new(2.0, 1.0, 1.0) * CELL;
        for (q, u) in state.q.iter_mut().zip(&mut state.u) {
            *q = middle + rotation * (*q - middle);
            *u = 6.0 * axis.cross(&(*q - middle));
            q.y += 0.002;
        }
    };
    Case { start, ..free(law_name) }
}

/// nu = 0.49, on hexahedra, which do not lock as tetrahedra do.
pub(super) fn nearly_incompressible(law: fn(Isotropic) -> MaterialSpec) -> Case {
    let material = law(Isotropic { poissons_ratio: 0.49, ..SOFT });
    let fem = fixed(tissue("beam", block(ElementKind::Hex8, CELLS), material));
    Case { f32_factor: NEARLY_INCOMPRESSIBLE, ..Case::new(model_of([fem])) }
}
