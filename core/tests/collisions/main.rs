//! Collision pairs: shapes as they are compiled, pairs that behaviours speak of, points of tissues,
//! numbers that are put in place. Points of contact are the business of `contact`.

mod motion;
mod numbers;
mod overlaps;
mod pairs;
mod points;
mod scene;
mod shapes;
