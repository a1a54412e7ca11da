//! A fibre in series with a tendon: the length of the fibre at which both carry the same force, at
//! the end of an implicit step or at rest, and the tension with its consistent derivatives.
//! State: [length of the fibre along the tendon [m], activation [-]]. Rates of the state: `fibre_rate.rs`.

use super::super::activation::ActivationModel;
use super::super::{AxialInput, Before, EARLIER, Past, Settling, Tension};
use super::fibre::{FibreCurves, Pull, TendonModel, pull};

/// Equilibrium of the fibre of a muscle with an elastic tendon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// Length of the fibre along the tendon [m].
    pub fibre_along: f64,
    /// Force of the fibre less that of the tendon, over the maximum isometric force [-].
    pub residual: f64,
    /// The way it was found.
    pub settling: Settling,
    /// Evaluations of the fibre that it took.
    pub iterations: usize,
}

/// Evaluations after which the search ends, whatever the input; bisection alone takes about 60.
pub const MAX_ITERATIONS: usize = 200;

/// Residual over the maximum isometric force that is taken for balance: ten times what rounding
/// leaves of a tendon that pulls with about that force.
const RESIDUAL: f64 = 1e-13;

/// Force over the maximum isometric force, per length over the longest, below which a fibre counts
/// as unloaded: far below any damping or stiffness of use.
const FLAT: f64 = 1e-9;

/// Numbers in the state.
pub(super) const STATE_LEN: usize = 2;

/// Length of the fibre along the tendon from which it moves at an even rate [m], and for how long [s]. None
/// at rest.
type From = Option<(f64, f64)>;

/// Fibre less tendon at a trial length: residual, the fibre's derivatives, and the tendon's force
/// and stiffness over the maximum isometric force.
pub(super) struct Trial {
    residual: f64,
    pub(super) fibre: Pull,
    /// Derivative of the fibre's force by its length, the rate being that over the step [1/m].
    pub(super) fibre_stiffness: f64,
    tendon: f64,
    pub(super) tendon_stiffness: f64,
}

impl Trial {
    /// True if it is a root. A fibre that goes slack unloaded, at its fastest rate or with no force
    /// at all, has a range of roots; below the greatest of them the residual does not change.
    fn balanced(&self, longest: f64) -> bool {
        let flat = self.tendon == 0.0 && self.fibre_stiffness * longest < FLAT;
        self.residual.abs() <= RESIDUAL && (self.residual > 0.0 || !flat)
    }

    /// The balance at this length of the fibre, found after some evaluations.
    fn balance_at(&self, fibre_along: f64, settling: Settling, iterations: usize) -> Balance {
        let settling = match settling {
            Settling::Balanced if self.tendon == 0.0 => Settling::Slack,
            other => other,
        };
        Balance { fibre_along, residual: self.residual, settling, iterations }
    }

    /// Share of a lengthening of the line that the fibre takes, T / (S + T).
    fn share(&self) -> f64 {
        let stiffness = self.tendon_stiffness;
        if stiffness > 0.0 { stiffness / self.stiffness() } else { 0.0 }
    }

    /// S + T. At a fold of the balance the sum vanishes; derivatives are then large, not infinite.
    pub(super) fn stiffness(&self) -> f64 {
        let tendon = self.tendon_stiffness;
        (self.fibre_stiffness + tendon).max(1e-9 * tendon)
    }
}

/// Lengths between which a fibre balances its tendon, and the one that is tried.
struct Bracket {
    low: f64,
    high: f64,
    along: f64,
    /// Sizes of the last two steps, the latest last.
    steps: [f64; 2],
}

impl Bracket {
    /// Narrows the bracket by a trial at `along`, and goes on from there by Newton's method or to the middle.
    #[inline]
    fn advance(&mut self, trial: &Trial) {
        if trial.residual > 0.0 {
            self.high = self.along
        } else {
            self.low = self.along
        }
        let Self { low, high, along, steps } = *self;
        let newton = -trial.residual / (trial.fibre_stiffness + trial.tendon_stiffness);
        let inside = along + newton > low && along + newton < high;
        // Bisect also where Newton's steps do not halve in two.
        let step = if inside && newton.abs() <= 0.5 * steps[0] {
            newton
        } else {
            0.5 * (low + high) - along
        };
        (self.steps, self.along) = ([steps[1], step.abs()], along + step);
    }
}

pub(super) fn trial<M: FibreCurves>(
    muscle: &M,
    length: f64,
    a: f64,
    before: From,
    along: f64,
) -> Trial {
    let slack = muscle.architecture().slack;
    let rate = before.map_or(0.0, |(from, step)| (along - from) / step);
    let fibre = pull(muscle, along, rate, a);
    let fibre_stiffness = fibre.by_length + before.map_or(0.0, |(_, step)| fibre.by_rate / step);
    let [tendon, slope] = muscle.tendon((length - along) / slack);
    let residual = fibre.force - tendon;
    Trial { residual, fibre, fibre_stiffness, tendon, tendon_stiffness: slope / slack }
}

/// The length of the fibre at which it balances the tendon.
///
/// The residual is never negative at the longer of the fibre's last length (its rate is then zero)
/// and the length that leaves the tendon slack (it then does not shorten), so one of the two ends
/// the bracket. Where the tendon is slack the fibre moves no further than it must: the greatest
/// root is taken.
pub(super) fn balance<M: FibreCurves>(muscle: &M, length: f64, a: f64, before: From) -> Balance {
    let m = muscle.architecture();
    let low = m.shortest();
    let longest = (length - m.slack).max(low);
    let high = before.map_or(longest, |(from, _)| from.max(longest));
    let at = |along| trial(muscle, length, a, before, along);
    let top = at(high);
    if top.residual <= RESIDUAL {
        return top.balance_at(high, Settling::Balanced, 1);
    }
    let bottom = at(low);
    if bottom.residual > 0.0 {
        return bottom.balance_at(low, Settling::Shortest, 2);
    }
    let along = before.map_or(high, |(from, _)| from.clamp(low, high));
    let mut bracket = Bracket { low, high, along, steps: [high - low; 2] };
    let mut best = at(along);
    for iterations in 3..MAX_ITERATIONS {
        let Bracket { low, high, along, .. } = bracket;
        if best.balanced(high) || high - low <= f64::EPSILON * high {
            return best.balance_at(along, Settling::Balanced, iterations);
        }
        bracket.advance(&best);
        best = at(bracket.along);
        if bracket.steps[1] <= 0.25 * f64::EPSILON * bracket.along {
            return best.balance_at(bracket.along, Settling::Balanced, iterations);
        }
    }
    best.balance_at(bracket.along, Settling::Balanced, MAX_ITERATIONS)
}

/// Activation after the share [`EARLIER`] of the step and at its end, or at rest, and the derivative of the last
/// by the excitation.
fn activations<M: FibreCurves>(muscle: &M, excitation: f64, past: &Past<'_>) -> [f64; 3] {
    let (dynamics, before) = (muscle.architecture().activation, past.before);
    if dynamics.model == ActivationModel::Instant {
        let [end, by_excitation] = dynamics.steady(excitation);
        return [dynamics.steady(before.excitation)[0], end, by_excitation];
    }
    let from = past.state[1];
    let [earlier, _] = dynamics.advance(from, before.excitation, EARLIER * before.step);
    let mean = before.mean_excitation(excitation);
    let [end, by_mean] = dynamics.advance(from, mean, before.step);
    [earlier, end, by_mean * (before.mean_excitation(1.0) - before.mean_excitation(0.0))]
}

/// Tension of the muscle with its derivatives.
pub(super) fn tension<M: FibreCurves>(muscle: &M, input: &AxialInput, past: &Past<'_>) -> Tension {
    let m = muscle.architecture();
    let [earlier, end, by_excitation] = activations(muscle, input.excitation, past);
    let normal = match m.tendon {
        TendonModel::Rigid => rigid(muscle, input, end),
        TendonModel::Elastic => elastic(muscle, input.length, [earlier, end], past),
    };
    Tension {
        force: m.max_force * normal.force,
        by_length: m.max_force * normal.by_length,
        by_rate: m.max_force * normal.by_rate,
        by_excitation: m.max_force * normal.by_excitation * by_excitation,
    }
}

/// Over the maximum isometric force, with the derivative by the activation as `by_excitation`.
fn rigid<M: FibreCurves>(muscle: &M, input: &AxialInput, a: f64) -> Tension {
    let along = input.length - muscle.architecture().slack;
    if along <= 0.0 {
        return Tension::default();
    }
    let Pull { force, by_length, by_rate, by_activation } = pull(muscle, along, input.rate, a);
    Tension { force, by_length, by_rate, by_excitation: by_activation }.or_slack()
}

/// Length from which the fibre moves in the second stage of a step, and its derivative by the
/// length of the line.
///
/// Two stages of backward Euler (Alexander1977): one to the share c = [`EARLIER`] of the step, at m1, and one of the same
/// length c h to its end, from m0 + (1 - c) h times the rate of the first: of second order, and what is faster than
/// the step comes to rest.
fn second_stage<M: FibreCurves>(
    muscle: &M,
    length: f64,
    activation: f64,
    past: &Past<'_>,
) -> (From, f64) {
    let Before { step, length: before, .. } = past.before;
    if step <= 0.0 {
        return (None, 0.0);
    }
    let (c, from) = (EARLIER, past.state[0]);
    let first = Some((from, c * step));
    let length = before + c * (length - before);
    let found = balance(muscle, length, activation, first);
    let share = match found.settling {
        Settling::Shortest => 0.0,
        _ => trial(muscle, length, activation, first, found.fibre_along).share(),
    };
    let start = from + (1.0 - c) / c * (found.fibre_along - from);
    (Some((start, c * step)), (1.0 - c) * share)
}

/// As [`rigid`], differentiating the balance of the second stage: with S the stiffness of the fibre over the stage,
/// D / t its damping over it, T the stiffness of the tendon and p the derivative of the length that the stage starts from,
/// dF/dl = T (S - p D / t) / (S + T). The rate of the line does not enter.
fn elastic<M: FibreCurves>(
    muscle: &M,
    length: f64,
    [earlier, a]: [f64; 2],
    past: &Past<'_>,
) -> Tension {
    let (before, start_by_length) = second_stage(muscle, length, earlier, past);
    let found = balance(muscle, length, a, before);
    let t = trial(muscle, length, a, before, found.fibre_along);
    let stiffness = t.tendon_stiffness;
    if found.settling == Settling::Shortest {
        return Tension { force: t.tendon, by_length: stiffness, ..Tension::default() };
    }
    let share = t.share();
    let follows = before.map_or(0.0, |(_, step)| start_by_length * t.fibre.by_rate / step);
    Tension {
        force: t.tendon,
        by_length: share * (t.fibre_stiffness - follows),
        by_rate: 0.0,
        by_excitation: share * t.fibre.by_activation,
    }
}

/// Writes the state at rest.
pub(super) fn start<M: FibreCurves>(muscle: &M, input: &AxialInput, state: &mut [f64]) -> Settling {
    let [a, _] = muscle.architecture().activation.steady(input.excitation);
    state[1] = a;
    settle(muscle, input, a, None, state)
}

/// Writes the state at the end of a step.
pub(super) fn advance<M: FibreCurves>(
    muscle: &M,
    input: &AxialInput,
    before: &Before,
    state: &mut [f64],
) -> Settling {
    let past = Past { before: *before, state };
    let [earlier, end, _] = activations(muscle, input.excitation, &past);
    let from = match muscle.architecture().tendon {
        TendonModel::Elastic => second_stage(muscle, input.length, earlier, &past).0,
        TendonModel::Rigid => None,
    };
    state[1] = end;
    settle(muscle, input, end, from, state)
}

fn settle<M: FibreCurves>(
    muscle: &M,
    input: &AxialInput,
    a: f64,
    before: From,
    state: &mut [f64],
) -> Settling {
    let m = muscle.architecture();
    match m.tendon {
        TendonModel::Elastic => {
            let found = balance(muscle, input.length, a, before);
            state[0] = found.fibre_along;
            found.settling
        }
        TendonModel::Rigid => {
            let along = input.length - m.slack;
            state[0] = along.max(0.0);
            if along > 0.0 { Settling::Balanced } else { Settling::Slack }
        }
    }
}

/// The public methods of a muscle with a tendon in series, and its [`TensionLaw`].
///
/// [`TensionLaw`]: super::super::TensionLaw
macro_rules! equilibrium_muscle {
    ($law:ident) => {
        impl $law {
            fn architecture(&self) -> $crate::axial::active::fibre::Architecture {
                $crate::axial::active::fibre::Architecture {
                    max_force: self.max_isometric_force,
                    optimal: self.optimal_fibre_length,
                    slack: self.tendon_slack_length,
                    height: self.optimal_fibre_length * self.pennation.sin(),
                    max_rate: self.optimal_fibre_length * self.max_contraction_velocity,
                    damping: self.fibre_damping,
                    tendon: self.tendon,
                    velocity: self.force_velocity,
                    activation: $crate::axial::ActivationDynamics {
                        model: self.activation,
                        activation_time: self.activation_time,
                        deactivation_time: self.deactivation_time,
                        least: self.least_activation,
                    },
                }
            }

            /// Length of the fibre [m] of a state.
            pub fn fibre_length(&self, state: &[f64]) -> f64 {
                state[0].hypot(self.optimal_fibre_length * self.pennation.sin())
            }

            /// Equilibrium of the fibre behind an elastic tendon, for a length of the line [m] and
            /// an activation: from a length along the tendon [m] over a step [s], or at rest.
            pub fn balance(
                &self,
                length: f64,
                activation: f64,
                before: Option<(f64, f64)>,
            ) -> $crate::axial::active::Balance {
                $crate::axial::active::equilibrium::balance(self, length, activation, before)
            }
        }

        impl $crate::axial::TensionLaw for $law {
            fn check_together(&self) -> Result<(), $crate::axial::AxialError> {
                $crate::axial::active::fibre::FibreCurves::check_constants(self)
            }

            fn tension(
                &self,
                input: &$crate::axial::AxialInput,
                past: &$crate::axial::Past<'_>,
            ) -> $crate::axial::Tension {
                $crate::axial::active::equilibrium::tension(self, input, past)
            }

            fn slopes(
                &self,
                input: &$crate::axial::AxialInput,
                past: &$crate::axial::Past<'_>,
            ) -> $crate::axial::StateSlopes {
                $crate::axial::active::fibre_slopes::slopes(self, input, past)
            }

            fn contraction(
                &self,
                input: &$crate::axial::AxialInput,
                state: &[f64],
            ) -> Option<$crate::axial::Contraction> {
                Some($crate::axial::active::fibre_rate::contraction(self, input, state))
            }

            fn state_len(&self) -> usize {
                $crate::axial::active::equilibrium::STATE_LEN
            }

            fn start(
                &self,
                input: &$crate::axial::AxialInput,
                state: &mut [f64],
            ) -> $crate::axial::Settling {
                $crate::axial::active::equilibrium::start(self, input, state)
            }

            fn advance(
                &self,
                input: &$crate::axial::AxialInput,
                before: &$crate::axial::Before,
                state: &mut [f64],
            ) -> $crate::axial::Settling {
                $crate::axial::active::equilibrium::advance(self, input, before, state)
            }

            fn rates(
                &self,
                input: &$crate::axial::AxialInput,
                from: (&[f64], f64),
                rates: &mut [f64],
            ) {
                $crate::axial::active::fibre_rate::rates(self, input, from, rates);
            }

            fn close(&self, input: &$crate::axial::AxialInput, state: &mut [f64]) {
                $crate::axial::active::fibre_rate::close(self, input, state);
            }
        }
    };
}
pub(super) use equilibrium_muscle;
