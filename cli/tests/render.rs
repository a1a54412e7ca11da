//! `sinew render`: files of every kind, and what is refused.

use crate::common::{Workshop, stderr};

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
fn a_film_is_one_png_of_all_pictures() {
    let shop = Workshop::new();
    let line = ["render", "beam", "--size", "160x120", "--every", "0.05"];
    let written = |name: &str, frames: &[&str]| {
        let output = shop.sinew(&[&line[..], frames, &["-o", name]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read(shop.path(name)).unwrap()
    };
    let first = written("first.png", &[]);
    let film = written("film.png", &["--frames", "4"]);
    let chunks = |bytes: &[u8], name: &[u8]| bytes.windows(4).filter(|it| *it == name).count();
    assert_eq!(chunks(&film, b"fcTL"), 4, "controls of pictures");
    assert_eq!((chunks(&film, b"acTL"), chunks(&film, b"IEND")), (1, 1));
    assert_eq!(
        (chunks(&first, b"acTL"), chunks(&first, b"fcTL")),
        (0, 0),
        "one picture is no film"
    );
    assert_eq!(film[16..24], first[16..24], "the sizes of both");
    assert_eq!(shop.names("."), ["film.png", "first.png"], "something else was left");
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
        (&["render", "chain", "-o", "a.glb", "--exaggerate", "-1"], "0 or more"),
        (&["render", "chain", "-o", "a.glb", "--view", "none.view.json"], "none.view.json"),
    ] {
        let output = shop.sinew(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
    assert!(shop.names(".").is_empty(), "{:?}", shop.names("."));
}

/// Least and greatest place along each axis of a scene in glTF.
fn extent(shop: &Workshop, name: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(shop.path(name)).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let accessors = document["accessors"].as_array().unwrap();
    let ends = |key: &str, better: fn(f64, f64) -> f64| {
        let all = accessors.iter().filter_map(|it| it[key].as_array()).filter(|it| it.len() == 3);
        let start = -better(f64::INFINITY, f64::NEG_INFINITY);
        all.fold(vec![start; 3], |found, corner| {
            found.iter().zip(corner).map(|(a, b)| better(*a, b.as_f64().unwrap())).collect()
        })
    };
    ends("max", f64::max).iter().zip(ends("min", f64::min)).map(|(a, b)| a - b).collect()
}

#[test]
fn a_view_from_a_file_is_used_and_options_go_before_it() {
    let shop = Workshop::new();
    let view = "{\n\"color_by\": \"strain\",\n\"options\": {\"exaggeration\": 0}\n}";
    std::fs::write(shop.path("a.view.json"), view).unwrap();
    let draw = |options: &[&str], name: &str| {
        let line = ["render", "beam", "--time", "0.1", "-o", name];
        let output = shop.without_adapters(&[&line[..], options].concat());
        assert!(output.status.success(), "{options:?}: {}", stderr(&output));
        extent(&shop, name)
    };
    let at_rest = draw(&["--exaggerate", "0"], "rest.gltf");
    let once = draw(&[], "once.gltf");
    let by_view = draw(&["--view", "a.view.json"], "view.gltf");
    let fivefold = draw(&["--view", "a.view.json", "--exaggerate", "5"], "five.gltf");
    assert_eq!(by_view, at_rest);
    // y is up in glTF; the beam falls by some part of its height, and five times that is drawn.
    let sag = once[1] - at_rest[1];
    assert!(sag > 1e-5, "{once:?} {at_rest:?}");
    assert!(((fivefold[1] - at_rest[1]) / sag - 5.0).abs() < 0.05, "{fivefold:?} {once:?}");
}

#[test]
fn a_view_that_is_none_is_refused_at_its_line() {
    let shop = Workshop::new();
    std::fs::write(shop.path("bad.json"), "{\n\"options\": {\n\"shrink\": 7\n}\n}").unwrap();
    let output = shop.sinew(&["render", "chain", "-o", "a.glb", "--view", "bad.json"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(
        text.contains("bad.json:3:") && text.contains("7 is not a number from 0 to 1"),
        "{text}"
    );
    assert!(!shop.path("a.glb").exists());
}

#[test]
fn fibres_of_a_model_without_any_are_missed_aloud() {
    let shop = Workshop::new();
    let output = shop.sinew(&["render", "beam", "--fibres", "-o", "a.glb"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("no tissue of this model has fibres"), "{told}");
    assert!(told.contains("field of vectors named `fiber`"), "what to do is told: {told}");
    let quiet = shop.sinew(&["render", "beam", "-o", "a.glb"]);
    assert!(!stderr(&quiet).contains("fibres"), "{}", stderr(&quiet));
}

#[test]
fn a_camera_file_that_never_ends_is_refused() {
    let shop = Workshop::new();
    std::fs::write(shop.path("camera.json"), vec![b' '; 1 << 20]).unwrap();
    let output = shop.sinew(&["render", "beam", "--camera", "camera.json", "-o", "a.glb"]);
    assert!(!output.status.success());
    assert!(stderr(&output).contains("longer than 65536 bytes"), "{}", stderr(&output));
}
