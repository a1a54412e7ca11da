//! Errors in the shapes and pairs that a detector is made of.

use thiserror::Error;

/// A hull, collider, point set or pair that cannot be used. Colliders, sets and pairs are named by
/// their place in the lists given to [`Detector::new`](super::Detector::new).
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ContactError {
    /// A hull of fewer than four points.
    #[error("a convex hull needs at least 4 points, {count} are given: add points")]
    TooFewPoints {
        /// Points given.
        count: usize,
    },
    /// A hull whose points lie in one plane, or on one line, or in one place.
    #[error(
        "the {count} points of a convex hull are flat: the last is {height} m off the plane of \
         others, at a size of {size} m; give it thickness or use points or a capsule"
    )]
    FlatHull {
        /// Points given.
        count: usize,
        /// Greatest distance from the plane of the others [m].
        height: f64,
        /// Greatest extent [m].
        size: f64,
    },
    /// A hull with a coordinate that is no number.
    #[error("point {point} of a convex hull is not finite: correct its coordinates")]
    HullPoint {
        /// Index of the point.
        point: usize,
    },
    /// Rounding left no closed surface.
    #[error(
        "the {count} points of a convex hull have no closed surface within rounding: merge points \
         that are closer than 1e-9 of the size"
    )]
    OpenHull {
        /// Points given.
        count: usize,
    },
    /// A size that is not positive, or too large for distances between shapes to have digits.
    #[error(
        "collider {collider}, a {kind}, has {what} {value} m: give it a positive number, 1e6 at most"
    )]
    Size {
        /// Index of the collider.
        collider: usize,
        /// Kind of its shape.
        kind: &'static str,
        /// Name of the size.
        what: &'static str,
        /// Its value [m].
        value: f64,
    },
    /// A collider whose pose is no number.
    #[error("collider {collider}, a {kind}, has a pose that is not finite: correct it")]
    PoseNotFinite {
        /// Index of the collider.
        collider: usize,
        /// Kind of its shape.
        kind: &'static str,
    },
    /// A cloud of points with a vertex that is no number.
    #[error("point {point} of collider {collider} is not finite: correct its coordinates")]
    PointNotFinite {
        /// Index of the collider.
        collider: usize,
        /// Index of the point.
        point: usize,
    },
    /// A mesh without triangles.
    #[error("a surface without triangles cannot be touched: give the body a mesh with triangles")]
    NoTriangles,
    /// A cloud or set without points.
    #[error("{what} {index} has no points: add some or leave it out")]
    NoPoints {
        /// Collider or point set.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// A surface whose lists do not fit each other.
    #[error("surface {surface} names vertices that are not there: give each a row and a holder")]
    Surface {
        /// Index of the surface.
        surface: usize,
    },
    /// A point set whose surface has lists that do not fit each other.
    #[error(
        "the surface of point set {set} names vertices that are not there: give each a row and a holder"
    )]
    SetSurface {
        /// Index of the set.
        set: usize,
    },
    /// A point set whose radius is negative or no number.
    #[error("point set {set} has radius {radius} m: give zero or a positive number")]
    SetRadius {
        /// Index of the set.
        set: usize,
        /// Its radius [m].
        radius: f64,
    },
    /// A pair of something that is not there.
    #[error("pair {pair} names {what} {index}, there are {count}: correct the index")]
    Missing {
        /// Index of the pair.
        pair: usize,
        /// Collider or point set.
        what: &'static str,
        /// The index named.
        index: u32,
        /// Number of things in the list.
        count: usize,
    },
    /// A pair whose margin is negative or no number.
    #[error("pair {pair} has margin {margin} m: give zero or a positive number")]
    Margin {
        /// Index of the pair.
        pair: usize,
        /// Its margin [m].
        margin: f64,
    },
    /// Two surfaces without a distance at which they touch.
    #[error(
        "pair {pair} of surfaces touches at a distance of {thickness} m: give a positive number"
    )]
    Thickness {
        /// Index of the pair.
        pair: usize,
        /// Its distance [m].
        thickness: f64,
    },
    /// Two members that cannot move against each other.
    #[error("the members of pair {pair} are fixed to the same frame: leave the pair out")]
    SameFrame {
        /// Index of the pair.
        pair: usize,
    },
    /// Two kinds that have no contacts.
    #[error("pair {pair} is of {a} and {b}, which have no contacts: use another shape for one")]
    Kinds {
        /// Index of the pair.
        pair: usize,
        /// Kind of the first.
        a: &'static str,
        /// Kind of the second.
        b: &'static str,
    },
    /// Two pairs of the same members.
    #[error("pairs {first} and {second} have the same members: leave one out")]
    Repeated {
        /// Index of one pair.
        first: usize,
        /// Index of the other.
        second: usize,
    },
}
