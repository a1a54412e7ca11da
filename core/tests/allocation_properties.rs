//! Setting and reading numbers through handles allocates nothing: counted by the allocator. One test
//! in a binary of its own, which has the allocator to itself.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sinew::Vec3;
use sinew::material::MaterialSpec;
use sinew::model::{AxialSpring, FemModel, LinearAxial, Model, Particle, Region};
use sinew::property::{PropertyRef, Value};
use sinew_datasets::beam::{BeamElement, beam_mesh};

/// Counts what each thread takes: those of the test harness take memory as they like.
struct Counting;

thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the allocator of the system, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Nothing to count for a thread that ends.
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
    let rounds = 1000;
    let before = TAKEN.get();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(TAKEN.get() - before, 1, "the allocator does not count");
    let before = TAKEN.get();
    for round in 0..rounds {
        for property in &properties {
            let size = property.info().value_type.numeric_size().unwrap();
            numbers[..size].fill(1.0 + f64::from(round));
            model.set_numbers(property, &numbers[..size]).unwrap();
            model.get_numbers(property, &mut numbers[..size]).unwrap();
        }
        model.set_property(&properties[0], f64::from(round)).unwrap();
    }
    let taken = TAKEN.get() - before;
    assert_eq!(taken, 0, "allocations in {rounds} rounds");
    assert_eq!(model.get_property(&properties[3]).unwrap(), Value::Real(f64::from(rounds)));
}
