//! The walk of docs/tutorial/viewer.md, done by hand and keyboard: each step leads where the page says. With
//! SINEW_WALK=FOLDER a picture of each is left there (`cargo xtask test`).
#![cfg(target_os = "linux")]

use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::Workshop;
use crate::common::display::{Display, Picture};

/// Area in which the model is seen, and after it those of the panels: left, top, right, bottom
/// [pixel].
const CANVAS: [usize; 4] = [300, 60, 950, 500];
const RIGHT: [usize; 4] = [964, 50, 1276, 755];
const TREE: [usize; 4] = [0, 100, 288, 385];
const PLOTS: [usize; 4] = [320, 540, 930, 750];
const TIMELINE: [usize; 4] = [0, 764, 1276, 798];
/// Pixels that change when the jaw opens, when a panel comes.
const MANY: usize = 1000;
/// Tries of a hand whose click or key came while the window was busy.
const TRIES: usize = 8;
/// Exciters that open the jaw, by their place among the sliders: the lateral pterygoids.
const OPENING: [usize; 2] = [3, 11];

/// A window on the jaw at rest.
struct Walk {
    display: Display,
    workshop: Workshop,
}

impl Walk {
    /// Does something until it is seen to be done.
    fn until(&self, what: &str, mut act: impl FnMut(), is: impl Fn(&Picture) -> bool) -> Picture {
        for _ in 0..TRIES {
            act();
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_secs(4) {
                let picture = self.display.picture();
                if is(&picture) {
                    return picture;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        let file = std::env::temp_dir().join("sinew_walk.png");
        let kept = std::fs::write(&file, self.display.picture().to_png());
        panic!("not seen: {what}; what was seen: {} {kept:?}", file.display());
    }

    /// Does something until as many pixels of a rectangle are others.
    fn change(&self, what: &str, area: [usize; 4], many: usize, act: impl FnMut()) -> Picture {
        let before = self.rest(area);
        self.until(what, act, |it| it.count_changed(&before, area) > many)
    }

    /// The picture once a rectangle of it stays as it is: elsewhere a caret may blink.
    fn rest(&self, area: [usize; 4]) -> Picture {
        let begun = Instant::now();
        let (mut last, mut since) = (self.display.picture(), Instant::now());
        while since.elapsed() < Duration::from_secs(1) && begun.elapsed() < Duration::from_secs(20)
        {
            std::thread::sleep(Duration::from_millis(100));
            let now = self.display.picture();
            if now.count_changed(&last, area) > 0 {
                (last, since) = (now, Instant::now());
            }
        }
        last
    }

    /// A key that the window takes when no field has the keyboard.
    fn key(&self, key: &str) {
        self.display.send(&["mousemove", "480", "120"]);
        self.display.key(key);
    }

    /// Leaves a picture where one is asked for.
    fn keep(&self, name: &str) {
        let Some(folder) = std::env::var_os("SINEW_WALK") else { return };
        let file = Path::new(&folder).join(name);
        let kept = std::fs::write(&file, self.display.await_rest().to_png());
        kept.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

/// The jaw is opened by two sliders, and runs until it is open.
fn open_the_jaw(walk: &Walk) {
    let display = &walk.display;
    let rails = display.await_rest().rails(RIGHT);
    assert!(rails.len() >= 16, "{rails:?}");
    for [x, y] in OPENING.map(|at| rails[at]) {
        let end = [x + 48, y - 6, x + 62, y + 6];
        let draw = || display.drag([x + 6, y], [x + 110, y]);
        walk.change("a slider at its end", end, 10, draw);
    }
    let closed = display.await_rest();
    walk.key("space");
    let opens = |it: &Picture| it.count_changed(&closed, CANVAS) > MANY;
    display.await_picture("a jaw that opens", opens);
    // It takes half a second of the model's, and the machine may be ten times slower.
    std::thread::sleep(Duration::from_secs(6));
    walk.until("a run that pauses", || walk.key("space"), |_| is_at_rest(display));
    assert!(opens(&display.picture()), "it closed again");
    walk.keep("walk-1-open.png");
}

/// True if nothing changes for longer than a frame or a step takes.
fn is_at_rest(display: &Display) -> bool {
    let now = display.picture();
    std::thread::sleep(Duration::from_millis(1500));
    display.picture() == now
}

/// The tongue in the colours of its stress, cut in the middle and seen from the side.
fn cut_the_tongue(walk: &Walk) {
    walk.change("the tongue in colours", CANVAS, 50, || walk.key("c"));
    walk.change("the panel of the view", RIGHT, MANY, || walk.key("x"));
    walk.change("the section from the right", CANVAS, MANY, || walk.key("4"));
    let colors = walk.display.await_rest().count(CANVAS, |[r, g, _]| g > r.saturating_add(20));
    assert!(colors > 200, "{colors} pixels of the section are green");
    walk.keep("walk-2-cut.png");
}

/// Plots the fall of the lower teeth, as a curve of a run from the start.
fn plot_the_opening(walk: &Walk) {
    let display = &walk.display;
    let find = || {
        display.click([150, 88], 1);
        display.send(&["key", "ctrl+a"]);
        display.send(&["type", "--delay", "100", "incisor"]);
    };
    walk.change("two incisors", TREE, 500, find);
    walk.change("one that is selected", TREE, 500, || display.click([100, 203], 1));
    let plot = || {
        display.click([40, 706], 3);
        display.click([60, 723], 1);
    };
    walk.change("a plot", PLOTS, MANY, plot);
    walk.key("Home");
    let start = display.await_rest();
    walk.key("space");
    let plotted = |it: &Picture| it.count_changed(&start, PLOTS) > 200;
    display.await_picture("curves", plotted);
    std::thread::sleep(Duration::from_secs(6));
    walk.until("a run that pauses", || walk.key("space"), |_| is_at_rest(display));
    walk.keep("walk-3-plot.png");
}

/// A picture and a waypoint; what runs on from there is undone by going back.
fn save_and_go_back(walk: &Walk) {
    let display = &walk.display;
    let png = |it: &Walk| it.workshop.names("walk").iter().any(|name| name.ends_with(".png"));
    walk.until("a picture in the folder", || walk.key("F12"), |_| png(walk));
    walk.change("a mark of the timeline", TIMELINE, 5, || walk.key("w"));
    // What tells of the picture goes by itself.
    let there = display.await_rest();
    walk.keep("walk-4-waypoint.png");
    walk.key("space");
    display.await_picture("it runs on", |it| it.count_changed(&there, TIMELINE) > 20);
    walk.until("a run that pauses", || walk.key("space"), |_| is_at_rest(display));
    let back = |it: &Picture| it.count_changed(&there, CANVAS) == 0;
    walk.until("everything as it was", || walk.key("BackSpace"), back);
    walk.keep("walk-5-back.png");
}

#[test]
fn the_walk_of_the_page_leads_where_it_says() {
    let (display, workshop) = (Display::open(), Workshop::new());
    let mut command = workshop.command(&["view", "--param", "task=rest", "--out", "walk"]);
    let mut window = display.show(&mut command);
    display.await_picture("sliders", |it| it.rails(RIGHT).len() >= 16);
    display.focus("Sinew");
    let walk = Walk { display, workshop };
    open_the_jaw(&walk);
    cut_the_tongue(&walk);
    plot_the_opening(&walk);
    save_and_go_back(&walk);
    // It may have been closed before.
    let _ = window.kill();
    let _ = window.wait();
}
