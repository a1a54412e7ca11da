//! The reader of Wavefront OBJ: what it takes, and what it refuses with the number of the line.

use sinew_datasets::obj::{ObjError, read_obj};

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n\
    f 1 3 4 2\nf 5/1 6/1 8/1 7/1\nf 1//1 2//1 6//1 5//1\nf -6 -2 -1 -5\nf 1 5 7 3\nf 2 4 8 6\n";

#[test]
fn a_cube_of_quadrilaterals_has_its_volume() {
    let text = format!("\u{feff}# a cube\no cube\n{CUBE}");
    let cube = read_obj(&text, 2.0).unwrap();
    assert_eq!((cube.vertices().len(), cube.triangles().len()), (8, 12));
    assert!((cube.solid_integrals().unwrap().volume - 8.0).abs() < 1e-14);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let after = |line: &str| read_obj(&format!("{CUBE}{line}\n"), 1.0).unwrap_err().to_string();
    for (line, expected) in [
        ("v 0,5 1 2", "line 15: '0,5' is not a finite number"),
        ("v 1e400 1 2", "line 15: '1e400' is not a finite number"),
        ("v 1 2", "line 15: 2 of at least 3 coordinates"),
        ("f 1 2", "line 15: 2 of at least 3 corners"),
        ("f 1 0 2", "line 15: vertex 0 of 8"),
        ("f 1 2 9", "line 15: vertex 9 of 8"),
        ("f 1 2 4294967297", "line 15: vertex 4294967297 of 8"),
        ("f 1 2 -9", "line 15: vertex -9 of 8"),
        ("f a b c", "line 15: 'a' is not a vertex index"),
    ] {
        assert!(after(line).starts_with(expected), "{line}: {}", after(line));
    }
    assert_eq!(read_obj("v 0 0 0\nl 1 1\n", 1.0), Err(ObjError::NoFaces));
    assert_eq!(read_obj("", 1.0), Err(ObjError::NoFaces));
}
