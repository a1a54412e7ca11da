//! Snapshots show what is there, where it is.

use std::collections::HashSet;

use sinew::Vec3;
use sinew::component::{Kind, ROOT};
use sinew::geometry::SurfaceMesh;
use sinew::model::{AxialSpring, Edit, FemModel, RigidBody};
use sinew::snapshot::{Outline, Shape, Snapshot, Wanted};

use crate::scenes::{built, shown, simulation};

fn world(snapshot: &Snapshot, p: [f32; 3]) -> Vec3 {
    snapshot.scene.origin + Vec3::from(p.map(f64::from))
}

#[test]
fn every_body_tissue_muscle_and_joint_of_the_jaw_has_its_picture() {
    let model = built("jaw-tongue-hyoid", &[]);
    let snapshot = shown(&mut simulation(model.clone()), &Wanted::default());
    let shows = |kind, is: fn(&Shape) -> bool| -> usize {
        let items = snapshot.scene.items.iter();
        items.filter(|item| item.owner.kind() == kind && is(&item.shape)).count()
    };
    let bodies = model.iter::<RigidBody>();
    let with_mesh = bodies.filter(|(_, body)| body.mesh.is_some()).count();
    assert!(with_mesh > 0);
    assert_eq!(shows(Kind::RigidBody, |it| matches!(it, Shape::Rigid { .. })), with_mesh);
    let tissues = model.iter::<FemModel>().count();
    assert_eq!(shows(Kind::FemModel, |it| matches!(it, Shape::Tissue { .. })), tissues);
    let springs = model.iter::<AxialSpring>().count();
    assert_eq!(shows(Kind::AxialSpring, |it| matches!(it, Shape::Lines(_))), springs);
    assert!(snapshot.lines.len() >= springs);
}

#[test]
fn points_and_frames_lie_where_the_state_has_them() {
    let mut simulation = simulation(built("jaw-tongue-hyoid", &[]));
    for _ in 0..3 {
        simulation.step(0.01).unwrap();
    }
    let snapshot = shown(&mut simulation, &Wanted::default());
    let state = simulation.state().unwrap().clone();
    assert_eq!(snapshot.time, state.time);
    for item in snapshot.scene.items.iter() {
        match &item.shape {
            Shape::Tissue { nodes, .. } => {
                for &node in nodes.iter() {
                    let off = world(&snapshot, snapshot.points[node as usize]);
                    // Single precision at a decimetre.
                    assert!((off - state.q[node as usize]).norm() < 2e-8);
                }
            }
            Shape::Frame { frame, .. } if item.owner.kind() == Kind::RigidBody => {
                let body = item.owner.typed::<RigidBody>().unwrap();
                let (pose, ..) = simulation.compiled().body_motion(body, &state).unwrap();
                let shown = snapshot.frames[*frame as usize];
                assert!((world(&snapshot, shown.position) - pose.translation.vector).norm() < 2e-8);
                let expected = pose.rotation.coords;
                let turn = nalgebra::Vector4::from(shown.rotation.map(f64::from));
                assert!((turn - expected).norm() < 1e-6, "{turn} {expected}");
            }
            _ => {}
        }
    }
}

#[test]
fn the_surface_of_a_tissue_is_closed_and_holds_its_volume() {
    for (name, arguments) in [("beam", &["nx=3", "ny=2", "nz=2"][..]), ("tongue", &[])] {
        let mut simulation = simulation(built(name, arguments));
        let snapshot = shown(&mut simulation, &Wanted::default());
        let volume =
            simulation.compiled().at(&simulation.compiled().initial_state()).measure().volume;
        let mut sum = 0.0;
        let mut tetrahedra = 0.0;
        for item in snapshot.scene.items.iter() {
            let Shape::Tissue { triangles, inside, edges, .. } = &item.shape else { continue };
            let points: Vec<Vec3> = snapshot.points.iter().map(|&p| world(&snapshot, p)).collect();
            let mesh = SurfaceMesh::new(points.clone(), triangles.to_vec()).unwrap();
            assert!(mesh.topology().is_closed());
            sum += mesh.signed_volume();
            for part in &inside.corners {
                let [a, b, c, d] = part.map(|k| points[k as usize]);
                tetrahedra += (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0;
            }
            let known: HashSet<u32> = triangles.iter().flatten().copied().collect();
            assert!(!edges.is_empty() && edges.iter().flatten().all(|p| known.contains(p)));
        }
        assert!((sum / volume - 1.0).abs() < 1e-3, "{name}: {sum} {volume}");
        assert!((tetrahedra / volume - 1.0).abs() < 1e-3, "{name}: {tetrahedra} {volume}");
    }
}

#[test]
fn an_explicit_grey_is_told_from_no_colour_at_all() {
    let mut simulation = simulation(built("boxes", &[]));
    let body = simulation.model().first::<RigidBody>().unwrap();
    let color = |simulation: &mut sinew::schedule::Simulation| {
        let snapshot = shown(simulation, &Wanted::default());
        let its = snapshot.scene.items.iter().find(|item| item.owner == body.id()).unwrap();
        its.style.face_color
    };
    let grey = [0.5f32; 3];
    let set = |simulation: &mut sinew::schedule::Simulation, id| {
        let path = simulation.model().path(id) + ":render.face_color";
        let property = simulation.model().property(&path).unwrap();
        simulation.edit(Edit::set(property, grey)).unwrap();
    };
    assert_eq!(color(&mut simulation), None);
    set(&mut simulation, body.id());
    assert_eq!(color(&mut simulation), Some(grey));
    // What is inherited counts as given, too.
    let mut above = self::simulation(built("boxes", &[]));
    set(&mut above, ROOT);
    assert_eq!(color(&mut above), Some(grey));
}

#[test]
fn tissues_know_where_they_were_at_rest_and_other_points_do_not() {
    let mut simulation = simulation(built("jaw-tongue-hyoid", &[]));
    for _ in 0..3 {
        simulation.step(0.01).unwrap();
    }
    let snapshot = shown(&mut simulation, &Wanted::default());
    let rest = simulation.compiled().rest_positions();
    assert_eq!(snapshot.scene.rest.len(), rest.len());
    let mut nodes = 0;
    for item in snapshot.scene.items.iter() {
        let Shape::Tissue { nodes: rows, .. } = &item.shape else { continue };
        nodes += rows.len();
        for &row in rows.iter() {
            let off = world(&snapshot, snapshot.scene.rest[row as usize]) - rest[row as usize];
            assert!(off.norm() < 2e-8, "{off}");
        }
    }
    let known = snapshot.scene.rest.iter().filter(|p| p[0].is_finite()).count();
    assert!(nodes > 0 && known >= nodes && known < rest.len(), "{nodes} {known} {}", rest.len());
}

#[test]
fn an_edit_makes_a_new_scene_and_a_step_does_not() {
    let mut simulation = simulation(built("boxes", &[]));
    let (mut capture, mut snapshot) = (sinew::snapshot::Capture::new(), Snapshot::default());
    let mut look = |simulation: &mut sinew::schedule::Simulation| {
        capture.capture(simulation, 0, &Wanted::default(), &mut snapshot).unwrap();
        (snapshot.scene.serial, snapshot.scene.items.len())
    };
    let (first, count) = look(&mut simulation);
    simulation.step(0.01).unwrap();
    assert_eq!(look(&mut simulation), (first, count));
    let body = simulation.model().first::<RigidBody>().unwrap();
    let path = simulation.model().path(body.id()) + ":render.visible";
    let property = simulation.model().property(&path).unwrap();
    simulation.edit(Edit::set(property, false)).unwrap();
    let (second, _) = look(&mut simulation);
    assert!(second > first);
    simulation.edit(Edit::delete(body)).unwrap();
    let (third, fewer) = look(&mut simulation);
    assert!(third > second && fewer < count, "{fewer} of {count}");
}

#[test]
fn the_outline_has_every_component_under_its_path() {
    let model = built("jaw-tongue-hyoid", &[]);
    let outline = Outline::of(&model);
    assert_eq!(outline.rows.len(), model.component_count());
    for (k, row) in outline.rows.iter().enumerate() {
        assert_eq!(outline.path(k), model.path(row.id));
        assert_eq!(outline.row(row.id), Some(k));
        let below = outline.rows[k + 1..row.end as usize].iter();
        assert!(below.clone().all(|it| it.depth > row.depth), "below {}", row.label);
    }
    assert_eq!(outline.rows[0].id, ROOT);
}

#[test]
fn what_is_selected_and_followed_comes_with_its_values() {
    let mut simulation = simulation(built("boxes", &[]));
    let body = simulation.model().first::<RigidBody>().unwrap();
    let path = simulation.model().path(body.id());
    let wanted = Wanted {
        selected: vec![body.id()],
        followed: vec![format!("{path}:position"), "/nowhere:x".to_owned()],
        ..Wanted::default()
    };
    let snapshot = shown(&mut simulation, &wanted);
    let sheet = &snapshot.sheets[0];
    assert_eq!(sheet.path, path);
    let row = sheet.rows.iter().find(|row| row.info.name == "position").unwrap();
    let numbers: Vec<f64> = row.value.numbers().collect();
    assert_eq!(snapshot.readings.offsets, [0, 3, 4]);
    assert_eq!(snapshot.readings.numbers[..3], numbers[..]);
    assert!(snapshot.readings.numbers[3].is_nan());
}
