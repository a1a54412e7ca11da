//! Finding, reading and setting properties. A reference is resolved once from a path; reading and
//! setting numbers through it allocates nothing.

use super::inherit::Place;
use super::{Access, PropertyError, PropertyInfo, PropertyType, RenderProps, Value, parts};
use crate::component::path::ParsedPath;
use crate::component::spelling::similar;
use crate::component::{
    Address, ComponentId, Invalidates, ModelComponent, PathError, ROOT, for_kind,
};
use crate::model::Model;

/// A property of one component, node or element.
#[derive(Clone, Copy, Debug)]
pub struct PropertyRef {
    host: Address,
    pub(crate) row: usize,
    info: &'static PropertyInfo,
}

impl PropertyRef {
    /// Whose property it is.
    pub fn host(&self) -> Address {
        self.host
    }

    /// What it is.
    pub fn info(&self) -> &'static PropertyInfo {
        self.info
    }
}

/// A value of its own, or that of an ancestor.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// This value.
    Explicit(Value),
    /// That of the nearest ancestor that has a value of its own, or else the default.
    Inherited,
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Explicit(value) => value.fmt(f),
            Self::Inherited => f.write_str("inherited"),
        }
    }
}

/// The lines of the table that `host` has, in order.
pub(crate) fn infos(host: Address) -> impl Iterator<Item = &'static PropertyInfo> {
    let (own, shared) = match host {
        Address::Component(id) => {
            let own: &mut dyn Iterator<Item = &'static PropertyInfo> =
                for_kind!(id.kind(), T => &mut T::properties().iter().map(|p| &p.info));
            let shared = RenderProps::table().iter().map(|p| &p.info);
            (own.collect::<Vec<_>>(), Some(std::iter::once(&super::NAME).chain(shared)))
        }
        Address::Node(..) => (parts::NODE.iter().map(|p| &p.info).collect(), None),
        Address::Element(..) => (parts::ELEMENT.iter().map(|p| &p.info).collect(), None),
        Address::Part(..) => (Vec::new(), None),
    };
    own.into_iter().chain(shared.into_iter().flatten())
}

impl Model {
    /// The properties of a component, node or element, in the order of the table.
    pub fn properties(&self, host: impl Into<Address>) -> Vec<PropertyRef> {
        let host = host.into();
        infos(host).enumerate().map(|(row, info)| PropertyRef { host, row, info }).collect()
    }

    /// The property at `path`, e.g. `/models/jaw/axial_springs/lad:material.stiffness`; a relative
    /// path begins at the root.
    ///
    /// # Errors
    /// [`PropertyError::Path`], [`PropertyError::NoName`] or [`PropertyError::Unknown`] with what is
    /// near.
    pub fn property(&self, path: &str) -> Result<PropertyRef, PropertyError> {
        let parsed = ParsedPath::parse(path)?;
        let name = parsed.property.ok_or_else(|| PropertyError::NoName(path.to_owned()))?;
        let host = self.walk(ROOT.into(), path, &parsed)?;
        self.property_of(host, name)
    }

    /// The property `name` of a component, node or element.
    ///
    /// # Errors
    /// [`PropertyError::Unknown`] with what is near.
    pub fn property_of(
        &self,
        host: impl Into<Address>,
        name: &str,
    ) -> Result<PropertyRef, PropertyError> {
        let host = host.into();
        if let Some((row, info)) = infos(host).enumerate().find(|(_, info)| info.name == name) {
            return Ok(PropertyRef { host, row, info });
        }
        let kind = match host {
            Address::Component(id) => id.kind().name(),
            Address::Node(..) => "node",
            Address::Element(..) => "element",
            Address::Part(..) => "list of nodes or elements",
        };
        let owner = format!("{} ({kind})", self.path(host));
        let near = similar(name, infos(host).map(|info| info.name));
        Err(PropertyError::Unknown { owner, name: name.to_owned(), near })
    }

    /// The path of a property.
    pub fn property_path(&self, property: &PropertyRef) -> String {
        format!("{}:{}", self.path(property.host), property.info.name)
    }

    /// The value of a property, inherited if it is.
    ///
    /// # Errors
    /// [`PropertyError::Gone`]; [`PropertyError::Absent`] where there is no such number now (a constant
    /// that a material has not, what only a simulation has).
    pub fn get_property(&self, property: &PropertyRef) -> Result<Value, PropertyError> {
        match self.setting(property)? {
            Setting::Explicit(value) => Ok(value),
            Setting::Inherited => Ok(self.inherited(property)),
        }
    }

    /// The value of a property of one number.
    ///
    /// # Errors
    /// As [`Self::get_property`]; [`PropertyError::Type`] when it is none.
    pub fn get_real(&self, property: &PropertyRef) -> Result<f64, PropertyError> {
        match self.get_property(property)? {
            Value::Real(x) => Ok(x),
            Value::Int(x) => Ok(x as f64),
            other => Err(self.type_error(property, &other)),
        }
    }

    /// Whether a property has a value of its own, and which.
    ///
    /// # Errors
    /// As [`Self::get_property`].
    pub fn setting(&self, property: &PropertyRef) -> Result<Setting, PropertyError> {
        if property.info.simulated {
            let why = "it belongs to a state of a simulation";
            return Err(self.absent(property, why));
        }
        if let Address::Component(id) = property.host {
            return self.own_setting(id, property);
        }
        let value = parts::get(self, property).ok_or_else(|| self.gone(property))?;
        Ok(Setting::Explicit(value))
    }

    fn own_setting(
        &self,
        id: ComponentId,
        property: &PropertyRef,
    ) -> Result<Setting, PropertyError> {
        let inherits = |value: Option<Value>| value.map_or(Setting::Inherited, Setting::Explicit);
        let meta = self.store.meta(id).ok_or_else(|| self.gone(property))?;
        match Place::of(id.kind(), property.row) {
            Place::Name => Ok(Setting::Explicit(Value::Text(self.store.name(id).to_owned()))),
            Place::Render(row) => Ok(inherits(super::inherit::render_value(meta, row))),
            Place::Own(row) => for_kind!(id.kind(), T => {
                let data = self.get::<T>(id.typed().ok_or_else(|| self.gone(property))?);
                let data = data.ok_or_else(|| self.gone(property))?;
                match &T::properties()[row].access {
                    Access::Own { get, .. } | Access::Derived(get) => {
                        let why = "this component has none of that name now";
                        let value = get(data).ok_or_else(|| self.absent(property, why))?;
                        Ok(Setting::Explicit(value))
                    }
                    Access::Inheritable { get, .. } => Ok(inherits(get(data))),
                    Access::Simulated(_) => Err(self.absent(property, "it is simulated")),
                }
            }),
        }
    }

    /// Sets a property to a value of its own.
    ///
    /// # Errors
    /// [`PropertyError`]: wrong type, out of range, read-only, not there; nothing is changed then.
    pub fn set_property(
        &mut self,
        property: &PropertyRef,
        value: impl Into<Value>,
    ) -> Result<(), PropertyError> {
        let setting = Setting::Explicit(value.into());
        self.plan_setting(property, &setting)?;
        self.write(property, &setting)
    }

    /// Lets a property be inherited.
    ///
    /// # Errors
    /// [`PropertyError::NotInheritable`], [`PropertyError::Gone`].
    pub fn inherit_property(&mut self, property: &PropertyRef) -> Result<(), PropertyError> {
        self.plan_setting(property, &Setting::Inherited)?;
        self.write(property, &Setting::Inherited)
    }

    /// Sets the property at `path` to what `text` says.
    ///
    /// # Errors
    /// As [`Self::property`] and [`Self::set_property`]; [`PropertyError::Type`] for a text that is
    /// not of the type.
    pub fn set_text(&mut self, path: &str, text: &str) -> Result<(), PropertyError> {
        let property = self.property(path)?;
        if text == "inherited" && property.info.inheritable {
            return self.inherit_property(&property);
        }
        let value = Value::parse(property.info.value_type, text)
            .ok_or_else(|| self.type_error(&property, &Value::Text(text.to_owned())))?;
        self.set_property(&property, value)
    }

    /// Whether a property can be set so.
    pub(crate) fn plan_setting(
        &self,
        property: &PropertyRef,
        setting: &Setting,
    ) -> Result<(), PropertyError> {
        let info = property.info;
        let fixed = |id| !self.can_be_named(id);
        let own = info.name == super::NAME.name;
        if info.read_only || own && fixed(property.host.component()) {
            return Err(PropertyError::ReadOnly(self.property_path(property)));
        }
        let value = match setting {
            Setting::Inherited if info.inheritable => return Ok(()),
            Setting::Inherited => {
                return Err(PropertyError::NotInheritable(self.property_path(property)));
            }
            Setting::Explicit(value) => value,
        };
        if !value.is_a(info.value_type) {
            return Err(self.type_error(property, value));
        }
        match value.outside(&info.range) {
            None => Ok(()),
            Some(value) => {
                let (property, range) = (self.property_path(property), info.range);
                Err(PropertyError::Range { property, value, range })
            }
        }
    }

    /// Writes a setting that was checked.
    pub(crate) fn write(
        &mut self,
        property: &PropertyRef,
        setting: &Setting,
    ) -> Result<(), PropertyError> {
        let written = match (property.host, setting) {
            (Address::Component(id), _) => self.write_own(id, property.row, setting),
            (_, Setting::Explicit(value)) => parts::set(self, property, value),
            _ => None,
        };
        match written {
            Some(true) => {
                self.log.push(property.host.component(), property.info.invalidates);
                Ok(())
            }
            Some(false) => Err(self.absent(property, "this component has none of that name now")),
            None => Err(self.gone(property)),
        }
    }

    /// `None`: the component is not there; `false`: it has no such number now.
    fn write_own(&mut self, id: ComponentId, row: usize, setting: &Setting) -> Option<bool> {
        let value = match setting {
            Setting::Explicit(value) => Some(value),
            Setting::Inherited => None,
        };
        match Place::of(id.kind(), row) {
            Place::Name => {
                let Some(Value::Text(text)) = value else { return Some(false) };
                self.put_name(id, text.clone())
            }
            Place::Render(row) => {
                super::inherit::set_render_value(self.store.meta_mut(id)?, row, value);
                Some(true)
            }
            Place::Own(row) => for_kind!(id.kind(), T => {
                let data = self.data_mut::<T>(id.typed()?)?;
                match (&T::properties()[row].access, value) {
                    (Access::Own { set, .. }, Some(value)) => Some(set(data, value)),
                    (Access::Inheritable { set, .. }, value) => {
                        set(data, value);
                        Some(true)
                    }
                    _ => Some(false),
                }
            }),
        }
    }

    fn type_error(&self, property: &PropertyRef, given: &Value) -> PropertyError {
        let expected = match property.info.value_type {
            PropertyType::Choice(words) => format!("choice of {}", words.join(", ")),
            other => other.name().to_owned(),
        };
        let given = format!("'{given}' ({})", given.type_name());
        PropertyError::Type { property: self.property_path(property), expected, given }
    }

    pub(crate) fn absent(&self, property: &PropertyRef, why: &'static str) -> PropertyError {
        PropertyError::Absent { property: self.property_path(property), why }
    }

    pub(crate) fn gone(&self, property: &PropertyRef) -> PropertyError {
        PropertyError::Gone(self.property_path(property))
    }

    /// What became stale since `seen`.
    pub fn invalidated_since(&self, seen: crate::component::Seen) -> Invalidates {
        self.log.invalidated_since(seen)
    }
}

impl From<PathError> for crate::component::EditError {
    fn from(error: PathError) -> Self {
        Self::Property(error.into())
    }
}
