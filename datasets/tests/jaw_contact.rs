//! Contact of teeth with teeth and of the tongue with the jaws: the bite in the balance of moments and by the law of its
//! contacts, depths by distances that are computed anew, states at rest, refusals.

use nalgebra::Point3;
use sinew::Vec3;
use sinew::component::Handle;
use sinew::contact::ColliderShape;
use sinew::geometry::{SignedDistance, SurfaceMesh, boundary};
use sinew::model::{
    AxialSpring, Collider, CollisionBehavior, FemModel, Model, PointRef, RenderMesh, RigidBody,
};
use sinew::property::{Pose, Value};
use sinew::schedule::{Simulation, SimulationError};
use sinew::solve::SolverSettings;
use sinew_datasets::{Params, find};

const NAME: &str = "jaw-tongue-hyoid";

fn build(arguments: &[&str]) -> Result<Model, String> {
    let built = (find(NAME).unwrap().build)(&mut Params::parse(arguments).unwrap());
    built.map_err(|error| error.to_string())
}

/// A model on its way.
struct Moved(Simulation);

impl Moved {
    /// After so many steps of 10 ms.
    fn after(arguments: &[&str], steps: usize) -> Self {
        let model = build(arguments).unwrap();
        let mut moved = Self(Simulation::new(model, SolverSettings::default()).unwrap());
        (0..steps).for_each(|_| moved.step());
        moved
    }

    /// 10 ms.
    fn step(&mut self) {
        self.step_by(0.01);
    }

    /// In halves where the whole fails, as a run does.
    fn step_by(&mut self, h: f64) {
        match self.0.step(h) {
            Ok(_) => {}
            Err(SimulationError::Step(error)) if error.may_pass() && h > 1e-4 => {
                (0..2).for_each(|_| self.step_by(0.5 * h));
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn read(&mut self, path: &str) -> Value {
        let property = self.0.model().property(&format!("/models/{NAME}/{path}")).unwrap();
        self.0.get(&property).unwrap()
    }

    fn real(&mut self, path: &str) -> f64 {
        let Value::Real(value) = self.read(path) else { panic!("{path} is no number") };
        value
    }

    fn vector(&mut self, path: &str) -> Vec3 {
        let Value::Vector(value) = self.read(path) else { panic!("{path} is no vector") };
        value
    }

    /// Place of a point of a muscle [m].
    fn place(&mut self, point: PointRef) -> Vec3 {
        let row = self.0.compiled().find_row(point).unwrap();
        self.0.state().unwrap().q[row]
    }

    fn jaw(&mut self) -> Pose {
        let Value::Pose(pose) = self.read("rigid_bodies/mandible:pose") else { panic!() };
        pose
    }

    /// Places of the nodes on the surface of the tongue but for those of a set [m].
    fn tongue_without(&mut self, set: &str) -> Vec<Vec3> {
        let fem = self.0.model().nth::<FemModel>(0);
        let mesh = &self.0.model()[fem].mesh;
        let attached = &mesh.node_sets[set];
        let nodes =
            boundary(mesh).node_of_vertex.into_iter().filter(|node| !attached.contains(node));
        let rows: Vec<_> =
            nodes.map(|node| self.0.compiled().block_of_node(fem, node as usize)).collect();
        let q = &self.0.state().unwrap().q;
        rows.into_iter().map(|row| q[row]).collect()
    }

    /// Moment about the axis through the condyles of the muscles that end on the mandible [N m].
    fn moment_of_muscles(&mut self) -> f64 {
        let jaw = body(self.0.model(), "mandible");
        let springs: Vec<_> = self
            .0
            .model()
            .iter::<AxialSpring>()
            .map(|(_, spring)| (spring.name.clone(), spring.ends))
            .collect();
        let axis = self.vector("frame_markers/ltmj_point:position");
        let mut sum = 0.0;
        for (name, ends) in springs {
            let is_on_jaw = |end: &PointRef| match end {
                PointRef::Marker(marker) => self.0.model()[*marker].body == jaw,
                PointRef::FemNode(..) | PointRef::Particle(_) => false,
            };
            let Some(on) = ends.iter().position(is_on_jaw) else { continue };
            let tension = self.real(&format!("axial_springs/{name}:tension"));
            let [here, there] = [ends[on], ends[1 - on]].map(|end| self.place(end));
            let force = (there - here).normalize() * tension;
            sum += (here - axis).cross(&force).y;
        }
        sum
    }
}

fn body(model: &Model, name: &str) -> Handle<RigidBody> {
    model.iter::<RigidBody>().find(|(_, body)| body.name == name).unwrap().0
}

fn teeth_on_teeth(model: &Model) -> Handle<CollisionBehavior> {
    model.iter::<CollisionBehavior>().find(|(_, it)| it.name == "teeth_on_teeth").unwrap().0
}

fn drawn(model: &Model, name: &str) -> SurfaceMesh {
    model.iter::<RenderMesh>().find(|(_, it)| it.name == name).unwrap().1.mesh.clone()
}

/// Radii and centres in the frame of the mandible of the balls that stand for the lower teeth [m].
fn balls(model: &Model) -> Vec<(f64, Vec3)> {
    let jaw = body(model, "mandible");
    let own = model.iter::<Collider>().filter(|(_, it)| it.site.body == Some(jaw));
    let balls = own.filter_map(|(_, it)| match it.shape {
        ColliderShape::Sphere { radius } => Some((radius, it.site.pose.translation.vector)),
        _ => None,
    });
    balls.collect()
}

#[test]
fn balls_of_the_lower_teeth_lie_in_their_crowns_and_touch_their_surface_on_both_sides_alike() {
    let model = build(&["contact=teeth"]).unwrap();
    let crowns = SignedDistance::new(&drawn(&model, "lower_teeth")).unwrap();
    let balls = balls(&model);
    assert_eq!(balls.len(), 34);
    for (radius, center) in &balls {
        let depth = -crowns.foot(center).unwrap().distance;
        // Edges of the surface are 0.9 mm long: it lies some 0.1 mm inside of what it stands for.
        assert!((depth - radius).abs() < 0.2e-3, "{radius} m at a depth of {depth} m");
        let mirrored = Vec3::new(center.x, -center.y, center.z);
        assert!(balls.iter().any(|(_, other)| (other - mirrored).norm() < 1e-15));
    }
}

#[test]
fn clenched_teeth_bite_with_a_published_force_that_the_muscles_balance_about_the_condyles() {
    let mut moved = Moved::after(&["task=clench", "contact=teeth"], 55);
    let behavior = teeth_on_teeth(moved.0.model());
    let axis = moved.vector("frame_markers/ltmj_point:position");
    let state = moved.0.state().unwrap().clone();
    let contacts: Vec<_> = moved.0.compiled().contacts_of(behavior, &state).unwrap().collect();
    let force: Vec3 = contacts.iter().map(|it| it.force).sum();
    assert!((100.0..700.0).contains(&force.norm()) && force.z < 0.0, "{force} N");
    assert!(force.y.abs() < 1e-3 * force.norm(), "{force} N");
    // Fossae, walls behind and springs aside act at the condyles: muscles and teeth balance, but for the weight of 2 N and the
    // tongue, at levers of 40 mm.
    let bite: f64 = contacts.iter().map(|it| (it.point - axis).cross(&it.force).y).sum();
    let muscles = moved.moment_of_muscles();
    assert!((bite + muscles).abs() < 0.02 * bite.abs(), "{bite} and {muscles} N m");
    // People bite between the rear third of the first molar and the front third of the second one.
    let center = moved.vector("collision_behaviors/teeth_on_teeth:center_of_pressure");
    assert!((5e-3..16e-3).contains(&center.x) && center.y.abs() < 1e-4, "{center} m");
}

#[test]
fn teeth_overlap_by_what_the_law_allows_and_no_more() {
    let mut moved = Moved::after(&["task=clench", "contact=teeth"], 55);
    let jaw = moved.jaw();
    let model = moved.0.model();
    let law = model.iter::<CollisionBehavior>().next().unwrap().1.law.hunt_crossley;
    let upper = SignedDistance::new(&drawn(model, "upper_teeth")).unwrap();
    let (mut sum, mut deepest) = (Vec3::zeros(), 0.0_f64);
    for (radius, center) in balls(model) {
        let foot = upper.foot(&(jaw * Point3::from(center)).coords).unwrap();
        let depth = (radius - foot.distance).max(0.0);
        let hertz = 4.0 / 3.0 * law.effective_modulus * radius.sqrt() * depth.powf(1.5);
        sum += foot.normal * hertz;
        deepest = deepest.max(depth);
    }
    let lower = drawn(model, "lower_teeth");
    let meshes = lower.vertices().iter().map(|x| upper.foot(&(jaw * Point3::from(*x)).coords));
    let least = meshes.map(|foot| foot.unwrap().distance).fold(f64::INFINITY, f64::min);
    let force = moved.vector("collision_behaviors/teeth_on_teeth:force");
    // Both of a pair go into their sockets by the published 74 +- 22 um.
    assert!((80e-6..220e-6).contains(&deepest), "{deepest} m");
    assert!((sum - force).norm() < 0.02 * force.norm(), "{sum} by the law, {force} N");
    // Balls stand for crowns to 0.2 mm.
    assert!(least > -deepest - 0.2e-3, "{least} m of the surfaces, {deepest} m of the balls");
}

#[test]
fn without_excitation_teeth_that_touch_keep_the_jaw_closed() {
    let mut moved = Moved::after(&["task=rest", "contact=teeth"], 30);
    let force = moved.vector("collision_behaviors/teeth_on_teeth:force").norm();
    // What passive closers exceed the weight by.
    assert!((0.1..10.0).contains(&force), "{force} N");
    let shift = moved.vector("frame_markers/lower_incisor:position") - Vec3::new(45e-3, 0.0, 36e-3);
    assert!(shift.norm() < 1e-3 && shift.y.abs() < 1e-6, "{shift} m");
}

#[test]
fn a_tongue_that_touches_nothing_rests_as_without_contact() {
    let [without, with] = ["none", "tongue"].map(|contact| {
        let mut moved = Moved::after(&["task=rest", &format!("contact={contact}")], 20);
        moved.tongue_without("jaw")
    });
    let apart = without.iter().zip(&with).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(apart < 1e-8, "{apart} m");
}

/// Depth of the deepest node of the tongue inside of the upper jaw and of the mandible [m]; both negative outside.
fn depths(moved: &mut Moved, solids: &[SignedDistance; 2]) -> [f64; 2] {
    let jaw = moved.jaw().inverse();
    let depth = |solid: &SignedDistance, p: Vec3| -solid.foot(&p).unwrap().distance;
    let all = moved.tongue_without("jaw");
    let deepest = |of: &dyn Fn(&Vec3) -> f64| all.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    [
        deepest(&|p| depth(&solids[0], *p)),
        deepest(&|p| depth(&solids[1], (jaw * Point3::from(*p)).coords)),
    ]
}

fn solids(model: &Model) -> [SignedDistance; 2] {
    ["maxilla", "mandible"].map(|name| {
        let mesh = model[body(model, name)].mesh.as_ref().unwrap();
        SignedDistance::new(mesh).unwrap()
    })
}

#[test]
fn the_tongue_presses_against_the_palate_and_no_node_passes_through_it() {
    let mut moved = Moved::after(&["task=press", "contact=tongue"], 0);
    let solids = solids(moved.0.model());
    let (mut pressure, mut area, mut all) = (0.0_f64, 0.0_f64, Vec::new());
    for step in 0..55 {
        moved.step();
        let deepest = depths(&mut moved, &solids).into_iter().fold(0.0, f64::max);
        all.push(deepest);
        // Nodes that slide over edges of teeth, some 10 mm thick, are pushed out in the steps that follow.
        assert!(deepest < 1.5e-3, "step {step}: {deepest} m");
        pressure = pressure.max(moved.real("collision_behaviors/tongue_on_upper_jaw:max_pressure"));
        area = area.max(moved.real("collision_behaviors/tongue_on_upper_jaw:contact_area"));
    }
    let still = &all[all.len() - 5..];
    assert!(still.iter().sum::<f64>() < 5.0 * 0.5e-3, "{still:?} m where it rests");
    println!("{pressure} Pa on {area} m2");
    // Half of the 32 +- 8 kPa of women on a bulb, and no more than the strongest tongues on record, 47 +- 10 kPa.
    assert!((16e3..60e3).contains(&pressure) && area > 500e-6, "{pressure} Pa, {area} m2");
}

/// The dorsum at rest and the mucosa of the palate: the tongue fills the vault, and overlaps nothing.
#[test]
fn the_tongue_fills_the_vault_of_the_palate_without_touching_it() {
    let model = build(&["contact=tongue"]).unwrap();
    let [bone, mucosa] = ["maxilla", "covered_maxilla"]
        .map(|name| SignedDistance::new(model[body(&model, name)].mesh.as_ref().unwrap()).unwrap());
    let mesh = &model.fem(0).mesh;
    let gaps = mesh.node_sets["dorsum"].iter().map(|&node| {
        let at = mesh.nodes[node as usize];
        [&bone, &mucosa].map(|solid| solid.foot(&at).unwrap().distance)
    });
    let [to_bone, to_mucosa] =
        gaps.fold([f64::INFINITY; 2], |least, gap| [least[0].min(gap[0]), least[1].min(gap[1])]);
    assert!((0.5e-3..2.5e-3).contains(&to_mucosa), "{to_mucosa} m to the mucosa");
    assert!(to_bone > to_mucosa + 1e-3, "{to_bone} m to the bone");
}

#[test]
fn the_tip_of_the_tongue_stays_behind_the_lower_incisors_when_the_jaw_opens() {
    let [through, kept] = ["none", "tongue"].map(|contact| {
        let mut moved = Moved::after(&["task=open", &format!("contact={contact}")], 0);
        let solids = solids(moved.0.model());
        let mut deepest = 0.0_f64;
        for _ in 0..40 {
            moved.step();
            deepest = deepest.max(depths(&mut moved, &solids)[1]);
        }
        deepest
    });
    assert!(through > 2.0 * kept && kept < 1e-3, "{through} m without contact, {kept} m with it");
}

#[test]
fn a_resected_mandible_bites_with_the_teeth_that_are_left() {
    let model = build(&["mandible=resected", "contact=all"]).unwrap();
    // Without the molars of the left side, which have 4 cusps.
    assert_eq!(balls(&model).len(), 34 - 2 * 4);
    model.compile().unwrap();
}

#[test]
fn unknown_contacts_are_refused() {
    let error = build(&["contact=lips"]).unwrap_err();
    assert!(error.contains("contact") && error.contains("teeth, tongue, all"), "{error}");
}
