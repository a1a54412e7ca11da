//! From the description of a probe that feeds to its rows, and to the probe.

use std::path::{Path, PathBuf};

use sinew::model::Model;
use sinew::property::PropertyRef;
use sinew::schedule::InputProbe;

use crate::ProbeError;
use crate::gaps::Closed;
use crate::lookup::{find, width};
use crate::read::{self, MemoryRows, Rows};
use crate::select::Selected;
use crate::spec::{InputProbeSpec, SamplingSpec};
use crate::table::{Table, Use};

/// Rows of a probe that feeds, and their use.
pub(crate) struct InputRows {
    pub(crate) properties: Vec<PropertyRef>,
    pub(crate) rows: Closed,
    pub(crate) how: Use,
}

/// The rows that `spec` describes for properties of `model`; its file is relative to `root`.
pub(crate) fn input_rows(
    spec: &InputProbeSpec,
    model: &Model,
    root: &Path,
) -> Result<InputRows, ProbeError> {
    let name = spec.name.clone();
    let field = |what: &str| ProbeError::Field { probe: name.clone(), what: what.to_owned() };
    let properties = find(&name, &spec.properties, model)?;
    let (path, rows) = rows_of(spec, root)?;
    let how = usage(spec, &*rows);
    if [how.start, spec.scale.unwrap_or(1.0)].iter().any(|x| !x.is_finite()) || how.stop.is_nan() {
        return Err(field("start, stop and scale are to be finite"));
    }
    if !(how.stretch > 0.0 && how.stretch.is_finite()) {
        return Err(field(&format!("stretch must be > 0 and finite, got {}", how.stretch)));
    }
    let degrees = rows.heading().degrees;
    let named = |source| ProbeError::File { probe: name.clone(), source };
    let mut selected = Selected::new(&path, rows, &spec.columns).map_err(named)?;
    let (columns, values) = (selected.width(), width(&properties));
    if columns != values {
        return Err(ProbeError::Width { probe: name, columns, values });
    }
    scale(&mut selected, &properties, spec.scale.unwrap_or(1.0), degrees);
    Ok(InputRows { properties, rows: Closed::new(selected, spec.gaps), how })
}

/// The probe that feeds what `spec` describes into properties of `model`; its file is relative to `root`.
///
/// # Errors
/// A property, file, column or field that does not do.
pub fn input_probe(
    spec: &InputProbeSpec,
    model: &Model,
    root: &Path,
) -> Result<InputProbe, ProbeError> {
    let name = spec.name.clone();
    let InputRows { properties, rows, how } = input_rows(spec, model, root)?;
    let named = |source| ProbeError::File { probe: name.clone(), source };
    let table = Table::new(rows, how).map_err(named)?;
    let probe = InputProbe::new(name.clone(), properties, Box::new(table));
    let mut probe = probe.map_err(|property| {
        let property = model.property_path(&property);
        let why = "can only be read, or is no fixed count of numbers";
        ProbeError::Unfit { probe: name, property, why }
    })?;
    probe.enabled = !spec.disabled;
    Ok(probe)
}

/// The rows of a probe, and what they are called in errors.
fn rows_of(spec: &InputProbeSpec, root: &Path) -> Result<(PathBuf, Box<dyn Rows>), ProbeError> {
    let field = |what: &str| ProbeError::Field { probe: spec.name.clone(), what: what.to_owned() };
    match (&spec.file, spec.data.is_empty()) {
        (Some(file), true) => {
            let path = root.join(file);
            let named = |source| ProbeError::File { probe: spec.name.clone(), source };
            Ok((path.clone(), read::open(&path).map_err(named)?))
        }
        (None, false) => {
            let rows = MemoryRows::new(spec.data.clone()).ok_or_else(|| {
                field("data: rows of one length are expected, a finite time and one value at least")
            })?;
            Ok((PathBuf::from("data"), Box::new(rows)))
        }
        _ => Err(field("either 'file' or 'data' is expected")),
    }
}

/// Use of a file: values that the spec does not give are those of the file.
fn usage(spec: &InputProbeSpec, rows: &dyn Rows) -> Use {
    let heading = rows.heading();
    let [begin, end, stretch] = heading.interval.unwrap_or([0.0, f64::INFINITY, 1.0]);
    Use {
        interpolation: spec.interpolation.or(heading.interpolation).unwrap_or_default(),
        extension: spec.extension,
        start: spec.start.unwrap_or(begin),
        stop: spec.stop.unwrap_or(end),
        stretch: spec.stretch.unwrap_or(stretch),
        cut: spec.sampling == SamplingSpec::Cut,
    }
}

/// Factors of the values: that of the probe, and of angles of files in degrees.
pub(crate) fn scale(
    selected: &mut Selected,
    properties: &[PropertyRef],
    factor: f64,
    degrees: bool,
) {
    let mut at = 0;
    for property in properties {
        let info = property.info();
        let turn = if degrees && info.unit.starts_with("rad") { 1_f64.to_radians() } else { 1.0 };
        for _ in 0..info.value_type.numeric_size().unwrap_or(0) {
            selected.scale(at, factor * turn);
            at += 1;
        }
    }
}
