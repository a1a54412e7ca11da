//! Tables in memory, for programs that read recordings without a file.

use std::sync::{Arc, Mutex, PoisonError};

use sinew::schedule::{CallbackError, Sink};

/// The rows that a probe recorded so far. Copies of it are the same table.
#[derive(Clone, Debug)]
pub struct MemoryTable {
    columns: Arc<[String]>,
    /// Rows one after the other, each a time and its values.
    numbers: Arc<Mutex<Vec<f64>>>,
}

impl MemoryTable {
    pub(crate) fn new(columns: Vec<String>) -> Self {
        Self { columns: columns.into(), numbers: Arc::default() }
    }

    /// Names of its columns after the time.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Rows one after the other, each a time [s] and a value for every column.
    pub fn numbers(&self) -> Vec<f64> {
        self.with(|numbers| numbers.clone())
    }

    /// Numbers of a row.
    pub fn width(&self) -> usize {
        1 + self.columns.len()
    }

    fn with<T>(&self, work: impl FnOnce(&mut Vec<f64>) -> T) -> T {
        // Numbers are whole after every call, whatever became of who made it.
        work(&mut self.numbers.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sink for MemoryTable {
    fn write(&mut self, time: f64, values: &[f64]) -> Result<(), CallbackError> {
        self.with(|numbers| {
            numbers.push(time);
            numbers.extend_from_slice(values);
        });
        Ok(())
    }

    fn place(&mut self) -> Result<u64, CallbackError> {
        let width = self.width();
        Ok(self.with(|numbers| numbers.len() / width) as u64)
    }

    fn go_back(&mut self, place: u64) -> Result<(), CallbackError> {
        let end = usize::try_from(place)?.saturating_mul(self.width());
        self.with(|numbers| numbers.truncate(end));
        Ok(())
    }
}
