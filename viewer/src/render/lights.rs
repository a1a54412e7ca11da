//! The key light, and the shadow map that is drawn from it.

use sinew::Vec3;
use sinew::snapshot::Snapshot;

use super::eye::seen_by;
use super::layout::Globals;
use super::state::DEPTH;
use crate::geometry::bounds_of;
use crate::scene_view::PictureStyle;
use crate::{Camera, Projection, View};

/// Width of the shadow map [texel]: a texel of a head is a seventh of a millimetre wide.
const WIDTH: u32 = 2048;

/// Width of the edge of a shadow over the distance of what casts it: that of a lamp as large as a window.
const SPREAD: f32 = 0.22;

/// Largest radius of the edge of a shadow over the width of the map.
const WIDEST: f32 = 0.012;

/// Unit vector to the key light: over the left shoulder; higher in the style of publications, for shadows below brows.
pub(super) fn key_direction(view: &View) -> Vec3 {
    let [right, up, back] = match view.options.style {
        PictureStyle::Plain => [-0.45, 0.6, 0.8],
        PictureStyle::Publication => [-0.5, 0.72, 0.62],
    };
    let camera = &view.camera;
    (right * camera.right() + up * camera.up() + back * camera.back()).normalize()
}

/// The key light as a camera.
pub(super) struct Light {
    /// Uniforms of the shadow map.
    pub(super) globals: Globals,
    /// From the scene to the map.
    pub(super) projection: [[f32; 4]; 4],
    /// Extent of a texel [m].
    pub(super) texel: f32,
    /// Depth [m] and width [texel] of the map, spread, largest radius [texel].
    pub(super) shadow: [f32; 4],
}

impl Light {
    /// That of a view in the style of publications; `None` in another.
    pub(super) fn of(snapshot: &Snapshot, view: &View) -> Option<Self> {
        if view.options.style != PictureStyle::Publication {
            return None;
        }
        let [low, high] = bounds_of(snapshot);
        let (centre, radius) = (0.5 * (low + high), (0.5 * (high - low).norm()).max(1e-9));
        let mut camera = Camera::between(centre + 2.0 * radius * key_direction(view), centre);
        camera.projection = Projection::Orthographic;
        // Half the height of what it sees is the radius of the ball around the model.
        camera.fov = 2.0 * 0.5f64.atan();
        let globals = seen_by(&camera, snapshot, view, [WIDTH; 2]);
        let [near, far, ..] = globals.depths;
        Some(Self {
            projection: globals.view_projection,
            texel: (2.0 * radius) as f32 / WIDTH as f32,
            shadow: [far - near, WIDTH as f32, SPREAD, WIDEST * WIDTH as f32],
            globals,
        })
    }
}

/// Shadow maps: one to draw into, which is made when it is needed, and one that is bound where there are no shadows.
pub(super) struct ShadowMaps {
    map: Option<wgpu::TextureView>,
    none: wgpu::TextureView,
}

impl ShadowMaps {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self { map: None, none: made(device, 1) }
    }

    /// Makes the map, unless it is there or nobody needs it.
    pub(super) fn prepare(&mut self, device: &wgpu::Device, needed: bool) {
        if needed && self.map.is_none() {
            self.map = Some(made(device, WIDTH));
        }
    }

    /// The map, where it was ever needed.
    pub(super) fn map(&self) -> Option<&wgpu::TextureView> {
        self.map.as_ref()
    }

    /// A map without shadows.
    pub(super) fn none(&self) -> &wgpu::TextureView {
        &self.none
    }
}

fn made(device: &wgpu::Device, width: u32) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("shadows"),
        size: wgpu::Extent3d { width, height: width, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: DEPTH,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}
