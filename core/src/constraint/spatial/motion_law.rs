//! The law of a joint whose motion is data: which numbers of a pose are read as its coordinates, and what the
//! functions of the motion bind the others to; over numbers with and without derivatives.

use std::borrow::Cow;
use std::sync::Arc;

use super::chart::{Chart, Measure, Numbers};
use super::error::MotionError;
use super::inverse::Inverse;
use super::transform::SpatialTransform;
use crate::constraint::joint_numbers::JointNumbers;
use crate::constraint::kind::add_turns;
use crate::constraint::{
    CoordinateSpec, JointFunctions, Pose, Quantity, Range, RelativePose, Scalar,
};

/// A coordinate as the chart needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionVariable {
    /// Its name.
    pub name: String,
    /// Value in the middle of what is of interest, or at the start [m or rad]: of two ways to read angles of turns
    /// about three axes that is taken which it has.
    pub value: f64,
    /// Values between which it is read [m or rad].
    pub range: Option<[f64; 2]>,
}

/// Number that a coordinate is read from, and how.
#[derive(Clone, Debug)]
struct Reading {
    measure: Measure,
    inverse: Inverse,
}

/// Errors and coordinates of a joint by its motion.
#[derive(Clone, Debug)]
pub struct MotionLaw {
    transform: SpatialTransform,
    chart: Chart,
    readings: Vec<Reading>,
    /// Numbers that no coordinate is read from, one a row.
    bound: Vec<Measure>,
    coordinates: Vec<CoordinateSpec>,
    rows: Vec<Quantity>,
}

impl MotionLaw {
    /// The law of a motion of some coordinates.
    ///
    /// # Errors
    /// [`MotionError`]: axes that leave no coordinates, a coordinate that no axis follows alone.
    pub(super) fn new(
        transform: &SpatialTransform,
        coordinates: &[MotionVariable],
    ) -> Result<Self, MotionError> {
        let start: Vec<f64> = coordinates.iter().map(|it| it.value).collect();
        let chart = Chart::new(transform, &start)?;
        let readings = readings(&chart, transform, coordinates)?;
        let free = |measure: &Measure| readings.iter().all(|it| it.measure != *measure);
        let bound: Vec<Measure> = chart.measures().into_iter().filter(free).collect();
        let spec = |(it, reading): (&MotionVariable, &Reading)| CoordinateSpec {
            name: Cow::Owned(it.name.clone()),
            quantity: quantity(&reading.measure),
            range: Range::FREE,
        };
        let coordinates = coordinates.iter().zip(&readings).map(spec).collect();
        let (rows, transform) = (bound.iter().map(quantity).collect(), transform.clone());
        Ok(Self { transform, chart, readings, bound, coordinates, rows })
    }

    /// The coordinates, in order.
    pub fn coordinates(&self) -> &[CoordinateSpec] {
        &self.coordinates
    }

    /// Quantities that the errors measure, in order.
    pub fn rows(&self) -> &[Quantity] {
        &self.rows
    }

    /// T_CD of coordinates [m and rad].
    pub fn pose(&self, q: &[f64]) -> Pose {
        self.transform.pose(q)
    }

    /// The same as functions of a joint of a name.
    pub(crate) fn functions(self: Arc<Self>, name: &str) -> JointFunctions {
        let (posed, erred) = (self.clone(), self.clone());
        JointFunctions {
            name: name.to_owned(),
            coordinates: self.coordinates.clone(),
            rows: self.rows.clone(),
            pose: Box::new(move |q| posed.pose(q)),
            errors: Box::new(move |t, q, g| erred.bind(&erred.chart.numbers(t), q, g)),
            readout: Box::new(move |t, q| self.read(&self.chart.numbers(t), q)),
        }
    }

    /// Coordinates of a pose nearest to `previous`, into `q`.
    pub(crate) fn calc_coordinates<S: Scalar>(
        &self,
        t: &RelativePose<S>,
        previous: &[f64],
        q: &mut [S],
    ) {
        self.read(&self.chart.numbers(t), q);
        add_turns(&self.coordinates, previous, q);
    }

    /// Errors and coordinates of a pose, these nearest to `previous`.
    pub(crate) fn evaluate<S: Scalar>(
        &self,
        t: &RelativePose<S>,
        previous: &[f64],
        into: &mut JointNumbers<S>,
    ) {
        let numbers = self.chart.numbers(t);
        let q = into.coordinates.insert([S::constant(0.0); 6]);
        let q = &mut q[..self.coordinates.len()];
        self.read(&numbers, q);
        add_turns(&self.coordinates, previous, q);
        self.bind(&numbers, q, into.errors.insert([S::constant(0.0); 6]));
    }

    /// Coordinates by the numbers of a pose; angles may miss whole turns.
    fn read<S: Scalar>(&self, numbers: &Numbers<S>, q: &mut [S]) {
        for (q, reading) in q.iter_mut().zip(&self.readings) {
            *q = reading.inverse.of(numbers.at(reading.measure));
        }
    }

    /// Errors: the other numbers less what they are bound to.
    fn bind<S: Scalar>(&self, numbers: &Numbers<S>, q: &[S], g: &mut [S]) {
        for (g, &measure) in g.iter_mut().zip(&self.bound) {
            let number = numbers.at(measure);
            let Some(axis) = self.chart.axis(&self.transform, measure) else {
                *g = number;
                continue;
            };
            let mut arguments = [S::constant(0.0); 6];
            axis.of.iter().zip(&mut arguments).for_each(|(&k, argument)| *argument = q[k]);
            let target = axis.function.of(&arguments[..axis.of.len()]);
            let error = target.map_or(number, |target| number - target);
            let turns = (error.value() / std::f64::consts::TAU).round();
            let whole = matches!(measure, Measure::Turn(_)) && turns.is_finite();
            *g = if whole { error.offset(-turns * std::f64::consts::TAU) } else { error };
        }
    }
}

fn quantity(measure: &Measure) -> Quantity {
    match measure {
        Measure::Way(_) => Quantity::Length,
        Measure::Turn(_) | Measure::Rest(_) => Quantity::Angle,
    }
}

/// For each coordinate a number that follows it alone: straight ones first, turns before ways.
fn readings(
    chart: &Chart,
    transform: &SpatialTransform,
    coordinates: &[MotionVariable],
) -> Result<Vec<Reading>, MotionError> {
    let mut measures = chart.measures();
    measures.sort_by_key(|measure| !matches!(measure, Measure::Turn(_)));
    let mut taken: Vec<Measure> = Vec::new();
    let mut readings = Vec::new();
    for (k, coordinate) in coordinates.iter().enumerate() {
        let open = |measure: &&Measure| !taken.contains(measure);
        let straight = |&measure: &Measure| {
            let (of, line) = chart.axis(transform, measure)?.line()?;
            (of == k).then(|| Reading { measure, inverse: Inverse::line(line) })
        };
        let curved = |&measure: &Measure| {
            let axis = chart.axis(transform, measure)?;
            let alone = axis.of == [k] && !axis.is_constant();
            let inverse = alone.then(|| Inverse::curve(&axis.function, coordinate.range))??;
            Some(Reading { measure, inverse })
        };
        let found = measures.iter().filter(open).find_map(straight);
        let found = found.or_else(|| measures.iter().filter(open).find_map(curved));
        let reading = found.ok_or_else(|| MotionError::Unread(coordinate.name.clone()))?;
        taken.push(reading.measure);
        readings.push(reading);
    }
    Ok(readings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::constraint::spatial::function::Function;
    use crate::constraint::spatial::spline::Spline;
    use crate::constraint::spatial::transform::SpatialAxis;

    fn coordinate(name: &str, range: [f64; 2]) -> MotionVariable {
        MotionVariable { name: name.to_owned(), value: 0.0, range: Some(range) }
    }

    /// Errors, coordinates and all derivatives agree with the poses.
    fn check(transform: &SpatialTransform, coordinates: &[MotionVariable], poses: &[&[f64]]) {
        let law = MotionLaw::new(transform, coordinates).unwrap();
        let functions = Arc::new(law).functions("joint");
        for q in poses {
            functions.check_jacobian(q).unwrap_or_else(|error| panic!("{q:?}: {error}"));
        }
    }

    #[test]
    fn a_knee_along_splines_is_a_joint_of_one_coordinate() {
        let spline = Spline::new(vec![-2.0, -1.0, 0.0, 0.2], vec![-0.003, 0.004, -0.005, -0.0052]);
        let mut knee = SpatialTransform::rest();
        knee.turns[0] = SpatialAxis::plain(Vec3::z(), 0);
        knee.turns[2] = SpatialAxis {
            function: Function::Polynomial(vec![0.0, 0.1, 0.05]),
            ..SpatialAxis::plain(Vec3::y(), 0)
        };
        knee.ways[0] = SpatialAxis {
            function: Function::Spline(spline.unwrap()),
            ..SpatialAxis::plain(Vec3::x(), 0)
        };
        knee.ways[1] = SpatialAxis::constant(Vec3::y(), -0.4);
        check(
            &knee,
            &[coordinate("knee", [-2.0, 0.2])],
            &[&[-1.7], &[-0.5], &[0.0], &[0.1], &[2.9]],
        );
    }

    #[test]
    fn six_coordinates_about_and_along_oblique_axes_are_read() {
        let mut free = SpatialTransform::rest();
        let oblique = Vec3::new(0.0, 0.6, 0.8);
        free.turns = [
            SpatialAxis::plain(Vec3::z(), 0),
            SpatialAxis::plain(Vec3::x(), 1),
            SpatialAxis::plain(oblique, 2),
        ];
        free.ways = [
            SpatialAxis::plain(Vec3::y(), 3),
            SpatialAxis::plain(oblique, 4),
            SpatialAxis::plain(Vec3::x(), 5),
        ];
        free.ways[1].function = Function::Linear(vec![-2.0], 0.3);
        let names = ["a", "b", "c", "d", "e", "f"].map(|name| coordinate(name, [-1.0, 1.0]));
        check(&free, &names, &[&[0.0; 6], &[2.0, -0.5, -2.5, 0.1, -0.7, 3.0]]);
    }

    #[test]
    fn two_turns_with_a_constant_one_between_leave_four_rows() {
        let mut it = SpatialTransform::rest();
        it.turns = [
            SpatialAxis::plain(Vec3::z(), 0),
            SpatialAxis::constant(Vec3::x(), 0.4),
            SpatialAxis::plain(Vec3::y(), 1),
        ];
        let names = ["a", "b"].map(|name| coordinate(name, [-3.0, 3.0]));
        check(&it, &names, &[&[0.0, 0.0], &[2.5, -1.9], &[-1.0, 3.0]]);
    }

    #[test]
    fn a_coordinate_that_moves_along_a_curve_alone_is_read_from_it() {
        let spline =
            Spline::new(vec![-1.0, 0.0, 0.4, 2.0], vec![0.02, 0.045, 0.051, 0.08]).unwrap();
        let mut patella = SpatialTransform::rest();
        patella.ways[0] =
            SpatialAxis { function: Function::Spline(spline), ..SpatialAxis::plain(Vec3::x(), 0) };
        patella.turns[2] = SpatialAxis {
            function: Function::Polynomial(vec![0.0, 0.0, 0.3]),
            ..SpatialAxis::plain(Vec3::z(), 0)
        };
        check(&patella, &[coordinate("beta", [-1.0, 2.0])], &[&[-0.5], &[0.3], &[1.1], &[2.4]]);
    }

    #[test]
    fn coordinates_that_cannot_be_told_from_poses_are_named() {
        let mut it = SpatialTransform::rest();
        it.ways[0] = SpatialAxis {
            function: Function::Polynomial(vec![0.0, 0.0, 1.0]),
            ..SpatialAxis::plain(Vec3::x(), 0)
        };
        let error = MotionLaw::new(&it, &[coordinate("beta", [-1.0, 1.0])]).err().unwrap();
        assert_eq!(error, MotionError::Unread("beta".to_owned()));
        it.ways[1].direction = Vec3::x();
        let error = MotionLaw::new(&it, &[]).err().unwrap();
        assert_eq!(error, MotionError::Flat);
    }
}
