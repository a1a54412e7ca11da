//! A small dense reference integrator of rigid bodies with joints, and what it is held to: the
//! reference that the production solver is compared with. Theory: docs/theory/rigid.md. Reference
//! numbers carry the id of their entry in the reference data.

mod banded;
mod claims;
mod mechanisms;
mod mixing;
mod rows;
mod scenes;
mod step;
mod system;
mod trial;
