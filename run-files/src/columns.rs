//! Properties of the columns of a recorded table.

use sinew::model::Model;

use crate::read::Heading;
use crate::spec::InputProbeSpec;
use sinew::formula::part_names;

/// The columns that are named by properties of `model`, as an output probe names them, each with all of
/// its parts in a row; a probe that feeds them. Other columns, and properties that can only be read, are
/// left out and named in the second part.
pub fn properties_of_columns(heading: &Heading, model: &Model) -> (InputProbeSpec, Vec<String>) {
    let (mut spec, mut others) = (InputProbeSpec::default(), Vec::new());
    let mut rest = &heading.columns[..];
    while let Some((column, after)) = rest.split_first() {
        match property_at(rest, model) {
            Some((path, count)) => {
                spec.properties.push(path);
                spec.columns.extend_from_slice(&rest[..count]);
                rest = &rest[count..];
            }
            None => {
                others.push(column.clone());
                rest = after;
            }
        }
    }
    (spec, others)
}

/// The property that the first columns are, and how many they are.
fn property_at(columns: &[String], model: &Model) -> Option<(String, usize)> {
    let settable = |path: &str| {
        let property = model.property(path).ok()?;
        (!property.info().read_only).then_some(property.info().value_type)
    };
    let first = columns.first()?;
    if settable(first).is_some_and(|ty| ty.numeric_size() == Some(1)) {
        return Some((first.clone(), 1));
    }
    let (path, _) = first.rsplit_once('.')?;
    let parts = part_names(settable(path)?);
    let named = columns.iter().zip(parts).all(|(it, part)| *it == format!("{path}.{part}"));
    let whole = !parts.is_empty() && columns.len() >= parts.len() && named;
    whole.then(|| (path.to_owned(), parts.len()))
}
