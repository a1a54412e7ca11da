//! Loads on surfaces: a pressure pushes with its area along the inward normal wherever the surface is, a traction with
//! the area at rest; the matrix has the symmetric part of the derivative of the pressure, which is all of it on a closed
//! surface.

use sinew::Vec3;
use sinew::editing::EditCommand;
use sinew::fem::{ElementFace, ElementKind, VolumeMesh};
use sinew::force::VelocityTerms::Excluded;
use sinew::material::MaterialSpec;
use sinew::model::{FemModel, History, Model, Schedule, SurfaceLoad};
use sinew::system::{CompiledModel, State};

use crate::fixture::{dense, distorted_mesh, flat, floating, forces, jacobian, random_state};

const PRESSURE: f64 = 2e3;

/// All faces that one element alone has.
fn surface(mesh: &VolumeMesh) -> Vec<ElementFace> {
    let mut faces: Vec<(Vec<u32>, ElementFace)> = Vec::new();
    for (element, (kind, nodes)) in (0..).zip(mesh.elements()) {
        for (face, corners) in (0..).zip(kind.faces()) {
            let mut key: Vec<u32> = corners.iter().map(|&k| nodes[usize::from(k)]).collect();
            key.sort_unstable();
            match faces.iter().position(|(known, _)| *known == key) {
                Some(known) => drop(faces.swap_remove(known)),
                None => faces.push((key, ElementFace { element, face })),
            }
        }
    }
    faces.into_iter().map(|(_, face)| face).collect()
}

/// A tissue of one kind under a load on the whole of its surface, or on one face of it.
fn loaded(kind: ElementKind, closed: bool, load: impl Fn(SurfaceLoad) -> SurfaceLoad) -> Model {
    let mut mesh = distorted_mesh(kind);
    let mut faces = surface(&mesh);
    if !closed {
        faces.truncate(1);
    }
    mesh.face_sets.insert("skin".into(), faces);
    let mut model = floating(mesh, MaterialSpec::from_name("neohook").unwrap());
    let fem = model.nth::<FemModel>(0);
    model.add(load(SurfaceLoad::pressure(fem, "skin", 0.0)));
    model
}

/// Contribution of the load to forces and matrix.
fn added(model: &Model, plain: &Model, state: &State) -> (Vec<Vec3>, nalgebra::DMatrix<f64>) {
    let [with, without] = [model, plain].map(|model| {
        let compiled = model.compile().unwrap();
        (forces(&compiled, state, Excluded), dense(&jacobian(&compiled, state, 1.0, 0.0)))
    });
    let force = with.0.iter().zip(&without.0).map(|(a, b)| a - b).collect();
    (force, with.1 - without.1)
}

fn compiled(kind: ElementKind, closed: bool) -> (Model, Model, CompiledModel) {
    let model = loaded(kind, closed, |load| SurfaceLoad { pressure: PRESSURE, ..load });
    let plain = loaded(kind, closed, |load| load);
    let compiled = model.compile().unwrap();
    (model, plain, compiled)
}

#[test]
fn a_pressure_around_a_closed_surface_does_the_work_of_a_change_of_volume() {
    for kind in ElementKind::ALL {
        let (model, plain, compiled) = compiled(kind, true);
        let state = random_state(&compiled, 1);
        let (force, matrix) = added(&model, &plain, &state);
        let name = kind.name();
        let sum: Vec3 = force.iter().sum();
        let size: f64 = force.iter().map(|f| f.norm()).sum();
        assert!(sum.norm() < 1e-10 * size, "{name}: the whole of it pushes with {sum:?}");
        let moment: Vec3 = force.iter().zip(&state.q).map(|(f, q)| q.cross(f)).sum();
        assert!(moment.norm() < 1e-11 * size, "{name}: it turns with {moment:?}");
        // -p dV and its derivative, by differences of the forces.
        let (mut worst, mut asymmetry) = (0.0_f64, 0.0_f64);
        for i in (0..3 * state.q.len()).step_by(7) {
            const H: f64 = 1e-6;
            let at = |by: f64| {
                let mut moved = state.clone();
                moved.q[i / 3][i % 3] += by;
                flat(&added(&model, &plain, &moved).0)
            };
            let column = (at(-H) - at(H)) / (2.0 * H);
            worst = worst.max((column - matrix.column(i)).amax());
            asymmetry = asymmetry.max((matrix.column(i) - matrix.row(i).transpose()).amax());
        }
        let scale = matrix.amax();
        assert!(worst < 1e-6 * scale, "{name}: {worst:e} beside {scale:e}");
        assert!(asymmetry < 1e-13 * scale, "{name}: {asymmetry:e}");
    }
}

#[test]
fn the_matrix_of_an_open_surface_is_the_symmetric_part_of_the_derivative() {
    for kind in ElementKind::ALL {
        let (model, plain, compiled) = compiled(kind, false);
        let state = random_state(&compiled, 2);
        let (_, matrix) = added(&model, &plain, &state);
        let n = 3 * state.q.len();
        let mut derivative = nalgebra::DMatrix::zeros(n, n);
        for i in 0..n {
            const H: f64 = 1e-6;
            let at = |by: f64| {
                let mut moved = state.clone();
                moved.q[i / 3][i % 3] += by;
                flat(&forces(&compiled, &moved, Excluded))
                    - flat(&forces(&plain.compile().unwrap(), &moved, Excluded))
            };
            derivative.set_column(i, &((at(-H) - at(H)) / (2.0 * H)));
        }
        let symmetric = (&derivative + derivative.transpose()) * 0.5;
        let error = (symmetric - &matrix).amax() / matrix.amax();
        assert!(error < 1e-6, "{}: {error:e}", kind.name());
    }
}

#[test]
fn a_traction_keeps_its_direction_and_its_force_whatever_the_surface_does() {
    for kind in ElementKind::ALL {
        let traction = Vec3::new(10.0, -30.0, 50.0);
        let model = loaded(kind, false, |load| SurfaceLoad { traction, ..load });
        let plain = loaded(kind, false, |load| load);
        let (rest, moved) = {
            let compiled = model.compile().unwrap();
            let states = [compiled.initial_state(), random_state(&compiled, 3)];
            let [rest, moved] = states.map(|state| added(&model, &plain, &state).0);
            (rest, moved)
        };
        let sums = [rest, moved].map(|force| force.iter().sum::<Vec3>());
        assert!((sums[0] - sums[1]).norm() < 1e-9 * sums[0].norm(), "{}", kind.name());
        assert!(sums[0].cross(&traction).norm() < 1e-9 * sums[0].norm() * traction.norm());
    }
}

#[test]
fn loads_on_surfaces_follow_their_schedule_and_name_surfaces_that_are_not_there() {
    let half = |load: SurfaceLoad| SurfaceLoad {
        pressure: PRESSURE,
        schedule: Schedule::Constant(0.5),
        ..load
    };
    let (whole, plain, compiled) = compiled(ElementKind::Hex8, true);
    let state = random_state(&compiled, 4);
    let halved = added(&loaded(ElementKind::Hex8, true, half), &plain, &state).0;
    for (a, b) in halved.iter().zip(added(&whole, &plain, &state).0) {
        assert!((a * 2.0 - b).norm() < 1e-9 * b.norm().max(1.0));
    }
    let mut model = whole;
    let load = model.nth::<SurfaceLoad>(0);
    let path = format!("{}:surface", model.path(load.id()));
    let message = match model.set_text(&path, "palate") {
        Ok(()) => model.compile().err().unwrap().to_string(),
        Err(error) => error.to_string(),
    };
    assert!(message.contains("palate") && message.contains("skin"), "{message}");
}

#[test]
fn faces_get_a_name_by_which_a_load_takes_them_until_it_is_gone() {
    let mut model =
        floating(distorted_mesh(ElementKind::Hex8), MaterialSpec::from_name("neohook").unwrap());
    let mut history = History::default();
    let fem = model.path(model.nth::<FemModel>(0));
    let mut apply = |model: &mut Model, line: &str| {
        line.parse::<EditCommand>().unwrap().apply(model, &mut history).map_err(|it| it.to_string())
    };
    let start = model.get(model.nth::<FemModel>(0)).unwrap().clone();
    apply(&mut model, &format!("name_faces {fem} skin 0:1 0:0 0:1")).unwrap();
    let faces = |model: &Model| model.iter::<FemModel>().next().unwrap().1.mesh.face_sets.clone();
    let expected: Vec<_> = [0, 1].map(|face| ElementFace { element: 0, face }).to_vec();
    assert_eq!(faces(&model)["skin"], expected, "each once, by rising number");
    apply(&mut model, &format!("add surface_load push target={fem} surface=skin pressure=10"))
        .unwrap();
    model.compile().unwrap();
    let refusals = [
        (format!("name_faces {fem} skin 999999:0"), "no face 0 of element 999999"),
        (format!("name_faces {fem} skin 0:6"), "this one has 6 faces, from 0"),
        (format!("name_faces {fem} other"), "no set of faces 'other'"),
        (format!("name_faces {fem} \"\" 0:0"), "needs a name"),
        ("name_faces / skin 0:0".to_owned(), "is no tissue"),
    ];
    for (line, why) in refusals {
        let refused = apply(&mut model, &line).unwrap_err();
        assert!(refused.contains(why), "{line}: {refused}");
    }
    // The load has no surface any more, and the model says so.
    apply(&mut model, &format!("name_faces {fem} skin")).unwrap();
    let fault = model.compile().err().expect("the load has no surface").to_string();
    assert!(fault.contains("skin"), "{fault}");
    for _ in 0..3 {
        apply(&mut model, "undo").unwrap();
    }
    assert_eq!(model.get(model.nth::<FemModel>(0)), Some(&start));
}
