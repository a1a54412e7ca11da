//! Setting and reading numbers through handles allocates nothing, nor does taking those of contact into
//! what was compiled.

use sinew::Vec3;
use sinew::material::MaterialSpec;
use sinew::model::{
    AxialSpring, Collider, CollisionBehavior, FemModel, LinearAxial, Model, Particle, Region,
};
use sinew::property::{PropertyRef, Value};
use sinew::system::{MechSystem, Refresh};
use sinew_datasets::beam::{BeamElement, beam_mesh};

use crate::counting::taken_here;

fn model() -> Model {
    let mut model = Model::new("numbers");
    let ends = [0.0, 1.0].map(|x| model.add(Particle::new(1.0, Vec3::x() * x)));
    model.add(AxialSpring::new(ends, LinearAxial::default()));
    let mesh = beam_mesh(BeamElement::Hex, [2, 1, 1], [0.2, 0.1, 0.1]).unwrap();
    let mr = MaterialSpec::from_name("mr").unwrap();
    let mut fem = FemModel::new("tissue", mesh, 1000.0, mr);
    fem.regions.push(Region { elements: vec![0], material: mr });
    model.add(fem);
    model
}

const PATHS: [&str; 10] = [
    "models/numbers/axial_springs/0:material.stiffness",
    "models/numbers/axial_springs/0:rest_length",
    "models/numbers/axial_springs/0:enabled",
    "models/numbers/particles/0:mass",
    "models/numbers/particles/0:position",
    "models/numbers/fem_models/tissue:density",
    "models/numbers/fem_models/tissue:material.c10",
    "models/numbers/fem_models/tissue/regions/0:material.bulk_modulus",
    "models/numbers/fem_models/tissue/nodes/3:rest_position",
    "models/numbers:gravity",
];

#[test]
fn numbers_are_set_and_read_without_allocation() {
    let mut model = model();
    let properties: Vec<PropertyRef> = PATHS.iter().map(|p| model.property(p).unwrap()).collect();
    let mut numbers = [0.5; 3];
    // More than the log of changes keeps.
    let iterations = 1000;
    let before = taken_here();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(taken_here() - before, 1, "the allocator does not count");
    let before = taken_here();
    for iteration in 0..iterations {
        for property in &properties {
            let size = property.info().value_type.numeric_size().unwrap();
            numbers[..size].fill(1.0 + f64::from(iteration));
            model.set_numbers(property, &numbers[..size]).unwrap();
            model.get_numbers(property, &mut numbers[..size]).unwrap();
        }
        model.set_property(&properties[0], f64::from(iteration)).unwrap();
    }
    let taken = taken_here() - before;
    assert_eq!(taken, 0, "allocations in {iterations} rounds");
    assert_eq!(model.get_property(&properties[3]).unwrap(), Value::Real(f64::from(iterations)));
}

#[test]
fn numbers_of_contact_are_put_in_place_without_allocation() {
    let mut model = model();
    model.add(Collider::half_space(sinew::property::Pose::identity()));
    model.add(CollisionBehavior::everything(0.1));
    let mut compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let names = ["friction", "restitution", "compliance", "damping", "penetration_limit"];
    let path = |name| format!("models/numbers/collision_behaviors/0:{name}");
    let properties = names.map(|name| model.property(&path(name)).unwrap());
    let before = taken_here();
    for iteration in 1..100 {
        for property in &properties {
            model.set_numbers(property, &[0.01 * f64::from(iteration)]).unwrap();
        }
        assert_eq!(model.refresh(&mut compiled, &mut state).unwrap(), Refresh::Parameters);
    }
    let taken = taken_here() - before;
    assert_eq!(taken, 0, "allocations in 99 rounds");
    let behaviors = &compiled.multibody().unwrap().contacts.behaviors;
    assert_eq!(behaviors.len(), 3, "two particles and the tissue");
    assert!(behaviors.iter().all(|behavior| behavior.law.friction == 0.99));
}
