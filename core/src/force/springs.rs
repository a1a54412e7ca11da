//! Springs and muscles along lines of two points or more. One tension F(l, dl/dt, ...) acts along the
//! whole line, by its whole length l: f = -F dl/dq, which is the direction towards the next point
//! less that from the one before, times F. The laws F stand in `axial/`.

mod slopes;

use super::drives::Drives;
pub(crate) use super::lines::LineRows;
use super::lines::{LinePath, Lines};
use super::pull::{Pull, Stretch};
use super::{
    EffectorView, ExcitationSource, ExcitedStep, Fault, ForceEffector, ForceNumber, JacobianScale,
    Kinematics, MemorySlopes, Part, RowPartition, VelocityTerms,
};
use crate::axial::{Contraction, EARLIER, Tension};
use crate::linalg::{BlockPattern, add_block};
use crate::state::{INSTANT, Motion, State};
use crate::{Mat3, Vec3};

/// Every spring of a model: those between two points, then those through several.
pub(crate) struct Springs {
    lines: Lines,
    pulls: Vec<Pull>,
    drives: Drives,
    /// Index of the first memory of each spring, and the end of all.
    memory: Vec<u32>,
    /// Index of the first slot of each spring.
    slot_starts: Vec<u32>,
    /// Slots of the blocks of each spring, as many rows as it has points, row after row.
    slots: Vec<u32>,
    parts: Vec<Vec<u32>>,
}

/// A spring that has a direction, and what it does.
struct Drawn<'a> {
    path: LinePath<'a>,
    rate: f64,
    tension: Tension,
}

impl Drawn<'_> {
    /// Minus the derivative of the force on point `i`, with the gradient of the length by it, by point `j`; without the
    /// curvature of a path that wraps.
    #[inline]
    fn block(&self, (i, gradient): (usize, Vec3), j: usize, scale: JacobianScale) -> Mat3 {
        let tension = &self.tension;
        let axial = gradient * self.path.gradient(j).transpose();
        let lateral = match &self.path {
            LinePath::Straight(path) => path.hessian(i, j, tension.force),
            LinePath::Wrapped(_) => Mat3::zeros(),
        };
        (axial * tension.by_length + lateral) * scale.position
            + axial * (tension.by_rate * scale.velocity)
    }
}

impl Springs {
    /// Springs along lines through two rows or more each.
    ///
    /// # Panics
    /// When a line has fewer points than two, or there are not as many lines as pulls.
    pub(crate) fn new(lines: impl IntoIterator<Item = LineRows>, pulls: Vec<Pull>) -> Self {
        Self::on(Lines::new(lines), pulls)
    }

    fn on(lines: Lines, pulls: Vec<Pull>) -> Self {
        assert_eq!(lines.len(), pulls.len(), "lines and pulls");
        assert!(lines.iter().all(|points| points.len() >= 2), "a line has two points at least");
        let mut memory = vec![0];
        for pull in &pulls {
            memory.push(memory[memory.len() - 1] + pull.memory_len() as u32);
        }
        Self {
            lines,
            pulls,
            drives: Drives::default(),
            memory,
            slot_starts: Vec::new(),
            slots: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The same, driven by exciters.
    ///
    /// # Panics
    /// When the drives were made for another number of springs.
    pub(crate) fn with_drives(self, drives: Drives) -> Self {
        let count = drives.spring_count();
        assert!(count.is_none_or(|count| count == self.pulls.len()), "drives of other springs");
        Self { drives, ..self }
    }

    /// Puts other drives in the place of those there are.
    ///
    /// # Panics
    /// When they are made for another number of springs.
    pub(crate) fn set_drives(&mut self, drives: Drives) {
        let count = drives.spring_count();
        assert!(count.is_none_or(|count| count == self.pulls.len()), "drives of other springs");
        self.drives = drives;
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
        let at = self.stretch(place, (&state.q, &state.u), (state.time, 0.0));
        let memory = state.memory.get(self.memory_of(place))?;
        let pull = &self.pulls[place];
        let tension = pull.tension(at, INSTANT, memory).force;
        Some([at.length, at.rate, tension, pull.strain_energy(at.length)])
    }

    /// Activation [-] of a spring in a state, and fibre and tendon where its law has a fibre.
    pub(crate) fn contraction_in(
        &self,
        place: usize,
        state: &State,
    ) -> Option<(f64, Option<Contraction>)> {
        let at = self.stretch(place, (&state.q, &state.u), (state.time, 0.0));
        Some(self.pulls[place].contraction(at, state.memory.get(self.memory_of(place))?))
    }

    /// True if a spring remembers the same quantities as a spring of `other`.
    pub(crate) fn remembers_like(&self, place: usize, other: &Self, there: usize) -> bool {
        self.pulls[place].remembers_like(&other.pulls[there])
    }

    /// Range of a spring in the memory.
    pub(crate) fn memory_of(&self, place: usize) -> std::ops::Range<usize> {
        self.memory[place] as usize..self.memory[place + 1] as usize
    }

    /// A line as points in space at these positions [m], `count` to each part of it that can be curved: the same number
    /// at all positions.
    pub(crate) fn polyline(&self, place: usize, q: &[Vec3], count: usize, visit: impl FnMut(Vec3)) {
        match self.lines.line_path(place, q) {
            LinePath::Straight(_) => {
                self.lines.points(place).iter().map(|&row| q[row as usize]).for_each(visit);
            }
            LinePath::Wrapped(path) => path.polyline(count, visit),
        }
    }

    /// True if a line wraps over surfaces.
    pub(crate) fn wraps(&self, place: usize) -> bool {
        self.lines.wraps(place)
    }

    /// Numbers that all springs remember; they stand first in the memory of a state.
    pub(crate) fn memory_len(&self) -> usize {
        self.memory[self.pulls.len()] as usize
    }

    /// Memory at rest at these positions [m], with the excitations of a time [s] held, or the activations that laws
    /// start with where these are more.
    pub(crate) fn memory_at_rest(&self, q: &[Vec3], time: f64) -> Vec<f64> {
        let mut memory = vec![0.0; self.memory[self.pulls.len()] as usize];
        for (k, pull) in self.pulls.iter().enumerate() {
            let length = self.lines.line_path(k, q).length();
            let excitation = self.drives.excitation(k, pull.excitation, time);
            let excitation = pull.law.start_excitation(excitation);
            let at = Stretch { length, rate: 0.0, excitation, earlier: excitation };
            pull.start(at, &mut memory[self.memory_of(k)]);
        }
        memory
    }

    /// Memory of a state after the step [s] that led to its motion, before its time is advanced. A
    /// state that came without one begins at rest where it is. After no step at all, what follows lines and
    /// excitations at once is set.
    pub(crate) fn advance_memory(&self, step: f64, state: &mut State) {
        let end = state.time + step;
        if !self.is_remembered(&state.memory) {
            state.memory = self.memory_at_rest(&state.q, end);
            return;
        }
        for (k, pull) in self.pulls.iter().enumerate() {
            let range = self.memory_of(k);
            if !range.is_empty() {
                let at = self.stretch(k, (&state.q, &state.u), (end, step));
                let memory = &mut state.memory[range];
                if step > 0.0 { pull.advance(at, step, memory) } else { pull.close(at, memory) }
            }
        }
    }

    /// Rates of a memory \[1/s\] at a motion and a time [s], meant for steps of the motion's length; none where it
    /// is not the memory of these springs.
    pub(crate) fn memory_rates(&self, time: f64, motion: Motion<'_>, rates: &mut [f64]) {
        if !self.is_remembered(motion.memory) || rates.len() != motion.memory.len() {
            return;
        }
        for (k, pull) in self.pulls.iter().enumerate() {
            let range = self.memory_of(k);
            if !range.is_empty() {
                let at = self.stretch(k, (motion.q, motion.u), (time, 0.0));
                pull.rates(at, motion.step, &motion.memory[range.clone()], &mut rates[range]);
            }
        }
    }

    /// True if a memory begins with that of these springs; what muscles in tissue remember follows.
    fn is_remembered(&self, memory: &[f64]) -> bool {
        memory.len() >= self.memory_len()
    }

    /// At a time and after a step [s].
    fn stretch(&self, spring: usize, (q, u): (&[Vec3], &[Vec3]), at: (f64, f64)) -> Stretch {
        let path = self.lines.line_path(spring, q);
        self.stretch_of(spring, &path, u, at)
    }

    fn stretch_of(
        &self,
        spring: usize,
        path: &LinePath<'_>,
        u: &[Vec3],
        (time, step): (f64, f64),
    ) -> Stretch {
        let own = self.pulls[spring].excitation;
        let [excitation, earlier] = [0.0, (1.0 - EARLIER) * step]
            .map(|ago| self.drives.excitation(spring, own, time - ago));
        Stretch { length: path.length(), rate: path.rate(u), excitation, earlier }
    }

    /// `None` for a spring of length zero, which has no direction and pulls nowhere.
    fn draw<'a>(&'a self, spring: usize, kin: &Kinematics<'a>) -> Option<Drawn<'a>> {
        let path = self.lines.line_path(spring, kin.motion.q);
        let at = self.stretch_of(spring, &path, kin.motion.u, (kin.load.time, kin.motion.step));
        if at.length == 0.0 {
            return None;
        }
        let memory = kin.motion.memory.get(self.memory_of(spring)).unwrap_or(&[]);
        let tension = self.pulls[spring].tension(at, kin.motion.step, memory);
        Some(Drawn { path, rate: at.rate, tension })
    }
}

impl Springs {
    /// Derivative of the excitation of a spring by what `source` excites [-].
    fn share(&self, spring: usize, source: ExcitationSource, time: f64) -> f64 {
        let own = self.pulls[spring].excitation;
        let known = matches!(source, ExcitationSource::Exciter(_))
            || source == ExcitationSource::Line(spring);
        match known {
            true => self.drives.share((spring, source.exciter()), (own, time), [0.0, 1.0]),
            false => 0.0,
        }
    }

    /// Adds -h (g (F_e + F_ev (g.y - g.u) + h F_el g.y) + h F_e (d²l/dq²) y) times a share, with g = dl/dq and the
    /// derivatives F_e of the tension by the excitation.
    fn add_excited(
        &self,
        (spring, share): (usize, f64),
        part: &Part,
        step: &ExcitedStep,
        impulses: &mut [Vec3],
    ) {
        let (kin, h) = (&step.kinematics, step.length());
        let path = self.lines.line_path(spring, kin.motion.q);
        let at = self.stretch_of(spring, &path, kin.motion.u, (kin.load.time, h));
        if at.length == 0.0 {
            return;
        }
        let memory = kin.motion.memory.get(self.memory_of(spring)).unwrap_or(&[]);
        let by = self.pulls[spring].by_excitation(at, h, memory);
        let rate = path.rate(step.velocities);
        let along = by.force + by.by_rate * (rate - at.rate) + h * by.by_length * rate;
        let points = self.lines.points(spring);
        for (i, &row) in points.iter().enumerate() {
            let Some(local) = part.local(row) else { continue };
            let mut push = path.gradient(i) * along;
            if let LinePath::Straight(path) = &path {
                for (j, &other) in points.iter().enumerate() {
                    push += path.hessian(i, j, h * by.force) * step.velocities[other as usize];
                }
            }
            impulses[local] -= push * (h * share);
        }
        if let LinePath::Wrapped(path) = &path {
            path.for_each_curvature(|i, j, block| {
                if let Some(local) = part.local(points[i]) {
                    let push = block * step.velocities[points[j] as usize];
                    impulses[local] -= push * (h * by.force * h * share);
                }
            });
        }
    }
}

impl ForceEffector for Springs {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.lines.iter().for_each(visit);
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let slot = |i, j| pattern.slot(i, j).expect("springs are part of the pattern");
        (self.slot_starts, self.slots) = (Vec::new(), Vec::new());
        for points in self.lines.iter() {
            self.slot_starts.push(self.slots.len() as u32);
            for &i in points {
                self.slots.extend(points.iter().map(|&j| slot(i, j)));
            }
        }
        self.parts = partition.assign(self.lines.iter());
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for &spring in &self.parts[part.index] {
            let Some(drawn) = self.draw(spring as usize, kin) else { continue };
            let tension = match velocity {
                VelocityTerms::Included => drawn.tension.force,
                VelocityTerms::Excluded => drawn.tension.force - drawn.tension.by_rate * drawn.rate,
            };
            let rows = self.lines.points(spring as usize);
            match &drawn.path {
                LinePath::Straight(path) => {
                    for (s, ends) in rows.windows(2).enumerate() {
                        let direction = path.segment(s).direction;
                        for (end, sign) in [(ends[0], 1.0), (ends[1], -1.0)] {
                            if let Some(i) = part.local(end) {
                                forces[i] += direction * (sign * tension);
                            }
                        }
                    }
                }
                LinePath::Wrapped(path) => {
                    for (k, &row) in rows.iter().enumerate() {
                        if let Some(i) = part.local(row) {
                            forces[i] -= path.gradient(k) * tension;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// With g_i = dl/dq_i: -df_i/dq_j = dF/dl g_i g_j^T + F d²l/dq_i dq_j and
    /// -df_i/du_j = dF/d(dl/dt) g_i g_j^T. The derivative of dl/dt by position, which is not
    /// symmetric, is left out, and so is the skew part of the turns of bodies that a line wraps over:
    /// `slopes.rs` has them.
    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for &spring in &self.parts[part.index] {
            let k = spring as usize;
            let Some(drawn) = self.draw(k, kin) else { continue };
            let points = self.lines.points(k);
            let slots = &self.slots[self.slot_starts[k] as usize..];
            for (i, row) in points.iter().enumerate() {
                if !part.rows.contains(row) {
                    continue;
                }
                let gradient = drawn.path.gradient(i);
                for j in 0..points.len() {
                    let block = drawn.block((i, gradient), j, scale);
                    let slot = slots[i * points.len() + j] as usize - part.first_slot;
                    add_block(blocks, slot, &block);
                }
            }
            if let LinePath::Wrapped(path) = &drawn.path {
                let factor = drawn.tension.force * scale.position;
                path.for_each_curvature(|i, j, block| {
                    if part.rows.contains(&points[i]) {
                        let slot = slots[i * points.len() + j] as usize - part.first_slot;
                        add_block(blocks, slot, &(block * factor));
                    }
                });
            }
        }
        Ok(())
    }

    fn add_excitation_impulses(
        &self,
        part: &Part,
        source: ExcitationSource,
        step: &ExcitedStep,
        impulses: &mut [Vec3],
    ) -> Result<(), Fault> {
        for &spring in &self.parts[part.index] {
            let share = self.share(spring as usize, source, step.kinematics.load.time);
            if share != 0.0 {
                self.add_excited((spring as usize, share), part, step, impulses);
            }
        }
        Ok(())
    }

    fn add_jacobian_of_rates(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        self.add_slopes(part, kin, scale, blocks);
        Ok(())
    }

    fn add_forces_by(
        &self,
        part: &Part,
        kin: &Kinematics,
        number: ForceNumber,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        self.add_by(part, kin, number, forces);
        Ok(())
    }

    fn add_memory_slopes(&self, kin: &Kinematics, slopes: &mut MemorySlopes) {
        self.add_slopes_of_memory(kin, slopes);
    }

    fn add_memory_by_excitation(
        &self,
        kin: &Kinematics,
        source: ExcitationSource,
        memory: &mut [f64],
    ) {
        self.add_excited_memory(kin, source, memory);
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Border("springs")
    }

    fn leaves_out_turns(&self) -> bool {
        self.pulls.iter().any(Pull::depends_on_rate)
    }

    /// That of the laws whose force has a potential.
    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        let energy =
            |(k, pull): (usize, &Pull)| pull.strain_energy(self.lines.line_path(k, q).length());
        self.pulls.iter().enumerate().filter(|(_, pull)| pull.has_potential()).map(energy).sum()
    }
}
