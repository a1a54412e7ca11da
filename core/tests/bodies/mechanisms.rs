//! Published mechanisms (validation/multibody.json, bricard.json): pendula of points, dumbbell, bead on a
//! circle, slider crank, rows of four-bars through their singular position, Bricard's linkage.

use super::scenes::{
    Runner, TRAPEZOIDAL, bricard, double_pendulum, dumbbell, four_bar, in_plane, rod, shift,
    slider_crank, solid_box,
};
use sinew::Vec3;
use sinew::model::{FrameMarker, Particle, PointRef};

/// MB-A01-pendulum: x and y at 10 s, of a particle and of the centre of a ball.
#[test]
fn a_point_pendulum_is_where_elliptic_functions_put_it_after_ten_seconds() {
    let mut model = in_plane(9.81);
    let particle = model.add(Particle::new(1.0, -Vec3::x()));
    rod(&mut model, particle, None);
    let particle = PointRef::from(particle);
    let ball = model.add(solid_box("ball", 1.0, [0.1; 3]).at(shift(-1.0, 0.0, 0.0)));
    let marker = model.add(FrameMarker::new(ball, Vec3::zeros()));
    rod(&mut model, marker, None);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let run = runner.run(1e-3, 10.0);
    let expected = Vec3::new(-0.275087462576122, -0.9614192050991236, 0.0);
    for point in [particle, marker.into()] {
        let error = (runner.place(point) - expected).amax();
        assert!(error < 1e-4, "{error}");
    }
    assert!(run.most < 1e-5 && run.least > -1e-5 && runner.drift() < 1e-9, "{run:?}");
}

/// MB-double-pendulum: both arms horizontal, angles from below at 1 s and 2 s.
#[test]
fn the_double_pendulum_follows_its_reference_to_two_seconds() {
    let reference = [
        (1.0, -0.6250876998063705, -1.0345850856800571),
        (2.0, -0.4829715342517698, -1.3240487123022966),
    ];
    let (model, [a, b]) = double_pendulum();
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    for (t, first, second) in reference {
        let run = runner.run(2e-4, t);
        let [a, b] = [a, b].map(|p| runner.place(p));
        let angle = |v: Vec3| v.x.atan2(-v.y);
        let errors = [angle(a) - first, angle(b - a) - second];
        assert!(errors.iter().all(|e| e.abs() < 1e-4), "{errors:?}");
        assert!(run.most < 1e-4 && run.least > -1e-4, "{run:?}");
    }
}

/// MB-witkin-bead-dumbbell, dumbbell: 1 kg and 3 kg, 2 m apart. The multiplier is the force along the rod,
/// negative when it pulls; the Cayley map errs by (h w)²/12 = 2e-8 of it.
#[test]
fn the_rod_of_a_dumbbell_pulls_with_the_tension_of_the_closed_form() {
    let (model, [a, b]) = dumbbell();
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let center = |r: &Runner| (r.place(a) + r.place(b) * 3.0) / 4.0;
    let before = center(&runner);
    for _ in 0..2000 {
        runner.step(1e-3);
        assert!(
            (runner.state.multipliers[0] + 0.375).abs() < 1e-6,
            "{:?}",
            runner.state.multipliers
        );
    }
    let moved = center(&runner) - before;
    assert!((moved - Vec3::y() * 0.25 * 2.0).norm() < 1e-9, "{moved}");
    let arm = runner.place(b) - runner.place(a);
    let turn = arm.y.atan2(arm.x);
    assert!((turn + 0.5 * 2.0).abs() < 1e-6, "{turn}");
}

/// MB-witkin-bead-dumbbell, circle: speed and normal force of a bead against the angle from the top. Forces
/// are means over a step of 1e-3 s, compared at its middle.
#[test]
fn a_bead_is_kept_on_a_circle_by_the_force_of_the_closed_form() {
    let (top, g) = (10f64.to_radians(), 9.81);
    let mut model = in_plane(g);
    let (sin, cos) = top.sin_cos();
    let velocity = Vec3::new(cos, -sin, 0.0) * 0.5459596009783863;
    let bead = model.add(Particle::new(1.0, Vec3::new(sin, cos, 0.0)).velocity(velocity));
    rod(&mut model, bead, None);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let mut lowest = f64::INFINITY;
    for _ in 0..1200 {
        let before = runner.place(bead);
        runner.step(1e-3);
        let middle = ((before + runner.place(bead)) * 0.5).normalize();
        // The bead is held outward with m (g cos - v²).
        let force = g * (3.0 * middle.y - 2.0);
        let found = runner.state.multipliers[0];
        // Positions are met to 1e-10 m, which takes 4 m 1e-10 / h² = 4e-4 N; it swings on undamped.
        assert!((found - force).abs() < 2e-3, "{found} instead of {force}");
        let speed = runner.velocity(bead).norm();
        let expected = (2.0 * g * (1.0 - runner.place(bead).y)).sqrt();
        assert!((speed - expected).abs() < 1e-4, "{speed} instead of {expected}");
        lowest = lowest.min(found);
    }
    assert!(lowest < -49.0, "the bead did not come to the bottom: {lowest}");
}

/// MB-slider-crank: x and dx/dt of the slider by the closed form, over a revolution.
#[test]
fn a_slider_follows_its_crank() {
    let (model, slider) = slider_crank();
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let (crank, rod, h) = (0.1f64, 0.4f64, 2e-4);
    let mut worst = [0f64; 2];
    for k in 1..=3142 {
        runner.step(h);
        // A prescribed body is where it is prescribed, not where the Cayley map has it.
        let (sin, cos) = (10.0 * h * f64::from(k)).sin_cos();
        let root = (rod * rod - (crank * sin).powi(2)).sqrt();
        let x = crank * cos + root;
        let v = -10.0 * crank * sin * (1.0 + crank * cos / root);
        worst[0] = worst[0].max((runner.place(slider).x - x).abs());
        worst[1] = worst[1].max((runner.velocity(slider).x - v).abs());
    }
    assert!(worst[0] < 1e-6 && worst[1] < 1e-5, "{worst:?}");
}

/// MB-A02-Nfourbar: the tip of the first post at 10 s; the energy by the criterion of IFToMM.
#[test]
fn rows_of_four_bars_keep_their_branch_through_the_singular_position() {
    let reference = [
        (1, 0.478385057712137, 0.8781501788178121),
        (2, 0.3284581114942197, 0.9445185381948047),
        (10, 0.204353560948042, 0.9788971458370154),
        (40, 0.18051222664818029, 0.9835727405893862),
    ];
    for (windows, x, y) in reference {
        let (model, post) = four_bar(windows);
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        let run = runner.run(0.01, 10.0);
        let error = (runner.point(post, Vec3::x() * 0.5) - Vec3::new(x, y, 0.0)).amax();
        assert!(error < 1e-2, "{windows} windows: {error}");
        assert!(run.most < 0.1 && run.least > -0.1, "{windows} windows: {run:?}");
        assert!(runner.drift() < 1e-9, "{windows} windows: {}", runner.drift());
    }
}

/// MB-A04-bricard: the end of the third rod at 5 s.
#[test]
fn an_overconstrained_linkage_moves_as_it_should() {
    let (model, rod) = bricard();
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let run = runner.run(2.5e-3, 5.0);
    let expected = Vec3::new(0.99999999773874, -1.0000672473393268, 0.9999327503995735);
    let error = (runner.point(rod, Vec3::x() * 0.5) - expected).amax();
    assert!(error < 1e-3, "{error}");
    assert!(run.most < 1e-4 && run.least > -1e-4 && runner.drift() < 1e-9, "{run:?}");
}

/// Thirty rows on thirty freedoms leave one: one row is redundant, of the joint that closes the loop.
#[test]
fn the_redundant_row_of_a_closed_loop_is_named() {
    let (model, _) = bricard();
    let compiled = model.compile().unwrap();
    let multibody = sinew::system::MechSystem::multibody(&compiled).unwrap();
    let state = compiled.initial_state();
    let redundant = multibody.redundant_rows(&compiled, &state);
    assert_eq!(redundant, ["/models/mechanism/connectors/5"]);
}
