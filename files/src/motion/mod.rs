//! Motions of joints as files of bodies have them: turns about axes and ways along axes, each a function of coordinates,
//! as joints of a built-in kind or of functions. No file formats.

pub(crate) mod angles;
pub(crate) mod chart;
pub(crate) mod function;
pub(crate) mod inverse;
pub(crate) mod kinds;
pub(crate) mod rotations;
pub(crate) mod spline;
pub(crate) mod transform;
