//! A controller that a window shows and steers: its targets over time, what was found, and the way to replay it.

use crate::Vec3;
use crate::inverse::steering::{SharedCourse, SharedSteering, locked};
use crate::inverse::target::TargetKind;
use crate::inverse::{
    InverseError, MotionTarget, TrackedExcitation, TrackingController, TrackingLog,
};
use crate::kinds;
use crate::model::Model;
use crate::property::{NamedProperty, PropertyRef};
use crate::schedule::{
    CallbackError, FoundExcitation, Simulation, TrackedTarget, Tracking, TrackingStatus,
};

/// Step that was taken.
struct Row {
    /// Times of its begin and its end [s].
    span: [f64; 2],
    /// True if excitations were looked for.
    found: bool,
    /// Excitations that were in force.
    excitations: Vec<f64>,
    /// Squared distances of the targets; not a number where nothing was desired.
    squares: Vec<f64>,
}

/// A controller as [`Scheduler::track`](crate::schedule::Scheduler::track) takes it.
pub struct ShownTracking {
    targets: Vec<MotionTarget>,
    excitations: Vec<TrackedExcitation>,
    properties: Vec<PropertyRef>,
    desired: SharedCourse,
    steering: SharedSteering,
    log: TrackingLog,
    rows: Vec<Row>,
    /// Sums of the squares of all rows.
    sums: Vec<[f64; 2]>,
    /// Time before the step to come [s].
    time: f64,
}

impl ShownTracking {
    /// Shows `controller`: its targets beside the course that they follow, and what it finds.
    ///
    /// # Errors
    /// [`InverseError`] of an excitation that is none.
    pub fn new(model: &Model, controller: &TrackingController) -> Result<Self, InverseError> {
        let (targets, desired, excitations) = controller.followed();
        let property = |it: &TrackedExcitation| it.property(model);
        Ok(Self {
            properties: excitations.iter().map(property).collect::<Result<_, _>>()?,
            sums: vec![[0.0; 2]; targets.len()],
            targets: targets.to_vec(),
            excitations: excitations.to_vec(),
            desired,
            steering: controller.steering(),
            log: controller.log(),
            rows: Vec::new(),
            time: 0.0,
        })
    }

    /// Drops the steps that end after `time` [s]: the run was taken back.
    fn cut(&mut self, time: f64) {
        // Times are sums of rounded steps.
        let is_after = |row: &mut Row| row.span[1] - time > 1e-6 * (row.span[1] - row.span[0]);
        while let Some(row) = self.rows.pop_if(is_after) {
            add(&mut self.sums, &row.squares, -1.0);
        }
    }

    /// The steps from the first one on for which excitations were looked for.
    fn found(&self) -> &[Row] {
        let first = self.rows.iter().position(|row| row.found).unwrap_or(self.rows.len());
        &self.rows[first..]
    }

    /// Numbers of the targets now, and the desired ones where there are any.
    fn read(
        &mut self,
        simulation: &mut Simulation,
    ) -> Result<[Option<Vec<f64>>; 2], CallbackError> {
        let time = simulation.time();
        simulation.state()?;
        let mut reached = Vec::new();
        for target in &self.targets {
            reached.extend(target.now(simulation)?);
        }
        let mut desired = vec![0.0; reached.len()];
        let is_desired = locked(&self.desired).sample([time; 2], &mut desired)?;
        Ok([Some(reached), is_desired.then_some(desired)])
    }

    /// Distances of the targets from what is desired; not a number where nothing is.
    fn distances(&self, [reached, desired]: &[Option<Vec<f64>>; 2]) -> Vec<f64> {
        let mut first = 0;
        let distance = |target: &MotionTarget| {
            let range = first..first + target.size();
            first = range.end;
            match (reached, desired) {
                (Some(now), Some(wanted)) => target.distance(&now[range.clone()], &wanted[range]),
                _ => f64::NAN,
            }
        };
        self.targets.iter().map(distance).collect()
    }
}

/// Path, unit and places of a target whose numbers begin at a place in those that were read.
fn shown_target(
    model: &Model,
    target: &MotionTarget,
    (read, at): (&[Option<Vec<f64>>; 2], usize),
) -> TrackedTarget {
    let path = target.path(model);
    let unit = target.property(model).map_or("", |property| property.info().unit);
    let place = |numbers: &Option<Vec<f64>>| {
        numbers.as_ref().map(|it| Vec3::from_column_slice(&it[at..at + 3]))
    };
    let [reached, desired] = read;
    let places = match target.kind {
        TargetKind::Point(_) | TargetKind::Surface(..) | TargetKind::Origin(_) => {
            place(desired).zip(place(reached))
        }
        _ => None,
    };
    let places = places.map(|(desired, reached)| [desired, reached]);
    TrackedTarget { path, unit, places, ..TrackedTarget::default() }
}

/// Adds squares to their sums, or takes them off again.
fn add(sums: &mut [[f64; 2]], squares: &[f64], sign: f64) {
    for (sum, square) in sums.iter_mut().zip(squares).filter(|(_, square)| square.is_finite()) {
        sum[0] += sign * square;
        sum[1] += sign;
    }
}

impl Tracking for ShownTracking {
    fn follow(&mut self, simulation: &mut Simulation) -> Result<(), CallbackError> {
        let time = simulation.time();
        let begin = self.rows.last().map_or(self.time, |row| row.span[1].max(self.time));
        if begin >= time {
            self.cut(time);
            self.time = time;
            return Ok(());
        }
        let read = self.read(simulation)?;
        let squares: Vec<f64> = self.distances(&read).iter().map(|it| it * it).collect();
        add(&mut self.sums, &squares, 1.0);
        let model = simulation.model();
        let excitations = self.properties.iter().map(|property| model.get_real(property));
        let excitations = excitations.collect::<Result<_, _>>()?;
        let found = locked(&self.steering).on;
        self.rows.push(Row { span: [begin, time], found, excitations, squares });
        self.time = time;
        Ok(())
    }

    fn status(&mut self, simulation: &mut Simulation) -> Result<TrackingStatus, CallbackError> {
        let time = simulation.time();
        self.cut(time);
        self.time = time;
        let read = self.read(simulation)?;
        let distances = self.distances(&read);
        let steering = locked(&self.steering).clone();
        let model = simulation.model();
        let mut status = TrackingStatus { on: steering.on, ..TrackingStatus::default() };
        let record = locked(&self.log);
        status.out_of_reach = steering.on && record.out_of_reach;
        status.missed = steering.on && record.missed;
        drop(record);
        let mut first = 0;
        for (number, target) in self.targets.iter().enumerate() {
            let [sum, count] = self.sums[number];
            status.targets.push(TrackedTarget {
                weight: steering.weights[number],
                distance: Some(distances[number]).filter(|it| it.is_finite()),
                rms: (count > 0.0).then(|| (sum.max(0.0) / count).sqrt()),
                ..shown_target(model, target, (&read, first))
            });
            first += target.size();
        }
        for (excitation, property) in self.excitations.iter().zip(&self.properties) {
            status.excitations.push(FoundExcitation {
                path: model.property_path(property),
                value: model.get_real(property)?,
                bounds: [excitation.lower, excitation.upper],
            });
        }
        let span = self.found().first().zip(self.rows.last());
        status.recorded = span.map(|(first, last)| [first.span[0], last.span[1]]);
        Ok(status)
    }

    fn switch(&mut self, on: bool) {
        locked(&self.steering).on = on;
    }

    fn set_weight(&mut self, target: usize, weight: f64) -> Result<(), CallbackError> {
        if !(weight.is_finite() && weight >= 0.0) {
            let (name, must) = ("weight", "finite and >= 0");
            return Err(InverseError::Number { name, must, value: weight }.into());
        }
        let count = self.targets.len();
        match locked(&self.steering).weights.get_mut(target) {
            Some(own) => *own = weight,
            None => {
                return Err(format!("there are {count} targets, and none number {target}").into());
            }
        }
        Ok(())
    }

    fn recording(&self, model: &Model) -> Option<(kinds::InputProbe, f64)> {
        let found = self.found();
        let start = found.first()?.span[0];
        let row = |row: &Row| [&[row.span[1] - start][..], &row.excitations].concat();
        let rows: Vec<Vec<f64>> = found.iter().map(row).collect();
        let there = self.properties.iter().all(|it| model.has_property(it));
        let named = self.properties.iter().map(|it| NamedProperty::new(it.host(), it.info().name));
        let probe = kinds::InputProbe {
            start: Some(start),
            ..kinds::InputProbe::of_rows(named.collect(), &rows)
        };
        there.then_some((probe, start))
    }
}

/// Inverse control that a model asks for and cannot have.
pub struct RefusedTracking(pub String);

impl Tracking for RefusedTracking {
    fn follow(&mut self, _: &mut Simulation) -> Result<(), CallbackError> {
        Ok(())
    }

    fn status(&mut self, _: &mut Simulation) -> Result<TrackingStatus, CallbackError> {
        Ok(TrackingStatus { fault: Some(self.0.clone()), ..TrackingStatus::default() })
    }

    fn switch(&mut self, _: bool) {}

    fn set_weight(&mut self, _: usize, _: f64) -> Result<(), CallbackError> {
        Err(self.0.clone().into())
    }

    fn recording(&self, _: &Model) -> Option<(kinds::InputProbe, f64)> {
        None
    }
}
