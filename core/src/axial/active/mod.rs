//! Muscles: laws with an excitation. One file a law; `equilibrium`, `fibre` and `fibre_rate` hold what the four
//! muscles with a tendon in series share.

mod blemker;
mod constant_muscle;
mod de_groote_fregly;
mod equilibrium;
mod fibre;
mod fibre_rate;
mod fibre_slopes;
mod hill;
mod lam;
mod linear_muscle;
mod millard;
mod millard_curves;
mod mujoco_muscle;
mod pai;
mod peck;
mod ramp;
mod schutte;
mod schutte_curves;
mod simple_muscle;
mod thelen;

pub use blemker::BlemkerMuscle;
pub use constant_muscle::ConstantMuscle;
pub use de_groote_fregly::DeGrooteFregly2016;
pub use equilibrium::{Balance, MAX_ITERATIONS};
pub use fibre::{ForceVelocity, TendonModel, VelocityFactor};
pub use hill::HillRigidTendon;
pub use lam::MasoudMillardLam;
pub use linear_muscle::LinearMuscle;
pub use millard::Millard2012;
pub use millard_curves::{ActiveShape, CurveShape, MillardCurves, PassiveShape};
pub use mujoco_muscle::MujocoMuscle;
pub use pai::PaiMuscle;
pub use peck::PeckMuscle;
pub use schutte::{Schutte1993, SchuttePassive};
pub use simple_muscle::{Side, SimpleMuscle};
pub use thelen::Thelen2003;
