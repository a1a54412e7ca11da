//! Published mechanisms: pendula of points, bead on a wire, slider crank, rows of four-bars through
//! their singular position, Bricard's overconstrained linkage.

use super::claims::{BACKWARD_EULER, TRAPEZOIDAL, run, run_watched};
use super::rows::Vec3;
use super::scenes::{bead_on_parabola, bricard, four_bar, point_pendulum, slider_crank};
use super::system::State;

/// MB-A01-pendulum, at 10 s.
#[test]
fn the_pendulum_is_where_elliptic_functions_put_it_after_ten_seconds() {
    let record = run(&point_pendulum(&[-Vec3::x()]), TRAPEZOIDAL, (1e-3, 10_000));
    let expected = Vec3::new(-0.275087462576122, -0.9614192050991236, 0.0);
    let error = (record.end.poses[0].center - expected).amax();
    assert!(error < 1e-4, "{error}");
    assert!(record.energy.iter().all(|e| e.abs() < 1e-5) && record.drift < 1e-9);
}

/// MB-double-pendulum: both arms horizontal, angles from below at 1 s and 2 s.
#[test]
fn the_double_pendulum_follows_its_reference_to_two_seconds() {
    let scene = point_pendulum(&[Vec3::x(), Vec3::x() * 2.0]);
    let reference = [
        (1.0, -0.6250876998063705, -1.0345850856800571),
        (2.0, -0.4829715342517698, -1.3240487123022966),
    ];
    let (h, mut worst) = (2e-4, 0f64);
    run_watched(&scene, TRAPEZOIDAL, (h, 10_000), |k, s| {
        for (t, first, second) in reference {
            if (k as f64 * h - t).abs() < 0.5 * h {
                let [a, b] = [s.poses[0].center, s.poses[1].center];
                let angle = |v: Vec3| v.x.atan2(-v.y);
                worst = worst.max((angle(a) - first).abs()).max((angle(b - a) - second).abs());
            }
        }
    });
    assert!(worst > 0.0 && worst < 1e-4, "{worst}");
}

/// MB-witkin-bead-dumbbell: x on y = x² after 5 s.
#[test]
fn a_bead_slides_on_a_parabola() {
    let record = run(&bead_on_parabola(), TRAPEZOIDAL, (1e-3, 5000));
    let error = (record.end.poses[0].center.x - 0.8812891668953727).abs();
    assert!(error < 1e-4 && record.drift < 1e-9, "{error} {}", record.drift);
}

/// MB-slider-crank: x and dx/dt of the slider at 10 rad/s by the closed form.
#[test]
fn a_slider_follows_its_crank() {
    let (crank, rod, h) = (0.1, 0.4, 1e-4);
    let mut worst = [0f64; 2];
    run_watched(&slider_crank(), TRAPEZOIDAL, (h, 6283), |k, s| {
        // The Cayley map turns by 2 atan(h w / 2) a step.
        let angle = 2.0 * k as f64 * (0.5 * h * 10.0f64).atan();
        let (sin, cos) = angle.sin_cos();
        let root = (rod * rod - (crank * sin).powi(2)).sqrt();
        let x = crank * cos + root;
        let v = -10.0 * crank * sin * (1.0 + crank * cos / root);
        worst[0] = worst[0].max((s.poses[2].center.x - x).abs());
        worst[1] = worst[1].max((s.twists[2].linear.x - v).abs());
    });
    assert!(worst[0] < 1e-6 && worst[1] < 1e-5, "{worst:?}");
}

/// Tip of the first post.
fn tip(state: &State) -> Vec3 {
    state.poses[0].center + state.poses[0].orientation * Vec3::x() * 0.5
}

/// MB-A02-Nfourbar: the tip at 10 s.
#[test]
fn rows_of_four_bars_keep_their_branch_through_the_singular_position() {
    let reference = [
        (1, 0.478385057712137, 0.8781501788178121),
        (2, 0.3284581114942197, 0.9445185381948047),
        (10, 0.204353560948042, 0.9788971458370154),
        (40, 0.18051222664818029, 0.9835727405893862),
    ];
    for (windows, x, y) in reference {
        let scene = four_bar(windows);
        let record = run(&scene, TRAPEZOIDAL, (5e-3, 2000));
        let error = (tip(&record.end) - Vec3::new(x, y, 0.0)).amax();
        println!("{windows} windows: {error:.1e}");
        assert!(error < 1e-2, "{windows} windows: {error}");
        assert!(record.energy.iter().all(|e| e.abs() < 1e-3), "{:?}", record.energy);
        // A step may end so near the singular position that its halves are taken instead.
        assert!(record.counts.damped <= 2, "{:?}", record.counts);
    }
}

/// All posts keep turning together, at long steps and under either rule.
#[test]
fn posts_of_four_bars_turn_as_one_at_long_steps() {
    for settings in [TRAPEZOIDAL, BACKWARD_EULER] {
        let scene = four_bar(10);
        run_watched(&scene, settings, (0.01, 1000), |k, s| {
            let last = s.twists.len() - 1;
            let difference = (s.twists[0].angular - s.twists[last].angular).norm();
            assert!(difference < 1e-3, "step {k}: {difference}");
        });
    }
}

/// MB-A04-bricard: the end of the third rod at 5 s.
#[test]
fn an_overconstrained_linkage_moves_as_it_should() {
    let record = run(&bricard(), TRAPEZOIDAL, (2.5e-3, 2000));
    let pose = &record.end.poses[2];
    let end = pose.center + pose.orientation * Vec3::x() * 0.5;
    let error = (end - Vec3::new(0.99999999773874, -1.0000672473393268, 0.9999327503995735)).amax();
    println!("end of the third rod: {error:.1e}");
    assert!(error < 1e-3, "{error}");
    assert!(record.energy.iter().all(|e| e.abs() < 1e-6) && record.drift < 1e-9);
}
