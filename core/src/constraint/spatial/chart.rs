//! From the motion of a joint to its functions: six numbers of a pose (angles of turns, ways along axes), of
//! which some are read as coordinates, and the others are bound to what the functions of the file say.

use std::borrow::Cow;

use nalgebra::UnitQuaternion;

use super::angles::TurnAxes;
use super::error::MotionError;
use super::inverse::Inverse;
use super::rotations::{after, before, onto_z};
use super::transform::{SpatialAxis, SpatialTransform, turn};
use crate::Mat3;
use crate::constraint::{
    CoordinateSpec, Jet, JointFunctions, Quantity, Range, RelativePose, Scalar,
};

/// A number of a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// Way along the axis of that number.
    Way(usize),
    /// Angle of the variable turn of that number.
    Turn(usize),
    /// Angle that must vanish, of that number.
    Rest(usize),
}

/// Formula that reads the variable turns from a rotation.
#[derive(Clone, Copy, Debug)]
enum Turns {
    /// None: the rotation vector vanishes.
    None,
    /// One, about z of a frame.
    One(UnitQuaternion<f64>),
    /// Two, with one that vanishes between them, about the normal of both.
    Two(TurnAxes),
    /// Three.
    Three(TurnAxes),
}

/// Numbers of poses for a motion.
#[derive(Clone, Debug)]
struct Chart {
    /// Numbers of the turns that are not constant, with their axes in D.
    variable: Vec<usize>,
    turns: Turns,
    /// Constant rotation after all turns.
    constant: UnitQuaternion<f64>,
    /// Ways along the axes of a position.
    ways: Mat3,
}

/// Ways [m] and angles [rad] of a pose.
struct Numbers<S> {
    ways: [S; 3],
    turns: [S; 3],
    rest: [S; 3],
}

impl<S: Scalar> Numbers<S> {
    fn at(&self, measure: Measure) -> S {
        match measure {
            Measure::Way(k) => self.ways[k],
            Measure::Turn(k) => self.turns[k],
            Measure::Rest(k) => self.rest[k],
        }
    }
}

impl Chart {
    /// The chart around a pose of coordinates.
    fn new(transform: &SpatialTransform, q: &[f64]) -> Result<Self, MotionError> {
        let (mut variable, mut axes) = (Vec::new(), Vec::new());
        let mut constant = UnitQuaternion::identity();
        for (k, axis) in transform.turns.iter().enumerate() {
            if axis.is_constant() {
                constant *= turn(&axis.direction, axis.value(q));
            } else {
                variable.push(k);
                axes.push(constant * axis.direction);
            }
        }
        let parallel = || MotionError::Parallel;
        let turns = match axes[..] {
            [] => Turns::None,
            [a] => Turns::One(onto_z(&a)),
            [a, b] => {
                let normal = a.cross(&b).try_normalize(1e-6).ok_or_else(parallel)?;
                Turns::Two(TurnAxes::new([a, normal, b], 0.0).ok_or_else(parallel)?)
            }
            [a, b, c] => {
                let second = transform.turns[variable[1]].value(q);
                Turns::Three(TurnAxes::new([a, b, c], second).ok_or_else(parallel)?)
            }
            // There are three at most.
            _ => return Err(MotionError::Parallel),
        };
        let ways = transform.way_axes().try_inverse().filter(|it| it.amax() < 1e6);
        let ways = ways.ok_or(MotionError::Flat)?;
        Ok(Self { variable, turns, constant, ways })
    }

    fn numbers<S: Scalar>(&self, pose: &RelativePose<S>) -> Numbers<S> {
        let p = &pose.position;
        let ways = [0, 1, 2].map(|i| {
            let row = self.ways.row(i);
            p[0] * row[0] + p[1] * row[1] + p[2] * row[2]
        });
        let zero = S::constant(0.0);
        let (mut turns, mut rest) = ([zero; 3], [zero; 3]);
        let free = after(pose, &self.constant.inverse());
        match &self.turns {
            Turns::None => rest = free.rotation_vector(),
            Turns::One(onto_z) => {
                let seen = after(&before(onto_z, &free), &onto_z.inverse());
                turns[0] = seen.twist();
                rest[..2].copy_from_slice(&seen.tilt());
            }
            Turns::Two(axes) => {
                let [first, between, second] = axes.angles(&free.matrix());
                turns[..2].copy_from_slice(&[first, second]);
                rest[0] = between;
            }
            Turns::Three(axes) => turns = axes.angles(&free.matrix()),
        }
        Numbers { ways, turns, rest }
    }

    /// The measures of all six numbers, ways first.
    fn measures(&self) -> Vec<Measure> {
        let count = self.variable.len();
        let ways = (0..3).map(Measure::Way);
        ways.chain((0..count).map(Measure::Turn)).chain((0..3 - count).map(Measure::Rest)).collect()
    }

    /// The axis whose function a number is; none for those that vanish.
    fn axis<'t>(
        &self,
        transform: &'t SpatialTransform,
        measure: Measure,
    ) -> Option<&'t SpatialAxis> {
        match measure {
            Measure::Way(k) => Some(&transform.ways[k]),
            Measure::Turn(k) => Some(&transform.turns[self.variable[k]]),
            Measure::Rest(_) => None,
        }
    }
}

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

/// The functions of a joint.
///
/// # Errors
/// [`MotionError`]: axes that leave no coordinates, a coordinate that no axis follows alone.
pub(super) fn functions(
    name: &str,
    transform: &SpatialTransform,
    coordinates: &[MotionVariable],
) -> Result<JointFunctions, MotionError> {
    let start: Vec<f64> = coordinates.iter().map(|it| it.value).collect();
    let chart = Chart::new(transform, &start)?;
    let readings = readings(&chart, transform, coordinates)?;
    let free = |measure: &Measure| readings.iter().all(|it| it.measure != *measure);
    let bound: Vec<Measure> = chart.measures().into_iter().filter(free).collect();
    let quantity = |measure: &Measure| match measure {
        Measure::Way(_) => Quantity::Length,
        Measure::Turn(_) | Measure::Rest(_) => Quantity::Angle,
    };
    let spec = |(it, reading): (&MotionVariable, &Reading)| CoordinateSpec {
        name: Cow::Owned(it.name.clone()),
        quantity: quantity(&reading.measure),
        range: Range::FREE,
    };
    let specs = coordinates.iter().zip(&readings).map(spec).collect();
    let rows = bound.iter().map(quantity).collect();
    let (posed, erred) = (transform.clone(), (transform.clone(), chart.clone()));
    Ok(JointFunctions {
        name: name.to_owned(),
        coordinates: specs,
        rows,
        pose: Box::new(move |q| posed.pose(q)),
        errors: Box::new(move |t, q, g| errors((&erred.0, &erred.1), &bound, (t, q), g)),
        readout: Box::new(move |t, q| {
            let numbers = chart.numbers(t);
            for (q, reading) in q.iter_mut().zip(&readings) {
                *q = reading.inverse.of(numbers.at(reading.measure));
            }
        }),
    })
}

fn errors(
    (transform, chart): (&SpatialTransform, &Chart),
    bound: &[Measure],
    (t, q): (&RelativePose<Jet>, &[Jet]),
    g: &mut [Jet],
) {
    let numbers = chart.numbers(t);
    for (g, &measure) in g.iter_mut().zip(bound) {
        let number = numbers.at(measure);
        let Some(axis) = chart.axis(transform, measure) else {
            *g = number;
            continue;
        };
        let mut arguments = [Jet::constant(0.0); 6];
        axis.of.iter().zip(&mut arguments).for_each(|(&k, argument)| *argument = q[k]);
        let target = axis.function.of(&arguments[..axis.of.len()]);
        let error = number - target.unwrap_or(Jet::constant(0.0));
        let turns = (error.value() / std::f64::consts::TAU).round();
        let whole = matches!(measure, Measure::Turn(_)) && turns.is_finite();
        *g = if whole { error.offset(-turns * std::f64::consts::TAU) } else { error };
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

    fn coordinate(name: &str, range: [f64; 2]) -> MotionVariable {
        MotionVariable { name: name.to_owned(), value: 0.0, range: Some(range) }
    }

    /// Errors, coordinates and all derivatives agree with the poses.
    fn check(transform: &SpatialTransform, coordinates: &[MotionVariable], poses: &[&[f64]]) {
        let functions = functions("joint", transform, coordinates).unwrap();
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
        let error = functions("joint", &it, &[coordinate("beta", [-1.0, 1.0])]).err().unwrap();
        assert_eq!(error, MotionError::Unread("beta".to_owned()));
        it.ways[1].direction = Vec3::x();
        let error = functions("joint", &it, &[]).err().unwrap();
        assert_eq!(error, MotionError::Flat);
    }
}
