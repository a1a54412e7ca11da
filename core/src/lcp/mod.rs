//! Stand-in until the room is merged.
#![allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Place { #[default] Lower, Basic, Upper }
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound { Unilateral, Bilateral, Friction { normal: usize, coefficient: f64, partner: Option<usize> }, Range { lower: f64, upper: f64 } }
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FrictionModel { #[default] Box, Cone4, Cone8 }
pub struct ContactProblem<'a> { pub matrix: &'a [f64], pub q: &'a [f64], pub bounds: &'a [Bound], pub model: FrictionModel }
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("failed")]
pub struct ContactFailure;
pub struct ContactOutcome;
impl ContactOutcome { pub fn accept(self) -> Result<(), ContactFailure> { Ok(()) } }
#[derive(Default)]
pub struct ContactSolver;
impl ContactSolver { 
    /// Projected Gauss-Seidel.
    pub fn solve(&mut self, p: &ContactProblem, _: &mut [Place], z: &mut [f64]) -> ContactOutcome {
        let n = z.len();
        for _ in 0..2000 { for i in 0..n {
            let w: f64 = p.q[i] + (0..n).map(|j| p.matrix[i*n+j]*z[j]).sum::<f64>();
            let new = z[i] - w / p.matrix[i*n+i];
            let (lo, hi) = match p.bounds[i] { Bound::Unilateral => (0.0, f64::INFINITY), Bound::Bilateral => (f64::NEG_INFINITY, f64::INFINITY), Bound::Range{lower,upper} => (lower,upper), Bound::Friction{normal,coefficient,..} => { let m = coefficient*z[normal].max(0.0); (-m,m) } };
            z[i] = new.clamp(lo, hi);
        } }
        ContactOutcome
    } }
