//! `table.csv` and `table.parquet`: a row a case, with its levels, its state, and every number of its result.

use std::collections::HashMap;

use serde_json::Value;

use super::cases::Cases;
use super::folder::{CaseState, Folder};
use crate::exit::CliError;
use crate::output::write_file;

/// Name of the file for people.
pub(super) const NAME: &str = "table.csv";

/// Number of cases in each state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) done: usize,
    /// Numbers of cases that failed, and why.
    pub(super) failed: Vec<(usize, String)>,
    pub(super) open: usize,
}

/// Rows of cells under names; an empty cell has no value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    fn text(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&self.names).chain(&self.rows) {
            writer.write_record(row).expect("every row has as many cells as the heading");
        }
        let bytes = writer.into_inner().expect("memory takes what is left");
        String::from_utf8(bytes).expect("rows are made of strings")
    }
}

/// The heading and a row a case, without a table's ending.
pub(super) fn cases_as_csv(cases: &Cases) -> String {
    begun(cases).text()
}

/// Number and levels of each case.
fn begun(cases: &Cases) -> Table {
    let names = std::iter::once("case".to_owned()).chain(cases.names.iter().cloned()).collect();
    let row = |(number, levels): (usize, &Vec<String>)| {
        std::iter::once(number.to_string()).chain(levels.iter().cloned()).collect()
    };
    Table { names, rows: (1..).zip(&cases.levels).map(row).collect() }
}

/// Writes the table of what is there.
///
/// # Errors
/// A file that cannot be written.
pub(super) fn write(folder: &Folder, cases: &Cases) -> Result<Tally, CliError> {
    let (table, tally) = gathered(folder, cases);
    write_file(&folder.file(NAME), table.text().as_bytes())?;
    #[cfg(feature = "parquet")]
    {
        let path = folder.file(super::parquet_table::NAME);
        write_file(&path, &super::parquet_table::bytes(&table, &path)?)?;
    }
    Ok(tally)
}

/// The table of what is there.
fn gathered(folder: &Folder, cases: &Cases) -> (Table, Tally) {
    let mut tally = Tally::default();
    let mut columns = Columns::default();
    let mut table = begun(cases);
    table.names.extend(["status", "reason"].map(str::to_owned));
    let first = table.names.len();
    for (number, row) in (1..).zip(&mut table.rows) {
        let (status, reason, result) = match folder.state(number) {
            CaseState::Done(result) => {
                tally.done += 1;
                ("done", String::new(), result)
            }
            CaseState::Failed { reason, result } => {
                tally.failed.push((number, reason.clone()));
                ("failed", reason, result)
            }
            CaseState::Open => {
                tally.open += 1;
                ("open", String::new(), Value::Null)
            }
        };
        row.extend([status.to_owned(), reason]);
        flatten("", &result, &mut |name, value| {
            let place = first + columns.of(name);
            row.resize(row.len().max(place + 1), String::new());
            row[place] = value.to_string();
        });
    }
    table.names.extend(columns.names);
    let width = table.names.len();
    table.rows.iter_mut().for_each(|row| row.resize(width, String::new()));
    (table, tally)
}

/// Names of the numbers of results, in the order in which they come.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Columns {
    fn of(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }
}

/// Every number in `value` under its name: keys joined by points, those of a list being the `name` of an entry or its
/// number.
fn flatten(name: &str, value: &Value, visit: &mut dyn FnMut(&str, &serde_json::Number)) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Number(number) => visit(name, number),
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| flatten(&below(key), value, visit));
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                let key = value["name"].as_str().map_or_else(|| index.to_string(), str::to_owned);
                flatten(&below(&key), value, visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::flatten;

    #[test]
    fn numbers_of_a_result_have_names() {
        let result = json!({
            "model": "jaw", "volume": 0.5, "tip": [1.0, -2], "step_ms": {"mean": 4},
            "distances": [{"name": "gape", "max": 0.04}],
        });
        let mut found = Vec::new();
        flatten("", &result, &mut |name, value| found.push(format!("{name} {value}")));
        let expected =
            ["volume 0.5", "tip.0 1.0", "tip.1 -2", "step_ms.mean 4", "distances.gape.max 0.04"];
        assert_eq!(found, expected);
    }
}
