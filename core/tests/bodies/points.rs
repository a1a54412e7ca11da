//! Particles and nodes that follow a body, a particle, or an element; and chains of such.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, grid, solid_box};
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, Dirichlet, FemModel, Master, Model, Particle, PointLoad, PointRef, Schedule,
};
use sinew_datasets::beam::BeamElement;

fn weightless() -> Model {
    let mut model = Model::new("points");
    model.set_gravity(Vec3::zeros());
    model
}

fn soft() -> MaterialSpec {
    MaterialSpec::Corotated(Isotropic { youngs_modulus: 1e4, poissons_ratio: 0.3 })
}

/// Two particles of 1 kg and 3 kg, one attached to the other: pushed, they go as 4 kg.
#[test]
fn a_particle_on_a_particle_is_attached_with_its_mass_and_its_offset() {
    let mut model = weightless();
    let master = model.add(Particle::new(3.0, Vec3::zeros()));
    let attached = model.add(Particle::new(1.0, Vec3::new(0.1, 0.2, 0.3)));
    model.add(Attachment::new(vec![attached.into()], Master::Particle(master)));
    model.add(PointLoad::new(attached, Vec3::x() * 8.0));
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    runner.steps(0.1, 10);
    // 8 N on 4 kg for 1 s.
    assert!((runner.place(master) - Vec3::x()).norm() < 1e-12, "{}", runner.place(master));
    let apart = runner.place(attached) - runner.place(master);
    assert!((apart - Vec3::new(0.1, 0.2, 0.3)).norm() < 1e-12, "{apart}");
    assert!((runner.velocity(attached) - Vec3::x() * 2.0).norm() < 1e-12);
}

/// An affine map of a cube, and places in it: inside, on a face, on an edge, at a corner.
fn prescribed_cube(element: ElementKind) -> (Model, Vec<Handle<Particle>>) {
    let mut model = weightless();
    let mesh = match element {
        ElementKind::Tet4 => {
            let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()].map(|x| x * 0.4);
            let mut mesh = VolumeMesh::new(corners.to_vec());
            mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 3]).unwrap();
            mesh
        }
        _ => grid(BeamElement::Hex, [1, 1, 1], [0.4; 3], Vec3::zeros()),
    };
    let displacement = mesh.nodes.iter().map(affine).collect();
    let nodes = (0..mesh.nodes.len() as u32).collect();
    let mut fem = FemModel::new("cube", mesh, 1000.0, soft());
    let schedule = Schedule::Table(vec![[0.0, 0.0], [1.0, 1.0]]);
    fem.dirichlet.push(Dirichlet { displacement, schedule, ..Dirichlet::fix(nodes) });
    let fem = model.add(fem);
    let places = [[0.1, 0.12, 0.08], [0.1, 0.2, 0.0], [0.15, 0.0, 0.0], [0.0, 0.4, 0.0]];
    let points: Vec<_> =
        places.iter().map(|&x| model.add(Particle::new(0.5, Vec3::from(x)))).collect();
    let all = points.iter().map(|&p| p.into()).collect();
    model.add(Attachment::new(all, Master::Tissue(fem)));
    (model, points)
}

/// Displacement at 1 s [m].
fn affine(x: &Vec3) -> Vec3 {
    Vec3::new(0.2 * x.y + 0.01, 0.1 * x.x - 0.05 * x.z, 0.3 * x.z + 0.1 * x.x)
}

/// Linear elements hold affine maps, so points in them follow to rounding.
#[test]
fn points_in_an_element_on_a_face_on_an_edge_and_at_a_corner_follow_its_map() {
    for element in [ElementKind::Tet4, ElementKind::Hex8] {
        let (model, points) = prescribed_cube(element);
        let mut runner = Runner::new(&model, EULER);
        runner.steps(0.05, 20);
        for point in points {
            let start = model[point].position;
            let error = runner.place(point) - start - affine(&start);
            assert!(error.norm() < 1e-9, "{element:?}, {start}: {error}");
        }
    }
}

/// A point beside a face keeps its offset from the nearest point of the face, and hands its force on to
/// the face's nodes.
#[test]
fn a_point_beside_an_element_follows_its_nearest_face() {
    let mut model = weightless();
    let mesh = grid(BeamElement::Hex, [1, 1, 1], [0.4; 3], Vec3::zeros());
    let fem = model.add(FemModel::new("cube", mesh, 1000.0, soft()));
    let outside = model.add(Particle::new(2.0, Vec3::new(0.2, 0.2, 0.5)));
    model.add(Attachment::new(vec![outside.into()], Master::Tissue(fem)));
    model.add(PointLoad::new(outside, Vec3::z() * 10.0));
    let mut runner = Runner::new(&model, EULER);
    runner.steps(0.01, 10);
    // 10 N for 0.1 s.
    let momentum = runner.compiled.at(&runner.state).momentum();
    assert!((momentum - Vec3::z()).norm() < 1e-9, "{momentum}");
    let top: Vec<Vec3> = (0..8)
        .filter(|&n| model[fem].mesh.nodes[n].z > 0.3)
        .map(|n| runner.place(PointRef::FemNode(fem, n as u32)))
        .collect();
    assert_eq!(top.len(), 4);
    let center = top.iter().sum::<Vec3>() / 4.0;
    let apart = runner.place(outside) - center;
    assert!((apart - Vec3::z() * 0.1).norm() < 1e-12, "{apart}");
    assert!(center.z > 0.4 + 1e-5, "the cube was not pulled");
}

/// Node on particle, particle on a body that turns freely about z: the node keeps its offset from the
/// particle, along the axes of the world, and its mass counts where the particle is.
#[test]
fn a_chain_of_attachments_ends_on_the_body() {
    for offset in [Vec3::zeros(), Vec3::new(0.0, 0.0, 0.5), Vec3::new(0.3, 0.1, 0.0)] {
        let mut model = weightless();
        let mut body = solid_box("body", 2.0, [0.4, 0.4, 0.1]);
        body.angular_velocity = Vec3::z() * 2.0;
        let body = model.add(body);
        let place = Vec3::new(0.5, 0.0, 0.0);
        let particle = model.add(Particle::new(1.0, place));
        let node = model.add(Particle::new(1.5, place + offset));
        model.add(Attachment::new(vec![particle.into()], Master::Body(body)));
        model.add(Attachment::new(vec![node.into()], Master::Particle(particle)));
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        let inertia = runner.compiled.body_rows(body).unwrap().inertia;
        assert!((inertia.mass() - 4.5).abs() < 1e-12);
        // Node and particle move as one: 2.5 kg at 0.5 m beside 2 kg at the centre.
        let center = place * (2.5 / 4.5);
        assert!((inertia.center_of_mass() - center).norm() < 1e-12, "{}", inertia.center_of_mass());
        let (energy, angular_velocity) = (runner.energy(), runner.angular_velocity(body));
        runner.steps(0.01, 100);
        assert!((runner.energy() - energy).abs() < 1e-9 * energy, "{offset}");
        assert!(
            (runner.angular_velocity(body) - angular_velocity).norm() < 1e-9,
            "{offset}: {}",
            runner.angular_velocity(body)
        );
        let on_body = runner.pose(body).transform_point(&place.into()).coords;
        assert!((runner.place(particle) - on_body).norm() < 1e-12);
        assert!((runner.place(node) - on_body - offset).norm() < 1e-12);
        assert!((runner.velocity(node) - runner.velocity(particle)).norm() < 1e-12);
    }
}

/// The force on a node that hangs on a particle that hangs on a body: a moment about its hinge would be
/// that of the particle's arm.
#[test]
fn a_force_on_the_end_of_a_chain_acts_on_the_body_with_its_arm() {
    let mut model = weightless();
    let body =
        model.add(solid_box("body", 2.0, [0.4, 0.4, 0.1]).at(Pose::translation(1.0, 0.0, 0.0)));
    let particle = model.add(Particle::new(1e-9, Vec3::new(1.5, 0.0, 0.0)));
    let end = model.add(Particle::new(1e-9, Vec3::new(1.5, 0.0, 0.0)));
    model.add(Attachment::new(vec![particle.into()], Master::Body(body)));
    model.add(Attachment::new(vec![end.into()], Master::Particle(particle)));
    model.add(PointLoad::new(end, Vec3::y() * 4.0));
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let h = 1e-4;
    runner.step(h);
    let row = runner.compiled.body_rows(body).unwrap().row as usize;
    let velocity = runner.state.u[row];
    assert!((velocity - Vec3::y() * (4.0 * h / 2.0)).norm() < 1e-7 * velocity.norm(), "{velocity}");
    let moment = 4.0 * 0.5;
    let inertia = 2.0 * (0.16 + 0.16) / 12.0;
    let angular_velocity = runner.angular_velocity(body).z;
    assert!(
        (angular_velocity - moment * h / inertia).abs() < 1e-6 * angular_velocity,
        "{angular_velocity}"
    );
}
