//! Finding and reading properties. A reference is resolved once from a path; reading numbers through
//! it allocates nothing. Setting: `write.rs`.

use super::inherit::PropertyRow;
use super::parts;
use crate::component::path::ParsedPath;
use crate::component::spelling::similar;
use crate::component::{Address, ComponentId, FemPart, Invalidates, Kind, PathError, ROOT};
use crate::kinds::{is_of_coordinates, named_line};
use crate::model::{CustomJoint, Joint, Model, for_kind};
use crate::property::{
    Access, DECLARED_ROW, ModelComponent, NAME, PropertyError, PropertyInfo, PropertyRef,
    PropertyType, RenderProps, Setting, Source, Value,
};

impl Kind {
    /// Properties of components of this kind, in the order of the table.
    pub fn properties(self) -> Vec<&'static PropertyInfo> {
        let id = ComponentId { kind: self, index: 0, generation: 0 };
        infos(Address::Component(id)).collect()
    }
}

impl FemPart {
    /// Properties of parts of this sort, in the order of the table.
    pub fn properties(self) -> Vec<&'static PropertyInfo> {
        let id = ComponentId { kind: Kind::FemModel, index: 0, generation: 0 };
        infos(self.address(id, 0)).collect()
    }
}

/// The lines of the table that `host` has, in order.
pub(crate) fn infos(host: Address) -> impl Iterator<Item = &'static PropertyInfo> {
    let (own, shared) = match host {
        Address::Component(id) => {
            let own: Vec<&'static PropertyInfo> =
                for_kind!(id.kind(), T => T::properties().iter().map(|p| &p.info).collect());
            let shared = RenderProps::table().iter().map(|p| &p.info);
            (own, Some(std::iter::once(&*NAME).chain(shared)))
        }
        part => (parts::table(part).iter().map(|p| &p.info).collect(), None),
    };
    own.into_iter().chain(shared.into_iter().flatten())
}

/// Name of the kind of a host, in reports.
pub(crate) fn kind_name(host: Address) -> &'static str {
    match host {
        Address::Component(id) => id.kind().name(),
        Address::Node(..) => "node",
        Address::Element(..) => "element",
        Address::Region(..) => "region",
        Address::Support(..) => "support",
        Address::Part(..) => "parts of a tissue",
    }
}

impl Model {
    /// The properties of an address, in the order of the table; at last those that were declared on it.
    pub fn properties(&self, host: impl Into<Address>) -> Vec<PropertyRef> {
        self.lines(host.into()).collect()
    }

    /// Properties that users declared on a component, in the order of declaration.
    pub fn declared_properties(
        &self,
        id: impl Into<ComponentId>,
    ) -> impl Iterator<Item = PropertyRef> + '_ {
        let id = id.into();
        let declared = self.store.meta(id).into_iter().flat_map(|meta| &meta.declared);
        let host = id.into();
        declared.map(move |it| PropertyRef { host, row: DECLARED_ROW, info: it.info })
    }

    fn lines(&self, host: Address) -> impl Iterator<Item = PropertyRef> + '_ {
        let joint = host.component().typed::<CustomJoint>().filter(|_| host.part().is_none());
        let functions = joint.and_then(|joint| self.functions_of(joint)?.ok());
        let lines = infos(host).enumerate().flat_map(move |(row, info)| {
            let named = joint.is_some() && is_of_coordinates(info);
            let specs = functions.clone().filter(|_| named);
            // Where code makes no functions, there are no coordinates.
            let none = usize::from(!named);
            let count = specs.as_ref().map_or(none, |it| it.coordinates.len());
            (0..count).map(move |k| {
                let spec = specs.as_ref().map(|it| &it.coordinates[k]);
                let info = spec.map_or(info, |spec| named_line(info, spec, k));
                PropertyRef { host, row, info }
            })
        });
        let component = match host {
            Address::Component(id) => Some(id),
            _ => None,
        };
        lines.chain(component.into_iter().flat_map(|id| self.declared_properties(id)))
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

    /// The property `name` of an address.
    ///
    /// # Errors
    /// [`PropertyError::Unknown`] with what is near.
    pub fn property_of(
        &self,
        host: impl Into<Address>,
        name: &str,
    ) -> Result<PropertyRef, PropertyError> {
        let host = host.into();
        if let Some(found) = self.lines(host).find(|property| property.info.name == name) {
            return Ok(found);
        }
        if let Some(found) = self.property_of_other_name(host, name) {
            return Ok(found);
        }
        let owner = format!("{} ({})", self.path(host), kind_name(host));
        let near = similar(name, self.lines(host).map(|property| property.info.name));
        Err(PropertyError::Unknown { owner, name: name.to_owned(), near })
    }

    /// The property of a coordinate of a joint by another name of that.
    fn property_of_other_name(&self, host: Address, name: &str) -> Option<PropertyRef> {
        let (coordinate, part) = name.strip_prefix("coordinate.")?.split_once('.')?;
        let joint = self.get(host.component().typed::<Joint>()?)?;
        let spec = &joint.settings.kind.coordinate_specs()[joint.coordinate_index(coordinate)?];
        let own = format!("coordinate.{}.{part}", spec.name);
        self.lines(host).find(|property| property.info.name == own)
    }

    /// The path of a property.
    pub fn property_path(&self, property: &PropertyRef) -> String {
        format!("{}:{}", self.path(property.host), property.info.name)
    }

    /// True if the component of a property is there, and the node or element too; of a declared one, if it is still
    /// declared.
    pub fn has_property(&self, property: &PropertyRef) -> bool {
        match property.host.part() {
            None if property.is_declared() => {
                let meta = self.store.meta(property.host.component());
                meta.is_some_and(|meta| meta.declared(property.info).is_some())
            }
            None => self.contains(property.host.component()),
            Some((fem, part, k)) => {
                self.tissue(fem).is_some_and(|fem| (k as usize) < fem.part_count(part))
            }
        }
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

    /// Writes the [numbers](Value::numbers) of a property into `numbers`, without allocation where
    /// they are of a fixed count.
    ///
    /// # Errors
    /// As [`Self::get_property`]; [`PropertyError::Count`] where they are fewer or more than there is
    /// room for.
    pub fn get_numbers(
        &self,
        property: &PropertyRef,
        numbers: &mut [f64],
    ) -> Result<(), PropertyError> {
        let value = self.get_property(property)?;
        self.copy_numbers(property, &value, numbers)
    }

    pub(crate) fn copy_numbers(
        &self,
        property: &PropertyRef,
        value: &Value,
        numbers: &mut [f64],
    ) -> Result<(), PropertyError> {
        let (expected, given) = (value.numbers().len(), numbers.len());
        if expected != given {
            let property = self.property_path(property);
            return Err(PropertyError::Count { property, expected, given });
        }
        value.numbers().zip(numbers).for_each(|(x, place)| *place = x);
        Ok(())
    }

    /// Source of the value of a property.
    ///
    /// # Errors
    /// As [`Self::get_property`].
    pub fn property_source(&self, property: &PropertyRef) -> Result<Source, PropertyError> {
        let info = property.info;
        if info.read_only {
            return Ok(Source::Computed);
        }
        Ok(match self.setting(property)? {
            Setting::Explicit(_) if info.inheritable => Source::Explicit,
            Setting::Explicit(_) => Source::Own,
            Setting::Inherited => {
                self.inherited_from(property).map_or(Source::Default, Source::Inherited)
            }
        })
    }

    /// Setting of a property: a value of its own, or none.
    ///
    /// # Errors
    /// As [`Self::get_property`].
    pub fn setting(&self, property: &PropertyRef) -> Result<Setting, PropertyError> {
        if !self.has_property(property) {
            return Err(self.gone(property));
        }
        if property.info.simulated {
            return Err(self.absent(property, "it belongs to a state of a simulation"));
        }
        match property.host {
            Address::Component(id) => self.own_setting(id, property),
            _ => {
                let value = parts::get(self, property);
                Ok(Setting::Explicit(value.ok_or_else(|| self.nothing(property))?))
            }
        }
    }

    fn own_setting(
        &self,
        id: ComponentId,
        property: &PropertyRef,
    ) -> Result<Setting, PropertyError> {
        let inherits = |value: Option<Value>| value.map_or(Setting::Inherited, Setting::Explicit);
        let meta = self.store.meta(id).ok_or_else(|| self.gone(property))?;
        match PropertyRow::of(id.kind(), property.row) {
            PropertyRow::Name => Ok(Setting::Explicit(Value::Text(self.store.name(id).to_owned()))),
            PropertyRow::Render(row) => Ok(inherits(super::inherit::render_value(meta, row))),
            PropertyRow::Declared => {
                let declared = meta.declared(property.info).ok_or_else(|| self.gone(property))?;
                Ok(Setting::Explicit(declared.value().clone()))
            }
            PropertyRow::Own(row) => for_kind!(id.kind(), T => {
                let handle = id.typed::<T>().ok_or_else(|| self.gone(property))?;
                let data = self.get(handle).ok_or_else(|| self.gone(property))?;
                let value = match &T::properties()[row].access {
                    Access::Inheritable { get, .. } => return Ok(inherits(get(data))),
                    Access::Own { get, .. } => get(data),
                    Access::Item { item, get, .. } => get(data, item),
                    Access::Numbered { part, get, .. } => get(data, property.info.number, part),
                    Access::Reference { get, .. } => Some(self.paths(property, &get(data))),
                    Access::Named { get, .. } => Some(get(data, self)),
                    Access::Linked { get, .. } => Some(Value::Text(get(data).text(|at| self.path(at)))),
                    Access::Derived(get) => get(self, handle),
                    Access::Simulated => None,
                };
                value.map(Setting::Explicit).ok_or_else(|| self.nothing(property))
            }),
        }
    }

    /// Addresses as a value: one path, or several.
    fn paths(&self, property: &PropertyRef, addresses: &[Address]) -> Value {
        let mut paths = addresses.iter().map(|&at| self.path(at));
        match property.info.value_type {
            PropertyType::Paths => Value::Paths(paths.collect()),
            _ => Value::Path(paths.next().unwrap_or_default()),
        }
    }

    pub(crate) fn type_error(&self, property: &PropertyRef, given: &Value) -> PropertyError {
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

    /// There is no such value now.
    pub(crate) fn nothing(&self, property: &PropertyRef) -> PropertyError {
        self.absent(property, "there is none of that name now")
    }

    pub(crate) fn gone(&self, property: &PropertyRef) -> PropertyError {
        PropertyError::Gone(self.property_path(property))
    }

    /// Parts of the model that became stale since `seen`.
    pub fn invalidated_since(&self, seen: crate::component::Seen) -> Invalidates {
        self.log.invalidated_since(seen)
    }
}

impl From<PathError> for crate::model::EditError {
    fn from(error: PathError) -> Self {
        Self::Property(error.into())
    }
}
