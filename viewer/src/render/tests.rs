//! The programs are valid, and their structures are those of Rust.

use std::mem::{offset_of, size_of};

use super::layout::{FLATNESS, Globals, ItemData, RINGS, SIDES, sources};
use super::pipelines::with_samples;

const ALL: [(&str, &str); 7] = [
    ("surface", sources::SURFACE),
    ("outlines", sources::OUTLINES),
    ("edges", sources::EDGES),
    ("marks", sources::MARKS),
    ("tubes", sources::TUBES),
    ("occlusion", sources::OCCLUSION),
    ("compose", sources::COMPOSE),
];

#[test]
fn all_programs_are_valid_without_an_adapter() {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    for ((name, source), samples) in ALL.into_iter().flat_map(|it| [(it, 1), (it, 4)]) {
        let source = &*with_samples(source, samples);
        let reads_depths = ["occlusion", "compose"].contains(&name);
        assert_eq!(source.contains("_multisampled_"), samples > 1 && reads_depths, "{name}");
        let module = naga::front::wgsl::parse_str(source);
        let module = module.unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(source)));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        if let Err(error) = validator.validate(&module) {
            panic!("{name}: {}", error.emit_to_string(source));
        }
    }
}

/// Names, offsets and size of a structure of the programs.
fn members(name: &str) -> (Vec<(String, u32)>, u32) {
    let module = naga::front::wgsl::parse_str(sources::SURFACE).expect("it is valid");
    let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    let naga::TypeInner::Struct { members, span } = &found.expect("it is there").1.inner else {
        panic!("{name} is no structure");
    };
    let of = |m: &naga::StructMember| (m.name.clone().expect("named"), m.offset);
    (members.iter().map(of).collect(), *span)
}

#[test]
fn structures_lie_in_memory_as_the_programs_read_them() {
    macro_rules! check {
        ($name:literal, $type:ty, $($field:ident),+) => {
            let (members, span) = members($name);
            let ours = [$((stringify!($field).to_owned(), offset_of!($type, $field) as u32)),+];
            assert_eq!(members, ours);
            assert_eq!(span as usize, size_of::<$type>());
        };
    }
    check!(
        "Globals",
        Globals,
        view_projection,
        right,
        up,
        back,
        eye,
        viewport,
        depths,
        planes,
        top,
        bottom,
        selection,
        flags,
        scales,
        light,
        light_projection,
        shadow
    );
    check!("Item", ItemData, rotation, position, face, back, specular, flags, scatter, finish);
}

#[test]
fn the_counts_of_a_tube_are_those_of_its_program() {
    for (name, count) in [("SIDES", SIDES), ("RINGS", RINGS)] {
        assert!(sources::TUBES.contains(&format!("const {name} = {count}u;")), "{name}");
    }
    assert!(sources::TUBES.contains(&format!("const FLATNESS = {FLATNESS};")));
}
