//! Rays and projections are inverse to each other, and moves keep what they promise.

use proptest::prelude::*;

use super::*;

const SIZE: [u32; 2] = [640, 480];

fn camera() -> impl Strategy<Value = Camera> {
    let place = (-1.0..1.0, -1.0..1.0, -1.0..1.0);
    (place, -3.0..3.0, -1.4..1.4, 0.01..10.0, any::<bool>()).prop_map(
        |((x, y, z), yaw, pitch, distance, perspective)| {
            let mut camera = Camera { target: Vec3::new(x, y, z), distance, ..Camera::default() };
            camera.orbit(yaw, pitch);
            if !perspective {
                camera.projection = Projection::Orthographic;
            }
            camera
        },
    )
}

fn pixel() -> impl Strategy<Value = [f64; 2]> {
    (0.0..640.0, 0.0..480.0).prop_map(|(x, y)| [x, y])
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

proptest! {
    #[test]
    fn a_point_on_the_ray_of_a_pixel_is_projected_to_it(
        camera in camera(), pixel in pixel(), far in 0.1..3.0,
    ) {
        let point = camera.ray(pixel, SIZE).at(far * camera.distance);
        let (seen, depth) = camera.project(point, SIZE).unwrap();
        prop_assert!(apart(seen, pixel) < 1e-6, "{seen:?}");
        prop_assert!(depth > 0.0);
    }

    #[test]
    fn the_matrix_of_the_shaders_puts_points_where_the_projection_does(
        camera in camera(), pixel in pixel(), far in 0.5..1.5,
    ) {
        let point = camera.ray(pixel, SIZE).at(far * camera.distance);
        let origin = Vec3::new(0.3, -0.2, 0.1);
        let relative = point - origin;
        let corner: [f32; 3] = relative.map(|x| x as f32).into();
        let lens = Lens::new(&camera, SIZE, origin, [corner; 2]);
        let clip = lens.view_projection * relative.push(1.0);
        let ndc = clip / clip.w;
        let seen = [320.0 * (1.0 + ndc.x), 240.0 * (1.0 - ndc.y)];
        prop_assert!(apart(seen, pixel) < 1e-6, "{seen:?}");
        prop_assert!((0.0..=1.0).contains(&ndc.z), "{}", ndc.z);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer(
        camera in camera(), pixel in pixel(), factor in 0.3..3.0,
    ) {
        let ray = camera.ray(pixel, SIZE);
        let along = plane_crossing(&ray, camera.target, camera.back()).unwrap();
        let point = ray.at(along);
        let mut nearer = camera.clone();
        nearer.zoom_to(factor, pixel, SIZE);
        let (seen, _) = nearer.project(point, SIZE).unwrap();
        prop_assert!(apart(seen, pixel) < 1e-6, "{seen:?}");
        prop_assert!((nearer.distance / camera.distance / factor - 1.0).abs() < 1e-12);
    }

    #[test]
    fn panning_takes_the_target_along_with_the_pointer(camera in camera(), by in pixel()) {
        let mut panned = camera.clone();
        panned.pan(by, SIZE);
        let (seen, _) = panned.project(camera.target, SIZE).unwrap();
        prop_assert!(apart(seen, [320.0 + by[0], 240.0 + by[1]]) < 1e-6, "{seen:?}");
    }

    #[test]
    fn a_fitted_box_is_in_the_picture_and_fills_it(
        camera in camera(), extent in (0.001..2.0, 0.001..2.0, 0.001..2.0), wide in any::<bool>(),
    ) {
        let size = if wide { [800, 300] } else { [300, 800] };
        let low = Vec3::new(-0.4, 0.2, 5.0);
        let bounds = [low, low + Vec3::new(extent.0, extent.1, extent.2)];
        let mut fitted = camera;
        fitted.fit(bounds, size);
        let mut least = f64::INFINITY;
        for k in 0..8usize {
            let corner = Vec3::from_fn(|axis, _| bounds[k >> axis & 1][axis]);
            let (p, depth) = fitted.project(corner, size).unwrap();
            let room = p[0].min(f64::from(size[0]) - p[0]).min(p[1]).min(f64::from(size[1]) - p[1]);
            // Without perspective what lies behind the eye is drawn as well.
            let before = depth > 0.0 || fitted.projection == Projection::Orthographic;
            prop_assert!(room > 0.0 && before, "corner {k} at {p:?}, depth {depth}");
            least = least.min(room);
        }
        prop_assert!(least < 0.04 * 800.0, "{least} pixels are left free");
    }

    #[test]
    fn orbiting_keeps_the_target_the_distance_and_the_vertical(
        camera in camera(), yaw in -7.0..7.0, pitch in -7.0..7.0,
    ) {
        let mut turned = camera.clone();
        turned.orbit(yaw, pitch);
        prop_assert_eq!(turned.target, camera.target);
        prop_assert!(turned.right().z.abs() < 1e-9, "the horizon is tilted");
        prop_assert!(turned.up().z >= -1e-9, "the picture stands on its head");
    }
}

#[test]
fn each_named_direction_is_looked_from_with_z_up_or_y() {
    for (name, direction) in DIRECTIONS {
        let camera = Camera::seen_from(Camera::direction(name).unwrap());
        let eye = camera.eye().normalize();
        assert!((eye - Vec3::from(direction).normalize()).norm() < 1e-12, "{name}: {eye}");
        let up = if name.ends_with('z') { Vec3::y() } else { Vec3::z() };
        assert!(camera.up().dot(&up) > 0.7, "{name}: {}", camera.up());
    }
}

#[test]
fn a_saved_camera_is_read_back_by_names() {
    let camera = Camera { projection: Projection::Orthographic, ..Camera::default() };
    let text = serde_json::to_string(&camera).unwrap();
    assert!(text.contains("\"target\"") && text.contains("\"orthographic\""), "{text}");
    assert_eq!(serde_json::from_str::<Camera>(&text).unwrap(), camera);
    let short = r#"{"target":[0,0,1],"distance":2,"orientation":[0,0,0,1]}"#;
    let camera: Camera = serde_json::from_str(short).unwrap();
    assert_eq!(
        (camera.eye(), camera.projection),
        (Vec3::new(0.0, 0.0, 3.0), Projection::Perspective)
    );
}
