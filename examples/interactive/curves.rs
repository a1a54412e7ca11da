//! Geometric modelling (Witkin1990, section 5.2): curves with drag, nailed together, are pushed and pulled. Types of
//! curves are entered as equations. `cargo run --example curves` writes `curves.svg`.

#[path = "drawing.rs"]
mod drawing;

use drawing::{BLUE, Drawing, INK, PALE, RED};
use sinew::interactive::{
    Curve, FormulaError, ObjectId, Order, Pull, World, WorldError, WorldSettings,
};

/// What became of the curves.
pub struct Outcome {
    /// The picture.
    pub svg: String,
    /// Centre and radius of the circle before and after the pull.
    pub circle: [Vec<f64>; 2],
    /// Distance of the nailed points at the end.
    pub gap: f64,
}

const TURN: f64 = std::f64::consts::TAU;

/// Types of curves: equations, names of parameters, range of s.
fn curve(equations: &str, names: &[&str], range: [f64; 2]) -> Result<Curve, FormulaError> {
    Curve::new(equations, names, range)
}

const LINE: &str = "x1 + s*(x2 - x1); y1 + s*(y2 - y1)";
const CIRCLE: &str = "x + r*cos(s); y + r*sin(s)";
/// A cubic Bézier curve.
const BEZIER: &str = "(1 - s)^3*ax + 3*(1 - s)^2*s*bx + 3*(1 - s)*s^2*cx + s^3*dx; \
                      (1 - s)^3*ay + 3*(1 - s)^2*s*by + 3*(1 - s)*s^2*cy + s^3*dy";

/// Points of a curve by its formula.
fn points(
    world: &World,
    id: ObjectId,
    by: fn(&[f64], f64) -> [f64; 2],
) -> Result<Vec<[f64; 2]>, WorldError> {
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
    let by: [fn(&[f64], f64) -> [f64; 2]; 3] = [on_line, on_circle, on_bezier];
    for ((id, by), colour) in ids.into_iter().zip(by).zip(colours) {
        drawing.line(&points(world, id, by)?, colour, 3.0);
    }
    Ok(())
}

/// Draws three curves, nails them together and pulls.
///
/// # Errors
/// None of the parts is refused.
pub fn run() -> Result<Outcome, Box<dyn std::error::Error>> {
    let mut world = World::new(WorldSettings::default());
    let line = curve(LINE, &["x1", "y1", "x2", "y2"], [0.0, 1.0])?;
    let line = world.add_object("line", line, Order::First, &[-2.0, 0.0, 2.0, 0.0])?;
    let circle = curve(CIRCLE, &["x", "y", "r"], [0.0, TURN])?;
    let circle = world.add_object("circle", circle, Order::First, &[0.0, 1.2, 0.8])?;
    let bezier = curve(BEZIER, &["ax", "ay", "bx", "by", "cx", "cy", "dx", "dy"], [0.0, 1.0])?;
    let start = [-2.0, 0.0, -2.0, 2.0, -1.2, 2.4, -0.8, 1.2];
    let bezier = world.add_object("bezier", bezier, Order::First, &start)?;
    let ids = [line, circle, bezier];

    for (name, s, at) in [("left", 0.0, [-2.0, 0.0]), ("right", 1.0, [2.0, 0.0])] {
        let end = world.add_point(name, line, &[s])?;
        world.nail(&format!("{name}_nail"), end, &at)?;
    }
    let middle = world.add_point("middle", line, &[0.5])?;
    let bottom = world.add_point("bottom", circle, &[0.75 * TURN])?;
    world.join("line_and_circle", middle, bottom)?;
    let side = world.add_point("side", circle, &[0.5 * TURN])?;
    let tail = world.add_point("tail", bezier, &[0.0])?;
    let head = world.add_point("head", bezier, &[1.0])?;
    world.join("circle_and_bezier", side, head)?;
    let left = world.graph().find("left").ok_or("the end of the line is there")?;
    world.join("line_and_bezier", left, tail)?;
    (0..200).try_for_each(|_| world.step(0.02))?;

    let mut drawing = Drawing::new([-2.4, -0.6], [2.6, 4.0], 150.0);
    let before = world.state(circle)?.to_vec();
    draw(&mut drawing, &world, ids, [PALE; 3])?;
    let grabbed = world.add_point("grabbed", circle, &[0.125 * TURN])?;
    let target = vec![1.6, 3.0];
    let pull = Pull { target: target.clone(), stiffness: 60.0, damping: 0.0 };
    world.add_behaviour("mouse", pull, &grabbed.ports::<2>())?;
    (0..400).try_for_each(|_| world.step(0.01))?;
    draw(&mut drawing, &world, ids, [INK, BLUE, RED])?;
    drawing.dot([target[0], target[1]], RED, 6.0);
    drawing.words(
        [-2.3, 3.8],
        "Line, circle and Bézier curve, nailed together, before (pale) and after a pull at the dot",
    );
    let gap = [(side, head), (middle, bottom)].into_iter().try_fold(0.0_f64, |gap, (a, b)| {
        let off = [0, 1].into_iter().try_fold(gap, |gap, k| -> Result<f64, WorldError> {
            Ok(gap.max((world.value(a.port(k))? - world.value(b.port(k))?).abs()))
        })?;
        Ok::<f64, WorldError>(off)
    })?;
    let circle = [before, world.state(circle)?.to_vec()];
    Ok(Outcome { svg: drawing.svg(), circle, gap })
}

#[cfg_attr(test, allow(dead_code))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(std::fs::write("curves.svg", run()?.svg)?)
}
