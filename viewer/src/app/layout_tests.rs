//! The whole window in all sizes that people have, light and dark: no text lies on another, and none of the bars is cut.

use egui::{Pos2, Rect, Shape, Theme, epaint::ClippedShape, vec2};
use egui_kittest::Harness;

use super::pane::Pane;
use super::tests::{first_session, until, window_of};
use super::*;

/// Widths of windows [pixel], their heights, and pixels a point.
const SCREENS: [([f32; 2], f32); 8] = [
    ([800.0, 600.0], 1.0),
    ([900.0, 700.0], 1.0),
    ([1280.0, 800.0], 1.0),
    ([2560.0, 1440.0], 1.0),
    ([800.0, 600.0], 2.0),
    ([900.0, 700.0], 2.0),
    ([1280.0, 800.0], 2.0),
    ([2560.0, 1440.0], 2.0),
];

/// A text that is seen, where it would be whole, and what of that is seen.
#[derive(Debug)]
struct Seen {
    text: String,
    whole: Rect,
    clip: Rect,
}

fn texts(shapes: &[ClippedShape]) -> Vec<Seen> {
    fn add(shape: &Shape, clip: Rect, found: &mut Vec<Seen>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| add(shape, clip, found)),
            Shape::Text(text) => {
                let whole = text.galley.mesh_bounds.translate(text.pos.to_vec2());
                let string = text.galley.text().trim().to_owned();
                let seen = whole.intersect(clip);
                if !string.is_empty() && seen.width() > 1.0 && seen.height() > 1.0 {
                    found.push(Seen { text: string, whole, clip });
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    shapes.iter().for_each(|it| add(&it.shape, it.clip_rect, &mut found));
    found
}

/// Fails where a text lies on another, or one of the bars is cut.
fn check(window: &Harness<'_, App>, what: &str) {
    let screen = window.ctx.content_rect();
    let seen = texts(&window.output().shapes);
    assert!(seen.len() > 10, "{what}: {seen:?}");
    for (k, one) in seen.iter().enumerate() {
        for other in &seen[k + 1..] {
            let common = one.whole.intersect(one.clip).intersect(other.whole.intersect(other.clip));
            let apart = common.width() < 1.0 || common.height() < 1.0;
            assert!(apart, "{what}: {one:?} lies on {other:?}");
        }
    }
    for name in ["File", "Edit", "Help", "Play", "Reset", "Waypoint", "Real time"] {
        let is_seen = seen.iter().any(|it| it.text.starts_with(name));
        assert!(is_seen, "{what}: {name} is not seen");
    }
    // The bar at the top does not scroll.
    let top = window.state().workspace.picture().canvas.rect.map_or(0.0, |rect| rect.top()) - 30.0;
    let bars = seen.iter().filter(|it| it.whole.center().y < top);
    for it in bars {
        let inside = it.clip.expand2(vec2(1.0, 2.0)).contains_rect(it.whole);
        assert!(inside && screen.contains_rect(it.whole), "{what}: {it:?} is cut");
    }
}

fn open(size: [f32; 2], scale: f32, theme: Theme) -> Harness<'static, App> {
    let mut window = window_of(size, first_session());
    window.ctx.set_theme(theme);
    window.set_pixels_per_point(scale);
    window.set_size(vec2(size[0] / scale, size[1] / scale));
    window.run_steps(4);
    window
}

#[test]
fn nothing_overlaps_and_no_bar_is_cut_in_any_size_and_theme() {
    for theme in [Theme::Dark, Theme::Light] {
        for (size, scale) in SCREENS {
            let mut window = open(size, scale, theme);
            let what = format!("{size:?} at {scale}, {theme:?}");
            assert_eq!(window.ctx.content_rect().min, Pos2::ZERO);
            check(&window, &what);
            let app = window.state_mut();
            let outline = app.session.reader().front().scene.outline.clone();
            let row = outline.rows.iter().find(|row| row.label == "p0").expect("it is there");
            app.workspace.selection.set(vec![row.id]);
            until(&mut window, |app| !app.session.reader().front().sheets.is_empty());
            for pane in [Pane::View, Pane::Build, Pane::Plots, Pane::Curves, Pane::World] {
                window.state_mut().dock.set_open(pane, true);
                window.run_steps(4);
                check(&window, &format!("{what}, {pane:?}"));
            }
        }
    }
}

#[test]
fn options_of_the_picture_are_whole_in_the_smallest_window() {
    let mut window = open([800.0, 600.0], 1.0, Theme::Dark);
    window.state_mut().dock.set_open(Pane::View, true);
    window.run_steps(4);
    let seen = texts(&window.output().shapes);
    for name in ["Save view", "Open view", "Opacity", "Shrunk elements"] {
        let it = seen.iter().find(|it| it.text == name);
        let it = it.unwrap_or_else(|| panic!("{name} is not seen: {seen:?}"));
        assert!(it.whole.right() <= it.clip.right() + 1.0, "{it:?} is cut");
    }
}

#[test]
fn the_tour_fits_any_window() {
    for (size, scale) in SCREENS {
        let mut window = open(size, scale, Theme::Dark);
        window.state_mut().tour.open();
        window.run_steps(4);
        let screen = window.ctx.content_rect();
        for label in ["1 of 5", "Next hint", "No tour"] {
            let rect = egui_kittest::kittest::Queryable::get_by_label(&window, label).rect();
            assert!(screen.contains_rect(rect), "{label} is at {rect:?} of {size:?} at {scale}");
        }
    }
}
