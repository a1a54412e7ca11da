//! The keys of a component in a file, made from the tables of properties: there is no second list.

use sinew::component::{FemPart, Kind};
use sinew::property::PropertyInfo;

/// The key that names the law or kind itself in a table of its constants.
pub(crate) const TYPE: &str = "type";

/// Key of the table of declared properties, which every component may have.
pub(crate) const DECLARED: &str = "declared";

/// Key of the table of the coordinates of a joint.
pub(crate) const COORDINATE: &str = "coordinate";

/// Key that stands for the names of coordinates, which are the joint's own.
pub(crate) const ANY_NAME: &str = "NAME";

/// Keys of a declared property.
pub(crate) const DECLARED_KEYS: [(&str, &str); 5] = [
    (
        TYPE,
        "Type of its values: bool, int, number, vector, matrix, pose, text, colour or list; needed.",
    ),
    ("unit", "Unit; '-' for a pure number. Numbers of units of the file are converted."),
    ("default", "Value until another is set; zeros, false or an empty text without one."),
    ("value", "Value; the default without one."),
    ("doc", "One line about it."),
];

/// A key: a property, or a table of properties whose names begin with it.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) key: &'static str,
    /// The property of this name.
    pub(crate) info: Option<&'static PropertyInfo>,
    /// Properties below it.
    pub(crate) children: Vec<Field>,
}

impl Field {
    /// The keys below it, where those of its own are any names.
    pub(crate) fn under_any_name(&self) -> Option<&[Field]> {
        match &self.children[..] {
            [only] if only.key == ANY_NAME => Some(&only.children),
            _ => None,
        }
    }
}

/// Groups that hold components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// The root of the tree.
    Root,
    /// A mechanical model.
    Mech,
    /// A container of the user's.
    List,
}

impl Group {
    /// The group that a component of a kind is, if it is one.
    pub(crate) fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::RootModel => Some(Self::Root),
            Kind::MechModel => Some(Self::Mech),
            Kind::ComponentList => Some(Self::List),
            _ => None,
        }
    }

    /// Kinds of component that it holds, in the order in which they are read.
    pub(crate) fn kinds(self) -> impl Iterator<Item = Kind> {
        let holds = move |kind: &Kind| {
            let own = matches!(kind, Kind::MechModel | Kind::ComponentList | Kind::ReferenceList);
            *kind != Kind::RootModel && (own || self != Self::Root)
        };
        let kinds = Kind::ALL.into_iter().filter(|kind| section_of(*kind).is_none());
        kinds.filter(holds)
    }

    /// The same, and at last those that stand in sections of their own, probes and panels.
    pub(crate) fn all_kinds(self) -> impl Iterator<Item = Kind> {
        let probes = Kind::ALL.into_iter().filter(|kind| section_of(*kind).is_some());
        self.kinds().chain(probes.filter(move |_| self != Self::Root))
    }
}

/// The section that describes components of a kind by more than their properties: probes and panels; none of others.
pub(crate) fn section_of(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::InputProbe => Some("input_probes"),
        Kind::OutputProbe => Some("output_probes"),
        Kind::ControlPanel => Some("panels"),
        _ => None,
    }
}

/// The key under which components of a kind stand: `rigid_body`.
pub(crate) fn key_of(kind: Kind) -> String {
    if let Some(key) = section_of(kind) {
        return key.to_owned();
    }
    let mut key = String::new();
    for c in kind.name().chars() {
        if c.is_ascii_uppercase() && !key.is_empty() {
            key.push('_');
        }
        key.push(c.to_ascii_lowercase());
    }
    key
}

/// The keys of a component of a kind that are properties.
pub(crate) fn of_kind(kind: Kind) -> Vec<Field> {
    // The terms of a coupling, each with its coordinate, say more than these two.
    let skip: &[&str] = match kind {
        Kind::JointCoordinateCoupling => &["joints", "coefficients"],
        _ => &[],
    };
    let infos = kind.properties();
    tree(infos.into_iter().filter(|info| !skip.contains(&info.name)))
}

/// The keys of a part of a tissue that are properties.
pub(crate) fn of_part(part: FemPart) -> Vec<Field> {
    tree(part.properties().into_iter())
}

/// Render properties of a component: the keys that lists have too.
pub(crate) fn of_rendering() -> Vec<Field> {
    let infos = Kind::ComponentList.properties();
    tree(infos.into_iter().filter(|info| info.name.starts_with("render.")))
}

fn tree(infos: impl Iterator<Item = &'static PropertyInfo>) -> Vec<Field> {
    let mut fields = Vec::new();
    for info in infos.filter(|info| !info.read_only && info.name != "name") {
        put(&mut fields, info.name, info);
    }
    fields
}

fn put(fields: &mut Vec<Field>, name: &'static str, info: &'static PropertyInfo) {
    let (key, rest) = name.split_once('.').map_or((name, None), |(key, rest)| (key, Some(rest)));
    let at = fields.iter().position(|field| field.key == key).unwrap_or_else(|| {
        fields.push(Field { key, info: None, children: Vec::new() });
        fields.len() - 1
    });
    match rest {
        None => fields[at].info = Some(info),
        Some(rest) => put(&mut fields[at].children, rest, info),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composites_become_tables_and_what_is_read_only_is_left_out() {
        let fields = of_kind(Kind::AxialSpring);
        let material = fields.iter().find(|field| field.key == "material").unwrap();
        assert!(material.info.is_some() && material.children.iter().any(|f| f.key == "stiffness"));
        assert!(fields.iter().all(|field| !["name", "length", "tension"].contains(&field.key)));
        let joint = of_kind(Kind::Joint);
        let coordinate = joint.iter().find(|field| field.key == "coordinate").unwrap();
        let theta = coordinate.children.iter().find(|field| field.key == "theta").unwrap();
        assert!(theta.children.iter().any(|field| field.key == "lower"));
        assert_eq!(key_of(Kind::JointCoordinateCoupling), "joint_coordinate_coupling");
    }
}
