//! Candidates for contact from the device and from the twins of its kernels: nothing that matters is missing, and steps
//! are the same bits as without them.

mod candidates;
mod counts;
mod points;
mod scene;
mod steps;
