//! The time course of a load or of a prescribed support.

use serde::{Deserialize, Serialize};

/// A factor over time [-].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// The same at all times.
    Constant(f64),
    /// Linear between (time [s], value) pairs with rising times, constant outside them.
    Table(Vec<[f64; 2]>),
}

impl Default for Schedule {
    fn default() -> Self {
        Self::Constant(1.0)
    }
}

impl Schedule {
    /// The factor at time `t` [s].
    pub fn at(&self, t: f64) -> f64 {
        let table = match self {
            Self::Constant(value) => return *value,
            Self::Table(table) => table,
        };
        let after = table.partition_point(|row| row[0] <= t);
        match (table.get(after.wrapping_sub(1)), table.get(after)) {
            (Some(&[t0, v0]), Some(&[t1, v1])) => v0 + (v1 - v0) * (t - t0) / (t1 - t0),
            (Some(row), None) | (None, Some(row)) => row[1],
            (None, None) => 0.0,
        }
    }
}

impl Schedule {
    /// As a list for a property: one number, or times [s] and values in turn.
    pub(crate) fn to_list(&self) -> Vec<f64> {
        match self {
            Self::Constant(value) => vec![*value],
            Self::Table(table) => table.as_flattened().to_vec(),
        }
    }

    /// From such a list; `None` where a time has no value.
    pub(crate) fn from_list(list: &[f64]) -> Option<Self> {
        match list {
            [value] => Some(Self::Constant(*value)),
            _ => {
                let (rows, rest) = list.as_chunks::<2>();
                rest.is_empty().then(|| Self::Table(rows.to_vec()))
            }
        }
    }
}
