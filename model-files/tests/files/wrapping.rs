//! Surfaces that muscles wrap over, in model files: the example of the page, round trips, errors.

use sinew::model::{MultiPointSpring, WrapShape, WrapSurface};

use crate::round_trip::{back, document};
use crate::{errors_of, read};

/// The model file of docs/reference/muscles.md.
fn example() -> &'static str {
    let page = include_str!("../../../docs/reference/muscles.md");
    let start = page.find("```toml").unwrap() + "```toml".len();
    let text = &page[start..];
    &text[..text.find("```").unwrap()]
}

#[test]
fn the_example_of_the_page_wraps_and_comes_back_to_the_bit() {
    let file = match read(example()) {
        Ok(file) => file,
        Err(report) => panic!("{}", report.render(false)),
    };
    let model = file.model;
    let compiled = model.compile().unwrap();
    let muscle = model.nth::<MultiPointSpring>(0);
    let [length, _, tension, _] =
        compiled.stretch_of_line(muscle, &compiled.initial_state()).unwrap();
    // Tangents from (-0.25, -0.05) m and (0.1, 0) m, and an arc of a radius of 0.03 m.
    let (r, p, q) = (0.03f64, 0.25f64.hypot(0.05), 0.1f64);
    let angle = std::f64::consts::PI - 0.2f64.atan() - (r / p).acos() - (r / q).acos();
    assert!(angle > 0.05);
    let tangents = (p * p - r * r).sqrt() + (q * q - r * r).sqrt();
    assert!((length - tangents - r * angle).abs() < 1e-14, "{length}");
    assert!((tension - 100.0).abs() < 1e-9, "{tension}");
    let folder = tempfile::tempdir().unwrap();
    for file in ["pulley.toml", "pulley.json"] {
        let read = back(&model, folder.path(), file);
        assert_eq!(document(&read), document(&model), "{file} is another model");
    }
}

#[test]
fn every_shape_comes_back_with_its_sizes() {
    let text = "version = 1\n[[particle]]\nname = \"a\"\nmass = 1\n\
        [[wrap_surface]]\nname = \"s\"\nradius = 0.2\n\
        [[wrap_surface]]\nname = \"c\"\nshape = \"cylinder\"\nradius = 0.1\nhalf_length = 0.3\nturn = \"negative\"\n\
        [[wrap_surface]]\nname = \"e\"\nshape = \"ellipsoid\"\nradii = [0.1, 0.2, 0.3]\n\
        [[wrap_surface]]\nname = \"t\"\nshape = \"torus\"\nring_radius = 0.5\nradius = 0.1\n";
    let model = match read(text) {
        Ok(file) => file.model,
        Err(report) => panic!("{}", report.render(false)),
    };
    let shapes: Vec<WrapShape> = model.iter::<WrapSurface>().map(|(_, it)| it.shape).collect();
    assert_eq!(
        shapes,
        [WrapShape::Sphere, WrapShape::Cylinder, WrapShape::Ellipsoid, WrapShape::Torus]
    );
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(document(&back(&model, folder.path(), "shapes.toml")), document(&model));
}

#[test]
fn what_is_wrong_with_a_surface_is_said() {
    let wrong = |line: &str| {
        let text = format!(
            "version = 1\n[[particle]]\nname = \"a\"\nmass = 1\n[[wrap_surface]]\nname = \"t\"\n{line}\n"
        );
        errors_of(&text).join("\n")
    };
    assert!(wrong("radius = -1").contains("must be > 0"), "{}", wrong("radius = -1"));
    assert!(wrong("shape = \"cone\"").contains("ellipsoid"), "{}", wrong("shape = \"cone\""));
    let flat = wrong("shape = \"torus\"\nradius = 0.1\nring_radius = 0.05");
    assert!(flat.contains("must be more than the radius of the tube"), "{flat}");
}
