//! Setting properties: first the checks by type and range, then the value, then the checks of the
//! component. What is refused leaves everything as it was. Setting a number allocates nothing.

use super::inherit::{self, PropertyRow};
use super::parts;
use super::targets::{Lookup, Targets};
use crate::component::{Address, ComponentId};
use crate::model::{Component, Model, Stored, for_kind, fresh_stamp};
use crate::property::{
    Access, CheckError, ModelComponent, NAME, Problem, Property, PropertyError, PropertyRef,
    PropertyType, Put, Refusal, SetExtent, Setting, Value,
};

impl Model {
    /// Sets a property to a value of its own.
    ///
    /// # Errors
    /// [`PropertyError`]: wrong type, out of range, read-only, not there, or a value with which the
    /// component could not be simulated; nothing is changed then.
    pub fn set_property(
        &mut self,
        property: &PropertyRef,
        value: impl Into<Value>,
    ) -> Result<(), PropertyError> {
        let setting = Setting::Explicit(value.into());
        self.plan_setting(property, &setting)?;
        self.write_checked(property, &setting)
    }

    /// Sets a property to the value that these [numbers](Value::numbers) are, without allocation
    /// where they are of a fixed count.
    ///
    /// # Errors
    /// As [`Self::set_property`]; [`PropertyError::Count`] where they are too many or too few.
    pub fn set_numbers(
        &mut self,
        property: &PropertyRef,
        numbers: &[f64],
    ) -> Result<(), PropertyError> {
        let ty = property.info().value_type;
        if let Some(value) = Value::from_numbers(ty, numbers) {
            return self.set_property(property, value);
        }
        Err(match ty.numeric_size() {
            Some(expected) if expected != numbers.len() => {
                let property = self.property_path(property);
                PropertyError::Count { property, expected, given: numbers.len() }
            }
            _ => self.type_error(property, &Value::List(numbers.to_vec())),
        })
    }

    /// Lets a property be inherited.
    ///
    /// # Errors
    /// [`PropertyError::NotInheritable`], [`PropertyError::Gone`].
    pub fn inherit_property(&mut self, property: &PropertyRef) -> Result<(), PropertyError> {
        self.plan_setting(property, &Setting::Inherited)?;
        self.write_checked(property, &Setting::Inherited)
    }

    /// Sets the property at `path` to the value `text`; `inherited` lets it be inherited.
    ///
    /// # Errors
    /// As [`Self::property`] and [`Self::set_property`]; [`PropertyError::Type`] for a text that is
    /// not of the type.
    pub fn set_text(&mut self, path: &str, text: &str) -> Result<(), PropertyError> {
        let property = self.property(path)?;
        match self.setting_of_text(&property, text)? {
            Setting::Inherited => self.inherit_property(&property),
            Setting::Explicit(value) => self.set_property(&property, value),
        }
    }

    /// Setting that `text` means for a property; `inherited` lets it be inherited.
    ///
    /// # Errors
    /// [`PropertyError::Type`] for a text that is not of the type.
    pub fn setting_of_text(
        &self,
        property: &PropertyRef,
        text: &str,
    ) -> Result<Setting, PropertyError> {
        if text == "inherited" && property.info().inheritable {
            return Ok(Setting::Inherited);
        }
        let value = Value::parse(property.info().value_type, text);
        let value =
            value.ok_or_else(|| self.type_error(property, &Value::Text(text.to_owned())))?;
        Ok(Setting::Explicit(value))
    }

    /// Checks that a property can be set so, as far as that can be told without setting it.
    pub(crate) fn plan_setting(
        &self,
        property: &PropertyRef,
        setting: &Setting,
    ) -> Result<(), PropertyError> {
        let info = property.info();
        if !self.has_property(property) {
            return Err(self.gone(property));
        }
        if info.read_only {
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
        if let Some(value) = value.outside(&info.range) {
            let (property, range) = (self.property_path(property), info.range);
            return Err(PropertyError::Range { property, value, range });
        }
        if !value.is_proper() {
            return Err(self.refused(property, setting, Refusal::Value(PROPER)));
        }
        self.plan_name(property, value)
    }

    /// The lists that every model has keep their names, and siblings have different ones.
    fn plan_name(&self, property: &PropertyRef, value: &Value) -> Result<(), PropertyError> {
        let (Address::Component(id), Value::Text(name)) = (property.host(), value) else {
            return Ok(());
        };
        if !property.is_name() {
            return Ok(());
        }
        let path = || self.property_path(property);
        if !self.can_be_named(id) {
            return Err(PropertyError::ReadOnly(path()));
        }
        let sibling = self.parent(id).and_then(|parent| self.store.child_by_name(parent, name));
        match sibling {
            Some(other) if other != id => {
                Err(PropertyError::NameTaken { property: path(), name: name.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Plan of a setting: an error if the property cannot be set so, tried on a copy where that
    /// takes one; and, for an edit, the component as it will be, where it is put in place as a
    /// whole.
    pub(crate) fn plan_reference(
        &self,
        property: &PropertyRef,
        setting: &Setting,
    ) -> Result<Option<Component>, PropertyError> {
        self.plan_setting(property, setting)?;
        self.setting(property)?;
        let id = property.host().component();
        let line = Line::of(property);
        if !line.tried() {
            return Ok(None);
        }
        let targets = self.targets_of(property, setting)?;
        let mut copy = self.store.cloned(id).ok_or_else(|| self.gone(property))?;
        let done: Result<(), Fault> = for_kind!(id.kind(), T => {
            T::of(&mut copy).map_or(Err(Fault::Refused(Refusal::Gone)), |it| {
                self.try_on::<T>(it, property, setting, &targets)
            })
        });
        done.map_err(|fault| self.fault(property, setting, fault))?;
        Ok(line.whole().then_some(copy))
    }

    /// Sets a copy and looks at it.
    fn try_on<T: Stored>(
        &self,
        copy: &mut T,
        property: &PropertyRef,
        setting: &Setting,
        targets: &Targets,
    ) -> Result<(), Fault> {
        let Address::Component(id) = property.host() else {
            let copy = (copy as &mut dyn std::any::Any).downcast_mut();
            let fem = copy.ok_or(Fault::Refused(Refusal::Gone))?;
            parts::set(fem, property, setting).map_err(Fault::Refused)?;
            return parts::check(fem, property).map_err(Fault::Wrong);
        };
        let PropertyRow::Own(row) = PropertyRow::of(id.kind(), property.row) else { return Ok(()) };
        let line = &T::properties()[row];
        put(line, copy, (property, setting), targets).map_err(Fault::Refused)?;
        line.check.map_or(Ok(()), |check| check(copy, self)).map_err(Fault::Wrong)?;
        self.check_circle(id, copy).map_err(Fault::Wrong)
    }

    /// Writes a setting; what the component does not do with is taken back.
    fn write_checked(
        &mut self,
        property: &PropertyRef,
        setting: &Setting,
    ) -> Result<(), PropertyError> {
        let line = Line::of(property);
        if !line.checked {
            self.write(property, setting)?;
        } else if !line.alone {
            // What it replaces could not be put back.
            self.plan_reference(property, setting)?;
            self.write(property, setting)?;
        } else {
            let info = property.info();
            let before = match self.setting(property) {
                // A field of what no law has now is not shown, and still taken.
                Err(PropertyError::Absent { .. }) if info.value_type == PropertyType::Text => {
                    Setting::Explicit(info.default.clone())
                }
                before => before?,
            };
            self.write(property, setting)?;
            if let Err(error) = self.check_after(property) {
                self.write(property, &before)?;
                return Err(self.fault(property, setting, Fault::Wrong(error)));
            }
        }
        if line.reference {
            // Changes that were planned before do not know of it.
            self.stamp = fresh_stamp();
        }
        Ok(())
    }

    fn check_after(&self, property: &PropertyRef) -> Result<(), CheckError> {
        match property.host() {
            Address::Component(id) => match PropertyRow::of(id.kind(), property.row) {
                PropertyRow::Own(row) => for_kind!(id.kind(), T => {
                    let data = id.typed::<T>().and_then(|handle| self.get(handle));
                    match (data, T::properties()[row].check) {
                        (Some(data), Some(check)) => check(data, self),
                        _ => Ok(()),
                    }
                }),
                _ => Ok(()),
            },
            part => match self.tissue(part.component()) {
                Some(fem) => parts::check(fem, property),
                None => Ok(()),
            },
        }
    }

    /// Writes a setting that was planned.
    pub(crate) fn write(
        &mut self,
        property: &PropertyRef,
        setting: &Setting,
    ) -> Result<(), PropertyError> {
        let id = property.host().component();
        let targets = self.targets_of(property, setting)?;
        let reference = Line::of(property).reference;
        if reference {
            self.references.remove(&self.store, id);
        }
        let written = match property.host().part() {
            None => self.write_own(id, property, setting, &targets),
            Some((fem, ..)) => match fem.typed().and_then(|fem| self.data_mut(fem)) {
                Some(fem) => parts::set(fem, property, setting),
                None => Err(Refusal::Gone),
            },
        };
        if reference {
            self.references.add(&self.store, id);
        }
        written.map_err(|refusal| self.refused(property, setting, refusal))?;
        let stale = match property.is_declared() {
            true => Self::stale_by_parameter(id),
            false => property.info().invalidates,
        };
        self.log.push(id, stale);
        Ok(())
    }

    fn write_own(
        &mut self,
        id: ComponentId,
        property: &PropertyRef,
        setting: &Setting,
        targets: &Targets,
    ) -> Put {
        match PropertyRow::of(id.kind(), property.row) {
            PropertyRow::Declared => {
                let meta = self.store.meta_mut(id).ok_or(Refusal::Gone)?;
                let declared = meta.declared_mut(property.info()).ok_or(Refusal::Gone)?;
                declared.put(value_of(setting).ok_or(Refusal::Absent)?);
                Ok(())
            }
            PropertyRow::Name => {
                let Setting::Explicit(Value::Text(text)) = setting else {
                    return Err(Refusal::Absent);
                };
                self.put_name(id, text.clone()).ok_or(Refusal::Gone)
            }
            PropertyRow::Render(row) => {
                let meta = self.store.meta_mut(id).ok_or(Refusal::Gone)?;
                inherit::set_render_value(meta, row, value_of(setting));
                Ok(())
            }
            PropertyRow::Own(row) => for_kind!(id.kind(), T => {
                let handle = id.typed::<T>().ok_or(Refusal::Gone)?;
                let data = self.data_mut(handle).ok_or(Refusal::Gone)?;
                put(&T::properties()[row], data, (property, setting), targets)
            }),
        }
    }

    fn targets_of(
        &self,
        property: &PropertyRef,
        setting: &Setting,
    ) -> Result<Targets, PropertyError> {
        let Some(value) = value_of(setting) else { return Ok(Targets::default()) };
        self.targets(Line::of(property).lookup, property.info().value_type, value)
    }

    fn fault(&self, property: &PropertyRef, setting: &Setting, fault: Fault) -> PropertyError {
        let error = match fault {
            Fault::Refused(refusal) => return self.refused(property, setting, refusal),
            Fault::Wrong(error) => error,
        };
        let (property, value) = (self.property_path(property), setting.to_string());
        PropertyError::Invalid { property, value, fault: Box::new(error) }
    }

    fn refused(&self, property: &PropertyRef, setting: &Setting, why: Refusal) -> PropertyError {
        match why {
            Refusal::Gone => self.gone(property),
            Refusal::Absent => self.nothing(property),
            Refusal::Value(why) => {
                let (property, value) = (self.property_path(property), setting.to_string());
                PropertyError::Value { property, value, why }
            }
        }
    }
}

const PROPER: &str = "its quaternion must have length 1";

/// Reasons for refusing a value of a component.
enum Fault {
    /// The value has no meaning for it.
    Refused(Refusal),
    /// It would be wrong as a whole.
    Wrong(CheckError),
}

fn value_of(setting: &Setting) -> Option<&Value> {
    match setting {
        Setting::Explicit(value) => Some(value),
        Setting::Inherited => None,
    }
}

impl PropertyRef {
    /// True if it is the name, which siblings have to agree on.
    pub(crate) fn is_name(&self) -> bool {
        std::ptr::eq(self.info(), &*NAME)
    }

    /// True if setting it leaves every other property of its host as it was.
    pub(crate) fn stands_alone(&self) -> bool {
        Line::of(self).alone
    }
}

/// Flags of a line of a table that concern writing.
struct Line {
    /// True if the component is looked at afterwards.
    checked: bool,
    /// True if setting it back undoes it.
    alone: bool,
    /// True if a function sets it, which may refuse a value of the right type and range.
    refuses: bool,
    reference: bool,
    lookup: Lookup,
}

impl Line {
    /// True if an edit puts the component in place as it was tried: a reference, and what replaces
    /// other values that are checked together.
    fn whole(&self) -> bool {
        self.reference || self.checked && !self.alone
    }

    /// True if only a component that was set so tells whether it can be.
    fn tried(&self) -> bool {
        self.checked || self.refuses || !self.alone
    }

    fn of(property: &PropertyRef) -> Self {
        let plain = Self {
            checked: false,
            alone: true,
            refuses: false,
            reference: false,
            lookup: Lookup::Addresses,
        };
        let Address::Component(id) = property.host() else {
            return match parts::line(property) {
                Some(line) => Self { checked: line.check.is_some(), alone: line.alone(), ..plain },
                None => plain,
            };
        };
        let PropertyRow::Own(row) = PropertyRow::of(id.kind(), property.row) else { return plain };
        for_kind!(id.kind(), T => {
            let line = &T::properties()[row];
            let lookup = match line.access {
                Access::Named { .. } => Lookup::Named,
                Access::Linked { read, .. } => Lookup::Linked(read),
                _ => Lookup::Addresses,
            };
            let reference = !matches!(lookup, Lookup::Addresses)
                || matches!(line.access, Access::Reference { .. });
            let extent = match line.access {
                Access::Own { extent, .. } => extent,
                Access::Item { .. } | Access::Numbered { .. } => SetExtent::Value,
                Access::Reference { .. } | Access::Named { .. } | Access::Linked { .. } => SetExtent::Component,
                Access::Inheritable { .. } | Access::Derived(_) | Access::Simulated => SetExtent::Field,
            };
            let (alone, refuses) = (extent != SetExtent::Component, extent != SetExtent::Field);
            Self { checked: line.check.is_some(), alone, refuses, reference, lookup }
        })
    }
}

/// Sets the value of a line.
fn put<T>(
    line: &Property<T>,
    it: &mut T,
    (property, setting): (&PropertyRef, &Setting),
    targets: &Targets,
) -> Put {
    match (&line.access, value_of(setting)) {
        (Access::Own { set, .. }, Some(value)) => set(it, value),
        (Access::Item { item, set: Some(set), .. }, Some(value)) => set(it, item, value),
        (Access::Numbered { part, set, .. }, Some(value)) => {
            set(it, property.info().number, part, value)
        }
        (Access::Reference { set, .. }, Some(_)) => set(it, &targets.addresses),
        (Access::Named { set, .. }, Some(value)) => set(it, value, &targets.named),
        (Access::Linked { set, .. }, Some(_)) => {
            set(it, targets.linked.clone().ok_or(Refusal::Absent)?);
            Ok(())
        }
        (Access::Inheritable { set, .. }, value) => {
            set(it, value);
            Ok(())
        }
        _ => Err(Refusal::Absent),
    }
}

impl<T> Property<T> {
    /// Checks that the component's value is in range; lists are for the component to look at.
    pub(crate) fn check_range(&self, it: &T) -> Result<(), CheckError> {
        if !self.info.value_type.is_numeric() || self.info.value_type == PropertyType::List {
            return Ok(());
        }
        let value = match &self.access {
            // What replaces other values follows from several; the component looks at them.
            Access::Own { extent: SetExtent::Component, .. } => None,
            Access::Own { get, .. } | Access::Inheritable { get, .. } => get(it),
            Access::Item { item, get, set: Some(_) } => get(it, item),
            _ => None,
        };
        let Some(value) = value else { return Ok(()) };
        let range = self.info.range;
        match value.outside(&range) {
            Some(value) => Err(Problem::OutOfRange { value, range }.at(self.info.name)),
            None if !value.is_proper() => Err(Problem::Quaternion.at(self.info.name)),
            None => Ok(()),
        }
    }
}
