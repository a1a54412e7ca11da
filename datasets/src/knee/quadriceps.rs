//! The quadriceps: three heads from the shaft of the femur to the upper edge of the patella, over the trochlea where the knee is
//! much flexed. Forces and lengths: docs/theory/anatomy.md.

use sinew::Vec3;
use sinew::axial::active::{Millard2012, TendonModel};
use sinew::axial::{ActivationModel, AxialLaw};
use sinew::component::{ComponentId, ComponentType};
use sinew::constraint::Pose;
use sinew::model::{FrameSite, Model, MultiPointSpring, MuscleExciter, Schedule, WrapSurface};

use super::ligaments::{Bodies, mark};
use super::shape::{self, FLANKS, GROOVE, TROCHLEA};
use crate::bones::MM;
use crate::bones::sdf::Point;
use crate::skeleton::hide;

/// A head of the muscle.
struct Head {
    name: &'static str,
    /// Near the femur, and near the patella in its frame [mm]: it ends at the nearest points of the bones.
    origin: Point,
    insertion: Point,
    /// Radius of the surface of the trochlea that it lies on [mm].
    over: f64,
    /// Greatest isometric force [N], optimal length of the fibres and slack length of the tendon [mm], pennation [rad].
    force: f64,
    lengths: [f64; 2],
    pennation: f64,
}

/// Rectus femoris and vastus intermedius as one, and the other vasti; the slack lengths are such that fibres are at their
/// optimal length when the knee is flexed by 60 degrees.
const HEADS: [Head; 3] = [
    Head {
        name: "vastus_intermedius",
        origin: [22.0, 4.0, 210.0],
        insertion: [2.0, 0.0, 20.0],
        over: GROOVE + TENDON,
        force: 2534.0,
        lengths: [87.0, 130.0],
        pennation: 0.052,
    },
    Head {
        name: "vastus_lateralis",
        origin: [8.0, 30.0, 200.0],
        insertion: [1.0, 13.0, 15.0],
        over: FLANKS[0] + TENDON,
        force: 1871.0,
        lengths: [84.0, 122.0],
        pennation: 0.087,
    },
    Head {
        name: "vastus_medialis",
        origin: [8.0, -24.0, 180.0],
        insertion: [1.0, -14.0, 12.0],
        over: FLANKS[1] + TENDON,
        force: 1294.0,
        lengths: [89.0, 95.0],
        pennation: 0.087,
    },
];
/// Half thickness of the tendon [mm].
const TENDON: f64 = 3.0;

/// Adds the heads and the exciter `quadriceps` of all.
pub(super) fn add(model: &mut Model, bodies: Bodies, (excitation, course): (f64, Schedule)) {
    let [femur, patella] = [shape::femur(), shape::patella(0.0)];
    let mut heads: Vec<ComponentId> = Vec::new();
    for head in &HEADS {
        let over = model.add(trochlea(bodies, head.over).named(format!("under_{}", head.name)));
        hide(model, over.id());
        let [origin, insertion] = [femur.nearest(head.origin), patella.nearest(head.insertion)];
        let points = vec![
            mark(model, bodies.femur, origin, format!("{}_origin", head.name)),
            mark(model, bodies.patella, insertion, format!("{}_insertion", head.name)),
        ];
        let law = AxialLaw::Millard2012(head.law());
        let line = MultiPointSpring::new(points, law).over(over).named(head.name);
        heads.push(model.add(line).id());
    }
    let mut exciter = MuscleExciter::new("quadriceps", heads);
    (exciter.excitation, exciter.schedule) = (excitation, course);
    model.add(exciter);
}

impl Head {
    fn law(&self) -> Millard2012 {
        let [fibre, tendon] = self.lengths;
        Millard2012 {
            max_isometric_force: self.force,
            optimal_fibre_length: fibre * MM,
            tendon_slack_length: tendon * MM,
            pennation: self.pennation,
            fibre_damping: 0.1,
            tendon: TendonModel::Rigid,
            activation: ActivationModel::Bilinear,
            ..Millard2012::default()
        }
    }
}

/// The surface of the trochlea, of a radius [mm], which a head lies on when the knee is much flexed.
fn trochlea(bodies: Bodies, radius: f64) -> WrapSurface {
    // Its z axis is that of the knee.
    let turn = Vec3::x() * -std::f64::consts::FRAC_PI_2;
    let frame = Pose::new(Vec3::from(TROCHLEA) * MM, turn);
    WrapSurface::cylinder(FrameSite::on(bodies.femur, frame), radius * MM)
}
