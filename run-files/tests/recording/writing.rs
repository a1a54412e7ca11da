//! Recordings are read back as they were, also after going back.

use std::fs;
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use sinew_run_files::read::open;
use sinew_run_files::write::{Opening, create};

const COLUMNS: [&str; 2] = ["/models/m/particles/a,b:position.x", "gape"];

fn columns() -> Vec<String> {
    COLUMNS.map(str::to_owned).to_vec()
}

/// Numbers that are hard to write.
fn row(k: usize) -> (f64, [f64; 2]) {
    let values = [
        [1.0 / 3.0, -1e-300],
        [1e22, 5e-324],
        [-0.0, 123_456_789.123_456_79],
        [f64::MAX, 0.1 + 0.2],
    ];
    (0.1 * k as f64, values[k % 4])
}

/// Ten rows, of which the last five are written again after going back in another process.
fn write(path: &Path) {
    let mut sink = create(path, &columns(), Opening::New).unwrap();
    let mut place = 0;
    for k in 0..10 {
        if k == 5 {
            place = sink.place().unwrap();
        }
        sink.write(row(k).0, &row(k).1).unwrap();
    }
    drop(sink);
    let mut sink = create(path, &columns(), Opening::Resume).unwrap();
    sink.go_back(place).unwrap();
    for k in 5..10 {
        sink.write(row(k).0, &row(k).1).unwrap();
    }
    sink.finish().unwrap();
    assert!(sink.go_back(1 << 40).is_err(), "a file is not longer than it is");
}

fn assert_rows(rows: &[Vec<f64>]) {
    assert_eq!(rows.len(), 10);
    for (k, read) in rows.iter().enumerate() {
        let (time, values) = row(k);
        let bits = |x: &f64| x.to_bits();
        let expected: Vec<u64> = [time, values[0], values[1]].iter().map(bits).collect();
        assert_eq!(read.iter().map(bits).collect::<Vec<_>>(), expected, "row {k}: {read:?}");
    }
}

#[test]
fn a_table_of_commas_reads_back_bit_for_bit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("way.csv");
    write(&path);
    let mut rows = open(&path).unwrap();
    assert_eq!(rows.heading().columns, COLUMNS);
    let (mut all, mut row) = (Vec::new(), Vec::new());
    while rows.next(&mut row).unwrap() {
        all.push(row.clone());
    }
    assert_rows(&all);
}

#[test]
fn a_table_of_opensim_reads_back_bit_for_bit_with_its_number_of_rows_and_its_unit_of_angles() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["way.sto", "way.mot"] {
        let path = directory.path().join(name);
        write(&path);
        let text = fs::read_to_string(&path).unwrap();
        let heading: Vec<&str> = text.lines().take(6).collect();
        let rows = "nRows=0000000000000010";
        assert_eq!(heading, ["way", "version=1", rows, "nColumns=3", "inDegrees=no", "endheader"]);
        assert!(text.lines().skip(6).all(|line| line.split('\t').count() == 3), "{text}");
        let mut rows = open(&path).unwrap();
        assert!(!rows.heading().degrees);
        // A blank would part a name in two.
        let names = COLUMNS.map(|name| name.replace(' ', "_"));
        assert_eq!(rows.heading().columns, names);
        let (mut all, mut row) = (Vec::new(), Vec::new());
        while rows.next(&mut row).unwrap() {
            all.push(row.clone());
        }
        assert_rows(&all);
    }
}

#[test]
fn a_matrix_of_numpy_has_heading_shape_and_numbers() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("way.npy");
    write(&path);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((length + 10) % 64, 0);
    let text = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    assert!(text.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (10, 3), }"));
    assert!(text.ends_with('\n'));
    let numbers: Vec<f64> = bytes[10 + length..]
        .chunks_exact(8)
        .map(|eight| f64::from_le_bytes(eight.try_into().unwrap()))
        .collect();
    assert_rows(&numbers.chunks(3).map(<[f64]>::to_vec).collect::<Vec<_>>());
    let names = fs::read_to_string(directory.path().join("way.npy.columns")).unwrap();
    assert_eq!(names.lines().collect::<Vec<_>>(), ["time", COLUMNS[0], COLUMNS[1]]);
}

#[test]
fn a_table_of_parquet_reads_back_bit_for_bit_and_leaves_nothing_beside() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("way.parquet");
    write(&path);
    let reader = SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    let names: Vec<_> = schema.columns().iter().map(|it| it.name().to_owned()).collect();
    assert_eq!(names, ["time", COLUMNS[0], COLUMNS[1]]);
    let numbers = |row: parquet::record::Row| (0..3).map(|k| row.get_double(k).unwrap()).collect();
    let rows: Vec<Vec<f64>> =
        reader.get_row_iter(None).unwrap().map(|r| numbers(r.unwrap())).collect();
    assert_rows(&rows);
}

#[test]
fn a_table_of_parquet_that_is_complete_leaves_no_plain_rows() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("way.parquet");
    let mut sink = create(&path, &columns(), Opening::New).unwrap();
    sink.write(0.0, &[1.0, 2.0]).unwrap();
    let beside = directory.path().join("way.parquet.rows");
    assert!(beside.exists() && !path.exists());
    sink.write(0.1, &[3.0, 4.0]).unwrap();
    let place = sink.place().unwrap();
    sink.finish().unwrap();
    drop(sink);
    assert!(!beside.exists() && path.exists());
    // A longer run goes on with what was complete.
    let whole = fs::read(&path).unwrap();
    let mut sink = create(&path, &columns(), Opening::Resume).unwrap();
    sink.go_back(place).unwrap();
    sink.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn other_endings_are_refused_with_those_that_there_are() {
    let error = create(Path::new("way.xls"), &columns(), Opening::New).err().unwrap();
    assert!(error.to_string().contains(".csv, .npy, .parquet, .mot and .sto"), "{error}");
}

#[test]
fn a_wide_table_of_commas_is_as_one_of_few_columns() {
    let directory = tempfile::tempdir().unwrap();
    let columns: Vec<String> = (0..3000).map(|k| k.to_string()).collect();
    let row = |k: usize| (0..3000).map(|j| (j as f64 + 0.1 * k as f64).sqrt()).collect::<Vec<_>>();
    let path = directory.path().join("wide.csv");
    let mut sink = create(&path, &columns, Opening::New).unwrap();
    for k in 0..50 {
        sink.write(k as f64, &row(k)).unwrap();
    }
    let place = sink.place().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), place, "all of it is there at a place");
    for k in 90..200 {
        sink.write(k as f64, &row(k)).unwrap();
    }
    drop(sink);
    let mut sink = create(&path, &columns, Opening::Resume).unwrap();
    sink.go_back(place).unwrap();
    for k in 50..60 {
        sink.write(k as f64, &row(k)).unwrap();
    }
    sink.finish().unwrap();
    let (mut rows, mut read) = (open(&path).unwrap(), Vec::new());
    for k in 0..60 {
        assert!(rows.next(&mut read).unwrap());
        assert!(read[0] == k as f64 && read[1..] == row(k), "row {k}");
    }
    assert!(!rows.next(&mut read).unwrap());
}
