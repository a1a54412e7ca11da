//! The axial laws against published and reference values.

mod artisynth;
mod published;
mod reference;
