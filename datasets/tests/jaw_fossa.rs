//! The curved fossa: the eminence against published shapes, condyles that keep to it and to their capsules, openings and a
//! chewing cycle against published ranges.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::model::{CustomJoint, Model, PointConstrainer, RigidBody};
use sinew::property::Value;
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew_datasets::jaw::joint::{CAPSULE, CONDYLE, fossa_path};
use sinew_datasets::{Params, find};

const NAME: &str = "jaw-tongue-hyoid";

fn build(arguments: &[&str]) -> Model {
    (find(NAME).unwrap().build)(&mut Params::parse(arguments).unwrap()).unwrap()
}

/// A model on its way, and where its markers were at rest.
struct Moving(Simulation);

impl Moving {
    fn new(arguments: &[&str]) -> Self {
        Self(Simulation::new(build(arguments), SolverSettings::default()).unwrap())
    }

    fn step(&mut self) {
        self.0.step(0.01).map(|_| ()).unwrap();
    }

    /// Place of a marker [m].
    fn at(&mut self, marker: &str) -> Vec3 {
        let path = format!("/models/{NAME}/frame_markers/{marker}:position");
        let property = self.0.model().property(&path).unwrap();
        let Value::Vector(at) = self.0.get(&property).unwrap() else { panic!("{path}") };
        at
    }

    /// Ways of the condyles from rest, left and right [m].
    fn condyles(&mut self) -> [Vec3; 2] {
        let [x, y, z] = CONDYLE;
        [("ltmj_point", y), ("rtmj_point", -y)].map(|(name, y)| self.at(name) - Vec3::new(x, y, z))
    }

    /// Distance of the incisal edges less the 1 mm at rest [m].
    fn gape(&mut self) -> f64 {
        (self.at("lower_incisor") - self.at("upper_incisor")).norm() - 1e-3
    }
}

/// Young adults: the crest lies 9.49 +- 1.62 mm (men) and 9.33 +- 1.36 mm (women) before the roof of the fossa (Nam et al. 2019).
#[test]
fn the_crest_of_the_eminence_is_as_far_forward_as_published() {
    let crest = (0..200).map(|k| 1e-4 * f64::from(k)).find(|&x| fossa_path(x)[1] == 0.0).unwrap();
    assert!((9.3e-3..9.9e-3).contains(&crest), "{crest} m");
    assert_eq!(fossa_path(crest)[0], fossa_path(CAPSULE)[0]);
    // The chord of the first 5 mm, as clinicians measure the way of a condyle: 32 to 46 degrees.
    let inclination = (-fossa_path(5e-3)[0] / 5e-3).atan().to_degrees();
    assert!((32.0..46.0).contains(&inclination), "{inclination} degrees");
}

#[test]
fn condyles_keep_to_the_eminence_as_the_mouth_opens_as_wide_as_published_and_closes() {
    let mut moving = Moving::new(&["task=open"]);
    let (mut gape, mut way) = (0.0_f64, 0.0_f64);
    for _ in 0..90 {
        moving.step();
        for condyle in moving.condyles() {
            let off = condyle.z - fossa_path(condyle.x)[0];
            // A spline through points 0.5 mm apart stands for the curve.
            assert!(off.abs() < 0.02e-3, "{off} m off the curve at {} m", condyle.x);
            way = way.max(condyle.norm());
        }
        gape = gape.max(moving.gape());
    }
    // Women: 46.6 mm with 11.9 mm of the condyles (Travers et al. 2000).
    assert!((38e-3..43e-3).contains(&gape), "{gape} m");
    assert!((11e-3..14e-3).contains(&way), "{way} m");
    let closed = moving.gape();
    assert!(closed.abs() < 1e-3, "{closed} m at the end");
}

#[test]
fn capsules_end_the_way_of_condyles_that_are_pulled_forward_with_full_force() {
    // The pterygoids at 1: three times what protrudes the jaw.
    let mut moving = Moving::new(&["task=protrude", "opening=4"]);
    let mut most = 0.0_f64;
    for _ in 0..45 {
        moving.step();
        most = moving.condyles().iter().fold(most, |most, condyle| most.max(condyle.x));
    }
    assert!((most - CAPSULE).abs() < 0.05e-3, "{most} m");
}

/// The published cycle goes 20.1 mm down, 5.8 mm back and up to 6.1 mm to the working side (Hannam et al. 2008).
#[test]
fn a_chewing_cycle_is_as_wide_as_published() {
    let mut moving = Moving::new(&["task=chew"]);
    let rest = moving.at("lower_incisor");
    let (mut down, mut back, mut aside) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut working, mut balancing) = (0.0_f64, 0.0_f64);
    for _ in 0..65 {
        moving.step();
        let way = rest - moving.at("lower_incisor");
        (down, back, aside) = (down.max(way.z), back.max(way.x), aside.max(way.y));
        let [left, right] = moving.condyles().map(|condyle| condyle.x);
        (working, balancing) = (working.max(right), balancing.max(left));
    }
    assert!((18e-3..22e-3).contains(&down), "{down} m down");
    assert!((4e-3..7e-3).contains(&back), "{back} m back");
    assert!((3e-3..7e-3).contains(&aside), "{aside} m to the right");
    assert!(balancing > working + 2e-3, "condyles go {working} and {balancing} m");
}

#[test]
fn the_curve_takes_the_place_of_the_planes_and_goes_with_a_ramus_that_was_parted() {
    let model = build(&["mandible=resected"]);
    assert_eq!(model.iter::<PointConstrainer>().count(), 0);
    let body = |name: &str| -> Handle<RigidBody> {
        model.iter::<RigidBody>().find(|(_, body)| body.name == name).unwrap().0
    };
    for (joint, bone) in [("ltmj", "left_ramus"), ("rtmj", "mandible")] {
        let (_, joint) = model.iter::<CustomJoint>().find(|(_, it)| it.name == joint).unwrap();
        assert_eq!(joint.c.body, Some(body(bone)));
    }
    model.compile().unwrap();
}
