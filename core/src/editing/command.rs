//! The list of commands, and their JSON form: `{"command": "rename", "path": "/models/jaw", "name": "mandible"}`. The
//! text form stands in `text.rs`.

use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::MapDescription;
use crate::component::TransformOptions;

/// An edit as it is written: components by their paths, values as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum EditCommand {
    /// Add a component; properties that are not named have their defaults.
    Add {
        /// Its kind: `axial_spring`, `AxialSpring`.
        kind: String,
        /// Its path. One without a slash is a name in the first mechanical model.
        path: String,
        /// Names and values of its properties, set in this order; of a tissue also `box` and `cells`, which make it
        /// a block about the origin.
        #[serde(default, serialize_with = "write_pairs", deserialize_with = "read_pairs")]
        properties: Vec<(String, String)>,
    },
    /// Delete components, what is below them, and what cannot be without them; and supports of tissues.
    Delete {
        /// Paths of the components and supports.
        paths: Vec<String>,
    },
    /// Copy components and what is below them.
    Duplicate {
        /// Paths of the components.
        paths: Vec<String>,
        /// Components that are copied along.
        #[serde(default)]
        scope: DuplicateScope,
    },
    /// Give a component another name.
    Rename {
        /// Path of the component.
        path: String,
        /// The name; empty for none.
        name: String,
    },
    /// Put a component under another.
    Move {
        /// Path of the component.
        path: String,
        /// Under whom: a container, or a mechanical model.
        parent: String,
    },
    /// Set a property; `inherited` lets it be inherited.
    Set {
        /// Its path, `/models/jaw:gravity`.
        property: String,
        /// The value.
        #[serde(deserialize_with = "read_text")]
        value: String,
    },
    /// Let a property be inherited.
    Inherit {
        /// Its path.
        property: String,
    },
    /// Declare a property on one component, with its default.
    Declare {
        /// Path of the new property, `/models/jaw/rigid_bodies/skull:age`.
        property: String,
        /// Type of its values: bool, int, number, vector, matrix, pose, text, colour or list.
        #[serde(rename = "type")]
        value_type: String,
        /// Unit; nothing for none.
        #[serde(default)]
        unit: String,
        /// Value until another is set; nothing for zeros, `false` or an empty text.
        #[serde(default, deserialize_with = "read_text")]
        default: String,
        /// One line about it.
        #[serde(default)]
        doc: String,
    },
    /// Take a declared property away.
    Undeclare {
        /// Its path.
        property: String,
    },
    /// Shift components and all below them.
    Translate {
        /// Paths of the components.
        paths: Vec<String>,
        /// Translation [m].
        by: [f64; 3],
    },
    /// Turn components and all below them.
    Rotate {
        /// Paths of the components.
        paths: Vec<String>,
        /// Direction of the axis times the angle [rad].
        turn: [f64; 3],
        /// A point on the axis [m].
        #[serde(default)]
        about: [f64; 3],
    },
    /// Scale components and all below them along the axes of the world; a negative factor mirrors.
    Scale {
        /// Paths of the components.
        paths: Vec<String>,
        /// Factors along x, y and z [-].
        factors: [f64; 3],
        /// The point that stays where it is [m].
        #[serde(default)]
        about: [f64; 3],
    },
    /// Deform components and all below them by a map of space: bodies with their surfaces and inertias, what is on
    /// them, tissues, and lengths of lines.
    Transform {
        /// Paths of the components.
        paths: Vec<String>,
        /// The map.
        map: MapDescription,
        /// Choices.
        #[serde(default)]
        options: TransformOptions,
    },
    /// Let points follow a body, a particle or a tissue from where they are at the start.
    Attach {
        /// Paths of the points: particles, nodes of tissues.
        points: Vec<String>,
        /// Path of their master.
        to: String,
    },
    /// Let points follow nobody.
    Detach {
        /// Paths of the points.
        points: Vec<String>,
    },
    /// Give faces of a tissue a name by which loads and shells take them, in the place of those that had it; without
    /// faces the name goes.
    NameFaces {
        /// Path of the tissue.
        path: String,
        /// Name of the set.
        name: String,
        /// Element and face of each, from 0.
        faces: Vec<[u32; 2]>,
    },
    /// Fix nodes of a tissue in a support more, after those that it has; axes and motion of the support are properties.
    AddSupport {
        /// Path of the tissue.
        path: String,
        /// Indices of the nodes, from 0.
        nodes: Vec<u32>,
    },
    /// Release the nodes of a support: it goes, with probes, controllers and events that name it, and those behind it
    /// move up by one.
    RemoveSupport {
        /// Path of the support, `/models/m/fem_models/soft/supports/0`.
        path: String,
    },
    /// Take the last edit back.
    #[serde(deserialize_with = "read_nothing")]
    Undo,
    /// Make it again.
    #[serde(deserialize_with = "read_nothing")]
    Redo,
}

/// Components that are copied along with a component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DuplicateScope {
    /// Nobody: a copied muscle has the ends of the first.
    #[default]
    Alone,
    /// Everybody whom it cannot be without: a copied muscle has ends of its own.
    WithReferences,
}

fn write_pairs<S: Serializer>(
    pairs: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    for (name, value) in pairs {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

fn read_pairs<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, String)>, D::Error> {
    struct Pairs;

    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("names of properties with their values")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some((name, ValueText(value))) = map.next_entry()? {
                pairs.push((name, value));
            }
            Ok(pairs)
        }
    }

    deserializer.deserialize_map(Pairs)
}

/// A command that takes nothing.
fn read_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}

    Nothing::deserialize(deserializer).map(|Nothing {}| ())
}

fn read_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    ValueText::deserialize(deserializer).map(|ValueText(text)| text)
}

/// A value as text. JSON may have a number, a truth value, or a list of numbers or texts in its place.
struct ValueText(String);

/// Reader of values that may be written as other things than texts.
struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = ValueText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, a truth value or a list of these")
    }

    fn visit_str<E>(self, text: &str) -> Result<ValueText, E> {
        Ok(ValueText(text.to_owned()))
    }

    fn visit_bool<E>(self, it: bool) -> Result<ValueText, E> {
        Ok(ValueText(it.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<ValueText, E> {
        Ok(ValueText(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<ValueText, E> {
        Ok(ValueText(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<ValueText, E> {
        Ok(ValueText(number.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ValueText, A::Error> {
        let mut words: Vec<String> = Vec::new();
        while let Some(ValueText(word)) = list.next_element()? {
            words.push(word);
        }
        Ok(ValueText(words.join(" ")))
    }
}

impl<'de> Deserialize<'de> for ValueText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}
