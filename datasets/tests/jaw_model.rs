//! The assembled model of jaw, tongue and hyoid bone: counts, masses, symmetry, lengths at rest, documents,
//! and its first steps.

use sinew::axial::AxialLaw;
use sinew::constraint::Placement;
use sinew::model::{
    Anchor, Attachment, AxialSpring, CustomJoint, FemModel, FrameMarker, FrameSpring, Master,
    Model, MuscleBundle, MuscleExciter, PointConstrainer, PointRef, RigidBody, Stored,
};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew::{Mat3, Vec3};
use sinew_datasets::jaw::Body;
use sinew_datasets::jaw::excitation::Chewing;
use sinew_datasets::jaw::muscles::muscles;
use sinew_datasets::{Params, find};

fn built(arguments: &[&str]) -> Model {
    let build = find("jaw-tongue-hyoid").unwrap().build;
    build(&mut Params::parse(arguments).unwrap()).unwrap()
}

fn named<'m, T: Stored>(model: &'m Model, name: &str, name_of: impl Fn(&T) -> &str) -> &'m T {
    let found = model.iter::<T>().find(|(_, it)| name_of(it) == name);
    found.unwrap_or_else(|| panic!("no {name}")).1
}

fn body<'m>(model: &'m Model, name: &str) -> &'m RigidBody {
    named(model, name, |body: &RigidBody| &body.name)
}

/// Position of a point at rest [m].
fn place(model: &Model, point: PointRef) -> Vec3 {
    match point {
        PointRef::Marker(marker) => {
            let FrameMarker { body, location, .. } = &model[marker];
            (model[*body].pose * nalgebra::Point3::from(*location)).coords
        }
        PointRef::FemNode(fem, node) => model[fem].mesh.nodes[node as usize],
        PointRef::Particle(particle) => model[particle].position,
    }
}

fn muscle_springs(model: &Model) -> Vec<&AxialSpring> {
    let springs = model.iter::<AxialSpring>().map(|(_, spring)| spring);
    springs.filter(|spring| matches!(spring.material, AxialLaw::Peck(_))).collect()
}

#[test]
fn the_model_has_the_parts_that_its_page_lists() {
    for task in ["open", "chew", "rest"] {
        let model = built(&[&format!("task={task}")]);
        model.check().unwrap();
        let bodies: Vec<_> = model.iter::<RigidBody>().map(|(_, body)| body).collect();
        assert_eq!(bodies.len(), 6);
        let moving: Vec<_> = bodies.iter().filter(|b| b.dynamic).map(|b| b.name.as_str()).collect();
        assert_eq!(moving, ["mandible", "hyoid"]);
        assert_eq!(bodies.iter().filter(|b| b.mesh.is_some()).count(), Body::SOLID.len());
        assert_eq!(muscle_springs(&model).len(), 34);
        // Two bite planes and two posterior walls beside the muscles.
        assert_eq!(model.iter::<AxialSpring>().count(), 38);
        assert_eq!(model.iter::<CustomJoint>().count(), 2);
        assert_eq!(model.iter::<PointConstrainer>().count(), 0);
        assert_eq!(model.iter::<FrameSpring>().count(), 2);
        // Two for each of eight groups, and one for each muscle of the tongue.
        assert_eq!(model.iter::<MuscleExciter>().count(), 16 + 11);
        assert_eq!(model.iter::<MuscleBundle>().count(), 21);
        // Two ends of 34 muscles and 4 stops, two condyles, two incisors.
        assert_eq!(model.iter::<FrameMarker>().count(), 2 * 38 + 2 + 2);
    }
}

#[test]
fn mandible_and_hyoid_have_the_published_masses_and_damping() {
    let model = built(&[]);
    for (name, mass, center, damping, rotary) in [
        ("mandible", 0.2, [6.5e-3, 0.0, 30.1e-3], 403.0, 1.089),
        ("hyoid", 0.01, [-10.5e-3, 0.0, -0.7e-3], 50.0, 0.010),
    ] {
        let body = body(&model, name);
        let inertia = body.spatial_inertia().unwrap();
        assert_eq!((inertia.mass(), inertia.center_of_mass()), (mass, center.into()));
        let [frame, turn] = [body.frame_damping, body.rotary_damping].map(Option::unwrap);
        assert!((frame / damping - 1.0).abs() < 1e-12 && (turn / rotary - 1.0).abs() < 1e-12);
    }
    let [xx, yy, zz, xz] = [92.19e-6, 182.2e-6, 125.2e-6, -10.7e-6];
    let turn = body(&model, "mandible").spatial_inertia().unwrap().rotational();
    let expected = sinew::Mat3::new(xx, 0.0, xz, 0.0, yy, 0.0, xz, 0.0, zz);
    assert!((turn - expected).norm() < 1e-15, "{turn}");
}

#[test]
fn the_tongue_hangs_on_the_mandible_and_on_the_hyoid_bone_and_on_nothing_else() {
    for resolution in [1usize, 2] {
        let model = built(&[&format!("resolution={resolution}")]);
        let (handle, fem) = model.iter::<FemModel>().next().unwrap();
        assert!(fem.dirichlet.is_empty());
        assert_eq!(fem.mesh.element_count(), 740 * resolution * resolution * resolution);
        let attachments: Vec<_> = model.iter::<Attachment>().map(|(_, it)| it).collect();
        assert_eq!(attachments.len(), 2);
        for (attachment, set, bone) in
            [(attachments[0], "jaw", "mandible"), (attachments[1], "hyoid", "hyoid")]
        {
            let Master::Body(master) = attachment.master else { panic!("not on a body") };
            assert_eq!(model[master].name, bone);
            let nodes = &fem.mesh.node_sets[set];
            let points = nodes.iter().map(|&node| PointRef::FemNode(handle, node));
            assert!(points.eq(attachment.points.iter().copied()), "{set}");
        }
        let both = |node: &u32| fem.mesh.node_sets["hyoid"].contains(node);
        assert!(!fem.mesh.node_sets["jaw"].iter().any(both), "a node on two bodies");
    }
}

#[test]
fn every_muscle_spans_its_record_and_is_at_rest_where_it_says() {
    let model = built(&[]);
    for record in muscles() {
        let spring = named(&model, &record.name, |spring: &AxialSpring| &spring.name);
        let [origin, insertion] = spring.ends.map(|end| place(&model, end));
        assert!((origin - Vec3::from(record.origin.point)).norm() < 1e-15, "{}", record.name);
        let length = (insertion - origin).norm();
        assert!((length - record.rest_length()).abs() < 1e-15, "{}: {length} m", record.name);
        assert!((spring.rest_length - length).abs() < 1e-15);
        let AxialLaw::Peck(law) = spring.material else { panic!("{} is no muscle", record.name) };
        assert_eq!(law.max_force, record.max_force);
        assert_eq!(
            (law.optimal_length, law.tendon_ratio, law.passive_fraction),
            (record.optimal_length(), record.tendon_ratio, 0.015)
        );
        for (end, at) in spring.ends.iter().zip([record.origin, record.insertion]) {
            let PointRef::Marker(marker) = *end else { panic!("{} on no bone", record.name) };
            assert_eq!(model[model[marker].body].name, at.body.name());
        }
    }
}

#[test]
fn every_muscle_belongs_to_one_exciter_and_gets_the_excitation_of_its_table() {
    let model = built(&["task=chew", "side=left", "opening=1.5", "closing=1"]);
    let chewing = Chewing {
        working: sinew_datasets::jaw::muscles::Side::Left,
        opening: 1.5,
        ..Chewing::default()
    };
    for table in chewing.tables() {
        let target = named(&model, &table.muscle, |spring: &AxialSpring| &spring.name);
        let (handle, _) =
            model.iter::<AxialSpring>().find(|(_, spring)| std::ptr::eq(*spring, target)).unwrap();
        let gains: Vec<(f64, &MuscleExciter)> = model
            .iter::<MuscleExciter>()
            .flat_map(|(_, exciter)| exciter.targets.iter().map(move |to| (to, exciter)))
            .filter(|(to, _)| to.target == handle.id())
            .map(|(to, exciter)| (to.gain, exciter))
            .collect();
        let [(gain, exciter)] = gains[..] else { panic!("{}: {}", table.muscle, gains.len()) };
        assert!((0.0..=1.0).contains(&exciter.excitation), "{}", exciter.name);
        for [time, expected] in table.rows {
            let given = gain * exciter.excitation * exciter.schedule.at(time);
            assert!((given - expected).abs() < 1e-12, "{} at {time} s: {given}", table.muscle);
        }
    }
}

#[test]
fn at_rest_no_exciter_excites_and_opening_is_over_after_a_second() {
    for (_, exciter) in built(&["task=rest"]).iter::<MuscleExciter>() {
        assert_eq!(exciter.excitation, 0.0, "{}", exciter.name);
    }
    for (_, exciter) in built(&["task=open", "tongue=passive"]).iter::<MuscleExciter>() {
        assert!(exciter.excitation > 0.0, "{}", exciter.name);
        assert_eq!([0.0, 1.0, 5.0].map(|t| exciter.schedule.at(t)), [0.0; 3], "{}", exciter.name);
        let most = (0..=100).map(|k| exciter.schedule.at(0.01 * f64::from(k))).fold(0.0, f64::max);
        assert_eq!(most, 1.0, "{}", exciter.name);
    }
}

/// In the default task left and right do the same; bones and tongue are mirror images by tests of their own.
#[test]
fn points_forces_and_planes_are_symmetric_about_the_midsagittal_plane() {
    let model = built(&["fossa=planes"]);
    let mirrored = |p: Vec3| Vec3::new(p.x, -p.y, p.z);
    let springs: Vec<_> = model.iter::<AxialSpring>().map(|(_, spring)| spring).collect();
    for left in springs.iter().filter(|spring| spring.name.starts_with('l')) {
        let right = named(&model, &format!("r{}", &left.name[1..]), |s: &AxialSpring| &s.name);
        for (l, r) in left.ends.iter().zip(right.ends) {
            assert!((mirrored(place(&model, *l)) - place(&model, r)).norm() < 1e-15);
        }
        assert_eq!((left.material, left.rest_length), (right.material, right.rest_length));
    }
    let exciters: Vec<_> = model.iter::<MuscleExciter>().map(|(_, it)| it).collect();
    for left in exciters.iter().filter(|it| it.name.starts_with("left_")) {
        let right = named(&model, &left.name.replace("left", "right"), |e: &MuscleExciter| &e.name);
        assert_eq!((left.excitation, &left.schedule), (right.excitation, &right.schedule));
    }
    for (_, constrainer) in model.iter::<PointConstrainer>() {
        let Anchor::Frame(site) = constrainer.anchor else { panic!("{}", constrainer.name) };
        let point = place(&model, constrainer.point);
        let height = site.pose.inverse_transform_point(&nalgebra::Point3::from(point)).z;
        assert!(height.abs() < 1e-15, "{}: {height} m off its plane", constrainer.name);
        // 40 degrees down for each step forward, nothing to the side.
        let normal = site.pose.rotation * Vec3::z();
        let expected = Vec3::new(-40f64.to_radians().sin(), 0.0, -40f64.to_radians().cos());
        assert!((normal - expected).norm() < 1e-12, "{}: {normal}", constrainer.name);
    }
}

#[test]
fn stops_are_slack_at_rest_and_pull_where_a_plane_is_passed() {
    let model = built(&[]);
    let stops = model.iter::<AxialSpring>().map(|(_, spring)| spring);
    let stops = stops.filter(|spring| matches!(spring.material, AxialLaw::UnidirectionalLinear(_)));
    let mut count = 0;
    for stop in stops {
        let [from, to] = stop.ends.map(|end| place(&model, end));
        let length = |shift: Vec3| (to - from - shift).norm();
        assert!((length(Vec3::zeros()) - stop.rest_length).abs() < 1e-15, "{}", stop.name);
        let allowed = (to - from).normalize();
        assert!(length(allowed * 40e-3) < stop.rest_length, "{} hinders opening", stop.name);
        let stretch = length(allowed * -1e-3) - stop.rest_length;
        assert!((stretch - 1e-3).abs() < 1e-12, "{}: {stretch} m", stop.name);
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn the_model_is_the_same_after_a_round_through_a_document() {
    let model = built(&[]);
    let text = serde_json::to_string(&model).unwrap();
    let read: Model = serde_json::from_str(&text).unwrap();
    read.check().unwrap();
    assert_eq!(read.component_count(), model.component_count());
    assert!(serde_json::to_string(&read).unwrap() == text);
}

#[test]
fn a_finer_cell_makes_finer_bones_of_the_same_shape() {
    let volume = |arguments: &[&str]| {
        let model = built(arguments);
        let mesh = body(&model, "mandible").mesh.as_ref().unwrap();
        (mesh.triangles().len(), mesh.signed_volume())
    };
    let [(coarse, v), (fine, w)] = [volume(&[]), volume(&["cell=0.8"])];
    assert!(fine as f64 > 1.4 * coarse as f64, "{coarse} to {fine} triangles");
    assert!((v / w - 1.0).abs() < 0.02, "{v} and {w} m3");
}

/// A model on its way.
struct Moved {
    model: Model,
    compiled: CompiledModel,
    state: State,
}

impl Moved {
    /// After `steps` steps of 10 ms.
    fn after(arguments: &[&str], steps: usize) -> Self {
        let model = built(arguments);
        let compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
        for _ in 0..steps {
            solver.step(&compiled, &mut state, 0.01).unwrap();
        }
        Self { model, compiled, state }
    }

    /// Place of a marker [m].
    fn marker(&self, name: &str) -> Vec3 {
        let mut markers = self.model.iter::<FrameMarker>();
        let (handle, _) = markers.find(|(_, marker)| marker.name == name).unwrap();
        self.state.q[self.compiled.find_row(PointRef::Marker(handle)).unwrap()]
    }

    /// Distance of the incisal edges less the 1 mm at rest [m].
    fn gape(&self) -> f64 {
        (self.marker("lower_incisor") - self.marker("upper_incisor")).norm() - 1e-3
    }

    /// Largest error of a constraint [m]: all are heights over the curves of the fossae.
    fn row_error(&self) -> f64 {
        let multibody = self.compiled.multibody().unwrap();
        let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
        multibody.update_turns(&self.state.q, &mut turns);
        let at =
            Placement { q: &self.state.q, turns: &turns, coordinates: &self.state.coordinates };
        let rows = 0..multibody.joints.rows.count();
        assert_eq!(rows.len(), 2);
        let mut reader = multibody.joints.rows.at(at);
        rows.map(|row| reader.value(row).abs()).fold(0.0, f64::max)
    }
}

/// Mean displacement of a set of nodes of the tongue [m] at 0.5 s, where tasks are held.
fn moved(task: &str, set: &str) -> Vec3 {
    let moved = Moved::after(&[&format!("task={task}")], 50);
    let (fem, mesh) = (moved.model.nth::<FemModel>(0), &moved.model.fem(0).mesh);
    let place = |n: u32| moved.state.q[moved.compiled.block_of_node(fem, n as usize)];
    let nodes = &mesh.node_sets[set];
    nodes.iter().map(|&n| place(n) - mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len() as f64
}

#[test]
fn the_muscles_of_the_tongue_move_it_between_closed_jaws() {
    let rest = moved("rest", "tip");
    let out = moved("protrusion", "tip") - rest;
    assert!(out.x > 1e-3, "protrusion moves the tip by {out:?} m");
    let up = moved("tip_up", "tip") - rest;
    assert!(up.z > 1e-3, "tip_up moves the tip by {up:?} m");
    let back = moved("retraction", "tip") - rest;
    assert!(back.x < -1e-3, "retraction moves the tip by {back:?} m");
}

#[test]
fn a_passive_tongue_has_no_muscles_and_no_task() {
    let model = built(&["tongue=passive"]);
    assert_eq!(model.iter::<MuscleBundle>().count(), 0);
    assert_eq!(model.iter::<MuscleExciter>().count(), 16);
    let build = find("jaw-tongue-hyoid").unwrap().build;
    let refused = build(&mut Params::parse(["tongue=passive", "task=i"]).unwrap());
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("tongue=passive") && error.contains("muscles"), "{error}");
}

/// From the rest of a marker [m] to where it is when a task of the jaw is held.
fn slid(arguments: &[&str], name: &str) -> Vec3 {
    let [rest, moved] = [0, 55].map(|steps| Moved::after(arguments, steps).marker(name));
    moved - rest
}

/// Between published bounds of healthy adults (docs/theory/anatomy.md, "Tasks of the jaw").
#[test]
fn protrusion_slides_the_jaw_forward_with_the_teeth_apart() {
    let incisor = slid(&["task=protrude"], "lower_incisor");
    assert!((6e-3..11e-3).contains(&incisor.x) && incisor.y.abs() < 1e-5, "{incisor:?} m");
    let condyle = slid(&["task=protrude"], "ltmj_point");
    assert!(condyle.x > 5e-3 && condyle.z < -4e-3, "the condyle goes {condyle:?} m");
}

#[test]
fn laterotrusion_swings_the_jaw_to_the_working_side_and_mirrors() {
    let [right, left] = ["right", "left"]
        .map(|side| slid(&["task=laterotrude", &format!("side={side}")], "lower_incisor"));
    assert!((-13e-3..-7e-3).contains(&right.y), "{right:?} m");
    assert!((right - Vec3::new(left.x, -left.y, left.z)).norm() < 1e-5, "{right:?}, {left:?} m");
    let [working, balancing] =
        ["r", "l"].map(|side| slid(&["task=laterotrude"], &format!("{side}tmj_point")).x);
    assert!(working.abs() < 1e-3 && balancing > 5e-3, "condyles go {working} and {balancing} m");
}

#[test]
fn clenching_presses_the_teeth_together_with_a_force_that_people_have() {
    let moved = Moved::after(&["task=clench"], 50);
    let springs = moved.model.iter::<AxialSpring>();
    let stops = springs.filter(|(_, spring)| spring.name.ends_with("bite"));
    let pulls: Vec<f64> = stops
        .map(|(_, spring)| {
            let [point, far] = spring.ends.map(|end| match end {
                PointRef::Marker(marker) => moved.marker(&moved.model[marker].name),
                other => panic!("{other:?}"),
            });
            1e5 * ((far - point).norm() - spring.rest_length)
        })
        .collect();
    let [left, right] = pulls[..] else { panic!("{pulls:?}") };
    assert!((left - right).abs() < 1e-3 * left, "{pulls:?} N");
    assert!((100.0..700.0).contains(&(left + right)), "{pulls:?} N");
}

#[test]
fn without_excitation_the_jaw_stays_closed() {
    let moved = Moved::after(&["task=rest"], 10);
    // It sinks by less than the free way between the teeth of a jaw at rest, 2 to 4 mm.
    assert!(moved.gape().abs() < 2e-3, "{} m", moved.gape());
    assert!(moved.row_error() < 1e-9, "{} m", moved.row_error());
}

#[test]
fn the_excited_jaw_opens_along_its_fossae_and_in_the_middle() {
    let moved = Moved::after(&[], 20);
    let gape = moved.gape();
    // Of some 40 mm at the widest; more than 60 mm is out of joint.
    assert!((5e-3..60e-3).contains(&gape), "{gape} m");
    // Lengths are some 0.1 m, rows are solved to rounding and their curvature by iteration.
    assert!(moved.row_error() < 1e-9, "{} m", moved.row_error());

    let places = moved.model.iter::<FrameMarker>().map(|(_, marker)| marker.name.as_str());
    let mut pairs = 0;
    for left in places.filter(|name| name.starts_with('l') && *name != "lower_incisor") {
        let [l, r] = [moved.marker(left), moved.marker(&format!("r{}", &left[1..]))];
        let apart = (Vec3::new(l.x, -l.y, l.z) - r).norm();
        // Left and right are eliminated in different order; steps are solved to some 1e-8 of a step.
        assert!(apart < 1e-6, "{left}: {apart} m from its mirror image");
        pairs += 1;
    }
    // Two ends of 17 muscles and two stops, a condyle.
    assert_eq!(pairs, 2 * 19 + 1);
    assert!(moved.marker("lower_incisor").y.abs() < 1e-6);
}
