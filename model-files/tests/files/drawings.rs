//! Drawings of curves as files: the example, what is written and read, faults with their places.

use std::path::Path;

use sinew_model_files::{read_drawing, write_drawing};

#[test]
fn a_drawing_that_is_written_is_read_as_it_was() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/ring.drawing.toml");
    let ring = read_drawing(&example).unwrap();
    assert_eq!((ring.curves.len(), ring.nails.len()), (3, 4));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.drawing.toml");
    write_drawing(&ring, &path).unwrap();
    assert_eq!(read_drawing(&path).unwrap(), ring);
}

#[test]
fn faults_of_a_drawing_are_told_with_the_file_and_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.drawing.toml");
    let curve = "[[curve]]\nname = \"c\"\nkind = \"circle\"\nparameters = [0.0, 0.0]\n";
    for (text, told) in [
        ("version = 2\n".to_owned(), "version = 2, and this program reads 1"),
        ("version = \n".to_owned(), "line 1"),
        ("version = 1\nwhat = 2\n".to_owned(), "unknown field `what`"),
        (format!("version = 1\n{curve}"), "curve 'c' takes 3 finite parameters (x, y, r)"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = read_drawing(&path).unwrap_err().to_string();
        assert!(error.contains(told) && error.contains("a.drawing.toml"), "{error}");
    }
    assert!(read_drawing(&folder.path().join("none")).unwrap_err().to_string().contains("none"));
}
