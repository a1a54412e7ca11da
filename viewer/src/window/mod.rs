//! A window: events in, a user interface drawn, woken when there is something new. What is in it is a
//! [`Content`], which knows nothing of windows.

mod error;
mod events;

use std::sync::Arc;

use winit::event_loop::{EventLoop, EventLoopProxy};

pub use error::WindowError;

use events::Events;

/// Content of a window.
pub trait Content {
    /// The window stands: what draws it, and a way to have it drawn again, from any thread.
    fn attach(&mut self, gpu: &Gpu, repaint: Repaint);

    /// Present title of the window.
    fn title(&self) -> String;

    /// One frame: builds the user interface.
    fn frame(&mut self, ui: &mut egui::Ui, gpu: &Gpu) -> Next;
}

/// State of a window after a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It stays.
    Stay,
    /// It is closed.
    Close,
}

/// Device and surface that a window is drawn by.
#[derive(Clone)]
pub struct Gpu {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// Its name, and whether it is a processor.
    pub adapter: wgpu::AdapterInfo,
    /// Renderer of the user interface: textures that are shown in it are registered there.
    pub renderer: Arc<egui::mutex::RwLock<egui_wgpu::Renderer>>,
}

/// Something new is to be drawn.
#[derive(Clone, Copy, Debug)]
struct Wake;

/// Has a window drawn again; it may be cloned and called from any thread, also when the window is gone.
#[derive(Clone)]
pub struct Repaint(EventLoopProxy<Wake>);

impl Repaint {
    /// Asks for a frame.
    pub fn ask(&self) {
        // Without a window there is nothing to be drawn.
        let _ = self.0.send_event(Wake);
    }
}

/// Shows `content` in a window, until it is closed.
///
/// # Errors
/// [`WindowError`]: no display, no library of the display's, no adapter.
pub fn open(content: Box<dyn Content>) -> Result<(), WindowError> {
    let event_loop = event_loop()?;
    let repaint = Repaint(event_loop.create_proxy());
    let mut events = Events::new(content, repaint);
    event_loop.run_app(&mut events).map_err(|error| WindowError::System(error.to_string()))?;
    events.outcome()
}

/// Libraries of the display are loaded when they are needed, and their loader panics where one is
/// missing: that becomes an error.
fn event_loop() -> Result<EventLoop<Wake>, WindowError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built = std::panic::catch_unwind(|| EventLoop::<Wake>::with_user_event().build());
    std::panic::set_hook(hook);
    match built {
        Ok(Ok(event_loop)) => Ok(event_loop),
        Ok(Err(error)) => Err(refused(&error.to_string())),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned()));
            Err(WindowError::NoLibrary(text.unwrap_or_default().trim_end_matches('.').to_owned()))
        }
    }
}

/// Error of a window from the text of the system: some libraries are missed with a panic, others
/// so.
fn refused(text: &str) -> WindowError {
    let told = reason(text);
    if told.contains("shared librar") {
        return WindowError::NoLibrary(told);
    }
    WindowError::NoDisplay(told)
}

/// Message of an error of the system, without the place in a source that it begins with.
fn reason(text: &str) -> String {
    let told = text.rsplit_once(": ").filter(|(before, _)| before.contains(".rs:"));
    told.map_or(text, |(_, told)| told).trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_an_error_has_no_place_in_a_source() {
        let told = "os error at /src/linux/mod.rs:765: neither DISPLAY nor WAYLAND_DISPLAY is set.";
        assert_eq!(reason(told), "neither DISPLAY nor WAYLAND_DISPLAY is set");
        assert_eq!(reason("the server refused: no room"), "the server refused: no room");
    }

    #[test]
    fn a_library_that_cannot_be_loaded_is_no_matter_of_the_display() {
        let told =
            "os error at /src/linux/mod.rs:778: Failed to load one of xlib's shared libraries";
        let why = "Failed to load one of xlib's shared libraries".to_owned();
        assert_eq!(refused(told), WindowError::NoLibrary(why));
        assert_eq!(refused("no server"), WindowError::NoDisplay("no server".to_owned()));
    }
}
