//! Reading a running model by handles, against the same by paths.

use sinew::prelude::*;
use sinew::property::PropertyError;
use sinew::schedule::SimulationError;

use crate::scenes::built;

fn by_path(simulation: &mut Simulation, path: &str) -> Vec<f64> {
    let property = simulation.property(path).unwrap();
    simulation.get(&property).unwrap().numbers().collect()
}

#[test]
fn what_is_read_by_a_handle_is_what_its_path_says() {
    let mut model = built("chain", &["n=2"]);
    let bob = model.add(Particle::new(0.5, Vec3::new(0.1, 0.2, 3.0)).named("bob"));
    let hook = model.add(Particle { fixed: true, ..Particle::new(1.0, Vec3::z() * 3.5) });
    let law = LinearAxial { stiffness: 100.0, damping: 1.0, rest_length: 0.3 };
    let spring = model.add(AxialSpring::new([hook, bob], law).named("spring"));
    let (body, joint) = (model.nth::<RigidBody>(1), model.nth::<Joint>(0));
    let path = |of: sinew::component::ComponentId, name: &str| format!("{}:{name}", model.path(of));
    let paths = [
        path(bob.id(), "position"),
        path(bob.id(), "velocity"),
        path(body.id(), "pose"),
        path(body.id(), "velocity"),
        path(body.id(), "angular_velocity"),
        path(spring.id(), "tension"),
    ];
    let coordinate = model[joint].settings.kind.coordinate_specs()[0].name.clone();
    let angle = path(joint.id(), &format!("coordinate.{coordinate}.value"));
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    for _ in 0..20 {
        simulation.step(0.01).unwrap();
    }
    let pose = simulation.pose(body).unwrap();
    let [velocity, angular_velocity] = simulation.body_velocity(body).unwrap();
    let position = simulation.position(bob).unwrap();
    let found = [
        position.as_slice().to_vec(),
        simulation.velocity(bob).unwrap().as_slice().to_vec(),
        [pose.translation.vector.as_slice(), pose.rotation.coords.as_slice()].concat(),
        velocity.as_slice().to_vec(),
        angular_velocity.as_slice().to_vec(),
        vec![simulation.tension(spring).unwrap()],
    ];
    for (path, found) in paths.iter().zip(found) {
        assert_eq!(found, by_path(&mut simulation, path), "{path}");
    }
    assert!(position.z > 3.0 && angular_velocity.norm() > 0.0, "they move: {position}");
    assert_eq!(simulation.coordinates(joint).unwrap()[..1], by_path(&mut simulation, &angle));
}

#[test]
fn what_was_deleted_is_refused_by_its_name() {
    let mut model = Model::new("m");
    let [kept, gone] = [0.0, 1.0].map(|x| model.add(Particle::new(1.0, Vec3::x() * x)));
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    simulation.edit(Edit::delete(gone)).unwrap();
    simulation.step(0.01).unwrap();
    assert!(simulation.position(kept).is_ok());
    let error = simulation.position(gone).unwrap_err();
    let refused = matches!(error, SimulationError::Property(PropertyError::Gone(_)));
    assert!(refused && error.to_string().contains("deleted"), "{error}");
}
