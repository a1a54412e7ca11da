//! The hand in tests: buttons of the mouse in a window.

use egui::{Event, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;

/// Presses or releases the left button at a place, and shows a frame.
pub(super) fn button<S>(window: &mut Harness<'_, S>, pos: Pos2, pressed: bool) {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    window.event(Event::PointerButton { pos, button, pressed, modifiers });
    window.run_steps(1);
}
