//! Every format is read, and what is wrong with a file is told by its line.

use std::path::Path;

use sinew_run_files::RecordingError;
use sinew_run_files::read::{Heading, open};
use sinew_run_files::spec::Interpolation;

/// Heading and all rows of a file of this name and text.
fn read(name: &str, text: &[u8]) -> Result<(Heading, Vec<Vec<f64>>), RecordingError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, text).unwrap();
    read_file(&path)
}

fn read_file(path: &Path) -> Result<(Heading, Vec<Vec<f64>>), RecordingError> {
    let mut rows = open(path)?;
    let (mut all, mut row) = (Vec::new(), Vec::new());
    while rows.next(&mut row)? {
        all.push(row.clone());
    }
    rows.restart()?;
    assert!(rows.next(&mut row)?);
    // Bits, as a gap is not equal to itself.
    let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&row), bits(&all[0]), "the first row again");
    Ok((rows.heading().clone(), all))
}

const CSV: &str = "time,\"a,b\", c\n0,1,-2.5e-3\n0.1, 3,4\n";
const TRC: &str = "PathFileType\t4\t(X/Y/Z)\twalk.trc\n\
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n\
100.00\t100.00\t2\t2\tmm\t100.00\t1\t2\n\
Frame#\tTime\tchin\t\t\tnose\t\t\n\
\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\
\n\
1\t0.00\t1\t2\t3\t4\t5\t6\n\
2\t0.01\t-1\t-2\t-3\t-4\t-5\t-6\n";
const MOT: &str = "gait\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\n\
time\tknee\tpelvis_tx\n0.0\t90\t1\n0.5\t45\t2\n";
const ARTISYNTH: &str = "0 2.5 0.5\nCubic 2 explicit\n0.0 1 2\n1.0 3 4\n";
const EVEN: &str = "1000000000 20000000000 1.0\r\nStep 1 0.25\r\n1\r\n2\r\n3\r\n";

#[test]
fn tables_of_commas_have_names_and_a_time() {
    let (heading, rows) = read("x.csv", CSV.as_bytes()).unwrap();
    assert_eq!(heading.columns, ["a,b", "c"]);
    assert_eq!(rows, [[0.0, 1.0, -2.5e-3], [0.1, 3.0, 4.0]]);
}

#[test]
fn markers_come_in_metres() {
    let (heading, rows) = read("x.trc", TRC.as_bytes()).unwrap();
    assert_eq!(heading.columns, ["chin.x", "chin.y", "chin.z", "nose.x", "nose.y", "nose.z"]);
    assert_eq!(rows[0], [0.0, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3]);
    assert_eq!((rows.len(), rows[1][0]), (2, 0.01));
}

/// A marker that was not seen in two of four rows, another not in the first and the last.
const HIDDEN: &str = "1\t0.00\t1\t2\t3\t\t\t\t\r\n\
2\t0.01\t\t\t\t4\t5\t6\r\n\
3\t0.03\tNaN\tnan\t \t5\t6\t7\t\r\n\
4\t0.04\t5\t6\t7\t\t\t\r\n";

/// A file of markers with these rows.
fn markers(rows: &str) -> String {
    TRC.split_once("\n\n").unwrap().0.to_owned() + "\n\n" + rows
}

#[test]
fn cells_without_a_number_are_gaps_between_tabs() {
    let (_, rows) = read("x.trc", markers(HIDDEN).as_bytes()).unwrap();
    let gaps = |row: &Vec<f64>| row.iter().map(|x| x.is_nan()).collect::<Vec<_>>();
    assert_eq!(gaps(&rows[0]), [false, false, false, false, true, true, true]);
    for k in [1, 2] {
        assert_eq!(gaps(&rows[k]), [false, true, true, true, false, false, false]);
    }
    assert_eq!((rows[3][0], rows[3][1]), (0.04, 5e-3));
    let (_, rows) = read("x.csv", b"time,a,b\n0,,1\n1, NaN ,2\n").unwrap();
    assert!(rows[0][1].is_nan() && rows[1][1].is_nan(), "{rows:?}");
    assert_eq!((rows[0][2], rows[1][2]), (1.0, 2.0));
}

#[test]
fn motions_of_opensim_tell_whether_angles_are_in_degrees() {
    let (heading, rows) = read("x.mot", MOT.as_bytes()).unwrap();
    assert!(heading.degrees);
    assert_eq!(heading.columns, ["knee", "pelvis_tx"]);
    assert_eq!(rows, [[0.0, 90.0, 1.0], [0.5, 45.0, 2.0]]);
    let radians = MOT.replace("yes", "no");
    assert!(!read("x.sto", radians.as_bytes()).unwrap().0.degrees);
}

#[test]
fn probes_of_artisynth_tell_their_interval_and_interpolation() {
    let (heading, rows) = read("x.txt", ARTISYNTH.as_bytes()).unwrap();
    assert_eq!(heading.interval, Some([0.0, 2.5, 0.5]));
    assert_eq!(heading.interpolation, Some(Interpolation::Cubic));
    assert_eq!(rows, [[0.0, 1.0, 2.0], [1.0, 3.0, 4.0]]);
    // Times in nanoseconds, rows at even intervals.
    let (heading, rows) = read("x.txt", EVEN.as_bytes()).unwrap();
    assert_eq!(heading.interval, Some([1.0, 20.0, 1.0]));
    assert_eq!(heading.interpolation, Some(Interpolation::Step));
    assert_eq!(rows, [[0.0, 1.0], [0.25, 2.0], [0.5, 3.0]]);
}

#[test]
fn what_is_wrong_is_told_by_its_line() {
    for (name, text, line, what) in [
        ("x.csv", CSV.replace("-2.5e-3", "two"), 2, "'two' is no finite number"),
        ("x.csv", CSV.replace("0.1, 3,4", "0.1, 3"), 3, "fields"),
        ("x.csv", CSV.replace("3,4", "inf,4"), 3, "'inf'"),
        ("x.csv", "0,1,2\n1,2,3\n".to_owned(), 1, "names of columns"),
        ("x.csv", "time\n0\n".to_owned(), 1, "names of columns"),
        ("x.trc", TRC.replace("mm", "ft"), 3, "mm, cm or m"),
        ("x.trc", TRC.replace("-5\t-6", "-5"), 8, "5 values"),
        ("x.trc", TRC.replace("PathFileType", "Path"), 1, "PathFileType"),
        ("x.trc", TRC.replace("2\t0.01", "2\t"), 8, "'' is no finite number"),
        ("x.csv", CSV.replace("0.1, 3,4", ", 3,4"), 3, "'' is no finite number"),
        ("x.mot", MOT.replace("endheader", "end"), 10, "endheader"),
        ("x.mot", MOT.replace("time\t", "t\t"), 7, "'time'"),
        ("x.mot", MOT.replace("Degrees=yes", "Degrees=maybe"), 5, "'inDegrees' must be yes or no"),
        ("x.sto", MOT.replace("45\t2", "45"), 9, "1 values"),
        ("x.txt", ARTISYNTH.replace("0 2.5 0.5", "0 2.5"), 1, "three numbers"),
        ("x.txt", ARTISYNTH.replace("Cubic", "Curly"), 2, "'Curly'"),
        ("x.txt", ARTISYNTH.replace("2 explicit", "99999999999 explicit"), 2, "1 to 1000000"),
        ("x.txt", ARTISYNTH.replace("3 4", "3 4 5"), 4, "3 values"),
        ("x.txt", ARTISYNTH.replace("0 2.5 0.5", "0 2.5 0.5 off"), 1, "three numbers"),
        ("x.txt", ARTISYNTH.replace("0 2.5 0.5", "3 2.5 0.5"), 1, "end must not lie before"),
        ("x.txt", ARTISYNTH.replace("0 2.5 0.5", "0 2.5 0"), 1, "the scale above 0"),
        ("x.txt", ARTISYNTH.replace("explicit", "often"), 2, "'often' is neither 'explicit'"),
        ("x.txt", ARTISYNTH.replace("2 explicit", "2"), 2, "number of values, 'explicit'"),
        ("x.txt", "0 1 1\n".to_owned(), 2, "the file ends where interpolation"),
        ("x.trc", "PathFileType\n".to_owned(), 2, "the file ends where the names of fields"),
        ("x.trc", TRC.replace("Frame#\tTime", "Frame#"), 4, "'Frame#', 'Time'"),
        ("x.trc", TRC.replace("Frame#\tTime", "Time\tFrame#"), 4, "'Frame#', 'Time'"),
        ("x.mot", "m\nendheader\n\n".to_owned(), 4, "the file ends where the names of the columns"),
        ("x.mot", "a=b\n".repeat(10_001), 10_000, "there is no line 'endheader'"),
    ] {
        let error = read(name, text.as_bytes()).unwrap_err();
        let RecordingError::Line { line: found, what: said, .. } = &error else {
            panic!("{name}: {error}")
        };
        assert!(*found == line && said.contains(what), "{error}\n{text}");
    }
    let error = read("x.xyz", b"").unwrap_err().to_string();
    assert!(error.contains("x.xyz: no format has this ending; known are .csv, .trc"), "{error}");
    let error = read("x.sto", b"m\n\xff\n").unwrap_err().to_string();
    assert!(error.ends_with("x.sto, line 2: it is no text (UTF-8)"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let error = read_file(&folder.path().join("x.csv")).unwrap_err().to_string();
    assert!(error.starts_with("cannot open ") && error.contains("x.csv: No such file"), "{error}");
}

#[test]
fn files_cut_off_or_changed_at_any_byte_are_read_or_refused_and_never_a_panic() {
    for (name, text) in
        [("x.csv", CSV), ("x.trc", TRC), ("x.mot", MOT), ("x.txt", ARTISYNTH), ("x.txt", EVEN)]
    {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        for at in 0..text.len() {
            let mut bytes = text.as_bytes()[..at].to_vec();
            std::fs::write(&path, &bytes).unwrap();
            let _ = open(&path).map(|mut rows| while let Ok(true) = rows.next(&mut Vec::new()) {});
            bytes.extend([0xff, b'9']);
            bytes.extend(&text.as_bytes()[at..]);
            std::fs::write(&path, &bytes).unwrap();
            let _ = open(&path).map(|mut rows| while let Ok(true) = rows.next(&mut Vec::new()) {});
        }
    }
}

#[test]
fn a_file_without_line_ends_is_refused_before_it_fills_the_memory() {
    let text = vec![b'1'; 33 << 20];
    for name in ["x.csv", "x.trc", "x.sto", "x.txt"] {
        let error = read(name, &text).unwrap_err().to_string();
        assert!(error.contains("longer than"), "{name}: {error}");
    }
}
