//! Troids (Witkin1990, section 5.4): a puppet of elastic sheets, pinned together, follows two motion paths. Drawings
//! in the coordinates of the sheets go along. `cargo run -p sinew --example puppet` writes `puppet.svg`.

#[cfg(not(test))]
#[path = "drawing.rs"]
mod drawing;

use crate::drawing::{BLUE, Drawing, INK, PALE, RED};
use sinew::interactive::{
    BlockId, Damper, MotionPath, ObjectId, Order, Troid, TroidElasticity, World, WorldSettings,
};

/// The film of the puppet.
pub(crate) struct Outcome {
    /// The picture.
    pub(crate) svg: String,
    /// Factorizations of the constraint matrix in all steps.
    pub(crate) factorizations: usize,
    /// Steps taken.
    pub(crate) steps: usize,
    /// Largest distance of the hand from its path \[m\].
    pub(crate) off: f64,
}

/// A sheet: name, centre, sides, and colour.
type Sheet = (&'static str, [f64; 2], [f64; 2], &'static str);

const SHEETS: [Sheet; 6] = [
    ("shirt", [0.0, 0.0], [0.4, 0.6], BLUE),
    ("head", [0.0, 0.5], [0.3, 0.4], RED),
    ("left_arm", [-0.45, 0.2], [0.5, 0.14], INK),
    ("right_arm", [0.45, 0.2], [0.5, 0.14], INK),
    ("left_leg", [-0.12, -0.6], [0.15, 0.6], INK),
    ("right_leg", [0.12, -0.6], [0.15, 0.6], INK),
];

/// Pins: a point of the shirt and the sheet that hangs there.
const PINS: [(&str, [f64; 2]); 6] = [
    ("head", [-0.07, 0.3]),
    ("head", [0.07, 0.3]),
    ("left_arm", [-0.2, 0.2]),
    ("right_arm", [0.2, 0.2]),
    ("left_leg", [-0.12, -0.3]),
    ("right_leg", [0.12, -0.3]),
];

type Failure = Box<dyn std::error::Error>;

fn add_sheets(world: &mut World) -> Result<Vec<ObjectId>, Failure> {
    let mut ids = Vec::new();
    for (name, at, sides, _) in SHEETS {
        let area = sides[0] * sides[1];
        let troid = Troid::<2>::of_box(2.0 * area, sides);
        let id = world.add_object(name, troid, Order::Second, &Troid::<2>::rest(at))?;
        let ports = world.ports(id)?;
        let elasticity = TroidElasticity::<2> { measure: area, shape: 40.0, dilation: 40.0 };
        world.add_behaviour(&format!("{name}_elasticity"), elasticity.behaviour(), &ports[2..])?;
        let drag = Damper { ports: 6, damping: 0.1 * area };
        world.add_behaviour(&format!("{name}_drag"), drag, &ports)?;
        ids.push(id);
    }
    for (k, (name, pin)) in PINS.into_iter().enumerate() {
        let place = SHEETS.iter().position(|sheet| sheet.0 == name).ok_or("a sheet")?;
        let center = SHEETS[place].1;
        let local = [pin[0] - center[0], pin[1] - center[1]];
        let own = world.add_point(&format!("{name}_pin{k}"), ids[place], &local)?;
        let shirt = world.add_point(&format!("shirt_pin{k}"), ids[0], &pin)?;
        world.join(&format!("pin{k}"), shirt, own)?;
    }
    Ok(ids)
}

/// A rounded outline in the sheet, wherever the sheet is.
fn draw(
    drawing: &mut Drawing,
    world: &World,
    ids: &[ObjectId],
    shift: f64,
    colour: Option<&str>,
) -> Result<(), Failure> {
    for (id, (_, _, sides, own)) in ids.iter().zip(SHEETS) {
        let q = world.state(*id)?;
        let point = |k: i32| {
            let angle = f64::from(k) * std::f64::consts::TAU / 40.0;
            let [x, y] = [angle.cos(), angle.sin()].map(|x| x.signum() * x.abs().powf(0.6));
            let x = [0.5 * sides[0] * x, 0.5 * sides[1] * y];
            [q[0] + q[2] * x[0] + q[3] * x[1] + shift, q[1] + q[4] * x[0] + q[5] * x[1]]
        };
        let outline: Vec<[f64; 2]> = (0..=40).map(point).collect();
        drawing.line(&outline, colour.unwrap_or(own), 2.0);
    }
    Ok(())
}

/// A keyframe: time and place.
type Keyframe = (f64, Vec<f64>);

/// Paths of the collar and of the right hand; the hand and its keyframes.
fn add_paths(world: &mut World, ids: &[ObjectId]) -> Result<(BlockId, Vec<Keyframe>), Failure> {
    let shirt = [
        (0.0, vec![0.0, 0.2]),
        (1.0, vec![0.2, 0.4]),
        (2.0, vec![-0.2, 0.3]),
        (3.0, vec![0.0, 0.2]),
    ];
    let right = vec![
        (0.0, vec![0.7, 0.2]),
        (1.0, vec![0.7, 0.9]),
        (2.0, vec![0.3, 0.9]),
        (3.0, vec![0.7, 0.3]),
    ];
    let collar = world.add_point("collar", ids[0], &[0.0, 0.2])?;
    world.follow("shirt_path", collar, MotionPath::new(&shirt)?)?;
    let hand = world.add_point("hand", ids[3], &[0.25, 0.0])?;
    world.follow("hand_path", hand, MotionPath::new(&right)?)?;
    Ok((hand, right))
}

/// Leads the puppet by a hand and its shirt for three seconds.
///
/// # Errors
/// None of the parts is refused.
pub(crate) fn run() -> Result<Outcome, Failure> {
    let gravity = [0.0, -9.81, 0.0];
    let mut world = World::new(WorldSettings { gravity, ..WorldSettings::default() });
    let ids = add_sheets(&mut world)?;
    let (hand, hand_keys) = add_paths(&mut world, &ids)?;
    let mut drawing = Drawing::new([-1.1, -1.3], [7.4, 1.5], 110.0);
    let (h, steps, mut off) = (2.5e-3, 1200, 0.0_f64);
    for step in 0..=steps {
        if step % 400 == 0 {
            let shift = 2.1 * (step / 400) as f64;
            draw(&mut drawing, &world, &ids, shift, (step == 0).then_some(PALE))?;
            let [x, y] = [world.value(hand.port(0))?, world.value(hand.port(1))?];
            drawing.dot([x + shift, y], RED, 4.0);
            drawing.words([shift - 0.9, -1.2], &format!("{:.0} s", world.time()));
        }
        let key = hand_keys.iter().find(|(time, _)| (world.time() - time).abs() < 0.5 * h);
        if let Some((_, place)) = key {
            let at = [world.value(hand.port(0))?, world.value(hand.port(1))?];
            off = off.max((at[0] - place[0]).hypot(at[1] - place[1]));
        }
        if step < steps {
            world.step(h)?;
        }
    }
    drawing.words(
        [-1.0, 1.35],
        "A puppet of elastic sheets, that follows a path of its right hand and one of its collar",
    );
    let factorizations = world.statistics().factorizations;
    Ok(Outcome { svg: drawing.svg(), factorizations, steps, off })
}

#[cfg_attr(test, allow(dead_code))]
fn main() -> Result<(), Failure> {
    let Outcome { svg, factorizations, steps, off } = run()?;
    println!(
        "{steps} steps, {factorizations} factorization(s); the hand was {off:.1e} m off its keyframes"
    );
    Ok(std::fs::write("puppet.svg", svg)?)
}
