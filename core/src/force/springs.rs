//! Axial springs and point-to-point muscles: f = F(l, dl/dt, ...) n on the first end towards the
//! second, n the direction between them. The laws F stand in `axial/`.

use super::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::axial::{
    ActivationDynamics, ActivationModel, AxialInput, AxialLaw, Constants, Past, Tension, TensionLaw,
};
use crate::linalg::{BlockPattern, add_block};
use crate::system::{INSTANT, State};
use crate::{Mat3, Vec3};

/// Most numbers that one spring remembers: two of its law, and its activation.
const MOST_MEMORY: usize = 3;

/// What pulls along one spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pull {
    pub(crate) law: AxialLaw,
    /// Length without tension [m], for laws that have none of their own.
    pub(crate) rest_length: f64,
    /// Excitation [-], 0 to 1.
    pub(crate) excitation: f64,
    /// How activation follows excitation.
    pub(crate) activation: ActivationDynamics,
    /// Whether it pulls at all.
    pub(crate) enabled: bool,
}

impl Pull {
    /// Numbers that it remembers: its activation, and what its law does.
    pub(crate) fn memory_len(&self) -> usize {
        self.law.state_len() + usize::from(self.delays())
    }

    /// Whether activation takes its time.
    fn delays(&self) -> bool {
        self.activation.model != ActivationModel::Instant
    }

    /// Memory at rest at a length [m].
    fn start(&self, length: f64, memory: &mut [f64]) {
        let activation = self.activation.steady(self.excitation)[0];
        let state = self.keep_activation(activation, memory);
        self.law.start(&self.input(length, 0.0, activation), state);
    }

    /// Memory at the end of a step [s] that led to a length [m] and its rate [m/s].
    fn advance(&self, (length, rate): (f64, f64), step: f64, memory: &mut [f64]) {
        let activation = self.activation_after(step, memory).0;
        let state = self.keep_activation(activation, memory);
        self.law.advance(&self.input(length, rate, activation), step, state);
    }

    /// Tension at a length [m] and its rate [m/s], `step` [s] after `memory`.
    pub(crate) fn tension(&self, (length, rate): (f64, f64), step: f64, memory: &[f64]) -> Tension {
        if !self.enabled {
            return Tension::default();
        }
        let (mut rest, len) = ([0.0; MOST_MEMORY], self.memory_len());
        let (memory, step) = if memory.len() < len {
            self.start(length, &mut rest[..len]);
            (&rest[..len], 0.0)
        } else {
            (memory, step)
        };
        let (activation, state) = self.activation_after(step, memory);
        self.law.tension(&self.input(length, rate, activation), &Past { step, state })
    }

    /// Activation [-] `step` [s] after `memory`, and the state of the law in it.
    fn activation_after<'m>(&self, step: f64, memory: &'m [f64]) -> (f64, &'m [f64]) {
        match memory {
            [before, state @ ..] if self.delays() => {
                (self.activation.advance(*before, self.excitation, step)[0], state)
            }
            state => (self.activation.steady(self.excitation)[0], state),
        }
    }

    /// Notes the activation where it takes its time; the state of the law.
    fn keep_activation<'m>(&self, activation: f64, memory: &'m mut [f64]) -> &'m mut [f64] {
        let (kept, state) = memory.split_at_mut(usize::from(self.delays()));
        kept.fill(activation);
        state
    }

    /// Energy stored at a length [m], where the force has a potential [J].
    fn strain_energy(&self, length: f64) -> f64 {
        let stored = || self.law.energy(length, self.rest_length).unwrap_or(0.0);
        if self.enabled { stored() } else { 0.0 }
    }

    fn input(&self, length: f64, rate: f64, excitation: f64) -> AxialInput {
        AxialInput { length, rate, rest_length: self.rest_length, excitation }
    }
}

/// Every axial spring of a model.
pub(crate) struct Springs {
    ends: Vec<[u32; 2]>,
    pulls: Vec<Pull>,
    /// Where the memory of each spring begins, and the end of all.
    memory: Vec<u32>,
    /// Slots of the blocks (0,0) (0,1) (1,0) (1,1) of each spring.
    slots: Vec<[u32; 4]>,
    parts: Vec<Vec<u32>>,
}

/// Length, direction from end 0 to end 1, rate and tension of one spring.
struct Stretch {
    length: f64,
    rate: f64,
    direction: Vec3,
    tension: Tension,
}

impl Springs {
    pub(crate) fn new(ends: Vec<[u32; 2]>, pulls: Vec<Pull>) -> Self {
        let mut memory = vec![0];
        for pull in &pulls {
            memory.push(memory[memory.len() - 1] + pull.memory_len() as u32);
        }
        Self { ends, pulls, memory, slots: Vec::new(), parts: Vec::new() }
    }

    /// Puts another law in the place of one; `false`, and nothing done, when it remembers another
    /// number of numbers.
    pub(crate) fn set_pull(&mut self, place: usize, pull: Pull) -> bool {
        let fits = self.pulls[place].memory_len() == pull.memory_len();
        if fits {
            self.pulls[place] = pull;
        }
        fits
    }

    /// Length [m], rate [m/s], tension [N] and strain energy [J] of a spring in a state: what its
    /// memory says now.
    pub(crate) fn stretch_in(&self, place: usize, state: &State) -> Option<[f64; 4]> {
        let (length, rate, _) = line(self.ends[place], &state.q, &state.u);
        let memory = state.memory.get(self.memory_of(place))?;
        let pull = &self.pulls[place];
        let tension = pull.tension((length, rate), INSTANT, memory).force;
        Some([length, rate, tension, pull.strain_energy(length)])
    }

    /// Whether a spring remembers the same quantities as a spring of `other`.
    pub(crate) fn remembers_like(&self, place: usize, other: &Self, there: usize) -> bool {
        let (here, there) = (&self.pulls[place], &other.pulls[there]);
        here.law.kind().name == there.law.kind().name && here.delays() == there.delays()
    }

    /// Where the memory of a spring lies.
    pub(crate) fn memory_of(&self, place: usize) -> std::ops::Range<usize> {
        self.memory[place] as usize..self.memory[place + 1] as usize
    }

    /// Memory at rest at these positions [m].
    pub(crate) fn initial_memory(&self, q: &[Vec3]) -> Vec<f64> {
        let mut memory = vec![0.0; self.memory[self.pulls.len()] as usize];
        for (k, pull) in self.pulls.iter().enumerate() {
            let [a, b] = self.ends[k].map(|e| e as usize);
            pull.start((q[b] - q[a]).norm(), &mut memory[self.memory_of(k)]);
        }
        memory
    }

    /// Memory of a state after the step [s] that led to its motion. A state that came without one
    /// begins at rest where it is.
    pub(crate) fn advance_memory(&self, step: f64, state: &mut State) {
        if state.memory.len() != self.memory[self.pulls.len()] as usize {
            state.memory = self.initial_memory(&state.q);
            return;
        }
        for (k, pull) in self.pulls.iter().enumerate() {
            let range = self.memory_of(k);
            if !range.is_empty() {
                let line = line(self.ends[k], &state.q, &state.u);
                pull.advance((line.0, line.1), step, &mut state.memory[range]);
            }
        }
    }

    /// `None` for a spring of length zero, which has no direction and pulls nowhere.
    fn stretch(&self, spring: usize, kin: &Kinematics) -> Option<Stretch> {
        let (length, rate, direction) = line(self.ends[spring], kin.q, kin.u);
        let direction = direction?;
        let memory = kin.memory.get(self.memory_of(spring)).unwrap_or(&[]);
        let tension = self.pulls[spring].tension((length, rate), kin.step, memory);
        Some(Stretch { length, rate, direction, tension })
    }
}

/// Length [m] of the line between two rows, its rate [m/s], and its direction where it has one.
fn line([a, b]: [u32; 2], q: &[Vec3], u: &[Vec3]) -> (f64, f64, Option<Vec3>) {
    let [a, b] = [a as usize, b as usize];
    match nalgebra::Unit::try_new_and_get(q[b] - q[a], 0.0) {
        None => (0.0, 0.0, None),
        Some((direction, length)) => {
            (length, direction.dot(&(u[b] - u[a])), Some(direction.into_inner()))
        }
    }
}

impl ForceEffector for Springs {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.ends.iter().for_each(|ends| visit(ends));
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let slot = |i, j| pattern.slot(i, j).expect("springs are part of the pattern");
        self.slots = self
            .ends
            .iter()
            .map(|&[a, b]| [slot(a, a), slot(a, b), slot(b, a), slot(b, b)])
            .collect();
        self.parts = partition.assign(self.ends.iter().map(|e| &e[..]));
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for &spring in &self.parts[part.index] {
            let Some(s) = self.stretch(spring as usize, kin) else { continue };
            let tension = match velocity {
                VelocityTerms::Included => s.tension.force,
                VelocityTerms::Excluded => s.tension.force - s.tension.by_rate * s.rate,
            };
            let [a, b] = self.ends[spring as usize];
            for (end, sign) in [(a, 1.0), (b, -1.0)] {
                if let Some(i) = part.local(end) {
                    forces[i] += s.direction * (sign * tension);
                }
            }
        }
        Ok(())
    }

    /// -df/dq = dF/dl n n^T + F/l (I - n n^T), -df/du = dF/d(dl/dt) n n^T on the diagonal blocks; the derivative of
    /// dl/dt by position, which is not symmetric, is left out.
    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for &spring in &self.parts[part.index] {
            let k = spring as usize;
            let Some(s) = self.stretch(k, kin) else { continue };
            let axial = s.direction * s.direction.transpose();
            let lateral = (Mat3::identity() - axial) * (s.tension.force / s.length);
            let block = (axial * s.tension.by_length + lateral) * scale.position
                + axial * (s.tension.by_rate * scale.velocity);
            let [a, b] = self.ends[k];
            for (row, slot, sign) in [(a, 0, 1.0), (a, 1, -1.0), (b, 2, -1.0), (b, 3, 1.0)] {
                if part.rows.contains(&row) {
                    let slot = self.slots[k][slot] as usize - part.first_slot;
                    add_block(blocks, slot, &(block * sign));
                }
            }
        }
        Ok(())
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Other("springs")
    }

    /// That of the laws whose force has a potential.
    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        let energy = |(ends, pull): (&[u32; 2], &Pull)| {
            pull.strain_energy((q[ends[1] as usize] - q[ends[0] as usize]).norm())
        };
        self.ends.iter().zip(&self.pulls).map(energy).sum()
    }
}
