//! Gestures of the hand: what is set from one press of a button or key until the next is one edit.

use egui::{Event, InputState, Ui};

/// Number of the gesture that goes on now, or ended last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gestures(u64);

impl Gestures {
    /// Takes in what was pressed since the frame before.
    pub(super) fn follow(&mut self, ui: &Ui) {
        if ui.input(begins) {
            // A frame that is built twice has one number.
            self.0 = ui.ctx().cumulative_frame_nr();
        }
    }

    /// The number.
    pub(super) fn number(self) -> u64 {
        self.0
    }
}

/// True if a gesture begins. A key that repeats goes on with its own, and one beside a button with that of the button.
fn begins(input: &InputState) -> bool {
    let down = input.pointer.any_down();
    input.events.iter().any(|event| match event {
        Event::PointerButton { pressed, .. } => *pressed,
        Event::Key { pressed, repeat, .. } => *pressed && !repeat && !down,
        Event::AccessKitActionRequest(_) => true,
        _ => false,
    })
}
