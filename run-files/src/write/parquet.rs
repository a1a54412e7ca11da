//! Parquet: a column of doubles a value. Its list of contents stands at the end of the file, so rows go
//! to a plain file beside it first, which a run can be resumed with.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::column::reader::ColumnReader;
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use sinew::io::open_file;
use sinew::schedule::{CallbackError, Sink};

use super::format::Opening;
use super::line_file::LineFile;
use super::line_file::remove;
use super::npy::row_bytes;
use crate::RecordingError;
use crate::persist::{sync_directory, unfinished};

/// Numbers of a group of rows, which is held in memory: 32 MB.
const GROUP: usize = 4 << 20;

/// A table of columns.
pub struct ParquetSink {
    path: PathBuf,
    columns: Vec<String>,
    rows: LineFile,
    row: Vec<u8>,
    /// Length of `rows` that the table has [bytes].
    finished: Option<u64>,
}

impl ParquetSink {
    /// A table with these columns after the time.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn open(path: &Path, columns: &[String], opening: Opening) -> Result<Self, RecordingError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".rows");
        let beside = Path::new(&beside);
        let is_complete = opening == Opening::Resume && !beside.exists() && path.exists();
        if opening != Opening::Resume {
            // An earlier table would pass for the one of this run.
            remove(path).map_err(RecordingError::system("remove", path))?;
        }
        let mut rows = LineFile::open(beside, opening)?;
        if is_complete {
            take_back(path, &mut rows)?;
        }
        let (path, columns) = (path.to_owned(), columns.to_vec());
        Ok(Self { path, columns, rows, row: Vec::new(), finished: None })
    }

    fn write_table(&self) -> Result<(), RecordingError> {
        let beside = unfinished(&self.path);
        self.write_table_to(&beside).inspect_err(|_| {
            // A leftover would be harmless: its name marks it.
            let _ = fs::remove_file(&beside);
        })?;
        sync_directory(&self.path);
        Ok(())
    }

    /// Writes the table to a file beside its place, and renames it.
    fn write_table_to(&self, beside: &Path) -> Result<(), RecordingError> {
        let library = |error: ParquetError| RecordingError::Library {
            path: self.path.clone(),
            what: error.to_string(),
        };
        let system = || RecordingError::system("write", &self.path);
        let file = File::create(beside).map_err(system())?;
        let schema = self.schema().map_err(library)?;
        let mut writer =
            SerializedFileWriter::new(file, schema, Default::default()).map_err(library)?;
        let width = self.columns.len() + 1;
        let source = File::open(self.rows.path()).map_err(system())?;
        let mut source = BufReader::new(source).take(self.rows.length());
        let mut bytes = vec![0; 8 * width * (GROUP / width).max(1)];
        loop {
            let count = read_all(&mut source, &mut bytes).map_err(system())?;
            if count == 0 {
                break;
            }
            write_group(&mut writer, &bytes[..count], width).map_err(library)?;
        }
        let file = writer.into_inner().map_err(library)?;
        file.sync_all().and_then(|()| fs::rename(beside, &self.path)).map_err(system())
    }

    fn schema(&self) -> Result<Arc<Type>, ParquetError> {
        let names = std::iter::once("time").chain(self.columns.iter().map(String::as_str));
        let field = |name| {
            let column = Type::primitive_type_builder(name, PhysicalType::DOUBLE);
            Ok(Arc::new(column.with_repetition(Repetition::REQUIRED).build()?))
        };
        let fields = names.map(field).collect::<Result<Vec<_>, ParquetError>>()?;
        Ok(Arc::new(Type::group_type_builder("rows").with_fields(fields).build()?))
    }
}

/// True if a file is a table of these columns.
pub(super) fn is_recording(path: &Path, columns: &[String]) -> bool {
    let Ok(file) = open_file(path) else { return false };
    let Ok(reader) = SerializedFileReader::new(file) else { return false };
    let found = reader.metadata().file_metadata().schema_descr().columns();
    let found = found.iter().map(|column| column.name());
    found.eq(std::iter::once("time").chain(columns.iter().map(String::as_str)))
}

/// Takes the rows of a complete table out of it again.
fn take_back(path: &Path, rows: &mut LineFile) -> Result<(), RecordingError> {
    let library = |error: ParquetError| RecordingError::Library {
        path: path.to_owned(),
        what: error.to_string(),
    };
    let file = File::open(path).map_err(RecordingError::system("open", path))?;
    let reader = SerializedFileReader::new(file).map_err(library)?;
    for index in 0..reader.num_row_groups() {
        let group = reader.get_row_group(index).map_err(library)?;
        let count = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let width = group.num_columns();
        let mut bytes = vec![0; 8 * count * width];
        for column in 0..width {
            let values = group.get_column_reader(column).and_then(|it| read_column(it, count));
            for (row, x) in values.map_err(library)?.into_iter().enumerate() {
                let at = 8 * (row * width + column);
                bytes[at..at + 8].copy_from_slice(&x.to_le_bytes());
            }
        }
        rows.append(&bytes)?;
    }
    Ok(())
}

fn read_column(column: ColumnReader, count: usize) -> Result<Vec<f64>, ParquetError> {
    let ColumnReader::DoubleColumnReader(mut column) = column else {
        return Err(ParquetError::General("a column is not of doubles".to_owned()));
    };
    let mut values = Vec::with_capacity(count);
    while values.len() < count {
        let (read, ..) = column.read_records(count - values.len(), None, None, &mut values)?;
        if read == 0 {
            return Err(ParquetError::General("a column is too short".to_owned()));
        }
    }
    Ok(values)
}

/// Reads as many bytes as there are, up to the length of `bytes`.
fn read_all(source: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<usize> {
    let mut count = 0;
    loop {
        match source.read(&mut bytes[count..])? {
            0 => return Ok(count),
            more => count += more,
        }
    }
}

fn write_group(
    writer: &mut SerializedFileWriter<File>,
    bytes: &[u8],
    width: usize,
) -> Result<(), ParquetError> {
    let number = |at: usize| {
        let mut eight = [0; 8];
        eight.copy_from_slice(&bytes[8 * at..8 * at + 8]);
        f64::from_le_bytes(eight)
    };
    let rows = bytes.len() / (8 * width);
    let mut group = writer.next_row_group()?;
    for column in 0..width {
        let values: Vec<f64> = (0..rows).map(|row| number(row * width + column)).collect();
        if let Some(mut chunk) = group.next_column()? {
            chunk.typed::<DoubleType>().write_batch(&values, None, None)?;
            chunk.close()?;
        }
    }
    group.close()?;
    Ok(())
}

impl Sink for ParquetSink {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        row_bytes(&mut self.row, time, values);
        Ok(self.rows.append(&self.row)?)
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        Ok(self.rows.place()?)
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        Ok(self.rows.go_back(place)?)
    }

    fn finish(&mut self) -> Result<(), CallbackError> {
        self.write_table()?;
        self.finished = Some(self.rows.length());
        Ok(())
    }
}

impl Drop for ParquetSink {
    fn drop(&mut self) {
        if self.finished == Some(self.rows.length()) {
            // All of it is in the table.
            let _ = fs::remove_file(self.rows.path());
        }
    }
}
