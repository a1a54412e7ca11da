//! The four applications of the paper (Witkin1990, section 5), as the examples run them.

#[path = "../../../examples/interactive/curves.rs"]
mod curves;
#[path = "../../../examples/interactive/puppet.rs"]
mod puppet;
#[path = "../../../examples/interactive/snake.rs"]
mod snake;
#[path = "../../../examples/interactive/tinkertoys.rs"]
mod tinkertoys;

#[test]
fn a_contraption_of_tinkertoys_runs_as_a_crank_and_slide_does() {
    let outcome = tinkertoys::run().expect("it runs");
    assert!(outcome.gap < 1e-4, "{}", outcome.gap);
    let bounds = |f: fn(f64, f64) -> f64| outcome.slide.iter().copied().reduce(f).expect("steps");
    // The crank of 0.4 m and the rod of 1 m: from 0.6 m to 1.4 m.
    let (least, most) = (bounds(f64::min), bounds(f64::max));
    assert!((least - 0.6).abs() < 2e-3 && (most - 1.4).abs() < 2e-3, "{least}, {most}");
    assert!(outcome.svg.starts_with("<svg") && outcome.svg.ends_with("</svg>\n"));
}

#[test]
fn a_circle_that_is_nailed_to_other_curves_follows_a_pull() {
    let outcome = curves::run().expect("it runs");
    assert!(outcome.gap < 1e-5, "{}", outcome.gap);
    let [before, after] = &outcome.circle;
    assert!(after[2] > before[2] + 0.3, "it grows: {before:?}, {after:?}");
    // Its lowest point stays on the line.
    assert!((after[1] - after[2]).abs() < 1e-5, "{after:?}");
}

#[test]
fn a_snake_follows_a_disc_and_a_slider_finds_the_largest_rectangle() {
    let outcome = snake::run().expect("it runs");
    assert!(outcome.lag < 1.0, "{} pixels", outcome.lag);
    assert!((outcome.area - 4.0).abs() < 1e-6, "{}", outcome.area);
}

#[test]
fn a_puppet_of_troids_follows_its_paths_without_factorizations() {
    let outcome = puppet::run().expect("it runs");
    assert_eq!((outcome.factorizations, outcome.steps), (1, 1200));
    assert!(outcome.off < 1e-3, "{}", outcome.off);
}
