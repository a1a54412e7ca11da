//! Rigid models over recorded instants: coordinates of joints from markers, moments along them, and muscles that share
//! these, instant by instant.

use super::{ExternalForce, InverseDynamics, InverseKinematics, JointMotion, MuscleMoments};
use super::{MuscleTensions, StaticOptimization, StaticSolution};
use crate::Vec3;
use crate::component::ComponentId;
use crate::inverse::{InverseError, TrackedExcitation};
use crate::model::{JointCoordinate, Model};
use crate::system::State;

/// Coordinates of joints at instants, as markers have them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkedMotion {
    /// The coordinates that take part.
    pub coordinates: Vec<JointCoordinate>,
    /// Their values, a row an instant [m], [rad].
    pub values: Vec<Vec<f64>>,
    /// Root of the mean weighted squared distance of the markers at each instant [m].
    pub errors: Vec<f64>,
}

impl InverseKinematics {
    /// Those of the `coordinates` of a model that take part, from places of the markers [m] at times [s]. Each instant starts from
    /// the one before.
    ///
    /// # Errors
    /// As [`Self::place`]; [`InverseError::Nothing`] where no coordinate takes part.
    pub fn follow(
        &self,
        (model, mut coordinates): (&Model, Vec<JointCoordinate>),
        (times, places): (&[f64], &[Vec<Option<Vec3>>]),
    ) -> Result<MarkedMotion, InverseError> {
        let mut state = self.start();
        coordinates.retain(|of| self.coordinate(model, of, &state).is_some());
        if coordinates.is_empty() {
            return Err(InverseError::Nothing("joints"));
        }
        let mut found = MarkedMotion { coordinates, ..MarkedMotion::default() };
        for (time, places) in times.iter().zip(places) {
            state.time = *time;
            found.errors.push(self.place(&mut state, places)?);
            let value = |of| self.coordinate(model, of, &state).unwrap_or(0.0);
            found.values.push(found.coordinates.iter().map(value).collect());
        }
        Ok(found)
    }
}

/// Muscles that share the moments of joints: all those of a model along lines.
pub struct MuscleSharing {
    muscles: Vec<ComponentId>,
    moments: MuscleMoments,
    tensions: MuscleTensions,
    optimization: StaticOptimization,
}

impl MuscleSharing {
    /// For moments along coordinates of a model.
    ///
    /// # Errors
    /// [`InverseError::Nothing`] where the model has no muscle along a line; as [`MuscleMoments::new`] and
    /// [`MuscleTensions::new`].
    pub fn new(
        model: &Model,
        coordinates: &[JointCoordinate],
        optimization: StaticOptimization,
    ) -> Result<Self, InverseError> {
        let all = TrackedExcitation::muscles(model).into_iter().map(|it| it.component);
        let muscles: Vec<ComponentId> = all.filter(|it| MuscleTensions::is_line(*it)).collect();
        if muscles.is_empty() {
            return Err(InverseError::Nothing("muscles"));
        }
        Ok(Self {
            moments: MuscleMoments::new(model, &muscles, coordinates)?,
            tensions: MuscleTensions::new(model, &muscles)?,
            muscles,
            optimization,
        })
    }

    /// Activations for `moments` [N], [N m] in a state that was [placed](InverseDynamics::place) for a motion, and the tensions
    /// that they give [N].
    ///
    /// # Errors
    /// As [`MuscleMoments::matrix`] and [`StaticOptimization::share`].
    pub fn share(
        &self,
        (state, motion): (&State, &JointMotion),
        moments: &[f64],
    ) -> Result<(StaticSolution, Vec<f64>), InverseError> {
        let arms = self.moments.matrix(state, motion)?;
        let bounds = self.tensions.at(state);
        let found = self.optimization.share(&arms, &bounds, moments)?;
        let tension = |(a, [low, high]): (&f64, &[f64; 2])| low + a * (high - low);
        let tensions = found.activations.iter().zip(&bounds).map(tension).collect();
        Ok((found, tensions))
    }
}

/// Forces along coordinates of joints at instants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointMoments {
    /// A row an instant, a number a coordinate [N], [N m].
    pub moments: Vec<Vec<f64>>,
    /// The muscles that share them, where these were asked for.
    pub shares: Option<MuscleShares>,
}

/// Muscles that share moments at instants; rows as those of the moments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MuscleShares {
    /// The muscles.
    pub muscles: Vec<ComponentId>,
    /// Activations, a number a muscle [-].
    pub activations: Vec<Vec<f64>>,
    /// Tensions, a number a muscle [N].
    pub tensions: Vec<Vec<f64>>,
    /// Moments that no activations give beside these, a number a coordinate [N], [N m].
    pub missing: Vec<Vec<f64>>,
}

impl InverseDynamics {
    /// Forces along the coordinates at instants, with those on bodies from without at each of these, or none at all; and muscles that
    /// share them, where these are given. Each instant starts from the one before.
    ///
    /// # Errors
    /// As [`Self::place`], [`Self::moments`] and [`MuscleSharing::share`].
    ///
    /// # Panics
    /// When there are external forces at some instants and not at all of them.
    pub fn follow(
        &self,
        (frames, external): (&[JointMotion], &[Vec<ExternalForce>]),
        sharing: Option<&MuscleSharing>,
    ) -> Result<JointMoments, InverseError> {
        let none = external.is_empty();
        assert!(none || external.len() == frames.len(), "external forces at every instant");
        let shares = |it: &MuscleSharing| MuscleShares {
            muscles: it.muscles.clone(),
            ..MuscleShares::default()
        };
        let mut found = JointMoments { moments: Vec::new(), shares: sharing.map(shares) };
        let mut state = self.start();
        for (k, frame) in frames.iter().enumerate() {
            self.place(&mut state, frame)?;
            let forces = external.get(k).map_or(&[][..], |forces| forces);
            let moments = self.moments(&state, frame, forces)?;
            if let (Some(sharing), Some(shares)) = (sharing, &mut found.shares) {
                let (StaticSolution { activations, missing }, tensions) =
                    sharing.share((&state, frame), &moments)?;
                shares.activations.push(activations);
                shares.tensions.push(tensions);
                shares.missing.push(missing);
            }
            found.moments.push(moments);
        }
        Ok(found)
    }
}
