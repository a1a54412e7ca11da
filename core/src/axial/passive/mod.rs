//! Springs, ligaments and tendons: laws without an excitation. One file a law.

mod blankevoort;
mod constant;
mod curve_ligament;
mod ligament;
mod linear;
mod maxwell;
mod millard_tendon;
mod thelen_tendon;
mod unidirectional;
mod uw_ligament;

pub use blankevoort::Blankevoort1991;
pub use constant::ConstantTension;
pub use curve_ligament::CurveLigament;
pub use ligament::TwoSidedLigament;
pub use linear::LinearSpring;
pub use maxwell::MaxwellElement;
pub use millard_tendon::Millard2012Tendon;
pub use thelen_tendon::Thelen2003Tendon;
pub(super) use thelen_tendon::thelen_tendon;
pub use unidirectional::UnidirectionalSpring;
pub use uw_ligament::UwLigament;
