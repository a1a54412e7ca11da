//! The body of the tables: masses, inertias, lengths, symmetry, moment arms against published ranges, subsets, a run.

use std::collections::BTreeMap;

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::component::Handle;
use sinew::model::{Joint, Model, MultiPointSpring, PointRef, RigidBody};
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew_datasets::body::{
    BodyError, BodyParams, MassRule, Patterns, Person, Sex, body, placed_segments, tables,
};
use sinew_datasets::{Params, find};

fn muscular() -> Model {
    let params = BodyParams { muscles: Patterns::all(), bones: false, ..BodyParams::default() };
    let made = body(&params).unwrap();
    assert!(made.left_out.is_empty(), "{:?}", made.left_out);
    made.model
}

#[test]
fn segments_make_up_the_mass_and_the_stature_and_have_inertias_of_solids() {
    for (stature, mass) in [(1.5, 45.0), (1.78, 74.0), (1.95, 110.0)] {
        for sex in [Sex::Male, Sex::Female] {
            for masses in [MassRule::Fractions, MassRule::Regression] {
                let person = Person { stature, mass, sex, masses };
                let segments = placed_segments(tables().unwrap(), &person).unwrap();
                let sum: f64 = segments.iter().map(|it| it.mass).sum();
                assert!((sum - mass).abs() < 1e-12 * mass, "{sum} {mass}");
                for it in &segments {
                    let [x, y, z] = it.moments.into();
                    assert!(x > 0.0 && y > 0.0 && z > 0.0, "{} {}", it.name, it.moments);
                    assert!(x < y + z && y < z + x && z < x + y, "{} {}", it.name, it.moments);
                }
                let head = segments.iter().find(|it| it.name == "head").unwrap();
                let top = head.origin + head.along * head.length;
                // Lengths are tabulated with four digits.
                assert!((top.z - stature).abs() < 1e-3 * stature, "{} {stature}", top.z);
            }
        }
    }
}

/// Segment masses of Zatsiorsky1983 and of deLeva1996 are two accounts of the same bodies.
#[test]
fn regression_and_fractions_agree_for_a_man_of_the_sample() {
    let of = |masses| {
        let person = Person { stature: 1.741, mass: 73.0, sex: Sex::Male, masses };
        placed_segments(tables().unwrap(), &person).unwrap()
    };
    for (a, b) in of(MassRule::Fractions).iter().zip(of(MassRule::Regression)) {
        assert!((a.mass - b.mass).abs() < 0.08 * b.mass, "{} {} {}", a.name, a.mass, b.mass);
    }
}

/// Moment arms at the neutral pose [m]: the coordinate's joint and number, muscles, published ranges.
const PUBLISHED: [(&str, usize, &str, f64, f64, &str); 16] = [
    ("hip_r", 0, "gluteus_maximus_middle_r", -0.080, -0.045, "Nemeth1985"),
    ("hip_r", 0, "semimembranosus_r", -0.070, -0.045, "Nemeth1985"),
    ("hip_r", 0, "rectus_femoris_r", 0.030, 0.050, "Visser1990"),
    ("hip_r", 1, "gluteus_medius_middle_r", 0.040, 0.070, "Dostal1986"),
    ("knee_r", 0, "rectus_femoris_r", -0.050, -0.035, "Buford1997"),
    ("knee_r", 0, "vastus_lateralis_r", -0.050, -0.035, "Buford1997"),
    ("knee_r", 0, "semimembranosus_r", 0.015, 0.045, "Buford1997"),
    ("knee_r", 0, "biceps_femoris_long_r", 0.010, 0.035, "Buford1997"),
    ("knee_r", 0, "gastrocnemius_medial_r", 0.010, 0.030, "Buford1997"),
    ("ankle_r", 0, "soleus_r", -0.060, -0.040, "Maganaris2000"),
    ("ankle_r", 0, "tibialis_anterior_r", 0.030, 0.048, "Maganaris1999"),
    ("elbow_r", 0, "biceps_long_r", 0.010, 0.030, "Murray1995"),
    ("elbow_r", 0, "brachialis_r", 0.005, 0.020, "Murray1995"),
    ("elbow_r", 0, "triceps_long_r", -0.028, -0.015, "Murray1995"),
    ("wrist_r", 0, "flexor_carpi_ulnaris_r", 0.011, 0.020, "Loren1996"),
    ("wrist_r", 0, "extensor_carpi_radialis_brevis_r", -0.020, -0.010, "Loren1996"),
];

/// Moment arms by the coordinates of each joint, of every muscle, in the neutral pose [m].
fn moment_arms(model: &Model) -> BTreeMap<String, BTreeMap<String, Vec<f64>>> {
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let motions = compiled.coordinate_motions(&state);
    let mut all = BTreeMap::new();
    for (handle, line) in model.iter::<MultiPointSpring>() {
        let handle: Handle<MultiPointSpring> = handle;
        let mut of_line = BTreeMap::new();
        let mut k = 0;
        for (_, joint) in model.iter::<Joint>() {
            let count = joint.settings.kind.coordinate_count();
            let arm = |motion: &Option<Vec<Vec3>>| {
                let mut moving = state.clone();
                moving.u.clone_from(motion.as_ref().unwrap());
                -compiled.stretch_of_line(handle, &moving).unwrap()[1]
            };
            let arms = motions[k..k + count].iter().map(arm).collect();
            of_line.insert(joint.name.clone(), arms);
            k += count;
        }
        all.insert(line.name.clone(), of_line);
    }
    all
}

/// Name of the left one of a pair.
fn mirrored(right: &str) -> String {
    format!("{}_l", right.strip_suffix("_r").unwrap())
}

#[test]
fn moment_arms_lie_in_published_ranges_and_are_the_same_on_both_sides() {
    let arms = moment_arms(&muscular());
    let mut wrong = Vec::new();
    for (joint, coordinate, muscle, low, high, source) in PUBLISHED {
        let arm = arms[muscle][joint][coordinate];
        println!(
            "| `{muscle}` | {joint} {coordinate} | {:.1} | {:.0} to {:.0} | {source} |",
            arm * 1e3,
            low * 1e3,
            high * 1e3
        );
        if !(low..=high).contains(&arm) {
            wrong.push(format!(
                "{muscle} about {joint} {coordinate}: {arm:.4} [{low}, {high}] ({source})"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (muscle, right) in arms.iter().filter(|(name, _)| name.ends_with("_r")) {
        let left = &arms[&mirrored(muscle)];
        for (joint, arms) in right.iter().filter(|(joint, _)| joint.ends_with("_r")) {
            let other = &left[&mirrored(joint)];
            for (a, b) in arms.iter().zip(other) {
                assert!((a - b).abs() < 1e-9, "{muscle} about {joint}: {a} {b}");
            }
        }
    }
}

#[test]
fn left_and_right_are_mirror_images() {
    let model = muscular();
    let of = |name: &str| {
        let found = model.iter::<RigidBody>().find(|(_, it)| it.name == name);
        found.unwrap_or_else(|| panic!("no {name}")).1
    };
    let place = |point: &PointRef| {
        let PointRef::Marker(marker) = point else { panic!("a marker") };
        let marker = &model[*marker];
        (model[marker.body].pose * nalgebra::Point3::from(marker.location)).coords
    };
    let mut pairs = 0;
    for (_, line) in model.iter::<MultiPointSpring>().filter(|(_, it)| it.name.ends_with("_l")) {
        let name = format!("{}_r", line.name.strip_suffix("_l").unwrap());
        let right = model.iter::<MultiPointSpring>().find(|(_, it)| it.name == name).unwrap().1;
        assert_eq!(line.points.len(), right.points.len());
        for (l, r) in line.points.iter().zip(&right.points) {
            let (l, r) = (place(l), place(r));
            assert!((l - Vec3::new(r.x, -r.y, r.z)).norm() < 1e-14, "{name} {l} {r}");
        }
        let [l, r] = [line, right].map(|it| match it.material {
            AxialLaw::Millard2012(law) => law,
            ref other => panic!("{other:?}"),
        });
        assert_eq!(
            (l.max_isometric_force, l.optimal_fibre_length, l.pennation),
            (r.max_isometric_force, r.optimal_fibre_length, r.pennation)
        );
        // Lengths of paths are rounded.
        let [l, r] = [l, r].map(|it| it.tendon_slack_length);
        assert!((l - r).abs() < 1e-12 && l > 0.0, "{name} {l} {r}");
        pairs += 1;
    }
    assert_eq!(pairs, tables().unwrap().muscles.len());
    let [l, r] = ["shank_l", "shank_r"].map(|name| of(name).spatial_inertia().unwrap());
    assert_eq!((l.mass(), l.rotational()), (r.mass(), r.rotational()));
}

#[test]
fn a_subset_has_the_segments_and_muscles_that_patterns_name() {
    let arguments =
        ["segments=pelvis|thigh.*|shank.*|foot.*", "muscles=.*soleus.*|psoas.*", "stature=1.6"];
    let mut params = Params::parse(arguments).unwrap();
    let read = BodyParams::read(&mut params).unwrap();
    let made = body(&read).unwrap();
    let names: Vec<&str> =
        made.model.iter::<MultiPointSpring>().map(|it| it.1.name.as_str()).collect();
    assert_eq!(names, ["soleus_l", "soleus_r"]);
    assert_eq!(made.left_out, ["psoas_major_l", "psoas_major_r"]);
    assert_eq!(made.model.iter::<RigidBody>().count(), 7);
    assert_eq!(made.model.iter::<Joint>().count(), 6);
    made.model.check().unwrap();
    // Bones are surfaces that enclose something.
    for (_, it) in made.model.iter::<RigidBody>() {
        let mesh = it.mesh.as_ref().unwrap();
        assert!(mesh.signed_volume() > 1e-5, "{} {}", it.name, mesh.signed_volume());
    }
    let refused = |key: &str| {
        let error = (find("body").unwrap().build)(&mut Params::parse([key]).unwrap()).unwrap_err();
        error.to_string()
    };
    assert!(refused("segments=tail").contains("there are: pelvis"), "{}", refused("segments=tail"));
    assert!(refused("muscles=(").contains("cannot be read"), "{}", refused("muscles=("));
    assert!(refused("stature=17").contains("at most 2.6"));
    let table = BodyError::Unknown {
        table: "paths",
        row: "a".into(),
        what: "the segment",
        name: "b".into(),
    };
    assert!(table.to_string().contains("add it to its table"));
}

/// The counts that docs/reference/body.md tells.
#[test]
fn the_tables_have_as_many_rows_as_their_page_says() {
    let tables = tables().unwrap();
    let page = include_str!("../../docs/reference/body.md");
    let mut bones: Vec<(&str, bool)> = Vec::new();
    for part in tables.bones.chunk_by(|a, b| a.bone == b.bone) {
        let mid =
            tables.segments.iter().any(|it| it.segment == part[0].segment && it.sides == "mid");
        let single = mid && part.iter().any(|it| it.y.abs() < 5e-3);
        bones.push((&part[0].bone, single));
    }
    let count: usize = bones.iter().map(|(_, single)| if *single { 1 } else { 2 }).sum();
    for text in [format!("{count} bones"), format!("{} muscle paths", 2 * tables.muscles.len())] {
        assert!(page.contains(&text), "the page does not say '{text}'");
    }
    for muscle in &tables.muscles {
        assert!(tables.paths.iter().filter(|it| it.muscle == muscle.name).count() >= 2);
    }
}

#[test]
fn a_body_with_all_muscles_hangs_for_a_second_within_the_ranges_of_its_joints() {
    let params = BodyParams { muscles: Patterns::all(), bones: false, ..BodyParams::default() };
    let model = body(&params).unwrap().model;
    let joints: Vec<(String, Vec<[f64; 2]>)> = model
        .iter::<Joint>()
        .map(|(handle, joint)| {
            let ranges = joint.settings.coordinates.iter().map(|it| it.range);
            let ends = ranges.map(|it| [it.lower.unwrap(), it.upper.unwrap()]);
            (model.path(handle), ends.collect())
        })
        .collect();
    let mut run = Simulation::new(model, SolverSettings::default()).unwrap();
    let list = |run: &mut Simulation, path: &str| -> Vec<f64> {
        let property = run.property(path).unwrap();
        run.get(&property).unwrap().numbers().collect()
    };
    let (mut apart, mut beyond) = (0.0_f64, 0.0_f64);
    for _ in 0..100 {
        run.step(0.01).unwrap();
        for (path, ends) in &joints {
            let errors = list(&mut run, &format!("{path}:errors"));
            apart = errors.iter().fold(apart, |most, error| most.max(error.abs()));
            let values = list(&mut run, &format!("{path}:coordinates"));
            for (value, [low, high]) in values.iter().zip(ends) {
                beyond = beyond.max(low - value).max(value - high);
            }
        }
    }
    println!("joints apart by {apart:.1e}, beyond their ranges by {beyond:.1e} rad");
    assert!(apart < 1e-6 && beyond < 1e-2, "{apart} {beyond}");
}

fn vector(run: &mut Simulation, path: &str) -> Vec3 {
    let property = run.property(path).unwrap();
    match run.get(&property).unwrap() {
        sinew::property::Value::Vector(value) => value,
        other => panic!("{path}: {other:?}"),
    }
}

fn builtin(name: &str, arguments: &[&str]) -> Simulation {
    let model = (find(name).unwrap().build)(&mut Params::parse(arguments).unwrap()).unwrap();
    Simulation::new(model, SolverSettings::default()).unwrap()
}

/// Steps of the machine: feet that come down in front of the other one.
#[test]
fn the_walking_machine_walks_ten_steps_down_its_slope_without_falling() {
    let mut run = builtin("walker", &[]);
    let feet = ["l", "r"].map(|side| format!("/models/walker/frame_markers/foot_{side}:position"));
    let (mut steps, mut lowest) = (0, f64::INFINITY);
    let mut places = vec![0.0];
    for _ in 0..16_000 {
        run.step(1e-3).unwrap();
        let [l, r] = [0, 1].map(|k| vector(&mut run, &feet[k]));
        lowest = lowest.min(vector(&mut run, "/models/walker/rigid_bodies/hip:position").z);
        // Both feet on the ground, the other one in front: a step.
        let front = if steps % 2 == 0 { r } else { l };
        if front.z < 0.0102 && front.x > places[places.len() - 1] + 0.3 {
            places.push(front.x);
            steps += 1;
        }
        if steps == 12 {
            break;
        }
    }
    println!(
        "{steps} steps in {:.2} s, places {places:?}, hip never below {lowest:.4} m",
        run.time()
    );
    assert!(steps >= 10, "{steps} steps, hip at {lowest} m");
    assert!(lowest > 0.97, "{lowest}");
    // The gait is periodic: steps are as long as each other.
    let lengths: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    assert!(lengths.iter().all(|it| (it - mean).abs() < 0.05 * mean), "{lengths:?}");
}

/// Height of the head and place of the thorax along the push, at the end, and the farthest place [m].
fn pushed(arguments: &[&str], time: f64) -> [f64; 3] {
    let mut run = builtin("stance", arguments);
    let place = |run: &mut Simulation, body: &str| {
        vector(run, &format!("/models/body/rigid_bodies/{body}:position"))
    };
    let (start, mut farthest) = (place(&mut run, "thorax").x, 0.0_f64);
    while run.time() < time {
        run.step(4e-3).unwrap();
        farthest = farthest.max(place(&mut run, "thorax").x - start);
    }
    [place(&mut run, "head").z, place(&mut run, "thorax").x - start, farthest]
}

#[test]
fn a_person_who_is_pushed_stands_by_stiff_joints_and_falls_without_them() {
    let [height, left, farthest] = pushed(&[], 3.0);
    // Its centre of mass is a little behind the ankles, so that it leans back.
    let [_, still, nearest] = pushed(&["push=0"], 3.0);
    println!(
        "head at {height:.3} m; thorax {left:.3} ({still:.3}) m forward, {farthest:.3} ({nearest:.3}) m at most"
    );
    assert!(height > 1.45, "head at {height} m");
    assert!(farthest > nearest + 0.03, "the push moves it: {farthest} {nearest}");
    assert!((left - still).abs() < 0.01, "it comes back: {left} {still}");
    let [fallen, ..] = pushed(&["control=0"], 1.2);
    assert!(fallen < 1.3, "head at {fallen} m");
}
