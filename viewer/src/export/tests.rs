//! Written files are read back: counts, boxes, colours.

use std::sync::Arc;

use serde_json::Value;
use sinew::Vec3;
use sinew::component::ROOT;
use sinew::model::Model;
use sinew::snapshot::{Frame, Item, Lines, Scene, Shape, Snapshot, Style};

use super::*;
use crate::{Projection, View};

/// A triangle of a body, turned and moved, and a muscle.
fn snapshot() -> Snapshot {
    let style = Style { face_color: Some([1.0, 0.0, 0.0]), ..Style::of(&Model::new("m"), ROOT) };
    let item = |shape| Item { owner: ROOT, style, shape };
    let plate = Shape::Rigid {
        frame: 0,
        vertices: Arc::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]),
        triangles: Arc::new(vec![[0, 1, 2]]),
    };
    let line = Shape::Lines(Lines { points: vec![0, 1], value: 0, muscle: true });
    let scene = Scene {
        origin: Vec3::new(10.0, 20.0, 30.0),
        items: Arc::new(vec![item(plate), item(line)]),
        ..Scene::default()
    };
    let half = std::f32::consts::FRAC_1_SQRT_2;
    Snapshot {
        scene: Arc::new(scene),
        points: vec![[0.0; 3], [0.0, 0.0, 3.0]],
        // A quarter turn about z.
        frames: vec![Frame { position: [5.0, 0.0, 0.0], rotation: [0.0, 0.0, half, half] }],
        lines: vec![[1.0, 0.0]],
        ..Snapshot::default()
    }
}

/// The document and the buffer of a binary file.
fn parted(bytes: &[u8]) -> (Value, &[u8]) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!((word(4), word(8)), (2, bytes.len()));
    let end = 20 + word(12);
    assert_eq!((&bytes[16..20], &bytes[end + 4..end + 8]), (&b"JSON"[..], &b"BIN\0"[..]));
    assert_eq!(end + 8 + word(end), bytes.len());
    assert!(end.is_multiple_of(4));
    (serde_json::from_slice(&bytes[20..end]).unwrap(), &bytes[end + 8..])
}

#[test]
fn a_binary_file_is_read_back_with_its_counts_boxes_and_colours() {
    let bytes = to_glb(&snapshot(), &View::default());
    let (document, buffer) = parted(&bytes);
    assert_eq!(document["meshes"].as_array().unwrap().len(), 2);
    let accessor = |k: &Value| &document["accessors"][k.as_u64().unwrap() as usize];
    let floats = |accessor: &Value| -> Vec<f32> {
        let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let [begin, count] =
            ["byteOffset", "byteLength"].map(|k| view[k].as_u64().unwrap() as usize);
        let (words, _) = buffer[begin..begin + count].as_chunks::<4>();
        words.iter().map(|word| f32::from_le_bytes(*word)).collect()
    };
    let primitive = &document["meshes"][0]["primitives"][0];
    let position = accessor(&primitive["attributes"]["POSITION"]);
    assert_eq!(position["count"], 3);
    let near = |found: &[f32], expected: &[f32]| {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}");
    };
    near(&floats(position), &[5.0, 0.0, 0.0, 5.0, 1.0, 0.0, 3.0, 0.0, 0.0]);
    let ends = |key: &str| -> Vec<f32> { serde_json::from_value(position[key].clone()).unwrap() };
    near(&ends("min"), &[3.0, 0.0, 0.0]);
    near(&ends("max"), &[5.0, 1.0, 0.0]);
    near(&floats(accessor(&primitive["attributes"]["COLOR_0"]))[..3], &[1.0, 0.0, 0.0]);
    near(&floats(accessor(&primitive["attributes"]["NORMAL"]))[..3], &[0.0, 0.0, 1.0]);
    assert_eq!(accessor(&primitive["indices"])["count"], 3);
    let root = document["nodes"].as_array().unwrap().last().unwrap();
    assert_eq!(root["translation"], serde_json::json!([10.0, 30.0, -20.0]));
}

#[test]
fn a_spindle_is_as_long_as_its_muscle_and_closed() {
    let found = pieces(&snapshot(), &View::default());
    let spindle = &found[1];
    let heights = spindle.positions.iter().map(|p| p[2]);
    let (low, high) = heights.fold((9.0f32, -9.0f32), |(a, b), z| (a.min(z), b.max(z)));
    assert!(low.abs() < 1e-6 && (high - 3.0).abs() < 1e-6, "{low} {high}");
    // Ends are points: by the divergence theorem the volume is that of an ellipsoid, 4/3 pi a b b.
    let volume: f32 = spindle
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| spindle.positions[v as usize]);
            crate::geometry::dot(a, crate::geometry::cross(b, c)) / 6.0
        })
        .sum();
    let radius = spindle.positions.iter().map(|p| p[0].hypot(p[1])).fold(0.0, f32::max);
    let expected = 4.0 / 3.0 * std::f32::consts::PI * 1.5 * radius * radius;
    // Twelve sides and eight rings lie within what they are drawn for.
    assert!((0.85..1.0).contains(&(volume / expected)), "{volume} of {expected}");
}

#[test]
fn the_text_form_holds_the_same_document() {
    let bytes = to_glb(&snapshot(), &View::default());
    let (binary, _) = parted(&bytes);
    let text: Value = serde_json::from_str(&to_gltf(&snapshot(), &View::default())).unwrap();
    assert_eq!(text["meshes"], binary["meshes"]);
    assert_eq!(text["accessors"], binary["accessors"]);
    let uri = text["buffers"][0]["uri"].as_str().unwrap();
    assert!(uri.starts_with("data:application/octet-stream;base64,"));
}

#[test]
fn an_empty_scene_is_a_valid_document_without_meshes() {
    let text: Value =
        serde_json::from_str(&to_gltf(&Snapshot::default(), &View::default())).unwrap();
    assert_eq!(text["asset"]["version"], "2.0");
    assert!(text.get("meshes").is_none() && text["nodes"][0].get("children").is_none());
}

#[test]
fn an_empty_scene_has_no_buffer_of_no_bytes() {
    let text: Value =
        serde_json::from_str(&to_gltf(&Snapshot::default(), &View::default())).unwrap();
    assert!(text.get("buffers").is_none(), "the format wants at least a byte");
    let bytes = to_glb(&Snapshot::default(), &View::default());
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((word(8), 20 + word(12)), (bytes.len(), bytes.len()), "a chunk beside the document");
}

#[test]
fn a_camera_of_rays_names_its_projection_before_all_that_it_modifies() {
    let mut view = View::default();
    for (projection, word) in
        [(Projection::Perspective, "perspective"), (Projection::Orthographic, "orthographic")]
    {
        view.camera.projection = projection;
        let text = to_pov(&snapshot(), &view, [640, 480]);
        let camera = text.lines().find_map(|line| line.strip_prefix("camera { ")).unwrap();
        assert!(camera.starts_with(&format!("{word} location <")), "{camera}");
        assert!(camera.ends_with("> }") && camera.contains(" look_at <"), "{camera}");
    }
}

#[test]
fn a_scene_of_rays_has_the_counts_of_each_mesh_and_balanced_braces() {
    let text = to_pov(&snapshot(), &View::default(), [640, 480]);
    assert_eq!(text.matches("mesh2 {").count(), 2);
    assert_eq!(text.matches('{').count(), text.matches('}').count());
    assert!(text.contains("vertex_vectors { 3,") && text.contains("face_indices { 1,"), "{text}");
    assert!(text.contains("<5.0000000,0.0000000,0.0000000>"), "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf"));
}
