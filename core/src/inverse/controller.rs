//! The controller: before each step, the velocities that targets are asked for, the program, and the excitations into the
//! model.

use std::sync::{Arc, Mutex};

use crate::Vec3;
use crate::inverse::iteration::Iterations;
use crate::inverse::program::{Program, TermWeights};
use crate::inverse::row_model::leaves_set;
use crate::inverse::set_search::SetSearch;
use crate::inverse::steering::{SharedCourse, locked};
use crate::inverse::target::{PlacedTarget, vector};
use crate::inverse::target_rows::TargetRows;
use crate::inverse::work::{StepDerivatives, TrackingError};
use crate::inverse::{
    ContactSets, ExcitationTerms, InverseError, MotionTarget, SharedSteering, TargetKind,
    TrackedExcitation, TrackingRule, TrackingSettings, TrackingSteering,
};
use crate::model::Model;
use crate::property::{PropertyRef, Value};
use crate::schedule::{CallbackError, Control, Controller, Signal};
use crate::solve::{ImplicitMode, Integrator, MechSystemSolver, SolverSettings};
use crate::system::{CompiledModel, State};

/// Unilateral rows that may push above which sets are not chosen: each takes a back-solve and a condition.
const MOST_ROWS: usize = 96;

/// Force that is none where one is asked for [N]: what rounding leaves of a course that is zero asks for no contact.
const NO_FORCE: f64 = 1e-6;

/// Largest number that is desired [m], [rad], [N]: squares of more are no numbers of use.
const FARTHEST: f64 = 1e9;

/// Desired and found numbers of the latest step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackingRecord {
    /// Time at the end of the step [s].
    pub time: f64,
    /// Desired numbers then, those of all targets in a row [m], [rad], [N].
    pub desired: Vec<f64>,
    /// Excitations [-].
    pub excitations: Vec<f64>,
    /// Distance of each target from the desired one after the step, as the response predicts it
    /// [m], [rad], [N].
    pub distances: Vec<f64>,
    /// True if bounds of excitations, or conditions on them, keep the targets from what is desired: the nearest motion by
    /// the weights is then followed.
    pub out_of_reach: bool,
    /// True if the targets are left by more than half of what was asked for, within bounds too: no excitation leads there, or targets
    /// contradict each other.
    pub missed: bool,
}

/// The latest record, shared with the maker of the controller; empty before the first step.
pub type TrackingLog = Arc<Mutex<TrackingRecord>>;

/// Finds excitations before each step, so that targets follow desired motions. The steps are those of backward Euler, linearized.
///
/// Where nothing is desired, excitations stay as they are. What is out of reach gives the excitations whose motion is
/// nearest by the weights.
pub struct TrackingController {
    targets: Vec<MotionTarget>,
    excitations: Vec<TrackedExcitation>,
    properties: Vec<PropertyRef>,
    desired: SharedCourse,
    /// Factors of the weights of targets over time, one a target.
    factors: Option<Box<dyn Signal>>,
    factors_now: Vec<f64>,
    terms: ExcitationTerms,
    settings: TrackingSettings,
    solver: SolverSettings,
    work: Option<(u64, StepDerivatives)>,
    /// True if the step to come is linearized.
    is_linearized: bool,
    program: Program,
    /// Desired numbers at the start and at the end of the step.
    places: [Vec<f64>; 2],
    iterations: Iterations,
    /// The targets in the step, on the set of contacts that was chosen.
    rows: TargetRows,
    log: TrackingLog,
    steering: SharedSteering,
}

impl TrackingController {
    /// A controller of `excitations` that has `targets` follow `desired`: the numbers of all targets in a row, over time.
    /// `solver` are the settings that the simulation is stepped by.
    ///
    /// # Errors
    /// [`InverseError`] names what is missing or out of range.
    pub fn new(
        model: &Model,
        (targets, desired): (Vec<MotionTarget>, Box<dyn Signal>),
        excitations: Vec<TrackedExcitation>,
        (settings, solver): (TrackingSettings, SolverSettings),
    ) -> Result<Self, InverseError> {
        check((&targets, &excitations), &settings, &solver)?;
        let property = |it: &TrackedExcitation| it.property(model);
        let properties = excitations.iter().map(property).collect::<Result<_, _>>()?;
        let size = targets.iter().map(MotionTarget::size).sum();
        let weights = targets.iter().map(|it| it.weight).collect();
        let steering = Arc::new(Mutex::new(TrackingSteering { on: true, weights }));
        Ok(Self {
            factors_now: vec![1.0; targets.len()],
            factors: None,
            terms: ExcitationTerms::default(),
            targets,
            excitations,
            properties,
            desired: Arc::new(Mutex::new(desired)),
            settings,
            solver,
            work: None,
            is_linearized: false,
            program: Program::default(),
            places: [vec![0.0; size], vec![0.0; size]],
            iterations: Iterations::default(),
            rows: TargetRows::default(),
            log: TrackingLog::default(),
            steering,
        })
    }

    /// The same with further terms and conditions of the excitations.
    ///
    /// # Errors
    /// [`InverseError`] names a list that is too short or too long, or a number out of range.
    pub fn with_terms(mut self, terms: ExcitationTerms) -> Result<Self, InverseError> {
        terms.check(self.excitations.len())?;
        self.terms = terms;
        Ok(self)
    }

    /// The same with weights of targets that change over time: `factors` of them, one a target.
    pub fn with_factors(mut self, factors: Box<dyn Signal>) -> Self {
        self.factors = Some(factors);
        self
    }

    /// Numbers found in each step, for another reader.
    pub fn log(&self) -> TrackingLog {
        self.log.clone()
    }

    /// Switch and weights, for who steers it while it runs; it begins switched on.
    pub fn steering(&self) -> SharedSteering {
        self.steering.clone()
    }

    /// Targets with their course, and excitations, for who shows it.
    pub(super) fn followed(&self) -> (&[MotionTarget], SharedCourse, &[TrackedExcitation]) {
        (&self.targets, self.desired.clone(), &self.excitations)
    }

    /// Takes the weights of now; false where it is switched off.
    fn is_on(&mut self) -> bool {
        let steering = locked(&self.steering);
        let weights = self.targets.iter_mut().zip(&steering.weights);
        weights.for_each(|(target, weight)| target.weight = *weight);
        steering.on
    }

    /// Desired numbers at the start and at the end of a step of `h` [s] from `time`; false where there are none.
    fn read_desired(&mut self, time: f64, h: f64) -> Result<bool, CallbackError> {
        let Self { desired, places: [start, end], .. } = self;
        let mut desired = locked(desired);
        let before = desired.sample([time - h, time], start)?;
        let after = desired.sample([time, time + h], end)?;
        drop(desired);
        if after && let Some(&value) = end.iter().find(|it| it.abs() > FARTHEST) {
            let (name, must) = ("desired number", "of an amount of at most 1e9");
            return Err(InverseError::Number { name, must, value }.into());
        }
        if !before {
            start.copy_from_slice(end);
        }
        if let Some(factors) = &mut self.factors
            && after
        {
            factors.sample([time, time + h], &mut self.factors_now)?;
            let bad = self.factors_now.iter().find(|it| !(it.is_finite() && **it >= 0.0));
            if let Some(&value) = bad {
                let (name, must) = ("factor of a weight", "finite and >= 0");
                return Err(InverseError::Number { name, must, value }.into());
            }
        }
        Ok(after)
    }

    /// Excitations of now, from the model.
    fn read_excitations(&mut self, control: &Control<'_>) -> Result<(), CallbackError> {
        let values = self.properties.iter().map(|property| control.model().get_real(property));
        let values = values.collect::<Result<Vec<f64>, _>>()?;
        self.iterations.begin(values);
        Ok(())
    }

    /// Sets excitations of the model that differ from those of now.
    fn set(&self, control: &mut Control<'_>, values: &[f64]) -> Result<(), CallbackError> {
        for ((property, value), now) in self.properties.iter().zip(values).zip(&self.iterations.now)
        {
            if value != now {
                control.set(property, Value::Real(*value))?;
            }
        }
        Ok(())
    }

    /// Derivatives of the step to come.
    fn update_work(&mut self, control: &Control<'_>) -> Result<(), TrackingError> {
        let structure = control.structure();
        let (model, compiled) = (control.model(), control.compiled());
        let work = match self.work.take() {
            Some((known, work)) if known == structure => work,
            _ => {
                let known = (&self.targets[..], &self.excitations[..]);
                let how = (self.solver, self.settings.accuracy);
                StepDerivatives::new((model, compiled), how, known)?
            }
        };
        let (_, work) = self.work.insert((structure, work));
        Ok(work.update(compiled, control.state(), control.step())?)
    }

    /// The targets in the step of `h` [s] from `start`, and their program.
    fn fill_program(&mut self, known: (&Model, &CompiledModel), (start, h): (&State, f64)) {
        let Self { targets, settings, work, places, rows, .. } = self;
        let now = &self.iterations.now;
        let Some((_, work)) = work else { return };
        rows.begin(now.len());
        let mut first = 0;
        for (number, (target, placed)) in targets.iter().zip(&work.placed).enumerate() {
            let size = target.size();
            let desired = places.each_ref().map(|it| vector(&it[first..first + size]));
            first += size;
            let missing = match placed {
                reading if reading.is_reading() => desired[1] - work.reading(known, number, start),
                motion => {
                    let ends = [start, &work.end].map(|state| motion.place_in(state));
                    let asked = asked_velocity(settings.rule, motion, &desired, (start, h));
                    asked - motion.between(&ends[0], &ends[1]) / h
                }
            };
            let changes = (0..now.len()).map(|k| work.change(known, (number, k), start));
            let changes: Vec<Vec3> = changes.collect();
            for axis in 0..size {
                let factor = self.factors_now[number];
                rows.add(target.weight * target.directions[axis] * factor, missing[axis]);
                rows.responses.extend(changes.iter().map(|change| change[axis]));
            }
        }
        self.program_of_rows();
    }

    /// Fills the program; where a force of contacts is asked for that no excitation changes, after the step was linearized
    /// with the contacts which some excitations would close in it.
    fn look_for_asked_contacts(&mut self, control: &Control<'_>) -> Result<(), TrackingError> {
        let h = control.step();
        self.fill_program((control.model(), control.compiled()), (control.state(), h));
        let lacks = self.settings.contacts == ContactSets::Chosen
            && self.iterations.is_first()
            && self.lacks_contact();
        let (true, Some((_, work))) = (lacks, &mut self.work) else { return Ok(()) };
        let amounts: Vec<f64> = self.excitations.iter().map(|it| it.upper - it.lower).collect();
        work.look_far(control.compiled(), &amounts, h);
        self.update_work(control)?;
        self.fill_program((control.model(), control.compiled()), (control.state(), h));
        Ok(())
    }

    /// True if a force of contacts is asked for that no excitation changes.
    fn lacks_contact(&self) -> bool {
        let mut first = 0;
        self.targets.iter().any(|target| {
            let rows = first..first + target.size();
            first = rows.end;
            let touches =
                matches!(target.kind, TargetKind::PairForce(_) | TargetKind::ColliderForce(_));
            let asked =
                |row: usize| self.rows.weights[row] > 0.0 && self.places[1][row].abs() > NO_FORCE;
            let still = |row: usize| self.rows.response(row).iter().all(|by| *by == 0.0);
            touches && rows.clone().any(asked) && rows.clone().all(still)
        })
    }

    /// The program of the targets at hand.
    fn program_of_rows(&mut self) {
        let Self { excitations, settings, program, rows, terms, iterations, .. } = self;
        let about = [&iterations.now[..], &iterations.before];
        program.fill(rows, (excitations, TermWeights::of(settings), &terms.sums), about, None);
    }

    /// Better excitations than `found` where other contacts push, in the step of `h` [s] from `start`: they are looked for where those
    /// of now would not, or targets are missed.
    fn change_sets(
        &mut self,
        known: (&Model, &CompiledModel),
        (start, h): (&State, f64),
        found: &mut Vec<f64>,
    ) -> Result<(), TrackingError> {
        let Some((_, work)) = &mut self.work else { return Ok(()) };
        let Iterations { now, before, .. } = &self.iterations;
        let change: Vec<f64> = found.iter().zip(now).map(|(a, now)| a - now).collect();
        let may = self.settings.contacts == ContactSets::Chosen
            && (1..=MOST_ROWS).contains(&work.pushing_rows());
        if !may || !(leaves_set(&work.response, &change) || self.program.leaves_much(before)) {
            return Ok(());
        }
        let sizes: Vec<usize> = self.targets.iter().map(MotionTarget::size).collect();
        let (model, by_rows) = work.row_model(known, &sizes, (start, h))?;
        let search = SetSearch {
            model: &model,
            targets: &self.rows,
            by_rows: &by_rows,
            excitations: &self.excitations,
            terms: &self.terms,
            weights: TermWeights::of(&self.settings),
            now,
            before,
        };
        let other = search.find(&mut self.program, found);
        if let Some(other) = other {
            *found = other.excitations;
            self.rows = other.targets;
        }
        self.program_of_rows();
        self.program.take(found);
        Ok(())
    }

    /// Excitations by the program, or nearer to the best so far where those of now are worse than these, in the step of `h` [s] from
    /// `start`.
    fn find(
        &mut self,
        known: (&Model, &CompiledModel),
        (start, h): (&State, f64),
    ) -> Result<Vec<f64>, TrackingError> {
        if !self.iterations.improves(self.program.costs(&self.iterations.now))
            && let Some(back) = self.iterations.back(&self.settings)
        {
            return Ok(back);
        }
        let (found, time) = (self.program.solve(&self.terms).map(<[f64]>::to_vec), start.time);
        let mut found =
            found.map_err(|outcome| InverseError::Program { time, detail: outcome.to_string() })?;
        self.change_sets(known, (start, h), &mut found)?;
        self.iterations.end(&found, &self.settings);
        Ok(found)
    }

    /// Writes what was found to the log.
    fn record(&self, known: (&Model, &CompiledModel), (start, h): (&State, f64), found: &[f64]) {
        let Some((_, work)) = &self.work else { return };
        let Ok(mut log) = self.log.lock() else { return };
        log.time = start.time + h;
        log.desired.clone_from(&self.places[1]);
        log.excitations.clear();
        log.excitations.extend_from_slice(found);
        log.distances.clear();
        let mut first = 0;
        for (number, (target, placed)) in self.targets.iter().zip(&work.placed).enumerate() {
            let size = target.size();
            let wanted = vector(&self.places[1][first..first + size]);
            let (mut end, time) = match placed {
                reading if reading.is_reading() => {
                    (wanted - work.reading(known, number, start), 1.0)
                }
                motion => (motion.between(&motion.place_in(&work.end), &wanted), h),
            };
            for axis in 0..size {
                let change = found.iter().zip(&self.iterations.now).map(|(a, now)| a - now);
                end[axis] -= self.rows.change(first + axis, change) * time;
            }
            first += size;
            log.distances.push(end.norm());
        }
        log.out_of_reach = self.program.is_out_of_reach(&self.iterations.before);
        log.missed = self.program.misses(&self.iterations.before);
    }
}

/// Refuses what is missing or out of range.
fn check(
    (targets, excitations): (&[MotionTarget], &[TrackedExcitation]),
    settings: &TrackingSettings,
    solver: &SolverSettings,
) -> Result<(), InverseError> {
    settings.check()?;
    targets.iter().try_for_each(MotionTarget::check)?;
    excitations.iter().try_for_each(TrackedExcitation::check)?;
    if targets.is_empty() {
        return Err(InverseError::Nothing("targets"));
    }
    if excitations.is_empty() {
        return Err(InverseError::Nothing("excitations"));
    }
    match solver.integrator {
        Integrator::BackwardEuler(ImplicitMode::Linearized) => Ok(()),
        other => Err(InverseError::Integrator(format!("{other:?}"))),
    }
}

/// Velocity that a target is asked for in a step of `h` [s] by what is desired at its start and its end.
fn asked_velocity(
    rule: TrackingRule,
    placed: &PlacedTarget,
    desired: &[Vec3; 2],
    (start, h): (&State, f64),
) -> Vec3 {
    let wanted = placed.between(&desired[0], &desired[1]) / h;
    let distance = placed.between(&placed.place_in(start), &desired[0]);
    match rule {
        TrackingRule::Chase { time } => wanted + distance / time,
        TrackingRule::ProportionalDerivative { kp, kd } => {
            let rate = placed.rate(start);
            rate + (distance * kp + (wanted - rate) * kd) * h
        }
    }
}

impl Controller for TrackingController {
    fn apply(&mut self, control: &mut Control<'_>) -> Result<(), CallbackError> {
        let (time, h) = (control.time(), control.step());
        self.is_linearized = false;
        let goes_on = self.iterations.goes_on(time, h);
        if !(goes_on || self.is_on() && self.read_desired(time, h)?) {
            return Ok(());
        }
        self.read_excitations(control)?;
        if let (false, Some((_, work))) = (goes_on, &mut self.work) {
            work.look_near(control.compiled());
        }
        match self.update_work(control) {
            Ok(()) => {}
            // The step itself would fail alike: it is taken with other excitations, or in parts with those that there are.
            Err(TrackingError::Step(_)) => {
                let back = self.iterations.back(&self.settings);
                return back.map_or(Ok(()), |excitations| self.set(control, &excitations));
            }
            Err(error @ TrackingError::Inverse(_)) => return Err(error.into()),
        }
        self.is_linearized = true;
        self.look_for_asked_contacts(control)?;
        let known = (control.model(), control.compiled());
        let found = self.find(known, (control.state(), h))?;
        self.record(known, (control.state(), h), &found);
        self.set(control, &found)
    }

    fn looks_ahead(&self) -> bool {
        true
    }

    fn acts_again(&self) -> bool {
        self.iterations.again()
    }

    fn linearized(&mut self, structure: u64) -> Option<&mut MechSystemSolver> {
        let is_linearized = self.is_linearized;
        let work = self.work.as_mut().filter(|(known, _)| is_linearized && *known == structure);
        work.map(|(_, work)| work.solver())
    }

    fn save(&self, numbers: &mut Vec<f64>) {
        locked(&self.desired).save(numbers);
        self.factors.iter().for_each(|it| it.save(numbers));
    }

    fn restore(&mut self, numbers: &[f64]) {
        let mut of_desired = Vec::new();
        locked(&self.desired).save(&mut of_desired);
        let (first, rest) = numbers.split_at(of_desired.len().min(numbers.len()));
        locked(&self.desired).restore(first);
        self.factors.iter_mut().for_each(|it| it.restore(rest));
    }
}
