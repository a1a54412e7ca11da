//! Pressures of contact: exact where they are uniform, whatever the elements; the force that they add up to.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{PressureSurface, SurfaceForce};
use sinew::geometry::boundary;
use sinew::model::{Collider, CollisionBehavior, Dirichlet, FemModel, Model};
use sinew::property::Value;
use sinew::simulated::Simulated;
use sinew_datasets::beam::{BeamElement, beam_mesh};
use sinew_mesh::{VolumeMesh, face_points};

use crate::scene::{block_mesh, nodes_at, tissue};
use crate::scenes::{EULER, Scene, model_under};

/// Forces of a pressure of 1 Pa on the faces of the top of a block, by the shape functions of each face, and the rows
/// of which they are.
fn loads_of_top(mesh: &VolumeMesh, top: f64) -> Vec<f64> {
    let mut loads = vec![0.0; mesh.nodes.len()];
    for (kind, nodes) in mesh.elements() {
        for face in kind.faces() {
            let face: Vec<usize> = face.iter().map(|&k| nodes[k as usize] as usize).collect();
            if face.iter().any(|&node| mesh.nodes[node].z < top - 1e-9) {
                continue;
            }
            for point in face_points(face.len()) {
                let slope = |axis: usize| -> Vec3 {
                    let terms = face.iter().zip(&point.slopes);
                    terms.map(|(&node, slopes)| mesh.nodes[node] * slopes[axis]).sum()
                };
                let area = slope(0).cross(&slope(1)).norm() * point.weight;
                face.iter().zip(&point.n).for_each(|(&node, n)| loads[node] += n * area);
            }
        }
    }
    loads
}

#[test]
fn a_uniform_pressure_is_the_same_on_all_faces_of_all_elements() {
    // Corners of quadratic quadrangles would have to pull.
    use BeamElement::{Hex, Pyramid, QuadTet, Tet, Wedge};
    for element in [Tet, Hex, Wedge, Pyramid, QuadTet] {
        let mesh = beam_mesh(element, [3, 2, 2], [0.3, 0.1, 0.1]).unwrap();
        let top = mesh.nodes.iter().map(|p| p.z).fold(f64::MIN, f64::max);
        let rows: Vec<u32> = (0..mesh.nodes.len() as u32).rev().collect();
        let surface = PressureSurface::new(&mesh, &boundary(&mesh), &rows);
        let q: Vec<Vec3> = mesh.nodes.iter().rev().copied().collect();
        let loads = loads_of_top(&mesh, top);
        let push = |(&row, &load): (&u32, &f64)| SurfaceForce::Row(row, Vec3::z() * -load);
        let pressure = surface.spread(rows.iter().zip(&loads).map(push), &q);
        assert!((pressure.area / 0.03 - 1.0).abs() < 1e-12, "{element:?}: {} m²", pressure.area);
        for p in pressure.of_faces.iter().filter(|p| **p != 0.0) {
            assert!((p - 1.0).abs() < 1e-12, "{element:?}: {:?}", pressure.of_faces);
        }
        for (&row, p) in surface.rows().iter().zip(&pressure.of_vertices) {
            let expected = if q[row as usize].z > top - 1e-9 { 1.0 } else { 0.0 };
            assert!((p - expected).abs() < 1e-12, "{element:?}: {p} Pa at {:?}", q[row as usize]);
        }
    }
}

#[test]
fn a_force_between_vertices_keeps_its_size_and_finds_the_side_that_it_pushes_on() {
    let mesh = beam_mesh(BeamElement::Hex, [2, 2, 1], [0.2, 0.2, 1e-3]).unwrap();
    let rows: Vec<u32> = (0..mesh.nodes.len() as u32).collect();
    let surface = PressureSurface::new(&mesh, &boundary(&mesh), &rows);
    let [low, high] = mesh.bounding_box().unwrap();
    // Nearer to the upper side, and pushing on the lower one.
    let at = Vec3::new(0.03, 0.01, low.z + 0.7 * (high.z - low.z));
    let up = SurfaceForce::Near(at, Vec3::new(0.0, 0.0, 2.0));
    let pressure = surface.spread([up].into_iter(), &mesh.nodes);
    for (&row, &p) in surface.rows().iter().zip(&pressure.of_vertices) {
        assert!(p == 0.0 || mesh.nodes[row as usize].z < low.z + 1e-9, "{p} Pa above");
    }
    let force: f64 = pressure.of_faces.iter().map(|p| p * 0.01).sum();
    assert!((force - 2.0).abs() < 1e-12, "{force} N");
}

/// A block whose Poisson's ratio is zero, pressed onto a plane: the stress is uniform.
fn pressed() -> (Model, Scene) {
    let mut model = model_under(0.0);
    let mut block = tissue(
        "block",
        block_mesh([4, 3, 2], [0.1, 0.1, 0.05], Vec3::new(0.0, 0.0, 0.025)),
        [1e5, 0.0],
    );
    block.stiffness_damping = 0.01;
    let displacement = vec![Vec3::new(0.0, 0.0, -5e-4)];
    block.dirichlet.push(Dirichlet { displacement, ..Dirichlet::fix(nodes_at(&block.mesh, 0.05)) });
    model.add(block);
    model.add(Collider::half_space(Pose::identity()));
    model.add(CollisionBehavior::everything(0.0));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.01, 60);
    (model, scene)
}

#[test]
fn a_pressed_block_has_the_area_the_pressure_and_the_centre_of_its_face() {
    let (model, scene) = pressed();
    let s = Simulated { model: &model, compiled: &scene.compiled, state: &scene.state };
    let get = |name: &str| {
        let path = model.iter::<CollisionBehavior>().next().unwrap().0;
        s.get_property(&model.property_of(path, name).unwrap()).unwrap()
    };
    let Value::Real(area) = get("contact_area") else { panic!("a number") };
    assert!((area / 0.01 - 1.0).abs() < 1e-9, "{area} m²");
    let force = scene.force().z.abs();
    let (fem, _) = model.iter::<FemModel>().next().unwrap();
    let pressures = scene.compiled.at(&scene.state).contact_pressures().unwrap();
    let mean = force / area;
    for (node, p) in model[fem].mesh.nodes.iter().enumerate() {
        let pressure = pressures[scene.compiled.block_of_node(fem, node)];
        let expected = if p.z < 1e-9 { mean } else { 0.0 };
        assert!(
            (pressure - expected).abs() < 1e-5 * mean,
            "{pressure} Pa of {expected} Pa at {p:?}"
        );
    }
    let Value::Real(most) = get("max_pressure") else { panic!("a number") };
    assert!((most / mean - 1.0).abs() < 1e-5, "{most} Pa of {mean} Pa");
    let center: Vec<f64> = get("center_of_pressure").numbers().collect();
    assert!(center.iter().all(|x| x.abs() < 1e-6), "{center:?}");
}
