//! `sinew render`: files of every kind, and what is refused.

mod common;

use common::{Workshop, stderr};

#[test]
fn pictures_of_a_run_are_numbered_and_each_is_a_whole_png() {
    let shop = Workshop::new();
    let line = ["render", "beam", "--size", "160x120", "--color-by", "von_mises"];
    let frames = ["--frames", "2", "--every", "0.05", "-o", "f_%02d.png"];
    let output = shop.sinew(&[&line[..], &frames[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let pictures = ["f_00.png", "f_01.png"].map(|name| std::fs::read(shop.path(name)).unwrap());
    for bytes in &pictures {
        assert_eq!(&bytes[1..4], b"PNG");
        assert_eq!(bytes[16..24], [0, 0, 0, 160, 0, 0, 0, 120]);
        assert!(bytes.windows(4).any(|word| word == b"IEND"));
    }
    assert_ne!(pictures[0], pictures[1], "the beam fell and its picture did not change");
    assert_eq!(shop.names("."), ["f_00.png", "f_01.png"], "something else was left");
}

#[test]
fn scenes_need_no_adapter() {
    let shop = Workshop::new();
    for (name, begin) in [("a.glb", "glTF"), ("a.gltf", "{"), ("a.pov", "#version 3.7")] {
        let output = shop.without_adapters(&["render", "chain", "-o", name]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let bytes = std::fs::read(shop.path(name)).unwrap();
        assert!(bytes.starts_with(begin.as_bytes()), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_steps_what_is_drawn_and_ends_where_the_processor_does() {
    let shop = Workshop::new();
    let heights = |name: &str, how: &[&str]| -> Vec<f64> {
        let line = ["render", "beam", "--solver", "cg", "-o", name];
        let output = shop.sinew(&[&line[..], how].concat());
        assert!(output.status.success(), "{how:?}: {}", stderr(&output));
        let text = std::fs::read_to_string(shop.path(name)).unwrap();
        let vectors = text.split("vertex_vectors").nth(1).unwrap().split('}').next().unwrap();
        let inner = vectors.split('<').skip(1).map(|it| it.split('>').next().unwrap());
        inner.map(|it| it.rsplit(',').next().unwrap().parse().unwrap()).collect()
    };
    let cpu = heights("cpu.pov", &["--time", "0.05", "--backend", "cpu"]);
    let device = ["--time", "0.05", "--backend", "gpu", "--device", "software"];
    let gpu = heights("gpu.pov", &device);
    let rest = heights("rest.pov", &["--time", "0"]);
    let apart =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let (fall, miss) = (apart(&cpu, &rest), apart(&cpu, &gpu));
    // A device solves in single precision to its own residual.
    assert!(fall > 1e-3 && miss < 1e-2 * fall, "{miss} m apart after a fall of {fall} m");
    let line = ["render", "beam", "-o", "a.pov", "--backend", "gpu"];
    let output = shop.without_adapters(&line);
    assert_eq!(output.status.code(), Some(2), "it did without a device: {}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_one_message_says_what_to_install() {
    let shop = Workshop::new();
    let output = shop.without_adapters(&["render", "chain", "-o", "a.png"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("apt-get install mesa-vulkan-drivers"), "{}", stderr(&output));
}

#[test]
fn a_name_without_a_format_or_a_number_and_a_camera_that_is_none_are_refused() {
    let shop = Workshop::new();
    for (arguments, word) in [
        (&["render", "chain", "-o", "a.jpg"][..], ".png, .glb, .gltf or .pov"),
        (&["render", "chain", "-o", "a.glb", "--frames", "3"], "frame_%04d"),
        (&["render", "chain", "-o", "a.glb", "--camera", "left"], "no such file"),
    ] {
        let output = shop.sinew(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
    assert!(shop.names(".").is_empty(), "{:?}", shop.names("."));
}
