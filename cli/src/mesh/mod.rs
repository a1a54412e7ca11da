//! `sinew info` and `sinew convert`: what a mesh file holds, and the same mesh in another format.

mod convert;
mod describe;
mod info;
mod warnings;

pub(crate) use convert::run as convert;
pub(crate) use info::run as info;
