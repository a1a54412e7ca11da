//! The tour from its first hint to its last, and back.

use egui::Key;
use egui_kittest::kittest::Queryable;

use super::super::tests::{first_session, window_of};

#[test]
fn the_tour_has_five_hints_is_put_away_and_called_back_from_the_help_menu() {
    let mut window = window_of([1280.0, 800.0], first_session());
    assert!(window.query_by_label_contains("of 5").is_none(), "it does not come by itself here");
    let call = |window: &mut egui_kittest::Harness<'_, super::super::App>| {
        window.get_by_label("Help").click();
        window.run_steps(3);
        window.get_by_label_contains("Tour in five hints").click();
        window.run_steps(3);
    };
    call(&mut window);
    for number in 1..=5 {
        assert!(window.query_by_label(&format!("{number} of 5")).is_some(), "hint {number}");
        if number < 5 {
            window.get_by_label("Next hint").click();
            window.run_steps(3);
        }
    }
    window.get_by_label("Hint before").click();
    window.run_steps(3);
    assert!(window.query_by_label("4 of 5").is_some());
    assert!(!window.state().tour.was_put_away());
    window.get_by_label("No tour").click();
    window.run_steps(3);
    assert!(window.query_by_label_contains("of 5").is_none());
    assert!(window.state().tour.was_put_away());
    call(&mut window);
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(window.query_by_label_contains("of 5").is_none(), "Escape puts it away");
}
