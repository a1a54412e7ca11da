//! Declared properties of a component: what each is, and its value where that is not the default.

use serde_json::{Map, Value as Json};
use sinew::component::ComponentId;
use sinew::property::{Declaration, Setting};

use super::value::{json, same};
use super::{SaveError, Writer};
use crate::fields::{DECLARED, TYPE};

impl Writer<'_> {
    /// Declares the properties of a component on its twin, and writes them.
    pub(super) fn declared_into(
        &mut self,
        id: ComponentId,
        twin: ComponentId,
        table: &mut Map<String, Json>,
    ) -> Result<(), SaveError> {
        let mut all = Map::new();
        for property in self.model.declared_properties(id) {
            let info = property.info();
            let plain = Declaration::new(info.name, info.value_type);
            let mut own = Map::new();
            own.insert(TYPE.into(), info.value_type.name().into());
            if info.unit != plain.unit {
                own.insert("unit".into(), info.unit.into());
            }
            if !same(&info.default, &plain.default) {
                own.insert("default".into(), json(info, &info.default, ""));
            }
            let declaration =
                plain.unit(info.unit).default_value(info.default.clone()).doc(info.doc);
            let there = self.draft.declare(twin, declaration)?;
            let value = self.model.get_property(&property)?;
            if !same(&value, &info.default) {
                own.insert("value".into(), json(info, &value, ""));
                self.draft.set(&there, &Setting::Explicit(value))?;
            }
            if !info.doc.is_empty() {
                own.insert("doc".into(), info.doc.into());
            }
            all.insert(info.name.to_owned(), Json::Object(own));
        }
        if !all.is_empty() {
            table.insert(DECLARED.into(), Json::Object(all));
        }
        Ok(())
    }
}
