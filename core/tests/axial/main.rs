//! The axial laws against published and reference values.

mod artisynth;
mod page;
mod published;
mod reference;
mod schutte;
