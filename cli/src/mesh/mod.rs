//! `sinew info`, `sinew convert` and `sinew fibres`: contents of a mesh file, the same mesh in
//! another format, and with directions of fibres.

mod args;
mod convert;
mod describe;
mod ends;
mod fibres;
mod info;
mod warnings;

pub(crate) use args::{ConvertArgs, FibresArgs, InfoArgs};
pub(crate) use convert::run as convert;
pub(crate) use fibres::run as fibres;
pub(crate) use info::run as info;
