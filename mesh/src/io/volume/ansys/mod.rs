//! ANSYS's archives (CDWRITE), and pairs of node and element lists (NWRITE, EWRITE): fixed columns in which numbers may run
//! together, trailing zeros left out, wedges, pyramids and tetrahedra as hexahedra with repeated nodes.

mod cdb;
mod columns;
mod elements;
mod nodes;
mod shells;

pub(in crate::io) use cdb::parse as parse_archive;
pub(in crate::io) use elements::parse as parse_elements;
pub(in crate::io) use nodes::{Nodes, parse as parse_nodes};
