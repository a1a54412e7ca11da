//! Properties that are followed by their paths: resolved once, read as often as there are steps.

use std::sync::Arc;

use super::Readings;
use crate::model::Model;
use crate::property::PropertyRef;
use crate::simulated::Simulated;

/// Properties by their paths, and where the numbers of each are among those of all.
#[derive(Default)]
pub(crate) struct Followed {
    paths: Arc<Vec<String>>,
    offsets: Vec<u32>,
    properties: Vec<Option<PropertyRef>>,
}

impl Followed {
    /// Resolves `paths` in `model`, unless they are those of the last call.
    pub(crate) fn resolve(&mut self, model: &Model, paths: &[String]) {
        if *self.paths == paths {
            return;
        }
        self.paths = Arc::new(paths.to_vec());
        self.properties = paths.iter().map(|path| model.property(path).ok()).collect();
        let size = |p: &Option<PropertyRef>| {
            p.and_then(|p| p.info().value_type.numeric_size()).unwrap_or(1) as u32
        };
        self.offsets.clear();
        self.offsets.push(0);
        for property in &self.properties {
            self.offsets.push(self.offsets[self.offsets.len() - 1] + size(property));
        }
    }

    /// Resolves anew at the next call: the tree of components has changed.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Those that are there.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &PropertyRef> {
        self.properties.iter().flatten()
    }

    /// Count of their numbers.
    pub(crate) fn number_count(&self) -> usize {
        self.offsets.last().map_or(0, |&end| end as usize)
    }

    /// Writes their numbers now, [`Self::number_count`] of them; NaN where a property has none.
    pub(crate) fn read(&self, simulated: Simulated<'_>, numbers: &mut [f64]) {
        for (property, ends) in self.properties.iter().zip(self.offsets.windows(2)) {
            let own = &mut numbers[ends[0] as usize..ends[1] as usize];
            if !property.is_some_and(|p| simulated.get_numbers(&p, own).is_ok()) {
                own.fill(f64::NAN);
            }
        }
    }

    /// Paths and offsets for these numbers.
    pub(crate) fn describe(&self, readings: &mut Readings) {
        readings.paths = self.paths.clone();
        readings.offsets.clone_from(&self.offsets);
    }
}
