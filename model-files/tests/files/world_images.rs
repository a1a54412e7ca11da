//! Images of worlds that are PNG files, and parts of worlds as texts.

use std::fs::File;
use std::path::Path;

use png::{BitDepth, ColorType, Encoder};
use sinew::interactive::{PartId, PartList, WorldDescription, WorldPart};
use sinew_model_files::{read_world, world_files, write_world};

fn encode(path: &Path, (color, depth): (ColorType, BitDepth), size: [u32; 2], bytes: &[u8]) {
    let mut encoder = Encoder::new(File::create(path).unwrap(), size[0], size[1]);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0, 255, 255, 255]);
    }
    encoder.write_header().unwrap().write_image_data(bytes).unwrap();
}

fn write(folder: &Path, files: &str) -> std::path::PathBuf {
    let path = folder.join("a.world.toml");
    let text = format!("version = 1\n[[image]]\nname = \"scan\"\nfiles = {files}\n");
    std::fs::write(&path, text).unwrap();
    path
}

fn read(folder: &Path, files: &str) -> Result<WorldDescription, String> {
    let read = read_world(&write(folder, files));
    read.map(|(description, _)| description).map_err(|error| error.to_string())
}

#[test]
fn images_of_every_color_type_are_gray_with_the_last_row_first() {
    let folder = tempfile::tempdir().unwrap();
    let [black, white, red] = [[0, 0, 0], [255, 255, 255], [255, 0, 0]];
    let rgba = |[r, g, b]: [u8; 3], a: u8| [r, g, b, a];
    let wide = |gray: u16| gray.to_be_bytes();
    // Two columns and three rows: black white / red red / white black, or as much of that as there is.
    for (kind, bytes, expected) in [
        (
            (ColorType::Rgb, BitDepth::Eight),
            [black, white, red, red, white, black].concat(),
            [1.0, 0.0, 0.2126, 0.2126, 0.0, 1.0],
        ),
        (
            (ColorType::Rgba, BitDepth::Eight),
            [
                rgba(black, 0),
                rgba(white, 9),
                rgba(red, 255),
                rgba(red, 0),
                rgba(white, 0),
                rgba(black, 51),
            ]
            .concat(),
            [1.0, 0.8, 0.2126, 1.0, 1.0, 1.0],
        ),
        (
            (ColorType::Grayscale, BitDepth::Sixteen),
            [wide(0), wide(65535), wide(0x8000), wide(0x8000), wide(65535), wide(0)].concat(),
            [1.0, 0.0, 128.0 / 255.0, 128.0 / 255.0, 0.0, 1.0],
        ),
        (
            (ColorType::GrayscaleAlpha, BitDepth::Eight),
            vec![0, 255, 255, 255, 51, 255, 51, 255, 255, 255, 0, 255],
            [1.0, 0.0, 0.2, 0.2, 0.0, 1.0],
        ),
        (
            (ColorType::Indexed, BitDepth::One),
            vec![0b0100_0000, 0b1100_0000, 0b1000_0000],
            [1.0, 0.0, 1.0, 1.0, 0.0, 1.0],
        ),
    ] {
        encode(&folder.path().join("scan.png"), kind, [2, 3], &bytes);
        let world = read(folder.path(), "[\"scan.png\"]").unwrap();
        let image = &world.images[0].pixels[0];
        assert_eq!(image.size(), [2, 3]);
        for (k, expected) in expected.into_iter().enumerate() {
            let value = image.pixel((k % 2) as isize, (k / 2) as isize);
            assert!((value - expected).abs() < 1e-12, "{kind:?}, {k}: {value} for {expected}");
        }
    }
}

#[test]
fn a_sequence_stays_where_it_is_when_its_world_is_saved_elsewhere() {
    let [folder, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for (name, gray) in [("0.png", 10), ("1.png", 200)] {
        let kind = (ColorType::Grayscale, BitDepth::Eight);
        encode(&folder.path().join(name), kind, [4, 1], &[gray; 4]);
    }
    let world = read(folder.path(), "[\"0.png\", \"1.png\"]").unwrap();
    let [near, far] = [folder.path(), other.path()].map(|it| it.join("later.world.toml"));
    write_world(&world, &near).unwrap();
    assert_eq!(read_world(&near).unwrap().0, world);
    write_world(&world, &far).unwrap();
    let again = read_world(&far).unwrap().0;
    assert_eq!(again.images[0].pixels, world.images[0].pixels);
    assert!(Path::new(&again.images[0].files[0]).is_absolute());
}

#[test]
fn files_that_are_no_images_are_told_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let gray = (ColorType::Grayscale, BitDepth::Eight);
    encode(&at("small.png"), gray, [2, 2], &[7; 4]);
    let whole = std::fs::read(at("small.png")).unwrap();
    std::fs::write(at("torn.png"), &whole[..whole.len() - 20]).unwrap();
    std::fs::write(at("text.png"), "P2 2 2 255").unwrap();
    encode(&at("other.png"), gray, [2, 3], &[7; 6]);
    // The header claims 2^62 pixels, and has no other fault.
    let mut huge = whole.clone();
    huge[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let mut crc = crc_of(&huge[12..29]);
    huge[29..33].copy_from_slice(&crc.to_be_bytes());
    std::fs::write(at("huge.png"), &huge).unwrap();
    // 2^24 pixels are read, if there are some.
    huge[16..24].copy_from_slice(&[0, 0, 0x10, 0, 0, 0, 0x10, 0]);
    crc = crc_of(&huge[12..29]);
    huge[29..33].copy_from_slice(&crc.to_be_bytes());
    std::fs::write(at("hollow.png"), &huge).unwrap();
    std::fs::create_dir(at("folder.png")).unwrap();
    for (files, told) in [
        ("[\"none.png\"]", "none.png: "),
        ("[\"text.png\"]", "text.png: "),
        ("[\"torn.png\"]", "torn.png: "),
        ("[\"hollow.png\"]", "hollow.png: "),
        ("[\"folder.png\"]", "folder.png is no file"),
        ("[\"huge.png\"]", "huge.png: [2147483647, 2147483647] pixels are too many"),
        ("[\"small.png\", \"hollow.png\"]", "hollow.png: [4096, 4096] pixels are too many"),
        ("[]", "image 'scan': an image takes either `size` and `brightness`, or `files`"),
    ] {
        let error = read(folder.path(), files).expect_err(told);
        assert!(error.contains(told) && error.contains("a.world.toml"), "{told}: {error}");
    }
    assert!(read(folder.path(), "[\"small.png\"]").is_ok());
}

/// CRC-32 of a chunk of a PNG file, bit by bit.
fn crc_of(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[test]
fn a_part_is_a_text_without_its_state_and_is_read_again() {
    let files = world_files();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/interactive");
    let mut seen = 0;
    for name in ["puppet", "snake", "rectangle", "curves", "net"] {
        let world = (files.read)(&example.join(format!("{name}.world.toml"))).unwrap();
        let of = |list, name: &String| world.part(&PartId::new(list, name)).unwrap();
        let mut parts = vec![of(PartList::Settings, &"settings".to_owned())];
        parts.extend(world.objects.iter().map(|it| of(PartList::Object, &it.name)));
        parts.extend(world.images.iter().map(|it| of(PartList::Image, &it.name)));
        parts.extend(world.blocks.iter().map(|it| of(PartList::Block, &it.name)));
        parts.extend(world.constraints.iter().map(|it| of(PartList::Constraint, &it.name)));
        parts.extend(world.behaviours.iter().map(|it| of(PartList::Behaviour, &it.name)));
        for mut part in parts {
            let text = (files.write_part)(&part).unwrap();
            let read = (files.read_part)(part.id().list, &text, &example).unwrap();
            if let WorldPart::Object(object) = &mut part {
                assert!(!text.contains("state"), "{text}");
                (object.state, object.velocity) = (Vec::new(), Vec::new());
            }
            assert_eq!(read.id(), part.id());
            assert_eq!((files.write_part)(&read).unwrap(), text);
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen} parts");
    let error = (files.read_part)(PartList::Block, "name = 1", &example).unwrap_err();
    assert!(error.contains("line 1, column 8"), "{error}");
    let deep = format!("x = {}", "[".repeat(9000));
    assert!((files.read_part)(PartList::Block, &deep, &example).is_err());
}
