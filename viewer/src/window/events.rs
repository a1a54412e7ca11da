//! The events of one window.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::ViewportId;
use egui_wgpu::winit::Painter;
use egui_wgpu::{RendererOptions, WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

use super::{Content, Gpu, Next, Repaint, Wake, WindowError};

/// Size of a new window [logical pixel].
const SIZE: [f64; 2] = [1280.0, 800.0];

/// Part of a screen that a new window takes at most, its title bar and those of the desktop aside.
const SHARE: f64 = 0.92;

/// Size of the screen that a new window will be on [logical pixel]; `None` where it is not known.
fn screen(event_loop: &ActiveEventLoop) -> Option<[f64; 2]> {
    let monitor =
        event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next())?;
    let size = monitor.size().to_logical::<f64>(monitor.scale_factor());
    Some([size.width, size.height])
}

/// Size of a new window on a screen of this size [logical pixel].
fn fitting(screen: [f64; 2]) -> [f64; 2] {
    // A screen of the window's own size is filled.
    std::array::from_fn(|k| {
        let room = if screen[k] == SIZE[k] { screen[k] } else { SHARE * screen[k] };
        if room > 0.0 { SIZE[k].min(room) } else { SIZE[k] }
    })
}

/// A window that stands.
struct Standing {
    window: Arc<Window>,
    painter: Painter,
    input: egui_winit::State,
    gpu: Gpu,
}

/// From the first event to the last.
pub(super) struct Events {
    title: String,
    content: Box<dyn Content>,
    repaint: Repaint,
    context: egui::Context,
    standing: Option<Standing>,
    /// Time at which the next frame is due without an event.
    due: Option<Instant>,
    failure: Option<WindowError>,
}

impl Events {
    pub(super) fn new(content: Box<dyn Content>, repaint: Repaint) -> Self {
        Self {
            title: content.title(),
            content,
            repaint,
            context: egui::Context::default(),
            standing: None,
            due: None,
            failure: None,
        }
    }

    pub(super) fn outcome(self) -> Result<(), WindowError> {
        self.failure.map_or(Ok(()), Err)
    }

    fn stand(&mut self, event_loop: &ActiveEventLoop) -> Result<Standing, WindowError> {
        let [width, height] = screen(event_loop).map_or(SIZE, fitting);
        let size = LogicalSize::new(width, height);
        let attributes = Window::default_attributes().with_title(&self.title).with_inner_size(size);
        let window = event_loop.create_window(attributes);
        let window = Arc::new(window.map_err(|error| WindowError::System(error.to_string()))?);
        let setup = WgpuSetupCreateNew::from_display_handle(event_loop.owned_display_handle());
        let configuration = WgpuConfiguration {
            wgpu_setup: WgpuSetup::CreateNew(setup),
            ..WgpuConfiguration::default()
        };
        let context = self.context.clone();
        let options = RendererOptions::default();
        let mut painter = pollster::block_on(Painter::new(context, configuration, false, options));
        let placed = pollster::block_on(painter.set_window(ViewportId::ROOT, Some(window.clone())));
        placed.map_err(|error| WindowError::NoAdapter(error.to_string()))?;
        let state = painter
            .render_state()
            .ok_or_else(|| WindowError::NoAdapter("the surface has no device".to_owned()))?;
        let gpu = Gpu {
            device: state.device,
            queue: state.queue,
            adapter: state.adapter.get_info(),
            renderer: state.renderer,
        };
        let input = egui_winit::State::new(
            self.context.clone(),
            ViewportId::ROOT,
            event_loop,
            Some(window.scale_factor() as f32),
            window.theme(),
            painter.max_texture_side(),
        );
        self.content.attach(&gpu, self.repaint.clone());
        Ok(Standing { window, painter, input, gpu })
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let Some(standing) = &mut self.standing else { return };
        let Standing { window, painter, input, gpu } = standing;
        let raw = input.take_egui_input(window);
        let (content, mut next) = (&mut self.content, Next::Stay);
        let output = self.context.run_ui(raw, |ui| next = content.frame(ui, gpu));
        input.handle_platform_output(window, output.platform_output);
        let primitives = self.context.tessellate(output.shapes, output.pixels_per_point);
        let mut textures = output.textures_delta;
        painter.paint_and_update_textures(
            ViewportId::ROOT,
            output.pixels_per_point,
            [0.0, 0.0, 0.0, 1.0],
            &primitives,
            &mut textures,
            Vec::new(),
            window,
        );
        let title = self.content.title();
        if title != self.title {
            standing.window.set_title(&title);
            self.title = title;
        }
        let delay = output.viewport_output.get(&ViewportId::ROOT).map(|it| it.repaint_delay);
        self.wait(event_loop, delay.unwrap_or(Duration::MAX));
        if next == Next::Close {
            event_loop.exit();
        }
    }

    /// The next frame is due after `delay`, or at an event before.
    fn wait(&mut self, event_loop: &ActiveEventLoop, delay: Duration) {
        let Some(standing) = &self.standing else { return };
        self.due = None;
        if delay.is_zero() {
            standing.window.request_redraw();
        } else if let Some(due) = Instant::now().checked_add(delay) {
            self.due = Some(due);
        }
        event_loop.set_control_flow(self.due.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn redraw(&self) {
        if let Some(standing) = &self.standing {
            standing.window.request_redraw();
        }
    }
}

impl ApplicationHandler<Wake> for Events {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.standing.is_some() {
            return;
        }
        match self.stand(event_loop) {
            Ok(standing) => {
                self.standing = Some(standing);
                self.redraw();
            }
            Err(error) => {
                self.failure = Some(error);
                event_loop.exit();
            }
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. }) && self.due.take().is_some() {
            self.redraw();
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, _: Wake) {
        self.redraw();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(Standing { window, painter, input, .. }) = &mut self.standing else { return };
        match &event {
            WindowEvent::RedrawRequested => return self.draw(event_loop),
            WindowEvent::CloseRequested => return event_loop.exit(),
            WindowEvent::Resized(size) => {
                let sides = [size.width, size.height].map(std::num::NonZeroU32::new);
                if let [Some(width), Some(height)] = sides {
                    painter.on_window_resized(ViewportId::ROOT, width, height);
                }
            }
            _ => {}
        }
        if input.on_window_event(window, &event).repaint {
            self.redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(mut standing) = self.standing.take() {
            standing.painter.destroy();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_window_fits_small_screens_and_those_of_twice_the_scale() {
        assert_eq!(fitting([1920.0, 1080.0]), SIZE);
        assert_eq!(fitting([1280.0, 800.0]), SIZE);
        // 1600 x 1200 pixels at twice the scale.
        for screen in [[800.0, 600.0], [1366.0, 768.0]] {
            let [width, height] = fitting(screen);
            assert!(width <= screen[0] && height <= 0.92 * screen[1], "{width} x {height}");
        }
    }
}
