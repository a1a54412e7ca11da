//! Tracks of probes for a timeline, with their curves.

use std::sync::Arc;

use sinew::component::ROOT;
use sinew::model::Model;
use sinew::property::PropertyRef;
use sinew::schedule::{ProbeCurve, ProbeRun, ProbeTrack};

use super::points::columns_of;
use super::{Curve, Live};
use crate::spec::{InputProbeSpec, OutputProbeSpec};

/// Paths of properties; `None` where one of them was deleted.
fn paths(model: &Model, properties: &[PropertyRef]) -> Option<Vec<String>> {
    let path = |it: &PropertyRef| model.has_property(it).then(|| model.property_path(it));
    properties.iter().map(path).collect()
}

impl Live {
    pub(super) fn input_track(&mut self, at: usize, run: &ProbeRun<'_>) -> ProbeTrack {
        let (probe, model) = (&run.lists.inputs()[at], run.simulation.model());
        let known = paths(model, probe.properties());
        let id = probe.component().unwrap_or(ROOT);
        let plain = ProbeTrack {
            name: probe.name.clone(),
            feeds: true,
            span: probe.span(),
            enabled: probe.enabled && known.is_some(),
            properties: known.unwrap_or_default(),
            ..ProbeTrack::of(id)
        };
        let Some(component) = id.typed::<sinew::model::InputProbe>().and_then(|it| model.get(it))
        else {
            return plain;
        };
        let spec = InputProbeSpec::of(model, component);
        if self.curves.get(&id).and_then(|it| it.of.as_ref()) != Some(component) {
            let made = self.points(&spec, model).and_then(|points| {
                let of = (&spec, model, self.input.as_path());
                Ok((Arc::new(points.curve(of)?), points.span()))
            });
            // A file that is gone: without a curve.
            let (curve, span) = made.unwrap_or_else(|_| (Arc::default(), [0.0; 2]));
            let of = Some(component.clone());
            self.curves.insert(id, Curve { curve, span, revision: None, of });
        }
        let (curve, span) =
            self.curves.get(&id).map_or_else(Default::default, |it| (it.curve.clone(), it.span));
        ProbeTrack {
            path: model.path(id),
            span,
            interpolation: Some(spec.interpolation.unwrap_or_default().into()),
            file: spec.file.map_or_else(String::new, |it| it.display().to_string()),
            curve,
            ..plain
        }
    }

    pub(super) fn output_track(&mut self, at: usize, run: &ProbeRun<'_>) -> ProbeTrack {
        let (probe, model) = (&run.lists.outputs()[at], run.simulation.model());
        let known = paths(model, probe.properties());
        let id = probe.component().unwrap_or(ROOT);
        let plain = ProbeTrack {
            name: probe.name.clone(),
            span: [probe.times().start, probe.times().stop],
            enabled: probe.enabled && known.is_some(),
            properties: known.unwrap_or_default(),
            ..ProbeTrack::of(id)
        };
        let spec = id.typed().and_then(|it| OutputProbeSpec::of_handle(model, it));
        let Some(spec) = spec else { return plain };
        let file = self.folder().join(spec.path()).display().to_string();
        let kept = self.curves.entry(id).or_default();
        if let Some((revision, times, values, width)) = run.lists.kept_rows(at)
            && kept.revision != Some(revision)
        {
            let columns = columns_of(probe.properties(), model).into_iter();
            let columns = columns.take(probe.size() - spec.expressions.len().min(probe.size()));
            let columns = columns.chain(spec.expressions.keys().cloned()).take(width).collect();
            let (times, values) = (times.to_vec(), values.to_vec());
            let curve = ProbeCurve { columns, times, values, ..ProbeCurve::default() };
            (kept.curve, kept.revision) = (Arc::new(curve), Some(revision));
        }
        ProbeTrack { path: model.path(id), file, curve: kept.curve.clone(), ..plain }
    }
}
