//! Compiled models come to rest at contact.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::model::{CollisionBehavior, Model};
use sinew::property::Value;
use sinew::simulated::Simulated;
use sinew::solve::{MechSystemSolver, SolverSettings};

use crate::scene::{bead, compile, cube, floor};

#[test]
fn a_cube_and_a_bead_that_fall_on_a_floor_end_up_resting_on_it() {
    let mut model = Model::new("m");
    floor(&mut model);
    cube(&mut model, "cube", 0.0);
    let bead = bead(&mut model, "bead", 1.0);
    model[bead].position.z = 0.02;
    model.add(CollisionBehavior::everything(0.3).named("all"));
    let compiled = compile(&model);
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    for _ in 0..50 {
        solver.step(&compiled, &mut state, 0.01).unwrap();
    }
    let s = Simulated { model: &model, compiled: &compiled, state: &state };
    let get = |path: &str| s.get_property(&model.property(path).unwrap()).unwrap();
    let number = |path: &str, k: usize| get(path).numbers().nth(k).unwrap();
    // 1 kg and 0.1 kg, on side A as they move; half a second is enough to stop.
    let weight = 1.1 * 9.8;
    let force = number("/models/m/collision_behaviors/all:force", 2);
    assert!((force / weight - 1.0).abs() < 1e-3, "{force} N of {weight} N");
    let on_floor = number("/models/m/colliders/floor:force", 2);
    assert_eq!(on_floor, -force);
    assert_eq!(get("/models/m/colliders/cube:contact_count"), Value::Int(4));
    let heights = [("rigid_bodies/cube", 0.05), ("particles/bead", 0.0)];
    for (what, height) in heights {
        let z = number(&format!("/models/m/{what}:position"), 2);
        // Ten tolerances, which are 1e-4 of half a metre.
        assert!((z - height).abs() < 5e-4, "{what} at {z} m");
    }
    let depth = number("/models/m/collision_behaviors/all:max_penetration", 0);
    assert!((0.0..5e-4).contains(&depth), "{depth} m");
    assert!(state.u.iter().all(|u: &Vec3| u.norm() < 1e-6), "{:?}", state.u);
}
