//! `table.csv`: a row a case, with its levels, its state, and every number of its result.

use std::collections::HashMap;

use serde_json::Value;

use super::cases::Cases;
use super::folder::{CaseState, Folder};
use crate::exit::CliError;
use crate::output::write_file;

/// Name of the file.
pub(super) const NAME: &str = "table.csv";

/// Number of cases in each state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) done: usize,
    /// Numbers of cases that failed, and why.
    pub(super) failed: Vec<(usize, String)>,
    pub(super) open: usize,
}

/// The heading and a row a case, without a table's ending.
pub(super) fn cases_as_csv(cases: &Cases) -> String {
    let mut table = Rows::default();
    table.push(["case"].into_iter().chain(cases.names.iter().map(String::as_str)));
    for (number, levels) in (1..).zip(&cases.levels) {
        let number: usize = number;
        table.push([&*number.to_string()].into_iter().chain(levels.iter().map(String::as_str)));
    }
    table.text()
}

/// Writes the table of what is there.
///
/// # Errors
/// A file that cannot be written.
pub(super) fn write(folder: &Folder, cases: &Cases) -> Result<Tally, CliError> {
    let mut tally = Tally::default();
    let mut columns = Columns::default();
    let mut rows = Vec::with_capacity(cases.count());
    for number in 1..=cases.count() {
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
        let mut numbers = Vec::new();
        flatten("", &result, &mut |name, value| {
            numbers.push((columns.of(name), value.to_string()))
        });
        rows.push((status, reason, numbers));
    }
    let mut table = Rows::default();
    let factors = cases.names.iter().map(String::as_str);
    let heading = ["case"].into_iter().chain(factors).chain(["status", "reason"]);
    table.push(heading.chain(columns.names.iter().map(String::as_str)));
    let mut cells = vec![String::new(); columns.names.len()];
    for (index, (status, reason, numbers)) in rows.into_iter().enumerate() {
        cells.fill(String::new());
        numbers.into_iter().for_each(|(column, value)| cells[column] = value);
        let number = (index + 1).to_string();
        let levels = cases.levels[index].iter().map(String::as_str);
        let begin = [&*number].into_iter().chain(levels).chain([status, &reason]);
        table.push(begin.chain(cells.iter().map(String::as_str)));
    }
    write_file(&folder.file(NAME), table.text().as_bytes())?;
    Ok(tally)
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

/// Rows of CSV in memory.
struct Rows(csv::Writer<Vec<u8>>);

impl Default for Rows {
    fn default() -> Self {
        Self(csv::Writer::from_writer(Vec::new()))
    }
}

impl Rows {
    fn push<'s>(&mut self, row: impl Iterator<Item = &'s str>) {
        self.0.write_record(row).expect("every row has as many cells as the heading");
    }

    fn text(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes what is left");
        String::from_utf8(bytes).expect("rows are made of strings")
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
