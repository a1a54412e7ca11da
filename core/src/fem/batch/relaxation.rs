//! Stresses that a batch remembers: quasi-linear viscoelasticity by a Prony series, at every quadrature point, in the
//! memory of a state. What a series is, and the weights of a step, stand in `material/prony.rs`.
//!
//! A point remembers the stress S of its law at the last step, and `Q_i = S - H_i` of each term, which follows S with the
//! delay tau_i: `dQ_i/dt = (S - Q_i)/tau_i`. After a step the stress is
//! `(c + sum g_i a_i) S - sum g_i ((a_i - e_i) S0 + e_i Q_i0)`: a multiple of that of the law, and a stress that does not
//! depend on the motion of the step. Nothing here is inlined: batches of every kind of element and law would each hold it.

use nalgebra::Matrix6;
use rayon::prelude::*;

use super::FemBatch;
use crate::Mat3;
use crate::Vec3;
use crate::force::Relaxation;
use crate::material::{
    Deformation, MOST_TERMS, PronySeries, PronyStress, PronyTerm, StepWeights, VOIGT, from_voigt,
    polar_rotation, present_weights, to_voigt,
};
use crate::state::Motion;

/// Numbers of a symmetric stress.
const SIZE: usize = 6;
/// Elements that a task brings up to date at least: some 50 us of work.
const ELEMENTS_AT_ONCE: usize = 64;

/// Series of a batch, and the place of its stresses in the memory of a state.
#[derive(Clone, Debug)]
pub(crate) struct StressMemory {
    terms: [PronyTerm; MOST_TERMS],
    count: usize,
    /// Share of the stress of the law that is left in the long run [-].
    long_term: f64,
    stress: PronyStress,
    elements: usize,
    /// Quadrature points of an element.
    points: usize,
    /// Index of its first number in the memory of a state.
    first: usize,
}

impl StressMemory {
    /// For elements of this many points; `None` where nothing relaxes.
    pub(super) fn new(series: &PronySeries, elements: usize, points: usize) -> Option<Self> {
        let count = series.terms.len().min(MOST_TERMS);
        let mut terms = [PronyTerm::default(); MOST_TERMS];
        terms[..count].copy_from_slice(&series.terms[..count]);
        let (long_term, stress) = (series.long_term(), series.stress);
        let own = Self { terms, count, long_term, stress, elements, points, first: 0 };
        (count > 0).then_some(own)
    }

    fn terms(&self) -> &[PronyTerm] {
        &self.terms[..self.count]
    }

    /// True if another batch remembers the same.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let kind = |it: &Self| (it.stress, it.points, it.count);
        kind(self) == kind(other) && self.terms() == other.terms()
    }

    /// Share of the stress and energy of the law that is left in the long run [-].
    pub(super) fn long_term(&self) -> f64 {
        self.long_term
    }

    /// True if the tangent leaves a part out.
    pub(super) fn leaves_out_turns(&self) -> bool {
        self.stress == PronyStress::Cauchy
    }

    /// Numbers of a point.
    fn point_len(&self) -> usize {
        SIZE * (1 + self.count)
    }

    /// Numbers of an element.
    pub(crate) fn element_len(&self) -> usize {
        self.points * self.point_len()
    }

    /// Numbers of all elements.
    pub(crate) fn len(&self) -> usize {
        self.elements * self.element_len()
    }

    /// Puts its numbers behind `first` others in the memory of a state.
    pub(crate) fn place(&mut self, first: usize) {
        self.first = first;
    }

    /// As data, for a backend that computes it.
    pub(super) fn view(&self) -> Relaxation<'_> {
        let (terms, long_term) = (self.terms(), self.long_term);
        Relaxation { terms, long_term, stress: self.stress, first: self.first }
    }

    /// Place of its numbers in the memory of a state.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len()
    }

    /// Puts the stresses of an element, turned by `turn`, into those of element `e` in the memory of a state.
    pub(crate) fn put(&self, e: usize, stresses: &[f64], turn: &Mat3, memory: &mut [f64]) {
        let own = memory.get_mut(self.range()).unwrap_or(&mut []);
        let Some(own) = own.chunks_mut(self.element_len()).nth(e) else { return };
        if *turn == Mat3::identity() {
            own.copy_from_slice(stresses);
            return;
        }
        let both = own.as_chunks_mut::<SIZE>().0.iter_mut().zip(stresses.as_chunks::<SIZE>().0);
        for (to, from) in both {
            let stress = turn * from_voigt(&(*from).into()) * turn.transpose();
            *to = to_voigt(&stress).into();
        }
    }

    /// Stress after the step of a motion, for any stress of the law at its end; the one of the long run where nothing is
    /// remembered.
    pub(super) fn after<'m>(&self, motion: &Motion<'m>) -> Relaxed<'m> {
        let numbers = motion.memory.get(self.range()).unwrap_or(&[]);
        let known = if numbers.is_empty() { &[][..] } else { self.terms() };
        let (factor, weights) = present_weights(known, self.long_term, motion.step);
        let (points, stress, count) = (self.points, self.stress, 1 + self.count);
        Relaxed { factor, weights, numbers, points, count, stress }
    }

    /// The stress of the law, as it is remembered: in the rest shape, or in axes that turn with the point.
    #[inline(never)]
    pub(super) fn seen(&self, stress: &Mat3, at: &Deformation<f64>) -> Mat3 {
        match self.stress {
            PronyStress::SecondPiolaKirchhoff => {
                // A law that survives inversion may meet a singular F; its point then counts for nothing.
                let inverse = at.f.try_inverse().unwrap_or_else(Mat3::zeros);
                inverse * stress * inverse.transpose() * at.j
            }
            PronyStress::Cauchy => {
                let turn = polar_rotation(&at.f);
                turn.tr_mul(stress) * turn
            }
        }
    }
}

/// Stress of a batch where forces are evaluated: a multiple of that of the law, and what is left of earlier ones.
#[derive(Clone, Copy)]
pub(super) struct Relaxed<'m> {
    /// Multiple of the stress of the law [-].
    pub(super) factor: f64,
    /// Weights of the stresses that are remembered.
    weights: [f64; MOST_TERMS + 1],
    numbers: &'m [f64],
    points: usize,
    /// Stresses of a point.
    count: usize,
    stress: PronyStress,
}

impl Relaxed<'_> {
    /// Stress at point `p` of element `e` that earlier ones left, as it is remembered [Pa].
    #[inline(never)]
    pub(super) fn left(&self, e: usize, p: usize) -> Mat3 {
        let first = (e * self.points + p) * self.count * SIZE;
        let Some(numbers) = self.numbers.get(first..first + self.count * SIZE) else {
            return Mat3::zeros();
        };
        let mut sum = nalgebra::Vector6::zeros();
        for (stress, weight) in numbers.as_chunks::<SIZE>().0.iter().zip(&self.weights) {
            sum += nalgebra::Vector6::from(*stress) * *weight;
        }
        from_voigt(&sum)
    }

    /// The same as Cauchy's stress in space [Pa].
    pub(super) fn left_in_space(&self, (e, p): (usize, usize), at: &Deformation<f64>) -> Mat3 {
        let left = self.left(e, p);
        match self.stress {
            PronyStress::SecondPiolaKirchhoff if at.j == 0.0 => Mat3::zeros(),
            PronyStress::SecondPiolaKirchhoff => at.f * left * at.f.transpose() / at.j,
            PronyStress::Cauchy => {
                let turn = polar_rotation(&at.f);
                turn * left * turn.transpose()
            }
        }
    }

    /// Cauchy's stress at a point where that of the law is `law` [Pa].
    pub(super) fn stress(&self, place: (usize, usize), at: &Deformation<f64>, law: &Mat3) -> Mat3 {
        law * self.factor + self.left_in_space(place, at)
    }

    /// Stress and tangent that are to be added to those of the law, `law`. A second Piola-Kirchhoff stress that does not
    /// change has no tangent. One of Cauchy that turns with the point has -(d s + s d) + tr(d) s for the rate of
    /// deformation d, whose symmetric part is taken, and that of small turns beside stretches.
    #[inline(never)]
    pub(super) fn extra(
        &self,
        place: (usize, usize),
        at: &Deformation<f64>,
        law: &(Mat3, Matrix6<f64>),
    ) -> (Mat3, Matrix6<f64>) {
        let left = self.left_in_space(place, at);
        let more = self.factor - 1.0;
        let mut tangent = law.1 * more;
        if self.stress == PronyStress::Cauchy {
            tangent += turning_tangent(&left);
        }
        (law.0 * more + left, tangent)
    }
}

/// Moduli of -(d s + s d) + (tr(d) s + (s:d) I)/2.
fn turning_tangent(s: &Mat3) -> Matrix6<f64> {
    Matrix6::from_fn(|row, column| {
        let ((i, j), (k, l)) = (VOIGT[row], VOIGT[column]);
        let same = |a: usize, b: usize| if a == b { 1.0 } else { 0.0 };
        let turned = same(i, k) * s[(j, l)]
            + same(i, l) * s[(j, k)]
            + same(j, k) * s[(i, l)]
            + same(j, l) * s[(i, k)];
        0.5 * (s[(i, j)] * same(k, l) + same(i, j) * s[(k, l)] - turned)
    })
}

impl dyn FemBatch {
    /// Brings the memory of a state up to date after a step [s] that led to these positions [m]; after one of length zero
    /// the stress of the law alone. Does nothing for an elastic batch, or where the memory is that of another system.
    pub(crate) fn advance_memory(&self, step: f64, q: &[Vec3], memory: &mut [f64]) {
        let Some(own) = self.memory() else { return };
        let mut weights = [[0.0; 3]; MOST_TERMS];
        for (weight, term) in weights.iter_mut().zip(own.terms()) {
            *weight = StepWeights::after(step / term.time).delayed();
        }
        self.for_points(q, memory, &|stress, point| {
            let Some((start, delayed)) = point.split_first_chunk_mut::<SIZE>() else { return };
            for (delayed, weight) in delayed.as_chunks_mut::<SIZE>().0.iter_mut().zip(&weights) {
                for k in 0..SIZE {
                    delayed[k] =
                        weight[0] * stress[k] + weight[1] * start[k] + weight[2] * delayed[k];
                }
            }
            *start = *stress;
        });
    }

    /// Lets all stresses relax at these positions [m].
    pub(crate) fn relax(&self, q: &[Vec3], memory: &mut [f64]) {
        self.for_points(q, memory, &|stress, point| {
            point.as_chunks_mut::<SIZE>().0.iter_mut().for_each(|it| *it = *stress);
        });
    }

    /// Writes the rates of a memory \[1/s\] at positions [m] into those of the whole.
    pub(crate) fn memory_rates(&self, q: &[Vec3], memory: &[f64], rates: &mut [f64]) {
        let Some(own) = self.memory() else { return };
        let known = memory.get(own.range()).filter(|_| memory.len() == rates.len());
        let (Some(known), Some(rates)) = (known, rates.get_mut(own.range())) else { return };
        rates.copy_from_slice(known);
        let rate = |stress: &[f64; SIZE], point: &mut [f64]| {
            let Some((start, delayed)) = point.split_first_chunk_mut::<SIZE>() else { return };
            *start = [0.0; SIZE];
            for (delayed, term) in delayed.as_chunks_mut::<SIZE>().0.iter_mut().zip(own.terms()) {
                for k in 0..SIZE {
                    delayed[k] = (stress[k] - delayed[k]) / term.time;
                }
            }
        };
        self.for_elements(q, (own, rates), &rate);
    }

    /// Hands every point's numbers in the memory of a state to `work`, with the stress of the law there.
    fn for_points(
        &self,
        q: &[Vec3],
        memory: &mut [f64],
        work: &(dyn Fn(&[f64; SIZE], &mut [f64]) + Sync),
    ) {
        let Some(own) = self.memory() else { return };
        let Some(numbers) = memory.get_mut(own.range()) else { return };
        self.for_elements(q, (own, numbers), work);
    }

    fn for_elements(
        &self,
        q: &[Vec3],
        (own, numbers): (&StressMemory, &mut [f64]),
        work: &(dyn Fn(&[f64; SIZE], &mut [f64]) + Sync),
    ) {
        let size = own.point_len();
        let elements = numbers.par_chunks_mut(own.element_len()).with_min_len(ELEMENTS_AT_ONCE);
        elements.enumerate().for_each(|(e, numbers)| {
            self.remembered_stress(e, q, &mut |p, stress| {
                work(&to_voigt(stress).into(), &mut numbers[p * size..(p + 1) * size]);
            });
        });
    }
}
