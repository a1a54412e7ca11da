//! MB-friction-incline: a block on slopes.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::model::RigidBody;

use crate::table::Row;
use crate::touching::{Scene, TRAPEZOIDAL, block_on_slope};

const G: f64 = 9.81;
/// Coefficient of friction, distance after 2 s at 30 degrees [m].
const SLIDES: [(f64, f64); 3] =
    [(0.2, 6.411716315549862), (0.3, 4.712574473324793), (0.5, 1.3142907888746553)];
/// Time [s] and distance [m] in which 3 m/s stop at mu = 0.3.
const FLAT_STOP: [f64; 2] = [1.019367991845056, 1.529051987767584];
/// Distance that 2 m/s come up 15 degrees at mu = 0.5 [m].
const UPHILL_STICK: f64 = 0.27484302644782027;
/// The same up 30 degrees at mu = 0.3 [m], and the speed back at the start [m/s].
const UPHILL_BACK: [f64; 2] = [0.268322655232618, 1.1244956628035365];

/// The block under way.
struct Sliding {
    scene: Scene,
    block: Handle<RigidBody>,
    down: Vec3,
    start: Vec3,
}

impl Sliding {
    fn new(degrees: f64, friction: f64, velocity: f64) -> Self {
        let (model, block, down) = block_on_slope(degrees.to_radians(), friction, velocity);
        let scene = Scene::new(&model, TRAPEZOIDAL);
        let start = scene.place(block);
        Self { scene, block, down, start }
    }

    /// Distance down the slope since the start [m].
    fn distance(&self) -> f64 {
        (self.scene.place(self.block) - self.start).dot(&self.down)
    }

    /// Velocity down the slope [m/s].
    fn speed(&self) -> f64 {
        self.scene.velocity(self.block).dot(&self.down)
    }

    /// Steps of `h` until it rests, at most 2 s: the time [s] and the distance [m].
    fn until_rest(&mut self, h: f64) -> [f64; 2] {
        while self.speed().abs() > 1e-9 && self.scene.state.time < 2.0 {
            self.scene.step(h);
        }
        [self.scene.state.time, self.distance()]
    }
}

fn threshold(friction: f64) -> [Row; 2] {
    let critical = friction.atan().to_degrees();
    let case = format!("MB-friction-incline, mu = {friction}, 5 ms");
    let [below, above] = [-0.5, 0.5].map(|share| {
        let mut sliding = Sliding::new(critical + share, friction, 0.0);
        sliding.scene.steps(5e-3, 1000);
        sliding.distance()
    });
    let (sin, cos) = (critical + 0.5).to_radians().sin_cos();
    let expected = 0.5 * G * (sin - friction * cos) * 25.0;
    [
        Row::of_error(
            &*case,
            "drift in 5 s, 0.5 degrees below the threshold [m]",
            below.abs(),
            1e-4,
        ),
        Row::new(case, "distance in 5 s, 0.5 degrees above it [m]", (expected, above), 5e-3),
    ]
}

fn slide((friction, expected): (f64, f64)) -> Row {
    let mut sliding = Sliding::new(30.0, friction, 0.0);
    sliding.scene.steps(1e-3, 2000);
    let case = format!("MB-friction-incline, mu = {friction}, 1 ms");
    Row::new(case, "distance in 2 s at 30 degrees [m]", (expected, sliding.distance()), 5e-3)
}

fn stops() -> Vec<Row> {
    let case = |name| format!("MB-friction-incline, {name}, 1 ms");
    let [time, distance] = Sliding::new(0.0, 0.3, 3.0).until_rest(1e-3);
    let mut rows = vec![
        Row::new(case("flat stop"), "time [s]", (FLAT_STOP[0], time), 5e-3),
        Row::new(case("flat stop"), "distance [m]", (FLAT_STOP[1], distance), 5e-3),
    ];
    let mut sliding = Sliding::new(15.0, 0.5, -2.0);
    let up = -sliding.until_rest(1e-3)[1];
    sliding.scene.steps(1e-3, 1000);
    let drift = (sliding.distance() + up).abs();
    let name = || case("15 degrees up, then stick");
    rows.push(Row::new(name(), "distance [m]", (UPHILL_STICK, up), 5e-3));
    rows.push(Row::of_error(name(), "drift in the 1 s after it [m]", drift, 1e-4));
    let mut sliding = Sliding::new(30.0, 0.3, -2.0);
    let mut top = 0.0f64;
    while sliding.distance() <= 0.0 && sliding.scene.state.time < 2.0 {
        sliding.scene.step(1e-3);
        top = top.max(-sliding.distance());
    }
    let name = || case("30 degrees up, then back");
    rows.push(Row::new(name(), "distance [m]", (UPHILL_BACK[0], top), 5e-3));
    rows.push(Row::new(name(), "speed back [m/s]", (UPHILL_BACK[1], sliding.speed()), 5e-3));
    rows
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = SLIDES.into_iter().flat_map(|(mu, _)| threshold(mu)).collect();
    rows.extend(SLIDES.into_iter().map(slide));
    rows.extend(stops());
    rows
}
