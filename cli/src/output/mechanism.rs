//! Measures of rigid bodies and constraints, and their largest values over a run.

use serde::{Deserialize, Serialize};
use sinew::Mat3;
use sinew::constraint::Placement;
use sinew::model::{Model, RigidBody};
use sinew::system::{CompiledModel, MechSystem, State};

use super::observe::Observation;

/// Measures of a state of bodies and constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mechanism {
    /// Energy of the turning of all bodies, part of the kinetic one [J].
    pub(crate) rotational_energy: f64,
    /// Largest error of a row of constraints: a length [m] or the sine of an angle.
    pub(crate) row_error: f64,
}

impl Mechanism {
    /// Of `state`; `None` for a model without bodies, attachments and constraints.
    pub(crate) fn of(compiled: &CompiledModel, state: &State) -> Option<Self> {
        let multibody = compiled.multibody()?;
        let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
        multibody.update_turns(&state.q, &mut turns);
        let at = Placement { q: &state.q, turns: &turns, coordinates: &state.coordinates };
        let mut rows = multibody.joints.rows.at(at);
        let error = |row| rows.value(row).abs();
        // A soft row gives way: its value is no error.
        let rigid = (0..multibody.joints.rows.count())
            .filter(|&row| multibody.joints.compliance[row].compliance == 0.0);
        Some(Self {
            rotational_energy: multibody.rotational_energy(&state.q, &state.u),
            row_error: rigid.map(error).fold(0.0, f64::max),
        })
    }
}

/// Rows of constraints of a model.
pub(crate) fn row_count(compiled: &CompiledModel) -> usize {
    compiled.multibody().map_or(0, |multibody| multibody.joints.rows.count())
}

/// Pose of a body.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BodyPose {
    /// Name of the body.
    name: String,
    /// Origin of its frame [m].
    position: [f64; 3],
    /// Direction times angle of its orientation [rad].
    rotation: [f64; 3],
    /// Centre of mass, with what is attached [m].
    center_of_mass: [f64; 3],
}

/// Poses of the bodies of a model.
pub(crate) fn body_poses(model: &Model, compiled: &CompiledModel, state: &State) -> Vec<BodyPose> {
    let pose = |(handle, body): (_, &RigidBody)| {
        let (pose, _, _) = compiled.body_motion(handle, state)?;
        let row = compiled.body_rows(handle)?.row as usize;
        Some(BodyPose {
            name: body.name.clone(),
            position: pose.translation.vector.into(),
            rotation: pose.rotation.scaled_axis().into(),
            center_of_mass: state.q[row].into(),
        })
    };
    model.iter::<RigidBody>().filter_map(pose).collect()
}

/// A watched distance over a run [m].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DistanceRange {
    /// Its name.
    pub(crate) name: String,
    /// At the end.
    pub(crate) end: f64,
    /// Smallest.
    pub(crate) min: f64,
    /// Largest.
    pub(crate) max: f64,
    /// Time of the largest [s].
    pub(crate) max_time: f64,
}

/// The largest values of all states that were recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extremes {
    /// Largest error of a row of constraints.
    pub(crate) row_error: f64,
    /// The watched distances.
    pub(crate) distances: Vec<DistanceRange>,
}

impl Extremes {
    /// Of one state, with watched distances of these names.
    pub(crate) fn starting<'n>(
        names: impl Iterator<Item = &'n str>,
        observation: &Observation,
    ) -> Self {
        let range = |(name, &d): (&str, &f64)| DistanceRange {
            name: name.to_owned(),
            end: d,
            min: d,
            max: d,
            max_time: observation.time,
        };
        Self {
            row_error: observation.mechanism.unwrap_or_default().row_error,
            distances: names.zip(&observation.distances).map(range).collect(),
        }
    }

    /// Adds a state.
    pub(crate) fn add(&mut self, observation: &Observation) {
        self.row_error = self.row_error.max(observation.mechanism.unwrap_or_default().row_error);
        for (range, &d) in self.distances.iter_mut().zip(&observation.distances) {
            range.end = d;
            range.min = range.min.min(d);
            if d > range.max {
                (range.max, range.max_time) = (d, observation.time);
            }
        }
    }
}
