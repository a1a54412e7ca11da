//! Geometric modelling (Witkin1990, section 5.2): curves with drag, nailed together, are pushed and pulled. Types of
//! curves are entered as equations. `cargo run -p sinew --example curves` writes `curves.svg`.

#[cfg(not(test))]
#[path = "drawing.rs"]
mod drawing;

use crate::drawing::{BLUE, Drawing, INK, PALE, RED};
use sinew::interactive::{BlockId, Curve, ObjectId, Order, Pull, World, WorldError, WorldSettings};

/// The curves before and after a pull.
pub(crate) struct Outcome {
    /// The picture.
    pub(crate) svg: String,
    /// Centre and radius of the circle before and after the pull.
    pub(crate) circle: [Vec<f64>; 2],
    /// Distance of the nailed points at the end.
    pub(crate) gap: f64,
}

const TURN: f64 = std::f64::consts::TAU;

/// Types of curves as equations in s.
const LINE: &str = "x1 + s*(x2 - x1); y1 + s*(y2 - y1)";
const CIRCLE: &str = "x + r*cos(s); y + r*sin(s)";
/// A cubic Bézier curve.
const BEZIER: &str = "(1 - s)^3*ax + 3*(1 - s)^2*s*bx + 3*(1 - s)*s^2*cx + s^3*dx; \
                      (1 - s)^3*ay + 3*(1 - s)^2*s*by + 3*(1 - s)*s^2*cy + s^3*dy";

/// Points of a curve by its parameters and a share of its range.
type Points = fn(&[f64], f64) -> [f64; 2];

/// Points all along a curve.
fn points(world: &World, id: ObjectId, by: Points) -> Result<Vec<[f64; 2]>, WorldError> {
    let state = world.state(id)?;
    Ok((0..=96).map(|k| by(state, f64::from(k) / 96.0)).collect())
}

fn on_line(q: &[f64], s: f64) -> [f64; 2] {
    [q[0] + s * (q[2] - q[0]), q[1] + s * (q[3] - q[1])]
}

fn on_circle(q: &[f64], s: f64) -> [f64; 2] {
    [q[0] + q[2] * (TURN * s).cos(), q[1] + q[2] * (TURN * s).sin()]
}

fn on_bezier(q: &[f64], s: f64) -> [f64; 2] {
    let weights =
        [(1.0 - s).powi(3), 3.0 * (1.0 - s).powi(2) * s, 3.0 * (1.0 - s) * s * s, s.powi(3)];
    [0, 1].map(|k| (0..4).map(|i| weights[i] * q[2 * i + k]).sum())
}

fn draw(
    drawing: &mut Drawing,
    world: &World,
    ids: [ObjectId; 3],
    colours: [&str; 3],
) -> Result<(), WorldError> {
    let by: [Points; 3] = [on_line, on_circle, on_bezier];
    for ((id, by), colour) in ids.into_iter().zip(by).zip(colours) {
        drawing.line(&points(world, id, by)?, colour, 3.0);
    }
    Ok(())
}

type Failure = Box<dyn std::error::Error>;

/// A line, a circle and a Bézier curve.
fn add_curves(world: &mut World) -> Result<[ObjectId; 3], Failure> {
    let line = Curve::new(LINE, &["x1", "y1", "x2", "y2"], [0.0, 1.0])?;
    let line = world.add_object("line", line, Order::First, &[-2.0, 0.0, 2.0, 0.0])?;
    let circle = Curve::new(CIRCLE, &["x", "y", "r"], [0.0, TURN])?;
    let circle = world.add_object("circle", circle, Order::First, &[0.0, 1.2, 0.8])?;
    let bezier = Curve::new(BEZIER, &["ax", "ay", "bx", "by", "cx", "cy", "dx", "dy"], [0.0, 1.0])?;
    let start = [-2.0, 0.0, -2.0, 2.0, -1.2, 2.4, -0.8, 1.2];
    let bezier = world.add_object("bezier", bezier, Order::First, &start)?;
    Ok([line, circle, bezier])
}

/// Nails the ends of the line down and the curves to each other; pairs of points that are to stay together.
fn nail_together(world: &mut World, ids: [ObjectId; 3]) -> Result<Vec<[BlockId; 2]>, WorldError> {
    let [line, circle, bezier] = ids;
    let left = world.add_point("left", line, &[0.0])?;
    world.nail("left_nail", left, &[-2.0, 0.0])?;
    let right = world.add_point("right", line, &[1.0])?;
    world.nail("right_nail", right, &[2.0, 0.0])?;
    let middle = world.add_point("middle", line, &[0.5])?;
    let bottom = world.add_point("bottom", circle, &[0.75 * TURN])?;
    let side = world.add_point("side", circle, &[0.5 * TURN])?;
    let tail = world.add_point("tail", bezier, &[0.0])?;
    let head = world.add_point("head", bezier, &[1.0])?;
    let pairs = vec![[middle, bottom], [side, head], [left, tail]];
    for (k, &[a, b]) in pairs.iter().enumerate() {
        world.join(&format!("nail{k}"), a, b)?;
    }
    Ok(pairs)
}

/// Largest distance along an axis of points that are to stay together.
fn gap(world: &mut World, pairs: &[[BlockId; 2]]) -> Result<f64, WorldError> {
    let mut most = 0.0_f64;
    for [a, b] in pairs {
        for k in 0..2 {
            most = most.max((world.value(a.port(k))? - world.value(b.port(k))?).abs());
        }
    }
    Ok(most)
}

/// Draws three curves, nails them together and pulls.
///
/// # Errors
/// None of the parts is refused.
pub(crate) fn run() -> Result<Outcome, Failure> {
    let mut world = World::new(WorldSettings::default());
    let ids = add_curves(&mut world)?;
    let pairs = nail_together(&mut world, ids)?;
    (0..200).try_for_each(|_| world.step(0.02))?;
    let mut drawing = Drawing::new([-2.4, -0.6], [2.6, 4.0], 150.0);
    let before = world.state(ids[1])?.to_vec();
    draw(&mut drawing, &world, ids, [PALE; 3])?;
    let target = [1.6, 3.0];
    let grabbed = world.add_point("grabbed", ids[1], &[0.125 * TURN])?;
    let pull = Pull { target: target.to_vec(), stiffness: 60.0, damping: 0.0 };
    world.add_behaviour("mouse", pull, &grabbed.ports::<2>())?;
    (0..400).try_for_each(|_| world.step(0.01))?;
    draw(&mut drawing, &world, ids, [INK, BLUE, RED])?;
    drawing.dot(target, RED, 6.0);
    let words =
        "Line, circle and Bézier curve, nailed together, before (pale) and after a pull at the dot";
    drawing.words([-2.3, 3.8], words);
    let circle = [before, world.state(ids[1])?.to_vec()];
    Ok(Outcome { svg: drawing.svg(), circle, gap: gap(&mut world, &pairs)? })
}

#[cfg_attr(test, allow(dead_code))]
fn main() -> Result<(), Failure> {
    let Outcome { svg, circle, gap } = run()?;
    println!("circle before and after: {circle:.3?}; nailed points are {gap:.1e} apart");
    Ok(std::fs::write("curves.svg", svg)?)
}
