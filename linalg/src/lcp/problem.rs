//! The complementarity problem with bounds, and where a variable of its solution stands.

/// w = M z + q with complementary z and w: w_i = 0 where lower_i < z_i < upper_i, w_i >= 0 where
/// z_i = lower_i, w_i <= 0 where z_i = upper_i. Bounds may be infinite; a variable without any has
/// w_i = 0. All arrays are of length n, the matrix of n x n.
#[derive(Clone, Copy, Debug)]
pub struct Lcp<'a> {
    /// M, row by row.
    pub matrix: &'a [f64],
    /// q, the value of w at z = 0.
    pub q: &'a [f64],
    /// Lower bounds of z; -infinity for none.
    pub lower: &'a [f64],
    /// Upper bounds of z; infinity for none.
    pub upper: &'a [f64],
}

/// Status of a variable in a complementary solution: the guess and the result of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ActiveSetStatus {
    /// At its lower bound, w >= 0. A variable without bounds that the others determine stays at zero
    /// and is given this place as well.
    #[default]
    Lower,
    /// Between its bounds, w = 0.
    Basic,
    /// At its upper bound, w <= 0.
    Upper,
}
