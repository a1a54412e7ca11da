//! Colours of tissues mean what they say: a uniform stretch has the same value everywhere.

use sinew::Vec3;
use sinew::snapshot::{Quantity, Wanted};

use crate::scenes::{built, shown, simulation};

/// The field of a quantity on a bar that is stretched by `stretch` along x, evenly, and moves.
fn field(quantity: Quantity, stretch: f64) -> (Vec<f32>, [f32; 2]) {
    let mut simulation = simulation(built("beam", &["nx=3", "ny=2", "nz=2"]));
    let mut state = simulation.state().unwrap().clone();
    let rest = simulation.compiled().rest_positions().to_vec();
    for (q, x) in state.q.iter_mut().zip(&rest) {
        *q = Vec3::new(stretch * x.x, x.y, x.z);
    }
    state.u.fill(Vec3::new(0.0, 3.0, 4.0));
    simulation.set_state(&state).unwrap();
    let wanted = Wanted { quantity, ..Wanted::default() };
    let snapshot = shown(&mut simulation, &wanted);
    assert_eq!(snapshot.field.quantity, quantity);
    assert_eq!(snapshot.field.values.len(), snapshot.points.len());
    (snapshot.field.values, snapshot.field.range)
}

#[test]
fn a_uniform_stretch_has_one_strain() {
    let stretch = 1.2;
    let expected = 0.5 * (stretch * stretch - 1.0);
    let (values, range) = field(Quantity::Strain, stretch);
    let off = |x: f32| (f64::from(x) - expected).abs();
    assert!(values.iter().all(|&x| off(x) < 1e-6), "{values:?}");
    assert!(range.iter().all(|&x| off(x) < 1e-6), "{range:?}");
}

#[test]
fn stresses_and_energy_are_those_of_the_elements() {
    let mut simulation = simulation(built("beam", &["nx=3", "ny=2", "nz=2"]));
    let mut state = simulation.state().unwrap().clone();
    state.q.iter_mut().for_each(|q| q.x *= 1.1);
    simulation.set_state(&state).unwrap();
    let fem = simulation.compiled().fems()[0];
    let its = simulation.compiled().at(&state).element_state(fem, 0).unwrap();
    let pressure = -its.stress.trace() / 3.0;
    let cases = [
        (Quantity::VonMises, its.von_mises),
        (Quantity::EnergyDensity, its.strain_energy_density),
        (Quantity::Pressure, pressure),
    ];
    for (quantity, expected) in cases {
        assert!(expected.abs() > 1.0, "{quantity:?}: {expected}");
        let wanted = Wanted { quantity, ..Wanted::default() };
        let snapshot = shown(&mut simulation, &wanted);
        for value in &snapshot.field.values {
            assert!((f64::from(*value) / expected - 1.0).abs() < 1e-5, "{quantity:?}: {value}");
        }
    }
}

#[test]
fn displacement_and_speed_are_those_of_the_nodes() {
    let (values, range) = field(Quantity::Displacement, 1.5);
    let furthest = values.iter().copied().fold(0.0, f32::max);
    assert_eq!(range[1], furthest);
    let mut simulation = simulation(built("beam", &["nx=3", "ny=2", "nz=2"]));
    let rest = simulation.state().unwrap().q.clone();
    for (value, x) in values.iter().zip(&rest) {
        assert!((f64::from(*value) - 0.5 * x.x.abs()).abs() < 1e-6);
    }
    let (speeds, _) = field(Quantity::Speed, 1.0);
    assert!(speeds.iter().all(|&v| (v - 5.0).abs() < 1e-5), "{speeds:?}");
}

#[test]
fn without_a_quantity_there_are_no_values() {
    let (values, range) = {
        let snapshot = shown(&mut simulation(built("boxes", &[])), &Wanted::default());
        (snapshot.field.values, snapshot.field.range)
    };
    assert!(values.is_empty() && range == [0.0; 2]);
}
