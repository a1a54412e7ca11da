//! Strings over smooth obstacles: the shortest path between two points that goes round spheres, cylinders, ellipsoids
//! and tori, its length, and the derivatives of that. Geometry alone: no forces, no models.
//!
//! Geodesics of spheres and cylinders are closed forms, others are integrated. Paths over several obstacles are found
//! by Newton's method on the angles between straight and curved parts, with natural variations of geodesics (Scholz,
//! Sherman, Stavness, Delp and Kecskemethy 2016). Every path is found anew from the places of its ends and obstacles,
//! so that it does not depend on what was before.

mod contact;
mod derivatives;
mod ellipsoid;
mod geodesic;
mod one_sided;
mod path_errors;
mod sections;
mod side;
mod side_point;
mod strand;
mod surface;
mod torus;

pub(crate) use derivatives::Derivatives;
pub(crate) use side::Side;
pub(crate) use strand::{MOST_BENDS, Obstacle, Strand, Touch};
pub(crate) use surface::{Round, Sections, Sided, Surface, Top, Turn};

#[cfg(test)]
mod tests;

type Vec3 = nalgebra::Vector3<f64>;
type Mat3 = nalgebra::Matrix3<f64>;
