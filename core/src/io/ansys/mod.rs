//! ANSYS's pairs of node and element lists (NWRITE, EWRITE): fixed columns in which numbers may run
//! together, trailing zeros left out, wedges, pyramids and tetrahedra as hexahedra with repeated nodes.

mod elements;
mod nodes;
mod shells;

pub(super) use elements::parse as parse_elements;
pub(super) use nodes::{Nodes, parse as parse_nodes};
