//! Interactive optimization (Witkin1990, section 5.3): a snake on the edge of a moving disc, and a slider that pulls an
//! expression to the largest value that a constraint allows. `cargo run -p sinew --example snake` writes `snake.svg`.

#[cfg(not(test))]
#[path = "drawing.rs"]
mod drawing;

use crate::drawing::{BLUE, Drawing, PALE, RED};
use sinew::interactive::{
    Bending, ConstraintKind, EdgeField, GrayImage, Integrator, ObjectId, Order, Particle, Pull,
    Spring, Variables, World, WorldError, WorldSettings,
};

/// The snake and the slider at the end.
pub(crate) struct Outcome {
    /// The picture.
    pub(crate) svg: String,
    /// Largest distance of a point of the snake from the edge of the disc [pixels].
    pub(crate) lag: f64,
    /// Area of the largest rectangle in the ellipse.
    pub(crate) area: f64,
}

const POINTS: usize = 28;
const RADIUS: f64 = 11.0;
/// Pixels of the picture for one of the images.
const SCALE: f64 = 10.0;

fn image(center: [f64; 2]) -> Result<GrayImage, Box<dyn std::error::Error>> {
    let inside = |x: f64, y: f64| RADIUS + 0.5 - (x - center[0]).hypot(y - center[1]);
    Ok(GrayImage::of(80, 60, |x, y| inside(x, y).clamp(0.0, 1.0))?)
}

/// Centre of the disc at a time: along a bow.
fn center(time: f64) -> [f64; 2] {
    [20.0 + 4.0 * time, 24.0 + 10.0 * (0.3 * time).sin()]
}

fn add_snake(world: &mut World, field: &EdgeField) -> Result<Vec<ObjectId>, WorldError> {
    let mut ids = Vec::new();
    for k in 0..POINTS {
        let angle = std::f64::consts::TAU * k as f64 / POINTS as f64;
        let [x, y] = center(0.0);
        let at = [x + (RADIUS + 3.0) * angle.cos(), y + (RADIUS + 3.0) * angle.sin()];
        let point = Particle { dimensions: 2, mass: 1.0 };
        ids.push(world.add_object(&format!("p{k}"), point, Order::First, &at)?);
    }
    for k in 0..POINTS {
        let mut ports = Vec::new();
        for i in 0..3 {
            ports.extend(world.ports(ids[(k + i) % POINTS])?);
        }
        world.add_behaviour(&format!("edge{k}"), field.clone(), &ports[..2])?;
        let spring = Spring { dimensions: 2, stiffness: 3.0, damping: 0.0, rest_length: 0.0 };
        world.add_behaviour(&format!("spring{k}"), spring, &ports[..4])?;
        let bending = Bending { dimensions: 2, stiffness: 0.5 };
        world.add_behaviour(&format!("bending{k}"), bending.behaviour(), &ports)?;
    }
    Ok(ids)
}

fn snake_points(world: &World, ids: &[ObjectId]) -> Result<Vec<[f64; 2]>, WorldError> {
    // Rows of images go down, pictures up.
    let point = |id: &ObjectId| world.state(*id).map(|at| [at[0], 60.0 - at[1]]);
    ids.iter().chain(&ids[..1]).map(point).collect()
}

fn largest_rectangle() -> Result<f64, WorldError> {
    let mut world = World::default();
    let names = vec!["x".to_owned(), "y".to_owned()];
    let corner = Variables { names, masses: vec![1.0; 2] };
    world.add_object("corner", corner, Order::First, &[1.9, 0.3])?;
    let graph = world.graph_mut();
    let area = graph.add_expression("area", "4*corner.x*corner.y")?;
    let ellipse = graph.add_expression("ellipse", "corner.x^2/4 + corner.y^2 - 1")?;
    world.constrain("on_ellipse", &[ellipse.port(0)], ConstraintKind::Equal)?;
    let slider = Pull { target: vec![10.0], stiffness: 2.0, damping: 0.0 };
    world.add_behaviour("slider", slider, &[area.port(0)])?;
    (0..2000).try_for_each(|_| world.step(0.005))?;
    world.value(area.port(0))
}

/// Lets the snake follow the disc for eight seconds.
///
/// # Errors
/// None of the parts is refused.
pub(crate) fn run() -> Result<Outcome, Box<dyn std::error::Error>> {
    let integrator = Integrator::Implicit;
    let mut world = World::new(WorldSettings { integrator, ..WorldSettings::default() });
    let images: Vec<GrayImage> =
        (0..=16).map(|k| image(center(0.5 * f64::from(k)))).collect::<Result<_, _>>()?;
    let field = EdgeField::new(&images, 0.5, 2.0, 4000.0)?;
    let ids = add_snake(&mut world, &field)?;
    let mut drawing = Drawing::new([2.0, 12.0], [70.0, 60.0], SCALE);
    let frames = [0, 40, 80, 120, 160];
    for frame in frames {
        let [x, y] = center(0.05 * f64::from(frame));
        drawing.dot([x, 60.0 - y], "#e4e7eb", SCALE * RADIUS);
    }
    for step in 0..=160 {
        if frames.contains(&step) {
            let colour = [PALE, BLUE, RED][usize::from(step > 0) + usize::from(step == 160)];
            drawing.line(&snake_points(&world, &ids)?, colour, 2.0);
        }
        if step < 160 {
            world.step(0.05)?;
        }
    }
    let at = center(world.time());
    let off = |id: &ObjectId| {
        world.state(*id).map(|p| ((p[0] - at[0]).hypot(p[1] - at[1]) - RADIUS).abs())
    };
    let lag = ids.iter().map(off).try_fold(0.0_f64, |lag, off| off.map(|off| lag.max(off)))?;
    drawing.words([3.0, 57.5], "A snake locks to the edge of a disc and follows it: at the start (pale), every two seconds, at the end");
    Ok(Outcome { svg: drawing.svg(), lag, area: largest_rectangle()? })
}

#[cfg_attr(test, allow(dead_code))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Outcome { svg, lag, area } = run()?;
    println!(
        "the snake is within {lag:.2} pixels of the edge; the largest rectangle has {area:.6}"
    );
    Ok(std::fs::write("snake.svg", svg)?)
}
