//! Structural edits: what stays keeps its state, and the next step differs by the edit alone.

use sinew::Vec3;
use sinew::component::{ComponentId, ROOT};
use sinew::model::{Affine, AxialSpring, Edit, MechModel, Model, Particle};
use sinew::schedule::{Simulation, SimulationError};
use sinew::system::CompileError;

use crate::fixture::{SPRING, advance, difference, motion, placed, running, scene};

/// The mechanical model that everything of the scene is in.
fn main_model(model: &Model) -> ComponentId {
    model.first::<MechModel>().expect("a mechanical model").id()
}

#[test]
fn after_an_edit_the_model_goes_on_as_if_it_had_been_built_so_and_put_there() {
    let scene = scene();
    let duplicated = scene.springs[1];
    let edits: [fn(&Model) -> Edit; 3] = [
        |model| {
            let [first, .., last] = model.iter::<Particle>().map(|p| p.0).collect::<Vec<_>>()[..]
            else {
                panic!("particles")
            };
            Edit::add(main_model(model), AxialSpring::new([first, last], SPRING))
        },
        |model| Edit::delete(model.nth::<AxialSpring>(2)),
        |model| Edit::delete(model.nth::<Particle>(1)),
    ];
    for (k, edit) in edits.iter().enumerate() {
        let mut simulation = running(scene.model.clone(), 20);
        let before = simulation.time();
        let edit = edit(simulation.model());
        simulation.edit(edit).unwrap();
        assert_eq!(simulation.time(), before);
        let mut fresh = placed(&simulation.model().clone(), &mut simulation);
        assert_eq!(difference(&mut simulation, &mut fresh), [0.0; 2], "edit {k}: before the step");
        advance(&mut simulation, 3);
        advance(&mut fresh, 3);
        // The same arrays in the same order: not a bit differs.
        assert_eq!(difference(&mut simulation, &mut fresh), [0.0; 2], "edit {k}");
    }
    let mut simulation = running(scene.model.clone(), 20);
    let count = simulation.compiled().block_count();
    simulation.edit(Edit::duplicate(duplicated)).unwrap();
    // Two particles came along.
    assert_eq!(simulation.compiled().block_count(), count + 2);
}

#[test]
fn what_an_edit_does_not_touch_moves_on_as_without_it() {
    let scene = scene();
    let mut edited = running(scene.model.clone(), 20);
    let mut untouched = running(scene.model.clone(), 20);
    edited.edit(Edit::delete(scene.tissues[1])).unwrap();
    advance(&mut edited, 10);
    advance(&mut untouched, 10);
    let [position, velocity] = difference(&mut edited, &mut untouched);
    // Another elimination order rounds otherwise: positions of 1 m, velocities near 1 m/s.
    assert!(position < 1e-13 && velocity < 1e-11, "{position:e} m, {velocity:e} m/s");
}

#[test]
fn a_new_name_and_a_new_parent_change_no_bit_of_the_motion() {
    let scene = scene();
    let mut edited = running(scene.model.clone(), 10);
    let mut untouched = running(scene.model.clone(), 10);
    edited.edit(Edit::rename(scene.springs[0], "first")).unwrap();
    advance(&mut edited, 5);
    advance(&mut untouched, 5);
    assert_eq!(difference(&mut edited, &mut untouched), [0.0; 2]);
    let inner = edited.edit(Edit::add(ROOT, MechModel::new("inner"))).unwrap()[0];
    edited.edit(Edit::reparent(scene.springs[0], inner)).unwrap();
    assert_eq!(edited.model().path(scene.springs[0]), "/models/inner/axial_springs/first");
    advance(&mut edited, 5);
    advance(&mut untouched, 5);
    let [position, velocity] = difference(&mut edited, &mut untouched);
    // The spring is the last one now: sums of forces in another order.
    assert!(position < 1e-14 && velocity < 1e-12, "{position:e} m, {velocity:e} m/s");
}

#[test]
fn what_was_deleted_and_comes_back_goes_on_where_it_was() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 20);
    let points = [(scene.tissues[0], 26).into(), sinew::model::PointRef::from(scene.particles[3])];
    let before = points.map(|point| motion(&mut simulation, point));
    let delete = Edit::Delete(vec![scene.tissues[0].id(), scene.particles[3].id()]);
    simulation.edit(delete).unwrap();
    assert!(!simulation.model().contains(scene.springs[3]), "the spring between them went along");
    assert!(simulation.undo().unwrap());
    assert_eq!(points.map(|point| motion(&mut simulation, point)), before);
    let mut untouched = running(scene.model, 20);
    advance(&mut simulation, 3);
    advance(&mut untouched, 3);
    assert_eq!(difference(&mut simulation, &mut untouched), [0.0; 2]);
    assert!(simulation.redo().unwrap());
    assert!(!simulation.model().contains(scene.tissues[0]));
}

#[test]
fn a_model_that_is_turned_while_it_runs_moves_as_if_everything_had_been_turned() {
    let mut scene = scene();
    scene.model.set_gravity(Vec3::zeros());
    let shift = Vec3::new(0.0, 0.0, 0.3);
    for (k, &particle) in scene.particles.iter().enumerate().skip(1) {
        scene.model[particle].velocity = shift * k as f64;
    }
    let map = Affine::rotation(Vec3::new(0.2, 0.1, 0.0), Vec3::new(0.4, -1.0, 0.7));
    let mut turned = running(scene.model.clone(), 15);
    let mut still = running(scene.model.clone(), 15);
    turned.edit(Edit::transform(main_model(turned.model()), map)).unwrap();
    advance(&mut turned, 10);
    advance(&mut still, 10);
    for point in [(scene.tissues[0], 26).into(), (scene.particles[2]).into()] {
        let point: sinew::model::PointRef = point;
        let ([q, u], [p, v]) = (motion(&mut still, point), motion(&mut turned, point));
        // Lengths of 0.5 m, speeds of 1 m/s; the corotated law solves for rotations to 1e-13.
        assert!((map.point(&q) - p).norm() < 1e-12, "{q} {p}");
        assert!((map.linear * u - v).norm() < 1e-10, "{u} {v}");
    }
}

#[test]
fn an_edit_after_which_nothing_can_be_simulated_is_taken_back() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 5);
    let mut untouched = running(scene.model.clone(), 5);
    let everything: Vec<ComponentId> = scene
        .particles
        .iter()
        .map(|p| p.id())
        .chain(scene.tissues.iter().map(|t| t.id()))
        .chain([scene.arm.body.id(), scene.arm.post.id(), scene.arm.weight.id()])
        .collect();
    let error = simulation.edit(Edit::Delete(everything)).unwrap_err();
    assert!(matches!(error, SimulationError::Compile(CompileError::Empty(_))), "{error}");
    assert!(simulation.model().contains(scene.springs[3]));
    assert!(!simulation.undo().unwrap(), "what was refused is no edit");
    advance(&mut simulation, 5);
    advance(&mut untouched, 5);
    assert_eq!(difference(&mut simulation, &mut untouched), [0.0; 2]);
}

#[test]
fn a_particle_that_is_fixed_stays_where_it_is_and_one_that_is_let_go_falls_from_there() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 20);
    let particle = scene.particles[2];
    let dynamic = simulation.model().property_of(particle, "dynamic").unwrap();
    let [place, velocity] = motion(&mut simulation, particle);
    assert!(velocity.norm() > 0.1, "it moves: {velocity}");
    simulation.set(&dynamic, false).unwrap();
    advance(&mut simulation, 10);
    assert_eq!(motion(&mut simulation, particle), [place, Vec3::zeros()]);
    simulation.set(&dynamic, true).unwrap();
    advance(&mut simulation, 1);
    let [q, u] = motion(&mut simulation, particle);
    assert!(u.norm() > 0.0 && (q - place - u * 0.005).norm() < 1e-15, "{q} {u}");
}

#[test]
fn reset_leads_to_the_start_of_the_model_as_it_is_now() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 10);
    simulation.edit(Edit::delete(scene.springs[3])).unwrap();
    simulation.reset().unwrap();
    assert_eq!(simulation.time(), 0.0);
    let mut fresh =
        Simulation::new(simulation.model().clone(), crate::fixture::settings()).unwrap();
    advance(&mut simulation, 5);
    advance(&mut fresh, 5);
    assert_eq!(difference(&mut simulation, &mut fresh), [0.0; 2]);
}
