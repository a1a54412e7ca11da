//! The table of a sweep as a Parquet file: numbers as numbers, the rest as text, empty cells as null.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::error::SweepError;
use super::table::Table;

/// Name of the file.
pub(super) const NAME: &str = "table.parquet";

/// Content of a column, with nothing for empty cells.
enum Column {
    Numbers(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
}

/// The file that is to be at `path`.
///
/// # Errors
/// What the library refuses, such as two columns of one name.
pub(super) fn bytes(table: &Table, path: &Path) -> Result<Vec<u8>, SweepError> {
    file(table)
        .map_err(|error| SweepError::Table { path: path.to_owned(), what: error.to_string() })
}

fn file(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let columns: Vec<Column> = (0..table.names.len()).map(|k| column(table, k)).collect();
    let fields = table.names.iter().zip(&columns).map(|(name, column)| field(name, column));
    let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
    let schema = Arc::new(Type::group_type_builder("cases").with_fields(fields).build()?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default())?;
    let mut group = writer.next_row_group()?;
    for column in columns {
        let mut writer = group.next_column()?.expect("a writer a field");
        match column {
            Column::Numbers(cells) => {
                let (values, levels) = parted(cells);
                writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
            }
            Column::Texts(cells) => {
                let (values, levels) = parted(cells);
                let values: Vec<ByteArray> =
                    values.into_iter().map(|text| text.into_bytes().into()).collect();
                writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
        }
        writer.close()?;
    }
    group.close()?;
    writer.into_inner()
}

/// A column is one of numbers where every cell that has something is a number, and one has.
fn column(table: &Table, place: usize) -> Column {
    let cells = || table.rows.iter().map(|row| Some(&*row[place]).filter(|cell| !cell.is_empty()));
    let numbers: Option<Vec<Option<f64>>> = cells()
        .map(|cell| cell.map_or(Some(None), |text| text.trim().parse().ok().map(Some)))
        .collect();
    match numbers {
        Some(numbers) if numbers.iter().any(Option::is_some) => Column::Numbers(numbers),
        _ => Column::Texts(cells().map(|cell| cell.map(str::to_owned)).collect()),
    }
}

fn field(name: &str, column: &Column) -> Result<Arc<Type>, ParquetError> {
    let (physical, converted) = match column {
        Column::Numbers(_) => (PhysicalType::DOUBLE, ConvertedType::NONE),
        Column::Texts(_) => (PhysicalType::BYTE_ARRAY, ConvertedType::UTF8),
    };
    let field = Type::primitive_type_builder(name, physical).with_converted_type(converted);
    Ok(Arc::new(field.with_repetition(Repetition::OPTIONAL).build()?))
}

/// Values that there are, and a level a cell: 1 for a value, 0 for none.
fn parted<T>(cells: Vec<Option<T>>) -> (Vec<T>, Vec<i16>) {
    let levels = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    (cells.into_iter().flatten().collect(), levels)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    #[test]
    fn numbers_come_back_to_the_bit_and_empty_cells_as_nothing() {
        let names = ["case", "task", "E", "reason", "tip.2"].map(str::to_owned).to_vec();
        let row = |cells: [&str; 5]| cells.map(str::to_owned).to_vec();
        let rows = vec![
            row(["1", "open", "2e3", "", "-0.1234567890123456"]),
            row(["2", "3", "5e5", "", ""]),
        ];
        let mut kept = tempfile::tempfile().unwrap();
        kept.write_all(&file(&Table { names: names.clone(), rows }).unwrap()).unwrap();
        let reader = SerializedFileReader::new(kept).unwrap();
        let read: Vec<Vec<(String, Field)>> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns()).collect();
        let found: Vec<&String> = read[0].iter().map(|(name, _)| name).collect();
        assert_eq!(found, names.iter().collect::<Vec<_>>());
        let text = |it: &str| Field::Str(it.to_owned());
        let cells = |row: usize| read[row].iter().map(|(_, it)| it.clone()).collect::<Vec<_>>();
        let tip = Field::Double(-0.123_456_789_012_345_6);
        let first = [Field::Double(1.0), text("open"), Field::Double(2e3), Field::Null, tip];
        assert_eq!(cells(0), first);
        let second = [Field::Double(2.0), text("3"), Field::Double(5e5), Field::Null, Field::Null];
        assert_eq!(cells(1), second);
    }
}
