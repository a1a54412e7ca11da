//! Probes between their descriptions by paths, which files and command lines have, and the components of a model.

use std::collections::BTreeMap;

use sinew::component::Handle;
use sinew::model::{
    InputProbe, Model, NamedFormula, OutputProbe, ProbeExtension, ProbeGaps, ProbeInterpolation,
    ProbeSampling,
};
use sinew::property::{Components, NamedProperty};

use crate::ProbeError;
use crate::expression::formula;
use crate::lookup::{find, width};
use crate::spec::{
    Extension, Gaps, InputProbeSpec, Interpolation, OutputProbeSpec, ProbeSet, SamplingSpec,
};

/// Conversions between words of files and words of components.
macro_rules! same_words {
    ($($file:ident = $component:ident { $($word:ident),+ },)+) => {
        $(
            impl From<$file> for $component {
                fn from(it: $file) -> Self {
                    match it { $($file::$word => Self::$word,)+ }
                }
            }

            impl From<$component> for $file {
                fn from(it: $component) -> Self {
                    match it { $($component::$word => Self::$word,)+ }
                }
            }
        )+
    };
}

same_words! {
    Interpolation = ProbeInterpolation { Step, Linear, Cubic, Spline },
    Extension = ProbeExtension { None, Hold, Repeat, Linear },
    Gaps = ProbeGaps { Refuse, Interpolate },
    SamplingSpec = ProbeSampling { Interpolate, Cut },
}

impl ProbeSet {
    /// Descriptions of the probes of a model.
    pub fn of(model: &Model) -> Self {
        Self {
            input_probes: model.iter().map(|(_, it)| InputProbeSpec::of(model, it)).collect(),
            output_probes: model.iter().map(|(_, it)| OutputProbeSpec::of(model, it)).collect(),
            tracing_probes: Vec::new(),
        }
    }

    /// Adds these probes to the first mechanical model, those that feed first; ones that trace points as ones that record
    /// their positions.
    ///
    /// # Errors
    /// The first one that the model does not take; those before it are added then.
    pub fn add_to(&self, model: &mut Model) -> Result<(), ProbeError> {
        for spec in &self.input_probes {
            let component = spec.component(model)?;
            model.add(component);
        }
        for spec in self.outputs() {
            let component = spec.component(model)?;
            model.add(component);
        }
        Ok(())
    }
}

/// A component as one that other components see.
fn seen(model: &Model) -> &dyn Components {
    model
}

fn paths(model: &Model, properties: &[NamedProperty]) -> Vec<String> {
    properties.iter().map(|it| it.path(seen(model))).collect()
}

/// The properties at these paths.
fn named(probe: &str, paths: &[String], model: &Model) -> Result<Vec<NamedProperty>, ProbeError> {
    let found = find(probe, paths, model)?;
    Ok(found.iter().map(|it| NamedProperty::new(it.host(), it.info().name)).collect())
}

impl InputProbeSpec {
    /// That of a component.
    pub fn of(model: &Model, it: &InputProbe) -> Self {
        let properties = paths(model, &it.properties);
        let row = 1 + it.properties.iter().filter_map(|it| size(it, model)).sum::<usize>();
        Self {
            name: it.name.clone(),
            properties,
            file: (!it.file.is_empty()).then(|| it.file.clone().into()),
            columns: it.columns.clone(),
            data: it.data.chunks(row).map(<[f64]>::to_vec).collect(),
            interpolation: it.interpolation.map(Into::into),
            extension: it.extension.into(),
            gaps: it.gaps.into(),
            scale: it.scale,
            start: it.start,
            stretch: it.stretch,
            stop: it.stop,
            sampling: it.sampling.into(),
            disabled: it.disabled,
        }
    }

    /// As a component of a model.
    ///
    /// # Errors
    /// A property that is not there, rows of another length.
    pub fn component(&self, model: &Model) -> Result<InputProbe, ProbeError> {
        let properties = find(&self.name, &self.properties, model)?;
        let row = 1 + width(&properties);
        if let Some(other) = self.data.iter().find(|it| it.len() != row) {
            let (columns, values) = (other.len().saturating_sub(1), row - 1);
            return Err(ProbeError::Width { probe: self.name.clone(), columns, values });
        }
        Ok(InputProbe {
            name: self.name.clone(),
            disabled: self.disabled,
            properties: named(&self.name, &self.properties, model)?,
            file: self.file.as_ref().map_or_else(String::new, |it| it.display().to_string()),
            columns: self.columns.clone(),
            data: self.data.concat(),
            interpolation: self.interpolation.map(Into::into),
            extension: self.extension.into(),
            gaps: self.gaps.into(),
            scale: self.scale,
            start: self.start,
            stretch: self.stretch,
            stop: self.stop,
            sampling: self.sampling.into(),
        })
    }
}

fn size(property: &NamedProperty, model: &Model) -> Option<usize> {
    let found = model.property_of(property.host, &property.name).ok()?;
    found.info().value_type.numeric_size()
}

impl OutputProbeSpec {
    /// That of a component.
    pub fn of(model: &Model, it: &OutputProbe) -> Self {
        let formulas = it.expressions.iter().map(|it| (it.name.clone(), it.text(seen(model))));
        Self {
            name: it.name.clone(),
            properties: paths(model, &it.properties),
            expressions: formulas.collect::<BTreeMap<_, _>>(),
            file: (!it.file.is_empty()).then(|| it.file.clone().into()),
            every: it.every,
            start: it.start,
            stop: it.stop,
            sampling: it.sampling.into(),
            disabled: it.disabled,
        }
    }

    /// As a component of a model.
    ///
    /// # Errors
    /// A property that is not there, a formula that cannot be read.
    pub fn component(&self, model: &Model) -> Result<OutputProbe, ProbeError> {
        let expression = |(name, text): (&String, &String)| {
            formula(&self.name, text, model)?;
            NamedFormula::read(name, text, model).map_err(|source| ProbeError::Property {
                probe: self.name.clone(),
                source: Box::new(source),
            })
        };
        Ok(OutputProbe {
            name: self.name.clone(),
            disabled: self.disabled,
            properties: named(&self.name, &self.properties, model)?,
            expressions: self.expressions.iter().map(expression).collect::<Result<_, _>>()?,
            file: self.file.as_ref().map_or_else(String::new, |it| it.display().to_string()),
            every: self.every,
            start: self.start,
            stop: self.stop,
            sampling: self.sampling.into(),
        })
    }

    /// The description of the component of a handle.
    pub(crate) fn of_handle(model: &Model, handle: Handle<OutputProbe>) -> Option<Self> {
        model.get(handle).map(|it| Self::of(model, it))
    }
}

impl InputProbeSpec {
    /// The description of the component of a handle.
    pub(crate) fn of_handle(model: &Model, handle: Handle<InputProbe>) -> Option<Self> {
        model.get(handle).map(|it| Self::of(model, it))
    }
}
