//! `sinew render`: files of every kind, and what is refused.

use std::path::Path;
use std::process::{Command, Output};

fn render(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.arg("render").args(arguments).current_dir(folder);
    command.output().expect("sinew runs")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn pictures_of_a_run_are_numbered_and_each_is_a_whole_png() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        ["beam", "--param", "nx=4,ny=2,nz=2", "--size", "160x120", "--color-by", "von_mises"];
    let frames = ["--frames", "2", "--every", "0.02", "-o", "f_%02d.png"];
    let output = render(folder.path(), &[&line[..], &frames[..]].concat());
    assert!(output.status.success(), "{}", told(&output));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let pictures = ["f_00.png", "f_01.png"].map(read);
    for bytes in &pictures {
        assert_eq!(&bytes[1..4], b"PNG");
        assert_eq!(bytes[16..24], [0, 0, 0, 160, 0, 0, 0, 120]);
        assert!(bytes.windows(4).any(|word| word == b"IEND"));
    }
    assert_ne!(pictures[0], pictures[1], "the beam fell and its picture did not change");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "something else was left");
}

#[test]
fn scenes_need_no_adapter() {
    let folder = tempfile::tempdir().unwrap();
    for (name, begin) in [("a.glb", "glTF"), ("a.gltf", "{"), ("a.pov", "#version 3.7")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(["render", "chain", "-o", name]).current_dir(folder.path());
        let output = command.env("VK_DRIVER_FILES", "none").output().unwrap();
        assert!(output.status.success(), "{name}: {}", told(&output));
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        assert!(bytes.starts_with(begin.as_bytes()), "{name}");
    }
}

#[test]
fn without_an_adapter_one_message_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(["render", "chain", "-o", "a.png"]).current_dir(folder.path());
    let output = command.env("VK_DRIVER_FILES", "none").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains("apt-get install mesa-vulkan-drivers"), "{}", told(&output));
}

#[test]
fn a_name_without_a_format_or_a_number_and_a_camera_that_is_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, word) in [
        (&["chain", "-o", "a.jpg"][..], ".png, .glb, .gltf or .pov"),
        (&["chain", "-o", "a.glb", "--frames", "3"], "frame_%04d"),
        (&["chain", "-o", "a.glb", "--camera", "left"], "no such file"),
    ] {
        let output = render(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", told(&output));
        assert!(told(&output).contains(word), "{}", told(&output));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
