//! The muscles that posture the vocal folds: lines between cartilages, and the thyroarytenoid as fibres of the folds.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::active::ConstantMuscle;
use sinew::component::{ComponentId, ComponentType, Handle};
use sinew::model::{AxialSpring, FemModel, FrameMarker, Model, MuscleExciter, PointRef, RigidBody};

use super::cartilages::Bodies;
use super::fold::Fold;
use super::task::Muscle;
use super::{LarynxParams, Task};
use crate::bones::MM;
use crate::course::{SUSTAINED, course};
use crate::fibres::add_muscle;
use crate::jaw::muscles::Side;
use crate::skeleton::add_belly;
use crate::tongue::STIFFENING;

/// A line of a muscle on the left.
struct Line {
    muscle: Muscle,
    name: &'static str,
    /// Points on the cricoid cartilage and at the other end [mm].
    ends: [[f64; 3]; 2],
    /// Force at full activation [N]: cross-section times greatest active stress (key Titze2006).
    force: f64,
}

/// The lines of the left.
const LINES: [Line; 4] = [
    Line {
        muscle: Muscle::Cricothyroid,
        name: "cricothyroid_recta",
        ends: [[-7.0, 4.0, -43.0], [-11.0, 10.5, -31.0]],
        force: 3.2,
    },
    Line {
        muscle: Muscle::Cricothyroid,
        name: "cricothyroid_oblique",
        ends: [[-10.5, 8.5, -44.0], [-24.0, 17.0, -31.5]],
        force: 3.2,
    },
    Line {
        muscle: Muscle::LateralCricoarytenoid,
        name: "lateral_cricoarytenoid",
        ends: [[-15.0, 10.8, -40.0], [-30.0, 9.6, -26.0]],
        force: 2.04,
    },
    Line {
        muscle: Muscle::PosteriorCricoarytenoid,
        name: "posterior_cricoarytenoid",
        ends: [[-31.5, 4.0, -40.0], [-30.0, 9.6, -26.0]],
        force: 4.62,
    },
];
/// Left end of the interarytenoid muscle [mm], and its force [N].
const INTERARYTENOID: ([f64; 3], f64) = ([-28.6, 4.6, -20.0], 2.35);
/// Force of a thyroarytenoid muscle [N]: 40.9 mm² times 105 kPa.
const THYROARYTENOID: f64 = 4.29;
/// Adds the lines and an exciter for each muscle, `cricothyroid`, ..., with its lines of both sides.
pub(super) fn add(model: &mut Model, bodies: Bodies, (task, effort): (Task, f64)) {
    let mut targets: Vec<(Muscle, ComponentId)> = Vec::new();
    for (k, side) in Side::BOTH.into_iter().enumerate() {
        for line in &LINES {
            let far = match line.muscle {
                Muscle::Cricothyroid => bodies.thyroid,
                _ => bodies.arytenoids[k],
            };
            let name = format!("{}_{}", side.name(), line.name);
            let [from, to] = line.ends.map(|at| side.of(at));
            let ends = [(bodies.cricoid, from), (far, to)];
            targets.push((line.muscle, pull(model, name, (ends, line.force))));
        }
    }
    let (at, force) = INTERARYTENOID;
    let ends = [0, 1].map(|k| (bodies.arytenoids[k], Side::BOTH[k].of(at)));
    let across = pull(model, "interarytenoid".into(), (ends, force));
    targets.push((Muscle::Interarytenoid, across));
    for muscle in [
        Muscle::Cricothyroid,
        Muscle::LateralCricoarytenoid,
        Muscle::PosteriorCricoarytenoid,
        Muscle::Interarytenoid,
    ] {
        let own = targets.iter().filter(|(of, _)| *of == muscle).map(|(_, id)| *id);
        let mut exciter = MuscleExciter::new(muscle.name(), own.collect::<Vec<_>>());
        exciter.excitation = (effort * task.excitation(muscle)).min(1.0);
        exciter.schedule = course(SUSTAINED);
        model.add(exciter);
    }
}

impl Muscle {
    const fn name(self) -> &'static str {
        match self {
            Self::Cricothyroid => "cricothyroid",
            Self::Thyroarytenoid => "thyroarytenoid",
            Self::LateralCricoarytenoid => "lateral_cricoarytenoid",
            Self::PosteriorCricoarytenoid => "posterior_cricoarytenoid",
            Self::Interarytenoid => "interarytenoid",
        }
    }
}

/// End of a line: a body, and a point of it [mm].
type End = (Handle<RigidBody>, [f64; 3]);

/// Adds a line between points of two bodies.
fn pull(model: &mut Model, name: String, (ends, max_force): ([End; 2], f64)) -> ComponentId {
    let words = ["origin", "insertion"];
    let mut mark = |k: usize| {
        let (body, at) = ends[k];
        let marker = FrameMarker::new(body, Vec3::from(at) * MM);
        PointRef::from(model.add(marker.named(format!("{name}_{}", words[k]))))
    };
    let length = (Vec3::from(ends[0].1) - Vec3::from(ends[1].1)).norm() * MM;
    let ends = [mark(0), mark(1)];
    let law = ConstantMuscle { max_force, ..ConstantMuscle::default() };
    let spring = AxialSpring::with_law(ends, AxialLaw::ConstantMuscle(law));
    let spring = model.add(spring.named(name)).id();
    add_belly(model, spring, max_force, [length; 2]);
    spring
}

/// Adds the thyroarytenoid muscles in the folds, and their exciter. They stiffen as the tongue does: folds that are four times as stiff at
/// full activation as at rest, and not ten times, buckle and turn inside out from an excitation of 0.2 on.
pub(super) fn add_thyroarytenoid(
    model: &mut Model,
    folds: [(Handle<FemModel>, &Fold); 2],
    params: &LarynxParams,
) {
    let name = Muscle::Thyroarytenoid.name();
    let bundles = folds.iter().zip(Side::BOTH).map(|((tissue, fold), side)| {
        let fibres = fold.muscle();
        let bundle = fibres.bundle(*tissue, [THYROARYTENOID, fold.length()], STIFFENING);
        (format!("{}_{name}", side.name()), bundle)
    });
    let excitation = (params.effort * params.task.excitation(Muscle::Thyroarytenoid)).min(1.0);
    add_muscle(model, name, bundles.collect(), (excitation, course(SUSTAINED)));
}
