//! Chewing on food: forces on the teeth that grow with its stiffness and balance, at all lengths of steps; refusals.

use sinew::Vec3;
use sinew::model::Model;
use sinew::property::Value;
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew_datasets::{Params, find};

const NAME: &str = "jaw-tongue-hyoid";

fn build(arguments: &[&str]) -> Result<Model, String> {
    let built = (find(NAME).unwrap().build)(&mut Params::parse(arguments).unwrap());
    built.map_err(|error| error.to_string())
}

/// Chewing with these parameters, after so many steps of 10 ms.
fn chewed(arguments: &[&str], steps: usize) -> Simulation {
    let model = build(&[&["task=chew"], arguments].concat()).unwrap();
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    (0..steps).for_each(|_| simulation.step(0.01).map(|_| ()).unwrap());
    simulation
}

fn read(simulation: &mut Simulation, path: &str) -> Value {
    let property = simulation.model().property(&format!("/models/{NAME}/{path}")).unwrap();
    simulation.get(&property).unwrap()
}

fn vector(simulation: &mut Simulation, path: &str) -> Vec3 {
    let Value::Vector(value) = read(simulation, path) else { panic!("{path} is no vector") };
    value
}

/// Forces on the lower and the upper teeth [N].
fn bite(simulation: &mut Simulation) -> [Vec3; 2] {
    ["lower", "upper"].map(|teeth| {
        vector(simulation, &format!("collision_behaviors/food_on_{teeth}_teeth:force"))
    })
}

/// Force of the springs of the cheek on the food [N]: they lie along the axes but for ways of some 4 mm in 50 mm.
fn cheek_force(simulation: &mut Simulation) -> Vec3 {
    let mut sum = Vec3::zeros();
    for k in 0..4 {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let path = format!("axial_springs/hold_{k}{name}:tension");
            let Value::Real(tension) = read(simulation, &path) else { panic!("{path}") };
            sum[axis] += tension;
        }
    }
    sum
}

/// The greatest force on the lower teeth [N] and the height of the incisor at the end [m].
fn bitten(arguments: &[&str]) -> [f64; 2] {
    let mut simulation = chewed(arguments, 0);
    let mut most = 0.0_f64;
    for step in 0..100 {
        simulation.step(0.01).map(|_| ()).unwrap_or_else(|error| panic!("step {step}: {error}"));
        let [lower, upper] = bite(&mut simulation);
        // 12 springs of 50 N/m at ways of some 4 mm at most.
        assert!((lower + upper).norm() < 2.0, "step {step}: {lower} and {upper} N");
        most = most.max(lower.norm());
    }
    let [lower, upper] = bite(&mut simulation);
    assert!(lower.z < -5.0 && upper.z > 5.0, "{lower} and {upper} N");
    // The food is at rest: contacts, springs and a weight of 7.2 mN are in balance, the springs to the slope of their lines.
    let left = cheek_force(&mut simulation) - lower - upper - Vec3::z() * 7.2e-3;
    assert!(left.norm() < 0.08, "{left} N are left of {lower}, {upper}");
    [most, vector(&mut simulation, "frame_markers/lower_incisor:position").z]
}

#[test]
fn firmer_food_is_bitten_with_more_force_that_both_rows_of_teeth_feel_and_holds_the_jaw_open() {
    let [soft, closed] = bitten(&["bolus=soft"]);
    let [firm, open] = bitten(&["bolus=firm", "side=left"]);
    assert!(firm > 2.0 * soft && soft > 5.0, "{soft} and {firm} N");
    // Below the 700 N of people who bite as hard as they can.
    assert!(firm < 200.0, "{firm} N");
    assert!(closed - open > 2e-3, "the incisor ends at {closed} and {open} m");
}

#[test]
fn before_the_teeth_meet_the_food_the_jaw_moves_as_without() {
    let incisor = |arguments: &[&str]| {
        vector(&mut chewed(arguments, 20), "frame_markers/lower_incisor:position")
    };
    let without = incisor(&[]);
    let with = incisor(&["bolus=firm"]);
    assert!((with - without).norm() < 1e-9, "{with} and {without}");
}

#[test]
fn steps_of_all_lengths_bite_alike() {
    let mut simulation = chewed(&["bolus=firm"], 60);
    let start = simulation.state().unwrap().clone();
    let bites = [1, 2, 5, 10].map(|length| {
        simulation.set_state(&start).unwrap();
        for step in 0..60 / length {
            let taken = simulation.step(1e-3 * f64::from(length));
            taken.map(|_| ()).unwrap_or_else(|error| panic!("{length} ms, step {step}: {error}"));
        }
        bite(&mut simulation)[0].norm()
    });
    let [finest, .., coarsest] = bites;
    assert!((coarsest / finest - 1.0).abs() < 0.2 && finest > 10.0, "{bites:?} N");
}

#[test]
fn food_that_is_not_chewed_or_has_no_teeth_below_is_refused() {
    for (arguments, named) in [
        (&["bolus=soft"][..], "task=chew"),
        (&["task=clench", "bolus=firm"], "task=chew"),
        (&["task=chew", "bolus=soft", "side=left", "mandible=resected"], "removed"),
        (&["task=chew", "bolus=gum"], "firm"),
    ] {
        let error = build(arguments).unwrap_err();
        assert!(error.contains("bolus") && error.contains(named), "{arguments:?}: {error}");
    }
    build(&["task=chew", "bolus=soft", "mandible=rebuilt"]).unwrap();
}
