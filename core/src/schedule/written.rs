//! Properties that controllers and probes have set, to put them back on the way to a waypoint.

use std::collections::HashMap;

use crate::component::Address;
use crate::model::Model;
use crate::property::{PropertyError, PropertyRef, Setting};

/// The properties that were set in a run, and what they were before, in the order of their first
/// setting. The map only finds a place in the list; its order reaches no result.
#[derive(Default)]
pub(super) struct Written {
    places: HashMap<(Address, usize), usize>,
    list: Vec<(PropertyRef, Setting)>,
}

impl Written {
    /// Keeps what `property` is, unless that was done.
    pub(super) fn remember(
        &mut self,
        model: &Model,
        property: &PropertyRef,
    ) -> Result<(), PropertyError> {
        let key = property.key();
        if !self.places.contains_key(&key) {
            let setting = model.setting(property)?;
            self.places.insert(key, self.list.len());
            self.list.push((*property, setting));
        }
        Ok(())
    }

    /// Puts back what was set of parts of tissues, and forgets it: before their numbers become others.
    pub(super) fn put_back_parts(&mut self, model: &mut Model) -> Result<(), PropertyError> {
        let is_part = |property: &PropertyRef| property.host().part().is_some();
        let (parts, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.list).into_iter().partition(|(it, _)| is_part(it));
        self.list = others;
        let places = self.list.iter().enumerate();
        self.places = places.map(|(place, (property, _))| (property.key(), place)).collect();
        for (property, before) in parts {
            if model.has_property(&property) {
                put(model, &property, &before)?;
            }
        }
        Ok(())
    }

    /// Their present settings; those of deleted components are left out.
    pub(super) fn settings(&self, model: &Model) -> Vec<(String, Setting)> {
        let known = self.list.iter().filter(|(property, _)| model.has_property(property));
        let setting = |property: &PropertyRef| {
            Some((model.property_path(property), model.setting(property).ok()?))
        };
        known.filter_map(|(property, _)| setting(property)).collect()
    }

    /// Puts `settings` back, and what was set since then to what it was before.
    pub(super) fn put_back(
        &mut self,
        model: &mut Model,
        settings: &[(String, Setting)],
    ) -> Result<(), PropertyError> {
        for (property, before) in &self.list {
            if model.has_property(property) {
                put(model, property, before)?;
            }
        }
        for (path, setting) in settings {
            let property = model.property(path)?;
            self.remember(model, &property)?;
            put(model, &property, setting)?;
        }
        Ok(())
    }
}

/// Sets what differs; what is the same makes nothing stale.
fn put(model: &mut Model, property: &PropertyRef, setting: &Setting) -> Result<(), PropertyError> {
    if model.setting(property)? == *setting {
        return Ok(());
    }
    match setting {
        Setting::Explicit(value) => model.set_property(property, value.clone()),
        Setting::Inherited => model.inherit_property(property),
    }
}
