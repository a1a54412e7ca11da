//! Tinkertoys (Witkin1990, section 5.1): a wheel with a motor, a rod, a slide on a rail and a ball on a spring, put
//! together while they move. `cargo run -p sinew --example tinkertoys` writes `tinkertoys.svg`.

#[cfg(not(test))]
#[path = "drawing.rs"]
mod drawing;

use crate::drawing::{BLUE, Drawing, INK, PALE, RED};
use sinew::interactive::{
    BlockId, ConstraintKind, Motor, ObjectId, Order, Particle, RigidBody, Spring, World,
    WorldError, WorldSettings,
};

/// Places and pictures of the contraption.
pub(crate) struct Outcome {
    /// The picture.
    pub(crate) svg: String,
    /// Positions of the slide on its rail \[m\], one a step, from the time on when all is built.
    pub(crate) slide: Vec<f64>,
    /// Largest gap of a joint over these steps \[m\].
    pub(crate) gap: f64,
}

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
const STEP: f64 = 0.005;

fn body(
    world: &mut World,
    name: &str,
    at: [f64; 3],
    inertia: [f64; 3],
) -> Result<ObjectId, WorldError> {
    let state: Vec<f64> = at.into_iter().chain(UPRIGHT).collect();
    world.add_object(name, RigidBody { mass: 1.0, inertia }, Order::Second, &state)
}

fn place(world: &mut World, block: BlockId) -> Result<[f64; 3], WorldError> {
    let mut at = [0.0; 3];
    for (k, port) in block.ports::<3>().into_iter().enumerate() {
        at[k] = world.value(port)?;
    }
    Ok(at)
}

/// The eye looks along y, a little from above.
fn seen([x, y, z]: [f64; 3]) -> [f64; 2] {
    [x + 0.25 * y, z + 0.2 * y]
}

/// A wheel on an axle along y, which a motor turns.
fn add_wheel(world: &mut World) -> Result<BlockId, WorldError> {
    let wheel = body(world, "wheel", [0.0; 3], [0.05, 0.1, 0.05])?;
    // Two nails hold an axle: one row of the six follows from the others.
    let front = world.add_point("axle_front", wheel, &[0.0, -0.2, 0.0])?;
    let back = world.add_point("axle_back", wheel, &[0.0, 0.2, 0.0])?;
    world.nail("front_bearing", front, &[0.0, -0.2, 0.0])?;
    world.nail("back_bearing", back, &[0.0, 0.2, 0.0])?;
    world.add_direction("spoke", wheel, &[1.0, 0.0, 0.0])?;
    let angle = world.graph_mut().add_expression("angle", "atan2(spoke.2, spoke.0)")?;
    let drive = Motor { speed: 4.0, gain: 1.0, max_torque: 40.0 };
    world.add_behaviour("motor", drive, &[angle.port(0)])?;
    world.add_point("rim", wheel, &[0.4, 0.0, 0.0])
}

/// A rod from the rim to a slide on a rail, and a ball on a spring below the slide.
fn add_slide(world: &mut World, rim: BlockId) -> Result<[BlockId; 3], WorldError> {
    let start = place(world, rim)?;
    let rod = body(world, "rod", [start[0] + 0.5, 0.0, start[2]], [1e-3, 0.1, 0.1])?;
    let left = world.add_point("rod_left", rod, &[-0.5, 0.0, 0.0])?;
    let right = world.add_point("rod_right", rod, &[0.5, 0.0, 0.0])?;
    world.join("crank_pin", rim, left)?;
    let slide = Particle { dimensions: 3, mass: 0.5 };
    let slide =
        world.add_object("slide", slide, Order::Second, &[start[0] + 1.0, 0.0, start[2]])?;
    let slide = world.block(slide)?;
    world.join("slide_pin", right, slide)?;
    let rail = world.graph_mut().add_expression("rail", "slide.y; slide.z")?;
    world.constrain("rail", &rail.ports::<2>(), ConstraintKind::Equal)?;
    // The rod must not roll about its own line.
    let roll = world.add_direction("rod_side", rod, &[0.0, 1.0, 0.0])?;
    world.constrain("no_roll", &[roll.port(2)], ConstraintKind::Equal)?;
    let ball = Particle { dimensions: 3, mass: 0.3 };
    let ball = world.add_object("ball", ball, Order::Second, &[1.0, 0.0, -0.6])?;
    let ball = world.block(ball)?;
    let spring = Spring { dimensions: 3, stiffness: 40.0, damping: 0.2, rest_length: 0.4 };
    let ends = [slide.ports::<3>(), ball.ports::<3>()].concat();
    world.add_behaviour("spring", spring, &ends)?;
    Ok([left, slide, ball])
}

/// Builds the contraption and lets it run.
///
/// # Errors
/// None of the parts is refused.
pub(crate) fn run() -> Result<Outcome, WorldError> {
    let gravity = [0.0, 0.0, -9.81];
    let mut world = World::new(WorldSettings { gravity, ..WorldSettings::default() });
    let rim = add_wheel(&mut world)?;
    // The motor runs already.
    (0..120).try_for_each(|_| world.step(STEP))?;
    let [left, slide, ball] = add_slide(&mut world, rim)?;
    world.assemble(1e-9)?;
    let mut drawing = Drawing::new([-0.6, -0.8], [1.9, 0.8], 300.0);
    let (mut trace, mut path, mut gap) = (Vec::new(), Vec::new(), 0.0_f64);
    for _ in 0..600 {
        world.step(STEP)?;
        let [rim, left, slide] =
            [place(&mut world, rim)?, place(&mut world, left)?, place(&mut world, slide)?];
        gap = (0..3).map(|k| (rim[k] - left[k]).abs()).fold(gap, f64::max);
        trace.push(slide[0]);
        path.push(seen(place(&mut world, ball)?));
    }
    draw(&mut drawing, &mut world, [rim, slide, ball], &path)?;
    Ok(Outcome { svg: drawing.svg(), slide: trace, gap })
}

fn draw(
    drawing: &mut Drawing,
    world: &mut World,
    blocks: [BlockId; 3],
    path: &[[f64; 2]],
) -> Result<(), WorldError> {
    let mut at = [[0.0; 2]; 3];
    for (at, block) in at.iter_mut().zip(blocks) {
        *at = seen(place(world, block)?);
    }
    let [rim, slide, ball] = at;
    let circle = (0..=72).map(|k| f64::from(k) * std::f64::consts::TAU / 72.0);
    let wheel: Vec<[f64; 2]> = circle.map(|a| seen([0.4 * a.cos(), 0.0, 0.4 * a.sin()])).collect();
    drawing.line(&[[0.4, 0.0], [1.6, 0.0]], PALE, 3.0);
    drawing.line(path, PALE, 1.0);
    drawing.line(&wheel, BLUE, 4.0);
    drawing.line(&[[0.0, 0.0], rim], BLUE, 3.0);
    drawing.line(&[rim, slide], INK, 6.0);
    drawing.line(&[slide, ball], RED, 2.0);
    [[0.0, 0.0], rim, slide].into_iter().for_each(|at| drawing.dot(at, INK, 5.0));
    drawing.dot(ball, RED, 12.0);
    drawing.words(
        [-0.55, 0.7],
        "A motor, a rod and a slide, joined while the wheel turns; the path of the ball",
    );
    Ok(())
}

#[cfg_attr(test, allow(dead_code))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Outcome { svg, slide, gap } = run()?;
    let (least, most) = slide.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
    println!(
        "the slide went from {least:.3} to {most:.3} m, joints were {gap:.1e} m apart at most"
    );
    Ok(std::fs::write("tinkertoys.svg", svg)?)
}
