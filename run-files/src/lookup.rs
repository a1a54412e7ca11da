//! The properties that a probe names.

use sinew::model::Model;
use sinew::property::PropertyRef;

use crate::ProbeError;

/// Number of values of properties together.
pub(crate) fn width(properties: &[PropertyRef]) -> usize {
    properties.iter().filter_map(|it| it.info().value_type.numeric_size()).sum()
}

/// The properties of these paths.
pub(crate) fn find(
    probe: &str,
    paths: &[String],
    model: &Model,
) -> Result<Vec<PropertyRef>, ProbeError> {
    let property = |path: &String| {
        model.property(path).map_err(|source| ProbeError::Property {
            probe: probe.to_owned(),
            source: Box::new(source),
        })
    };
    paths.iter().map(property).collect()
}
