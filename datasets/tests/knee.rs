//! The knee: sound layers of cartilage that lie on bone and begin apart, contact that carries a load with the pressure that is
//! published, an anterior cruciate ligament that holds the tibia back, a quadriceps that extends.

use sinew::Vec3;
use sinew::geometry::SignedDistance;
use sinew::model::{CollisionBehavior, Model, MultiPointSpring, RigidBody};
use sinew::property::Value;
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_datasets::knee::{KneeParams, Task, knee};
use sinew_datasets::{Params, find};

fn built(arguments: &[&str]) -> Model {
    (find("knee").unwrap().build)(&mut Params::parse(arguments).unwrap()).unwrap()
}

/// A model after so many steps of 10 ms.
fn stepped(model: Model, steps: usize) -> Scheduler {
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    (0..steps).for_each(|step| {
        scheduler.step().unwrap_or_else(|error| panic!("step {step}: {error}"));
    });
    scheduler
}

/// A value of a component of the knee that stepped: its numbers.
fn read(scheduler: &mut Scheduler, path: &str) -> Vec<f64> {
    let simulation = scheduler.simulation_mut();
    let property = simulation.model().property(&format!("/models/knee/{path}")).unwrap();
    match simulation.get(&property).unwrap() {
        Value::Real(x) => vec![x],
        Value::Vector(v) => v.iter().copied().collect(),
        other => panic!("{path}: {other:?}"),
    }
}

/// The load acts at once.
fn set_at_once(model: &mut Model) {
    model.set_text("/models/knee/force_effectors/load:schedule", "0 0 0.05 1").unwrap();
}

fn body<'m>(model: &'m Model, name: &str) -> &'m RigidBody {
    model.iter::<RigidBody>().find(|(_, body)| body.name == name).unwrap().1
}

#[test]
fn cartilage_is_sound_lies_on_bone_and_begins_apart() {
    for (resolution, counts) in [(0, [300, 64, 64, 64]), (1, [1200, 256, 256, 256])] {
        for flexion in [0, 90] {
            let arguments = [format!("resolution={resolution}"), format!("flexion={flexion}")];
            let model = built(&arguments.each_ref().map(String::as_str));
            model.check().unwrap();
            let fems: Vec<_> = model.fems().map(|(_, fem)| fem).collect();
            assert_eq!([0, 1, 2, 3].map(|k| fems[k].mesh.element_count()), counts);
            for fem in &fems {
                let quality = fem.mesh.element_qualities().into_iter();
                let least = quality.map(|q| q.scaled_jacobian).fold(f64::INFINITY, f64::min);
                assert!(least > 0.15, "{}: quality {least}", fem.name);
            }
            if resolution == 0 {
                let mut begun = stepped(model, 1);
                for side in ["medial", "lateral", "patellofemoral"] {
                    let path = format!("collision_behaviors/{side}:max_penetration");
                    let depth = read(&mut begun, &path)[0];
                    assert!(depth < 0.1e-3, "{side} at {flexion}: {depth} m");
                }
            }
        }
    }
}

/// Bone that is drawn over cartilage hides it, and what touches the cartilage is in the bone.
#[test]
fn tibia_and_patella_lie_below_their_cartilage() {
    let model = built(&["flexion=0", "task=rest"]);
    for (layer, bone) in [("medial", "tibia"), ("lateral", "tibia"), ("patellar", "patella")] {
        let name = format!("{layer}_cartilage");
        let (_, fem) = model.fems().find(|(_, fem)| fem.name == name).unwrap();
        let bone = body(&model, bone);
        let surface = SignedDistance::new(bone.mesh.as_ref().unwrap()).unwrap();
        // Bones are drawn in cells of some millimetres: corners of their faces reach out by tenths.
        let heights = fem.mesh.nodes.iter().map(|node| {
            let local = bone.pose.inverse_transform_point(&(*node).into()).coords;
            surface.foot(&local).unwrap().distance
        });
        let [least, most] = heights.fold([f64::INFINITY, 0.0], |[least, most]: [f64; 2], at| {
            [least.min(at), most.max(at)]
        });
        assert!(least > -0.6e-3, "{name}: {least} m in the bone");
        assert!((1.5e-3..3.5e-3).contains(&most), "{name}: {most} m above the bone");
    }
}

#[test]
fn a_press_makes_the_pressure_and_the_area_that_are_published_without_menisci() {
    let mut model = built(&["task=press"]);
    set_at_once(&mut model);
    let mut pressed = stepped(model, 9);
    let mut sum = [0.0; 2];
    for side in ["medial", "lateral"] {
        let path = format!("collision_behaviors/{side}");
        let force = read(&mut pressed, &format!("{path}:force"));
        sum[0] -= force[2];
        sum[1] += read(&mut pressed, &format!("{path}:contact_area"))[0];
        let most = read(&mut pressed, &format!("{path}:max_pressure"))[0];
        // 6 MPa by films, which show the greatest of all places and times; faces of 4 mm show a mean.
        assert!((2.5e6..7.5e6).contains(&most), "{side}: {most} Pa");
    }
    // The load, and what ligaments add to it.
    assert!((1000.0..1400.0).contains(&sum[0]), "{} N", sum[0]);
    assert!((3.5e-4..9e-4).contains(&sum[1]), "{} m²", sum[1]);
}

#[test]
fn without_the_anterior_cruciate_ligament_the_tibia_is_drawn_farther_forward() {
    let way = |with: bool| {
        let mut model = built(&["task=drawer"]);
        set_at_once(&mut model);
        if !with {
            for name in ["acl_anterior", "acl_posterior"] {
                let path = format!("/models/knee/multi_point_springs/{name}:enabled");
                model.set_text(&path, "false").unwrap();
            }
        }
        let mut drawn = stepped(model, 9);
        read(&mut drawn, "frame_markers/joint_line:position")[0]
    };
    let more = way(false) - way(true);
    assert!(more > 1e-3, "{more} m");
}

#[test]
fn the_quadriceps_extends_the_knee_and_presses_the_patella_on_its_groove() {
    let turned = |excitation: f64| {
        let mut params = KneeParams { flexion: 40.0, excitation, ..KneeParams::of(Task::Extend) };
        params.gravity = 0.0;
        let mut model = knee(&params).unwrap();
        model.set_text("/models/knee/exciters/quadriceps:schedule", "1").unwrap();
        let tibia = model.iter::<RigidBody>().find(|(_, body)| body.name == "tibia").unwrap().0;
        let before = model[tibia].pose;
        let mut moved = stepped(model, 6);
        let after = moved.simulation_mut().pose(tibia).unwrap();
        let turn = (after.rotation * before.rotation.inverse()).scaled_axis().y;
        let press = read(&mut moved, "collision_behaviors/patellofemoral:force");
        (-turn, Vec3::from_row_slice(&press).norm())
    };
    let [(calm, _), (excited, press)] = [0.0, 0.1].map(turned);
    assert!(excited > calm + 0.02, "{calm} and {excited} rad");
    assert!(press > 20.0, "{press} N");
}

#[test]
fn bones_have_the_size_of_bones_and_every_ligament_and_muscle_begins_on_one() {
    let model = built(&["flexion=0", "task=rest"]);
    let extent = |name: &str| {
        let mesh = body(&model, name).mesh.as_ref().unwrap();
        let [low, high] = mesh.bounding_box().unwrap();
        (high - low) * 1e3
    };
    assert!((extent("femur").y - 86.0).abs() < 4.0, "{:?}", extent("femur"));
    assert!((extent("patella").y - 44.0).abs() < 1.0, "{:?}", extent("patella"));
    let lines = model.iter::<MultiPointSpring>().count();
    assert_eq!((lines, model.iter::<CollisionBehavior>().count()), (14 + 3 + 3, 3));
    for (_, marker) in model.iter::<sinew::model::FrameMarker>() {
        let bone = &model[marker.body];
        if marker.name == "joint_line" {
            continue;
        }
        let mesh = bone.mesh.as_ref().unwrap();
        let near = mesh.vertices().iter().map(|p| (p - marker.location).norm());
        let near = near.fold(f64::INFINITY, f64::min);
        assert!(near < 2.5e-3, "{}: {near} m from {}", marker.name, bone.name);
    }
}

/// Least distances of the heads of the quadriceps from the bones and cartilages that they could touch [m], farther than 5 mm from
/// their ends: there they are attached.
fn clearances(model: &Model) -> Vec<(String, f64)> {
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let mut solids: Vec<_> = ["femur", "tibia"]
        .map(|name| {
            let bone = body(model, name);
            let turn = bone.pose.rotation.to_rotation_matrix();
            let mesh = bone.mesh.as_ref().unwrap();
            mesh.transformed(turn.matrix(), &bone.pose.translation.vector).unwrap()
        })
        .into();
    solids.extend(model.fems().map(|(_, fem)| sinew::geometry::boundary(&fem.mesh).mesh));
    let solids: Vec<_> = solids.iter().map(|mesh| SignedDistance::new(mesh).unwrap()).collect();
    let heads = model.iter::<MultiPointSpring>().filter(|(_, line)| line.name.contains("vastus"));
    let least = |handle| {
        let line = compiled.polyline_of(handle, &state).unwrap();
        let [from, to] = [line[0], line[line.len() - 1]];
        let samples = line.windows(2).flat_map(|pair| {
            (0..16).map(move |k| pair[0] + (pair[1] - pair[0]) * (k as f64 / 16.0))
        });
        let between = samples.filter(|p| (p - from).norm() > 5e-3 && (p - to).norm() > 5e-3);
        let above = |p: Vec3| solids.iter().map(move |solid| solid.foot(&p).unwrap().distance);
        between.flat_map(above).fold(f64::INFINITY, f64::min)
    };
    heads.map(|(handle, line)| (line.name.clone(), least(handle))).collect()
}

#[test]
fn no_muscle_passes_through_bone_or_cartilage_straight_or_flexed() {
    for flexion in [0, 45, 90] {
        let found = clearances(&built(&[&format!("flexion={flexion}")]));
        assert_eq!(found.len(), 3);
        // Surfaces are drawn in cells of some millimetres, and a line along a shaft touches it.
        let outside = found.iter().all(|(_, least)| *least > -0.5e-3);
        assert!(outside, "at {flexion} degrees: {found:?} m");
    }
}
