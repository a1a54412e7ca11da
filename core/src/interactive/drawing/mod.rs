//! Drawings of parametric curves in the plane that are pulled and nailed together (Witkin1990, section 5.2): what is
//! saved of one, the board on which it moves, and its picture. Windows draw it; files are read elsewhere.

mod board;
mod data;
mod kind;
mod svg;

pub use board::{BoardError, DrawingBoard, NearPoint};
pub use data::{CurvePoint, Drawing, DrawingError, DrawnCurve, Nail};
pub use kind::CurveKind;
