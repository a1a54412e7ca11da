//! Every way in which a model is refused, with the words that it is refused with.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::LinearSpring;
use sinew::component::{ComponentType, Handle};
use sinew::fem::{ElementKind, MeshError, VolumeMesh};
use sinew::material::{Isotropic, MaterialError, MaterialSpec, MooneyRivlinConstants};
use sinew::model::{
    AxialSpring, BodyLoad, Dirichlet, Edit, FemModel, LinearAxial, Model, Particle, PointLoad,
    PointRef, Problem, Region, Schedule, Stored,
};
use sinew::system::CompileError;

use crate::fixture::{ISOTROPIC, distorted_mesh, floating};

/// A tissue, a particle, a spring between them, a load on each and a support: nothing is wrong.
fn sound() -> Model {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), MaterialSpec::Linear(ISOTROPIC));
    let fem = model.nth::<FemModel>(0);
    let particle = model.add(Particle::new(0.1, Vec3::z()).named("bob"));
    let material = LinearAxial { stiffness: 1.0, damping: 0.0, rest_length: 1.0 };
    let ends = [particle.into(), PointRef::FemNode(fem, 11)];
    model.add(AxialSpring::new(ends, material).named("rope"));
    model.add(PointLoad::new(particle, Vec3::x()));
    model.add(BodyLoad::new(fem, Vec3::y()));
    model.fem_mut(0).dirichlet.push(Dirichlet::fix(vec![0, 1]));
    let material = model.fem(0).material;
    model.fem_mut(0).regions.push(Region { elements: vec![1], material });
    model
}

/// The only component of its kind.
fn linear(stiffness: f64, damping: f64) -> AxialLaw {
    AxialLaw::Linear(LinearSpring { stiffness, damping })
}

fn nth<T: Stored>(model: &mut Model) -> &mut T {
    let only = model.nth(0);
    &mut model[only]
}

/// The handle of a component that was there.
fn deleted<T: Stored>(model: &mut Model, component: T) -> Handle<T> {
    let handle = model.add(component);
    model.edit(Edit::delete(handle)).unwrap();
    handle
}

fn error_of(spoil: impl Fn(&mut Model)) -> CompileError {
    let mut model = sound();
    spoil(&mut model);
    model.compile().err().expect("the model is refused")
}

/// Fault of the component that was refused.
fn problem_of(error: &CompileError) -> &Problem {
    match error {
        CompileError::Component { error, .. } => &error.problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_sound_model_of_these_tests_compiles() {
    assert_eq!(sound().compile().unwrap().block_count(), 13);
}

#[test]
fn numbers_out_of_range_are_refused_by_name_with_their_value() {
    const NAN: f64 = f64::NAN;
    type Case = (fn(&mut Model), &'static str);
    let cases: &[Case] = &[
        (
            |m| nth::<Particle>(m).mass = 0.0,
            "/models/floating/particles/bob:mass is 0; it must be > 0",
        ),
        (
            |m| nth::<Particle>(m).mass = NAN,
            "/models/floating/particles/bob:mass is NaN; it must be > 0",
        ),
        (
            |m| nth::<Particle>(m).position.y = f64::INFINITY,
            "/models/floating/particles/bob:position is inf; it must be finite",
        ),
        (
            |m| nth::<Particle>(m).velocity.z = NAN,
            "/models/floating/particles/bob:velocity is NaN; it must be finite",
        ),
        (
            |m| m.set_gravity(Vec3::new(NAN, 0.0, 0.0)),
            "/models/floating:gravity is NaN; it must be finite",
        ),
        (
            |m| m.main_mut().point_damping = Some(-1.0),
            "/models/floating:point_damping is -1; it must be >= 0",
        ),
        (
            |m| m.fem_mut(0).density = -5.0,
            "/models/floating/fem_models/tissue:density is -5; it must be > 0",
        ),
        (
            |m| m.fem_mut(0).mass_damping = NAN,
            "/models/floating/fem_models/tissue:mass_damping is NaN; it must be >= 0",
        ),
        (
            |m| m.fem_mut(0).stiffness_damping = -0.1,
            "/models/floating/fem_models/tissue:stiffness_damping is -0.1; it must be >= 0",
        ),
        (
            |m| m.fem_mut(0).mesh.nodes[3].x = NAN,
            "/models/floating/fem_models/tissue/nodes/3:rest_position is NaN; it must be finite",
        ),
        (
            |m| nth::<AxialSpring>(m).material = linear(-2.0, 0.0),
            "/models/floating/axial_springs/rope:material.stiffness is -2; it must be >= 0",
        ),
        (
            |m| nth::<AxialSpring>(m).material = linear(1.0, NAN),
            "/models/floating/axial_springs/rope:material.damping is NaN; it must be >= 0",
        ),
        (
            |m| nth::<AxialSpring>(m).rest_length = -1.0,
            "/models/floating/axial_springs/rope:rest_length is -1; it must be >= 0",
        ),
        (
            |m| nth::<PointLoad>(m).force.x = NAN,
            "/models/floating/force_effectors/0:force is NaN; it must be finite",
        ),
        (
            |m| nth::<BodyLoad>(m).acceleration.x = NAN,
            "/models/floating/force_effectors/1:acceleration is NaN; it must be finite",
        ),
        (
            |m| nth::<BodyLoad>(m).weights = vec![NAN; 12],
            "/models/floating/force_effectors/1:weights has a weight of NaN; it must be finite",
        ),
        (
            |m| nth::<PointLoad>(m).schedule = Schedule::Constant(NAN),
            "/models/floating/force_effectors/0:schedule has a value of NaN; it must be finite",
        ),
        (
            |m| nth::<BodyLoad>(m).schedule = Schedule::Table(vec![[0.0, 1.0], [1.0, NAN]]),
            "/models/floating/force_effectors/1:schedule has a value of NaN; it must be finite",
        ),
        (
            |m| m.fem_mut(0).dirichlet[0].schedule = Schedule::Table(vec![[1.0, 1.0], [0.5, 0.0]]),
            "/models/floating/fem_models/tissue/supports/0:schedule has a time of 0.5; it must be finite and not below the one before it",
        ),
        (
            |m| m.fem_mut(0).dirichlet[0].displacement = vec![Vec3::new(0.0, NAN, 0.0)],
            "/models/floating/fem_models/tissue/supports/0:displacement is NaN; it must be finite",
        ),
    ];
    for (spoil, message) in cases {
        let error = error_of(spoil);
        assert!(matches!(error, CompileError::Component { .. }), "{error:?}");
        assert_eq!(error.to_string(), *message);
    }
}

#[test]
fn references_to_nothing_are_refused_with_both_ends() {
    type Case = (fn(&mut Model), &'static str);
    let cases: &[Case] = &[
        (
            |m| {
                let target = deleted(m, Particle::default()).into();
                nth::<AxialSpring>(m).ends[0] = target;
            },
            "/models/floating/axial_springs/rope:first refers to (deleted Particle 1), which is not there",
        ),
        (
            |m| {
                let target = PointRef::FemNode(m.nth(0), 12);
                nth::<AxialSpring>(m).ends[1] = target;
            },
            "/models/floating/axial_springs/rope:second refers to /models/floating/fem_models/tissue/nodes/12, which is not there",
        ),
        (
            |m| nth::<PointLoad>(m).target = (deleted(m, m.fem(0).clone()), 0).into(),
            "/models/floating/force_effectors/0:target refers to (deleted FemModel 1), which is not there",
        ),
        (
            |m| {
                let copy = m.fem(0).clone();
                let target = deleted(m, copy);
                nth::<BodyLoad>(m).fem = target;
            },
            "/models/floating/force_effectors/1:target refers to (deleted FemModel 1), which is not there",
        ),
        (
            |m| m.fem_mut(0).regions[0].elements = vec![0, 2],
            "/models/floating/fem_models/tissue/regions/0:elements refers to number 2 of 2, which is not there",
        ),
        (
            |m| m.fem_mut(0).dirichlet[0].nodes = vec![12],
            "/models/floating/fem_models/tissue/supports/0:nodes refers to number 12 of 12, which is not there",
        ),
    ];
    for (spoil, message) in cases {
        let error = error_of(spoil);
        let problem = problem_of(&error);
        assert!(matches!(problem, Problem::Missing(_)), "{error:?}");
        assert_eq!(error.to_string(), *message);
    }
}

#[test]
fn lists_of_the_wrong_length_are_refused() {
    let error = error_of(|m| nth::<BodyLoad>(m).weights = vec![1.0; 5]);
    assert_eq!(
        error.to_string(),
        "/models/floating/force_effectors/1:weights has 5 entries; it needs 12"
    );
    let error = error_of(|m| m.fem_mut(0).dirichlet[0].displacement = vec![Vec3::zeros(); 3]);
    let message =
        "/models/floating/fem_models/tissue/supports/0:displacement has 3 entries; it needs 2";
    assert_eq!(error.to_string(), message);
    assert_eq!(*problem_of(&error), Problem::Length { given: 3, expected: 2 });
}

#[test]
fn materials_out_of_range_are_refused_in_the_tissue_and_in_its_regions() {
    let soft = MaterialSpec::NeoHookean(Isotropic { youngs_modulus: 1e3, poissons_ratio: 0.6 });
    let error = error_of(|m| m.fem_mut(0).material = soft);
    let message = "/models/floating/fem_models/tissue:material.poissons_ratio is 0.6; it must be in (-1, 0.5]";
    assert_eq!(error.to_string(), message);
    let error = error_of(|m| m.fem_mut(0).regions[0].material = soft);
    let source = MaterialError {
        law: "neohook",
        parameter: "poissons_ratio",
        value: 0.6,
        range: "in (-1, 0.5]".into(),
    };
    assert_eq!(*problem_of(&error), Problem::Material(source));
    let message = "/models/floating/fem_models/tissue/regions/0:material is refused: material neohook: poissons_ratio is 0.6, it must be in (-1, 0.5]";
    assert_eq!(error.to_string(), message);
}

#[test]
fn constants_that_resist_nothing_together_are_refused() {
    let constants = MooneyRivlinConstants { c10: 1e3, c01: -2e3, ..Default::default() };
    let error = error_of(|m| m.fem_mut(0).material = MaterialSpec::MooneyRivlin(constants));
    let message = "/models/floating/fem_models/tissue:material is refused: material mr: c10 + c01 is -1000, it must be positive [Pa]: twice it is the shear modulus at rest";
    assert_eq!(error.to_string(), message);
}

const TISSUE: &str = "/models/floating/fem_models/tissue";

#[test]
fn a_model_of_nothing_is_refused() {
    let error = Model::new("void").compile().err().unwrap();
    assert_eq!(error, CompileError::Empty("void".into()));
    assert_eq!(error.to_string(), "model 'void' has neither particles nor bodies nor elements");
}

#[test]
fn a_node_without_element_is_refused_unless_it_is_fixed() {
    let add_node = |m: &mut Model| m.fem_mut(0).mesh.nodes.push(Vec3::new(5.0, 0.0, 0.0));
    let error = error_of(add_node);
    assert_eq!(error, CompileError::MasslessNode { fem: TISSUE.into(), node: 12 });
    let message = format!(
        "node 12 of {TISSUE} belongs to no element or shell with mass and is not fixed: remove it, or fix it"
    );
    assert_eq!(error.to_string(), message);
    // Held in two axes it still has a velocity along the third, and no mass.
    let error = error_of(|m| {
        add_node(m);
        let sliding = Dirichlet { axes: [true, true, false], ..Dirichlet::fix(vec![12]) };
        m.fem_mut(0).dirichlet.push(sliding);
    });
    assert!(matches!(error, CompileError::MasslessNode { node: 12, .. }), "{error}");
    let mut model = sound();
    add_node(&mut model);
    model.fem_mut(0).dirichlet.push(Dirichlet::fix(vec![12]));
    assert!(model.compile().is_ok());
}

#[test]
fn flat_and_turned_elements_are_refused_by_number_for_every_kind() {
    for kind in ElementKind::ALL {
        let inside_out = |scale: f64| {
            let mut mesh = VolumeMesh::default();
            for (element, factor) in [1.0, scale].into_iter().enumerate() {
                let first = mesh.nodes.len() as u32;
                mesh.nodes.extend(kind.nodes().iter().map(|&r| {
                    let r = Vec3::from(r);
                    Vec3::new(r.x, r.y, r.z * factor + 9.0 * element as f64)
                }));
                let nodes: Vec<u32> = (0..kind.node_count() as u32).map(|n| first + n).collect();
                mesh.push_element(kind, &nodes).unwrap();
            }
            floating(mesh, MaterialSpec::Linear(ISOTROPIC)).compile().err()
        };
        assert_eq!(inside_out(1.0), None, "{}", kind.name());
        for scale in [0.0, -1.0] {
            match inside_out(scale) {
                Some(CompileError::Degenerate { fem, element: 1, volume }) => {
                    assert!(fem == TISSUE && volume <= 0.0, "{}: {volume}", kind.name());
                }
                other => panic!("{}: {other:?}", kind.name()),
            }
        }
    }
    let error = CompileError::Degenerate { fem: TISSUE.into(), element: 3, volume: -1.25e-9 };
    let message = format!(
        "element 3 of {TISSUE} is flat or turned inside out at rest (volume of a point -1.250e-9 m³) and cannot have a stress: repair the mesh"
    );
    assert_eq!(error.to_string(), message);
}

/// A cube with one corner pushed through the middle: some points have a negative volume, the whole a positive one. It is
/// simulated, as ArtiSynth does, by laws that have a meaning there.
#[test]
fn elements_turned_inside_out_at_some_points_run_under_linear_laws_only() {
    let kind = ElementKind::Hex8;
    let mut mesh = VolumeMesh::default();
    mesh.nodes.extend(kind.nodes().iter().map(|&r| Vec3::from(r)));
    mesh.nodes[0] *= -0.4;
    mesh.push_element(kind, &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    let compile = |law| floating(mesh.clone(), law).compile().err();
    assert_eq!(compile(MaterialSpec::Linear(ISOTROPIC)), None);
    assert_eq!(compile(MaterialSpec::Corotated(ISOTROPIC)), None);
    let refused = compile(MaterialSpec::NeoHookean(ISOTROPIC));
    assert!(matches!(refused, Some(CompileError::Degenerate { .. })), "{refused:?}");
}

#[test]
fn elements_with_wrong_nodes_never_enter_a_mesh() {
    let mut mesh = VolumeMesh::new(vec![Vec3::zeros(); 4]);
    let error = mesh.push_element(ElementKind::Tet4, &[0, 1, 2]).unwrap_err();
    assert!(matches!(error, MeshError::NodeCount { element: 0, expected: 4, given: 3, .. }));
    let error = mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 4]).unwrap_err();
    assert_eq!(error, MeshError::MissingNode { element: 0, node: 4, node_count: 4 });
    let message = "element 0 refers to node 4, but the mesh has 4 nodes (0 to 3)";
    assert_eq!(error.to_string(), message);
    assert_eq!(mesh.element_count(), 0);
}
