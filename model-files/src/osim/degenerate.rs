//! Motions of joints that the equations of a step cannot follow as they stand: axes of constant ways that lie in a plane with
//! others, and coordinates that cannot be read from poses.

use sinew::constraint::spatial::{
    Function, JointMotion, MotionError, NaturalSpline, SpatialAxis, SpatialTransform, Spline,
};
use sinew::{Mat3, Vec3};

/// Volume of three axes below which they lie in a plane.
const FLAT: f64 = 1e-6;

/// A motion that has functions, with the coordinates that stay as they are at the start.
pub(super) struct Mended {
    pub(super) motion: JointMotion,
    /// Names of coordinates that are fixed.
    pub(super) fixed: Vec<String>,
}

/// The motion, without coordinates that cannot be read from poses.
///
/// # Errors
/// [`MotionError`] of motions that have no functions all the same.
pub(super) fn mended(mut motion: JointMotion) -> Result<Mended, MotionError> {
    let mut fixed = Vec::new();
    straighten(&mut motion.transform);
    loop {
        let name = match motion.functions("") {
            Ok(_) => return Ok(Mended { motion, fixed }),
            Err(MotionError::Unread(name)) => name,
            Err(error) => return Err(error),
        };
        let Some(k) = motion.variables.iter().position(|it| it.name == name) else {
            return Err(MotionError::Unread(name));
        };
        let value = motion.variables.remove(k).value;
        let SpatialTransform { turns, ways } = &mut motion.transform;
        turns.iter_mut().chain(ways).for_each(|axis| fix(axis, k, value));
        fixed.push(name);
    }
}

/// Leaves coordinate `k` of an axis at a value; those after it move up.
fn fix(axis: &mut SpatialAxis, k: usize, value: f64) {
    if let Some(place) = axis.of.iter().position(|&of| of == k) {
        axis.function = match axis.of.len() {
            1 => Function::Constant(axis.function.of(&[value]).unwrap_or(0.0)),
            _ => at_value(&axis.function, place, value),
        };
        axis.of.remove(place);
    }
    axis.of.iter_mut().filter(|of| **of > k).for_each(|of| *of -= 1);
}

/// A function of several arguments with one of them at a value.
fn at_value(function: &Function, place: usize, value: f64) -> Function {
    match function {
        Function::Linear(factors, constant) => {
            let mut factors = factors.clone();
            let factor = factors.remove(place);
            Function::Linear(factors, constant + factor * value)
        }
        Function::Multiple(inner, factor) => {
            Function::Multiple(Box::new(at_value(inner, place, value)), *factor)
        }
        Function::Within(range, inner) => {
            Function::Within(*range, Box::new(at_value(inner, place, value)))
        }
        // Others are of one argument.
        other => other.clone(),
    }
}

/// Takes other axes for constant ways where the three lie in a plane: across those that move.
fn straighten(transform: &mut SpatialTransform) {
    if transform.way_axes().determinant().abs() > FLAT {
        return;
    }
    let moves = transform.ways.each_ref().map(|axis| !axis.is_constant());
    let constant = |k: usize| {
        let axis = &transform.ways[k];
        if moves[k] { Vec3::zeros() } else { axis.direction * axis.value(&[0.0; 6]) }
    };
    let whole: Vec3 = (0..3).map(constant).sum();
    let mut directions = transform.ways.each_ref().map(|axis| axis.direction);
    let mut known: Vec<Vec3> = (0..3).filter(|&k| moves[k]).map(|k| directions[k]).collect();
    for k in (0..3).filter(|&k| !moves[k]) {
        directions[k] = across(&known);
        known.push(directions[k]);
    }
    let Some(inverse) = Mat3::from_columns(&directions).try_inverse() else { return };
    let parts = inverse * whole;
    for (k, axis) in transform.ways.iter_mut().enumerate() {
        axis.direction = directions[k];
        match moves[k] {
            false => (axis.function, axis.of) = (Function::Constant(parts[k]), Vec::new()),
            true if parts[k].abs() > f64::EPSILON => {
                if let Some(function) = shifted(&axis.function, 1.0, parts[k]) {
                    axis.function = function;
                }
            }
            true => {}
        }
    }
}

/// A direction across at most two others.
fn across(known: &[Vec3]) -> Vec3 {
    let axis = |v: &Vec3| {
        let least = v.iamin();
        v.cross(&Vec3::from_fn(|k, _| if k == least { 1.0 } else { 0.0 })).normalize()
    };
    match known {
        [] => Vec3::x(),
        [a] => axis(a),
        [a, b, ..] => a.cross(b).try_normalize(1e-9).unwrap_or_else(|| axis(a)),
    }
}

/// sign f + offset, where that is of the same kind.
pub(super) fn shifted(function: &Function, sign: f64, offset: f64) -> Option<Function> {
    let shift = |y: f64| sign * y + offset;
    Some(match function {
        Function::Constant(value) => Function::Constant(shift(*value)),
        Function::Linear(factors, constant) => {
            let factors = factors.iter().map(|factor| sign * factor).collect();
            Function::Linear(factors, shift(*constant))
        }
        Function::Polynomial(list) => {
            let mut list: Vec<f64> = list.iter().map(|c| sign * c).collect();
            *list.first_mut()? += offset;
            Function::Polynomial(list)
        }
        Function::Spline(spline) => {
            let (x, y) = spline.points().map(|[x, y]| (x, shift(y))).unzip();
            Function::Spline(Spline::new(x, y).ok()?)
        }
        Function::Lines(points) => {
            Function::Lines(points.iter().map(|[x, y]| [*x, shift(*y)]).collect())
        }
        &Function::Sine { amplitude, omega, phase, offset: own } => {
            Function::Sine { amplitude: sign * amplitude, omega, phase, offset: shift(own) }
        }
        &Function::Step { from, values } => Function::Step { from, values: values.map(shift) },
        Function::Natural(spline) => {
            let (x, y) = spline.points().map(|[x, y]| (x, shift(y))).unzip();
            Function::Natural(NaturalSpline::new(spline.half_order(), x, y).ok()?)
        }
        Function::Within(range, inner) => {
            Function::Within(*range, Box::new(shifted(inner, sign, offset)?))
        }
        Function::Multiple(inner, factor) if *factor != 0.0 => {
            let inner = shifted(inner, sign, offset / factor)?;
            Function::Multiple(Box::new(inner), *factor)
        }
        Function::Multiple(..) => Function::Constant(offset),
    })
}

#[cfg(test)]
mod tests {
    use sinew::constraint::spatial::MotionVariable;

    use super::*;

    #[test]
    fn constant_ways_in_a_plane_are_taken_along_other_axes_with_the_same_pose() {
        let mut transform = SpatialTransform::rest();
        transform.turns[0] = SpatialAxis::plain(Vec3::z(), 0);
        let oblique = Vec3::new(0.6, 0.8, 0.0);
        transform.ways = [
            SpatialAxis {
                function: Function::Polynomial(vec![0.1, 0.2]),
                ..SpatialAxis::plain(Vec3::x(), 0)
            },
            SpatialAxis::constant(oblique, 0.3),
            SpatialAxis::constant(Vec3::x(), -0.2),
        ];
        let variables = vec![MotionVariable { name: "q".to_owned(), value: 0.0, range: None }];
        let before = transform.clone();
        let mended = mended(JointMotion { variables, transform }).unwrap();
        assert!(mended.fixed.is_empty());
        for q in [-0.4, 0.0, 1.1] {
            let (a, b) = (before.pose(&[q]), mended.motion.transform.pose(&[q]));
            assert!((a.translation.vector - b.translation.vector).norm() < 1e-15, "{a} {b}");
        }
    }

    #[test]
    fn coordinates_that_no_axis_follows_alone_stay_where_they_are() {
        let mut transform = SpatialTransform::rest();
        transform.turns[0] = SpatialAxis::plain(Vec3::z(), 1);
        transform.ways[0] = SpatialAxis {
            function: Function::Linear(vec![0.5, 0.2], 0.1),
            of: vec![0, 1],
            ..SpatialAxis::plain(Vec3::x(), 0)
        };
        transform.ways[1].function = Function::Polynomial(vec![0.0, 0.0, 1.0]);
        transform.ways[1].of = vec![0];
        let variable =
            |name: &str, value| MotionVariable { name: name.to_owned(), value, range: None };
        let variables = vec![variable("lost", 0.4), variable("kept", 0.0)];
        let before = transform.clone();
        let Mended { motion, fixed } = mended(JointMotion { variables, transform }).unwrap();
        assert_eq!((fixed, motion.variables.len()), (vec!["lost".to_owned()], 1));
        let (a, b) = (before.pose(&[0.4, 0.3]), motion.transform.pose(&[0.3]));
        assert!((a.translation.vector - b.translation.vector).norm() < 1e-15, "{a} {b}");
    }
}
