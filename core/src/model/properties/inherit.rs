//! ArtiSynth's rule of inheritance: a property is explicit, or it has the value of the nearest
//! ancestor that has a property of that name with an explicit value; without one, the default.

use super::access;
use crate::component::{Address, ComponentId, Kind};
use crate::model::{Meta, Model, for_kind};
use crate::property::{
    Access, DECLARED_ROW, ModelComponent, PropertyRef, RenderProps, Setting, Value,
};

/// Place of a line of a component's table.
pub(super) enum PropertyRow {
    /// In the table of its kind.
    Own(usize),
    /// The name.
    Name,
    /// In the table of [`RenderProps`].
    Render(usize),
    /// In none: a user declared it on the component.
    Declared,
}

impl PropertyRow {
    pub(super) fn of(kind: Kind, row: usize) -> Self {
        if row == DECLARED_ROW {
            return Self::Declared;
        }
        let own = for_kind!(kind, T => T::properties().len());
        match row.checked_sub(own) {
            None => Self::Own(row),
            Some(0) => Self::Name,
            Some(shared) => Self::Render(shared - 1),
        }
    }
}

/// The part `row` of how a component is drawn, where it is its own.
pub(super) fn render_value(meta: &Meta, row: usize) -> Option<Value> {
    match &RenderProps::table()[row].access {
        Access::Inheritable { get, .. } => get(meta.render.as_deref()?),
        _ => None,
    }
}

/// Sets it, or lets it be inherited; what has nothing of its own takes no memory.
pub(super) fn set_render_value(meta: &mut Meta, row: usize, value: Option<&Value>) {
    if value.is_none() && meta.render.is_none() {
        return;
    }
    let render = meta.render.get_or_insert_default();
    if let Access::Inheritable { set, .. } = &RenderProps::table()[row].access {
        set(render, value);
    }
    if **render == RenderProps::default() {
        meta.render = None;
    }
}

impl Model {
    /// The value that an inheritable property has when it is not its own.
    pub(crate) fn inherited(&self, property: &PropertyRef) -> Value {
        let id = property.host().component();
        let mut above = self.store.ancestors(id);
        let found = above.find_map(|up| self.explicit(up, property));
        found.unwrap_or_else(|| property.info().default.clone())
    }

    /// The ancestor whose value an inherited property has.
    pub(crate) fn inherited_from(&self, property: &PropertyRef) -> Option<ComponentId> {
        let id = property.host().component();
        self.store.ancestors(id).find(|&up| self.explicit(up, property).is_some())
    }

    /// The explicit value of the property of the same name of `up`.
    fn explicit(&self, up: ComponentId, property: &PropertyRef) -> Option<Value> {
        let own = match PropertyRow::of(property.host().component().kind(), property.row) {
            PropertyRow::Render(row) => return render_value(self.store.meta(up)?, row),
            PropertyRow::Own(_) | PropertyRow::Name => property.info().name,
            PropertyRow::Declared => return None,
        };
        let host = Address::Component(up);
        let inherits = access::infos(host).any(|info| info.name == own && info.inheritable);
        if !inherits {
            return None;
        }
        match self.setting(&self.property_of(host, own).ok()?) {
            Ok(Setting::Explicit(value)) => Some(value),
            _ => None,
        }
    }

    /// Appearance of a component, with everything that it inherits.
    pub fn render_props(&self, id: impl Into<ComponentId>) -> RenderProps {
        Self::with_defaults(self.given_render_props(id))
    }

    /// Appearance with the defaults for all that is not given.
    pub(crate) fn with_defaults(given: RenderProps) -> RenderProps {
        let mut resolved = given;
        for line in RenderProps::table() {
            if let Access::Inheritable { get, set, .. } = &line.access
                && get(&resolved).is_none()
            {
                set(&mut resolved, Some(&line.info.default));
            }
        }
        resolved
    }

    /// The component itself or its nearest ancestor that has a look of its own: all of the same source look alike.
    pub(crate) fn source_of_look(&self, id: ComponentId) -> Option<ComponentId> {
        let has_one = |up: &ComponentId| self.store.meta(*up).is_some_and(|it| it.render.is_some());
        std::iter::once(id).chain(self.store.ancestors(id)).find(has_one)
    }

    /// Appearance of a component by its own properties and those it inherits; `None` for one that
    /// is explicit nowhere from it to the root.
    pub fn given_render_props(&self, id: impl Into<ComponentId>) -> RenderProps {
        let id = id.into();
        let mut given = RenderProps::default();
        let line_of = std::iter::once(id).chain(self.store.ancestors(id));
        // Few components have a look of their own, and a scene asks for that of all.
        let own: Vec<&RenderProps> =
            line_of.filter_map(|up| self.store.meta(up)?.render.as_deref()).collect();
        for line in RenderProps::table().iter().filter(|_| !own.is_empty()) {
            if let Access::Inheritable { get, set, .. } = &line.access {
                let value = own.iter().find_map(|render| get(render));
                set(&mut given, value.as_ref());
            }
        }
        given
    }
}
