//! Joints from functions of the user: T_CD of coordinates, errors and coordinates of T_CD. Rows
//! come by automatic differentiation; `check_jacobian` compares everything with differences.

use std::sync::Arc;

use super::kind::add_turns;
use super::rows::{RelativeMotion, fill_rows};
use super::{CoordinateSpec, FrameMotion, Jet, JointRow, Pose, Quantity, RelativePose, Scalar};
use crate::Vec3;

/// T_CD of coordinates [m and rad].
pub type PoseFunction = Box<dyn Fn(&[f64]) -> Pose + Send + Sync>;
/// Writes numbers that depend on T_CD, with their derivatives, which arithmetic carries along, into
/// the first of six places.
pub type JetFunction = Box<dyn Fn(&RelativePose<Jet>, &mut [Jet]) + Send + Sync>;

/// The same of T_CD and of the coordinates, with whole turns counted.
pub type ErrorFunction = Box<dyn Fn(&RelativePose<Jet>, &[Jet], &mut [Jet]) + Send + Sync>;

/// A joint that is none of the kinds in the list. At most six rows, and with the coordinates six.
pub struct JointFunctions {
    /// Name, for messages.
    pub name: String,
    /// The coordinates, in order.
    pub coordinates: Vec<CoordinateSpec>,
    /// Quantities that the errors measure, in order.
    pub rows: Vec<Quantity>,
    /// T_CD of coordinates.
    pub pose: PoseFunction,
    /// Errors [m or rad], zero exactly on the poses of coordinates, which they may be written with: those
    /// of a screw need its turns.
    pub errors: ErrorFunction,
    /// Coordinates [m or rad] of a pose; angles may miss whole turns.
    pub readout: JetFunction,
}

/// Faults of the functions of a custom joint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CustomJointError {
    /// Rows and coordinates are not six together.
    #[error("joint {joint}: {rows} rows and {coordinates} coordinates, together they must be 6")]
    Count {
        /// Name of the joint.
        joint: String,
        /// Number of rows.
        rows: usize,
        /// Number of coordinates.
        coordinates: usize,
    },
    /// A pose of coordinates has an error.
    #[error(
        "joint {joint}: row {row} has the error {error:e} at coordinates {q:?}, where it must be \
         0: the functions for the pose and for the errors differ"
    )]
    NotAssembled {
        /// Name of the joint.
        joint: String,
        /// The row.
        row: usize,
        /// Its error [m or rad].
        error: f64,
        /// The coordinates.
        q: Vec<f64>,
    },
    /// A coordinate is read differently from what the pose was made of.
    #[error(
        "joint {joint}: coordinate {coordinate} is read as {found} from the pose with {expected}"
    )]
    Readout {
        /// Name of the joint.
        joint: String,
        /// Name of the coordinate.
        coordinate: String,
        /// Value that is read back [m or rad].
        found: f64,
        /// Value that was put in [m or rad].
        expected: f64,
    },
    /// A derivative differs from the difference quotient.
    #[error(
        "joint {joint}: the derivative of {row} by displacement {displacement} (x, y, z, then \
         turns about them, in D) is {derivative}, by differences {difference}; use only the functions of \
         Scalar between the pose and the result"
    )]
    Derivative {
        /// Name of the joint.
        joint: String,
        /// The row or coordinate that is off most.
        row: String,
        /// The displacement of C, 0 to 5.
        displacement: usize,
        /// Derivative by the function of the user.
        derivative: f64,
        /// Derivative by differences of its values.
        difference: f64,
    },
}

impl JointFunctions {
    /// Those of a joint that was read from a file, which has none: no rows, no coordinates.
    pub(crate) fn none() -> Arc<Self> {
        Arc::new(Self {
            name: String::new(),
            coordinates: Vec::new(),
            rows: Vec::new(),
            pose: Box::new(|_| Pose::identity()),
            errors: Box::new(|_, _, _| {}),
            readout: Box::new(|_, _| {}),
        })
    }

    /// Errors [m or rad] at T_CD, with the turns nearest to `previous`, into `g`, one a row.
    ///
    /// # Panics
    /// When `g` does not have one value a row, or there are more than six.
    pub fn calc_errors(&self, t_cd: &Pose, previous: &[f64], g: &mut [f64]) {
        assert_eq!(g.len(), self.rows.len(), "rows of joint {}", self.name);
        let jets = &self.error_jets(t_cd, previous)[..g.len()];
        g.iter_mut().zip(jets).for_each(|(g, jet)| *g = jet.value());
    }

    /// Coordinates [m and rad] of T_CD, angles with the turns nearest to `previous`, into `q`.
    ///
    /// # Panics
    /// When `previous` or `q` does not have one value a coordinate, or there are more than six.
    pub fn calc_coordinates(&self, t_cd: &Pose, previous: &[f64], q: &mut [f64]) {
        assert_eq!(q.len(), self.coordinates.len(), "coordinates of joint {}", self.name);
        assert_eq!(previous.len(), q.len(), "previous coordinates of joint {}", self.name);
        let jets = &evaluate(&self.readout, t_cd)[..q.len()];
        q.iter_mut().zip(jets).for_each(|(q, jet)| *q = jet.value());
        add_turns(&self.coordinates, previous, q);
    }

    /// The constraint rows, as [`JointKind::calc_rows`](super::JointKind::calc_rows).
    ///
    /// # Panics
    /// When `rows` does not have one entry a row, or there are more than six.
    pub fn calc_rows(
        &self,
        c: &FrameMotion,
        d: &FrameMotion,
        previous: &[f64],
        rows: &mut [JointRow],
    ) {
        assert_eq!(rows.len(), self.rows.len(), "rows of joint {}", self.name);
        let motion = RelativeMotion::new(c, d);
        let jets = self.error_jets(&motion.pose, previous);
        fill_rows(&motion, &jets[..rows.len()], rows);
    }

    /// A row a coordinate, as
    /// [`JointKind::calc_coordinate_rows`](super::JointKind::calc_coordinate_rows).
    ///
    /// # Panics
    /// When `previous` or `rows` does not have one entry a coordinate, or there are more than six.
    pub fn calc_coordinate_rows(
        &self,
        c: &FrameMotion,
        d: &FrameMotion,
        previous: &[f64],
        rows: &mut [JointRow],
    ) {
        assert_eq!(rows.len(), self.coordinates.len(), "coordinates of joint {}", self.name);
        assert_eq!(previous.len(), rows.len(), "previous coordinates of joint {}", self.name);
        let motion = RelativeMotion::new(c, d);
        let jets = self.coordinate_jets(&motion.pose, previous);
        fill_rows(&motion, &jets[..rows.len()], rows);
    }

    /// Coordinates nearest to `previous` with their derivatives, in the first places.
    pub(super) fn coordinate_jets(&self, t_cd: &Pose, previous: &[f64]) -> [Jet; 6] {
        let mut jets = evaluate(&self.readout, t_cd);
        add_turns(&self.coordinates, previous, &mut jets[..self.coordinates.len()]);
        jets
    }

    /// Errors with their derivatives, in the first places.
    pub(super) fn error_jets(&self, t_cd: &Pose, previous: &[f64]) -> [Jet; 6] {
        let q = self.coordinate_jets(t_cd, previous);
        let mut jets = [Jet::constant(0.0); 6];
        let t = RelativePose::with_derivatives(t_cd);
        (self.errors)(&t, &q[..self.coordinates.len()], &mut jets);
        jets
    }

    /// Compares the functions with each other at coordinates `q`.
    ///
    /// # Errors
    /// [`CustomJointError`]: the first contradiction.
    pub fn check_values(&self, q: &[f64]) -> Result<(), CustomJointError> {
        self.check_counts(q)?;
        let pose = (self.pose)(q);
        // Errors are functions of the coordinates, too.
        self.check_readout(q, &pose)?;
        self.check_assembled(q, &pose)
    }

    /// Compares the functions with each other and their derivatives with differences, at
    /// coordinates `q` and at a pose a little off it. A check for once, when the joint is made: it
    /// allocates.
    ///
    /// # Errors
    /// [`CustomJointError`]: the first contradiction, and for derivatives the row that is off most.
    pub fn check_jacobian(&self, q: &[f64]) -> Result<(), CustomJointError> {
        self.check_values(q)?;
        let pose = (self.pose)(q);
        // Off the assembly too, where terms count that vanish on it.
        let away = Pose::new(Vec3::new(0.011, -0.013, 0.017), Vec3::new(0.07, 0.11, -0.05));
        for pose in [pose, pose * away] {
            let rows: Vec<String> = (0..self.rows.len()).map(|k| format!("row {k}")).collect();
            self.check_derivatives(&|at| self.error_jets(at, q), &rows, &pose)?;
            let names: Vec<String> =
                self.coordinates.iter().map(|c| format!("coordinate {}", c.name)).collect();
            self.check_derivatives(&|at| self.coordinate_jets(at, q), &names, &pose)?;
        }
        Ok(())
    }

    fn check_counts(&self, q: &[f64]) -> Result<(), CustomJointError> {
        let (rows, coordinates) = (self.rows.len(), self.coordinates.len());
        if rows + coordinates == 6 && q.len() == coordinates {
            return Ok(());
        }
        Err(CustomJointError::Count { joint: self.name.clone(), rows, coordinates: q.len() })
    }

    fn check_assembled(&self, q: &[f64], pose: &Pose) -> Result<(), CustomJointError> {
        let errors = self.error_jets(pose, q);
        for (row, jet) in errors.iter().enumerate().take(self.rows.len()) {
            let error = jet.value();
            // Roundings of poses of some metres, with room for a chain of functions.
            if error.is_nan() || error.abs() > 1e-11 {
                let (joint, q) = (self.name.clone(), q.to_vec());
                return Err(CustomJointError::NotAssembled { joint, row, error, q });
            }
        }
        Ok(())
    }

    fn check_readout(&self, q: &[f64], pose: &Pose) -> Result<(), CustomJointError> {
        let mut read = [0.0; 6];
        let read = &mut read[..q.len()];
        self.calc_coordinates(pose, q, read);
        for (k, spec) in self.coordinates.iter().enumerate() {
            let (found, expected) = (read[k], q[k]);
            let off = (found - expected).abs();
            if off.is_nan() || off > 1e-9 * (1.0 + expected.abs()) {
                let (joint, coordinate) = (self.name.clone(), spec.name.to_string());
                return Err(CustomJointError::Readout { joint, coordinate, found, expected });
            }
        }
        Ok(())
    }

    /// First derivatives against differences of values.
    fn check_derivatives(
        &self,
        function: &dyn Fn(&Pose) -> [Jet; 6],
        rows: &[String],
        pose: &Pose,
    ) -> Result<(), CustomJointError> {
        let jets = function(pose);
        let mut worst: Option<(f64, CustomJointError)> = None;
        for displacement in 0..6 {
            let [before, after] = [-DIFFERENCE, DIFFERENCE]
                .map(|size| function(&displaced(pose, displacement, size)));
            for (row, name) in rows.iter().enumerate() {
                let derivative = jets[row].gradient()[displacement];
                let change = after[row].value() - before[row].value();
                let difference = change / (2.0 * DIFFERENCE);
                let off = (derivative - difference).abs() / (1.0 + difference.abs());
                // Differences are good to 1e-10 over distances of one; not so over centimetres. A
                // value that jumps is off by far more, and so is one that is not a number.
                if off < 1e-6 || worst.as_ref().is_some_and(|(most, _)| off <= *most) {
                    continue;
                }
                let (joint, row) = (self.name.clone(), name.clone());
                let error = CustomJointError::Derivative {
                    joint,
                    row,
                    displacement,
                    derivative,
                    difference,
                };
                worst = Some((off, error));
            }
        }
        worst.map_or(Ok(()), |(_, error)| Err(error))
    }
}

/// Displacement for central differences [m or rad]: the cube root of the rounding error.
const DIFFERENCE: f64 = 6e-6;

fn evaluate(function: &JetFunction, pose: &Pose) -> [Jet; 6] {
    let mut jets = [Jet::constant(0.0); 6];
    function(&RelativePose::with_derivatives(pose), &mut jets);
    jets
}

/// The pose after one of the six displacements of [`Jet`].
fn displaced(pose: &Pose, displacement: usize, size: f64) -> Pose {
    let unit =
        |first: usize| Vec3::from_fn(|k, _| if first + k == displacement { size } else { 0.0 });
    let origin = pose.translation.vector + unit(0);
    Pose::from_parts(origin.into(), nalgebra::UnitQuaternion::new(unit(3)) * pose.rotation)
}
