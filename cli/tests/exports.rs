//! Scenes for other programs, as `sinew render` writes them: glTF read by a loader that validates, POV-Ray's
//! text by its structure.

use crate::common::{Workshop, stderr};
use gltf::Gltf;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Reader;

/// Models with what is to be in the scene: tissue in colours and cut, bodies with muscles, hinges and
/// lines, contacts, particles and springs.
const SCENES: [&[&str]; 5] = [
    &["tongue", "--time", "0.02", "--color-by", "von_mises", "--cut", "y=0"],
    &["jaw-tongue-hyoid", "--color-by", "strain", "--joints", "--frame-axes"],
    &["beam", "--shrink", "0.3", "--opacity", "0.4", "--nodes", "--edges", "--orthographic"],
    &["boxes", "--time", "0.1", "--contacts"],
    &["chain", "--joints"],
];

/// The file `name` of a scene.
fn written(scene: &[&str], name: &str) -> Vec<u8> {
    let shop = Workshop::new();
    let output = shop.without_adapters(&[&["render"], scene, &["-o", name]].concat());
    assert!(output.status.success(), "{scene:?}: {}", stderr(&output));
    std::fs::read(shop.path(name)).expect("the scene was written")
}

/// Ends of accessors and views in what they are part of, their alignment, and that nothing overlaps.
fn check_buffers(document: &gltf::Document, bytes: usize) {
    let mut views: Vec<[usize; 2]> =
        document.views().map(|view| [view.offset(), view.offset() + view.length()]).collect();
    views.sort_unstable();
    assert!(views.windows(2).all(|pair| pair[0][1] <= pair[1][0]), "views overlap");
    assert_eq!(views.last().map(|end| end[1]), Some(bytes), "the buffer has bytes of nobody");
    for accessor in document.accessors() {
        let view = accessor.view().expect("no accessor is sparse");
        assert!(accessor.offset() + accessor.count() * accessor.size() <= view.length());
        assert_eq!((view.offset() + accessor.offset()) % accessor.data_type().size(), 0);
        assert!(accessor.count() > 0, "an empty accessor");
    }
}

/// Positions within their bounds, which are reached; unit normals, colours from 0 to 1; indices of
/// vertices that are there, of triangles that are some.
fn check_primitive(primitive: &gltf::Primitive<'_>, blob: &[u8]) -> usize {
    let reader: Reader<'_, '_, _> = primitive.reader(|_| Some(blob));
    let positions: Vec<[f32; 3]> = reader.read_positions().expect("positions").collect();
    let bounds = primitive.bounding_box();
    for k in 0..3 {
        let along = || positions.iter().map(|p| p[k]);
        assert!(along().all(f32::is_finite));
        assert_eq!(along().fold(f32::INFINITY, f32::min), bounds.min[k]);
        assert_eq!(along().fold(f32::NEG_INFINITY, f32::max), bounds.max[k]);
    }
    let normals: Vec<[f32; 3]> = reader.read_normals().expect("normals").collect();
    let length = |n: &[f32; 3]| n.iter().map(|x| x * x).sum::<f32>().sqrt();
    // The tolerance of the Khronos validator.
    assert!(normals.iter().all(|n| (length(n) - 1.0).abs() < 5e-4));
    let colors: Vec<[f32; 4]> = reader.read_colors(0).expect("colours").into_rgba_f32().collect();
    assert!(colors.iter().flatten().all(|c| (0.0..=1.0).contains(c)));
    assert_eq!((normals.len(), colors.len()), (positions.len(), positions.len()));
    let indices: Vec<u32> = reader.read_indices().expect("indices").into_u32().collect();
    assert!(!indices.is_empty() && indices.len().is_multiple_of(3));
    assert!(indices.iter().all(|&v| (v as usize) < positions.len()));
    let accessor = primitive.indices().expect("indices");
    assert_eq!((accessor.data_type(), accessor.dimensions()), (DataType::U32, Dimensions::Scalar));
    indices.len() / 3
}

#[test]
fn binary_scenes_are_valid_gltf_with_bounds_unit_normals_and_indices_in_range() {
    for scene in SCENES {
        let bytes = written(scene, "a.glb");
        let read = Gltf::from_slice(&bytes).unwrap_or_else(|error| panic!("{scene:?}: {error}"));
        let blob = read.blob.as_deref().expect("a binary chunk");
        let buffers: Vec<usize> = read.buffers().map(|buffer| buffer.length()).collect();
        assert_eq!(buffers, [blob.len()], "{scene:?}");
        check_buffers(&read, blob.len());
        let primitives: Vec<_> = read.meshes().flat_map(|mesh| mesh.primitives()).collect();
        assert!(!primitives.is_empty(), "{scene:?}: nothing is shown");
        let triangles: usize = primitives.iter().map(|it| check_primitive(it, blob)).sum();
        assert!(triangles > 10, "{scene:?}: {triangles} triangles");
        let root = read.default_scene().expect("a scene").nodes().next().expect("a root");
        assert_eq!(root.children().count(), read.meshes().count(), "{scene:?}: orphans");
    }
}

#[test]
fn the_text_form_is_valid_gltf_that_carries_the_same_document() {
    let scene = ["jaw-tongue-hyoid", "--color-by", "strain"];
    let [text, binary] = ["a.gltf", "a.glb"].map(|name| written(&scene, name));
    let [text, binary] = [text, binary].map(|bytes| Gltf::from_slice(&bytes).expect("valid glTF"));
    let counts = |it: &Gltf| [it.nodes().count(), it.meshes().count(), it.accessors().count()];
    assert_eq!(counts(&text), counts(&binary));
    let buffer = text.buffers().next().expect("a buffer");
    let gltf::buffer::Source::Uri(uri) = buffer.source() else { panic!("no data of its own") };
    let data = uri.split_once(";base64,").expect("data in the document").1;
    // Three bytes in four characters.
    assert_eq!(data.len(), buffer.length().div_ceil(3) * 4);
}

#[test]
fn a_scene_of_which_nothing_is_shown_is_valid() {
    let scene = ["beam", "--set", "/models/beam/fem_models/beam:render.visible=false"];
    for name in ["a.glb", "a.gltf"] {
        let read = Gltf::from_slice(&written(&scene, name)).expect("valid glTF");
        let counts = [read.meshes().count(), read.buffers().count(), read.accessors().count()];
        assert_eq!(counts, [0; 3], "{name}");
        assert!(read.blob.is_none(), "{name}");
    }
}

#[test]
fn translucent_pieces_blend_and_opaque_ones_do_not() {
    let modes = |scene: &[&str]| -> Vec<gltf::material::AlphaMode> {
        let read = Gltf::from_slice(&written(scene, "a.glb")).expect("valid glTF");
        read.materials().map(|it| it.alpha_mode()).collect()
    };
    use gltf::material::AlphaMode::{Blend, Opaque};
    assert_eq!(modes(&["beam", "--opacity", "0.4"]), [Blend]);
    assert_eq!(modes(&["beam"]), [Opaque]);
}

#[test]
fn scenes_of_rays_have_lists_as_long_as_they_say_and_finite_numbers() {
    for scene in SCENES {
        let text = String::from_utf8(written(scene, "a.pov")).expect("text");
        let meshes = crate::common::rays::check(&text);
        assert!(meshes > 0, "{scene:?}: nothing is shown");
    }
}

#[test]
fn a_run_becomes_numbered_scenes_of_rays_from_one_camera_whose_tissue_moves() {
    let shop = Workshop::new();
    let frames = ["--frames", "3", "--every", "0.05", "-o", "beam_%02d.pov"];
    let output = shop.without_adapters(&[&["render", "beam"], &frames[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(shop.names("."), ["beam_00.pov", "beam_01.pov", "beam_02.pov"]);
    let texts = shop.names(".").into_iter().map(|name| std::fs::read_to_string(shop.path(&name)));
    let texts: Vec<String> = texts.map(|text| text.expect("a scene")).collect();
    let begins = |text: &String, word: &str| {
        text.lines().find(|line| line.starts_with(word)).map(str::to_owned).expect("such a line")
    };
    for pair in texts.windows(2) {
        assert_eq!(begins(&pair[0], "camera"), begins(&pair[1], "camera"));
        assert_ne!(begins(&pair[0], "// 1600"), begins(&pair[1], "// 1600"), "the same time");
        assert_ne!(
            crate::common::rays::vertices(&pair[0]),
            crate::common::rays::vertices(&pair[1]),
            "nothing moved"
        );
    }
}
