//! The text form of commands, a line each: `add axial_spring biceps first=/models/arm/particles/a`.

use std::fmt;
use std::str::FromStr;

use super::map::MapText;
use super::words::{quoted, words, written};
use super::{DuplicateScope, EditCommand, EditTextError};

/// Name of a command and the words that follow it.
const FORMS: [(&str, &str); 21] = [
    ("add", "KIND PATH [NAME=VALUE ..]"),
    ("delete", "PATH .."),
    ("duplicate", "PATH .."),
    ("duplicate_with_references", "PATH .."),
    ("rename", "PATH NAME"),
    ("move", "PATH PARENT"),
    ("set", "PATH:NAME VALUE"),
    ("inherit", "PATH:NAME"),
    ("declare", "PATH:NAME TYPE [unit=UNIT] [default=VALUE] [doc=TEXT]"),
    ("undeclare", "PATH:NAME"),
    ("translate", "\"X Y Z\" PATH .."),
    ("rotate", "\"X Y Z\" \"X Y Z\" PATH .."),
    ("scale", "\"X Y Z\" \"X Y Z\" PATH .."),
    ("transform", "\"MAP\" PATH .."),
    ("attach", "PATH .. MASTER"),
    ("detach", "PATH .."),
    ("name_faces", "PATH NAME [ELEMENT:FACE ..]"),
    ("add_support", "PATH NODE .."),
    ("remove_support", "PATH"),
    ("undo", ""),
    ("redo", ""),
];

impl EditCommand {
    /// Names of all commands in text.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMS.iter().map(|(name, _)| *name)
    }

    /// The words that follow a command in text: `PATH NAME`.
    pub fn form(name: &str) -> Option<&'static str> {
        FORMS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
    }

    /// The command of that name with these words; `None` where they are not those that it takes.
    fn of(name: &str, words: &[String]) -> Option<Self> {
        let paths = |words: &[String]| (!words.is_empty()).then(|| words.to_vec());
        let duplicate = |scope| Some(Self::Duplicate { paths: paths(words)?, scope });
        match (name, words) {
            ("add", [kind, path, properties @ ..]) => {
                let pair = |word: &String| {
                    let (name, value) = word.split_once('=')?;
                    Some((name.to_owned(), value.to_owned()))
                };
                let properties = properties.iter().map(pair).collect::<Option<_>>()?;
                Some(Self::Add { kind: kind.clone(), path: path.clone(), properties })
            }
            ("delete", words) => Some(Self::Delete { paths: paths(words)? }),
            ("duplicate", _) => duplicate(DuplicateScope::Alone),
            ("duplicate_with_references", _) => duplicate(DuplicateScope::WithReferences),
            ("rename", [path, name]) => {
                Some(Self::Rename { path: path.clone(), name: name.clone() })
            }
            ("move", [path, parent]) => {
                Some(Self::Move { path: path.clone(), parent: parent.clone() })
            }
            ("set", [property, value @ ..]) if !value.is_empty() => {
                Some(Self::Set { property: property.clone(), value: value.join(" ") })
            }
            ("inherit", [property]) => Some(Self::Inherit { property: property.clone() }),
            ("declare", [property, value_type, more @ ..]) => {
                Self::declare(property.clone(), value_type.clone(), more)
            }
            ("undeclare", [property]) => Some(Self::Undeclare { property: property.clone() }),
            ("undo", []) => Some(Self::Undo),
            ("redo", []) => Some(Self::Redo),
            _ => Self::of_parts(name, words).or_else(|| Self::of_map(name, words)),
        }
    }

    /// A command about points, faces or nodes.
    fn of_parts(name: &str, words: &[String]) -> Option<Self> {
        match (name, words) {
            ("attach", [points @ .., to]) if !points.is_empty() => {
                Some(Self::Attach { points: points.to_vec(), to: to.clone() })
            }
            ("detach", points) if !points.is_empty() => {
                Some(Self::Detach { points: points.to_vec() })
            }
            ("name_faces", [path, name, faces @ ..]) => {
                let faces = faces.iter().map(|face| face_at(face)).collect::<Option<_>>()?;
                Some(Self::NameFaces { path: path.clone(), name: name.clone(), faces })
            }
            ("add_support", [path, nodes @ ..]) if !nodes.is_empty() => {
                let nodes = nodes.iter().map(|node| node.parse().ok()).collect::<Option<_>>()?;
                Some(Self::AddSupport { path: path.clone(), nodes })
            }
            ("remove_support", [path]) => Some(Self::RemoveSupport { path: path.clone() }),
            _ => None,
        }
    }

    /// A declaration, with what else is said of it as `NAME=VALUE`, each once.
    fn declare(property: String, value_type: String, more: &[String]) -> Option<Self> {
        let [mut unit, mut default, mut doc] = [None, None, None];
        for word in more {
            let (name, value) = word.split_once('=')?;
            let place = match name {
                "unit" => &mut unit,
                "default" => &mut default,
                "doc" => &mut doc,
                _ => return None,
            };
            if place.replace(value.to_owned()).is_some() {
                return None;
            }
        }
        let [unit, default, doc] = [unit, default, doc].map(Option::unwrap_or_default);
        Some(Self::Declare { property, value_type, unit, default, doc })
    }

    /// A command that moves what is there.
    fn of_map(name: &str, words: &[String]) -> Option<Self> {
        match (name, words) {
            ("translate", [by, paths @ ..]) if !paths.is_empty() => {
                Some(Self::Translate { paths: paths.to_vec(), by: vector(by)? })
            }
            ("rotate", [turn, about, paths @ ..]) if !paths.is_empty() => {
                let (turn, about) = (vector(turn)?, vector(about)?);
                Some(Self::Rotate { paths: paths.to_vec(), turn, about })
            }
            ("scale", [factors, about, paths @ ..]) if !paths.is_empty() => {
                let (factors, about) = (vector(factors)?, vector(about)?);
                Some(Self::Scale { paths: paths.to_vec(), factors, about })
            }
            ("transform", [map, paths @ ..]) if !paths.is_empty() => {
                let MapText(map, options) = map.parse().ok()?;
                Some(Self::Transform { paths: paths.to_vec(), map, options })
            }
            _ => None,
        }
    }
}

/// An element and a face of it: `12:0`.
fn face_at(word: &str) -> Option<[u32; 2]> {
    let (element, face) = word.split_once(':')?;
    Some([element.parse().ok()?, face.parse().ok()?])
}

/// Three numbers.
fn vector(word: &str) -> Option<[f64; 3]> {
    let numbers = word.split([' ', ',']).filter(|number| !number.is_empty());
    let numbers: Option<Vec<f64>> = numbers.map(|number| number.parse().ok()).collect();
    numbers?.try_into().ok()
}

impl FromStr for EditCommand {
    type Err = EditTextError;

    fn from_str(line: &str) -> Result<Self, EditTextError> {
        let words = words(line)?;
        let (name, given) = words.split_first().ok_or(EditTextError::Empty)?;
        let Some(form) = Self::form(name) else {
            let names: Vec<_> = Self::names().collect();
            return Err(EditTextError::Unknown { name: name.clone(), known: names.join(", ") });
        };
        Self::of(name, given).ok_or_else(|| EditTextError::Words {
            name: name.clone(),
            expected: if form.is_empty() { "nothing" } else { form },
            given: given.join(" "),
        })
    }
}

impl fmt::Display for EditCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add { kind, path, properties } => {
                write!(f, "add {} {}", written(kind), written(path))?;
                let all = properties.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                write_given(f, all)
            }
            Self::Delete { paths } => write_line(f, "delete", &[], paths),
            Self::Duplicate { paths, scope } => write_line(f, word_of(*scope), &[], paths),
            Self::Rename { path, name } => write_two(f, "rename", path, name),
            Self::Move { path, parent } => write_two(f, "move", path, parent),
            Self::Set { property, value } => write_two(f, "set", property, value),
            Self::Inherit { property } => write!(f, "inherit {}", written(property)),
            Self::Declare { property, value_type, unit, default, doc } => {
                write!(f, "declare {} {}", written(property), written(value_type))?;
                let more = [("unit", &unit[..]), ("default", default), ("doc", doc)];
                write_given(f, more.into_iter().filter(|(_, text)| !text.is_empty()))
            }
            Self::Undeclare { property } => write!(f, "undeclare {}", written(property)),
            Self::Translate { paths, by } => write_line(f, "translate", &[by], paths),
            Self::Rotate { paths, turn, about } => write_line(f, "rotate", &[turn, about], paths),
            Self::Scale { paths, factors, about } => {
                write_line(f, "scale", &[factors, about], paths)
            }
            Self::Transform { paths, map, options } => {
                write!(f, "transform \"{}\"", MapText(map.clone(), *options))?;
                write_line(f, "", &[], paths)
            }
            Self::Attach { points, to } => write_attach(f, points, to),
            Self::Detach { points } => write_line(f, "detach", &[], points),
            Self::NameFaces { path, name, faces } => write_faces(f, path, name, faces),
            Self::AddSupport { path, nodes } => write_support(f, path, nodes),
            Self::RemoveSupport { path } => write!(f, "remove_support {}", written(path)),
            Self::Undo => f.write_str("undo"),
            Self::Redo => f.write_str("redo"),
        }
    }
}

/// A command and two words.
fn write_two(f: &mut fmt::Formatter<'_>, name: &str, first: &str, second: &str) -> fmt::Result {
    write!(f, "{name} {} {}", written(first), written(second))
}

/// Points and their master.
fn write_attach(f: &mut fmt::Formatter<'_>, points: &[String], to: &str) -> fmt::Result {
    write_line(f, "attach", &[], points)?;
    write!(f, " {}", written(to))
}

/// Faces with their tissue and name.
fn write_faces(
    f: &mut fmt::Formatter<'_>,
    path: &str,
    name: &str,
    faces: &[[u32; 2]],
) -> fmt::Result {
    write!(f, "name_faces {} {}", written(path), written(name))?;
    faces.iter().try_for_each(|[element, face]| write!(f, " {element}:{face}"))
}

/// Nodes with their tissue.
fn write_support(f: &mut fmt::Formatter<'_>, path: &str, nodes: &[u32]) -> fmt::Result {
    write!(f, "add_support {}", written(path))?;
    nodes.iter().try_for_each(|node| write!(f, " {node}"))
}

/// A value behind `=`.
fn value_word(value: &str) -> String {
    let plain = value.is_empty() || (written(value) == value && !value.starts_with(['"', '\'']));
    if plain { value.to_owned() } else { quoted(value) }
}

/// Word of the command that duplicates so.
fn word_of(scope: DuplicateScope) -> &'static str {
    match scope {
        DuplicateScope::Alone => "duplicate",
        DuplicateScope::WithReferences => "duplicate_with_references",
    }
}

/// Values with their names.
fn write_given<'a>(
    f: &mut fmt::Formatter<'_>,
    mut given: impl Iterator<Item = (&'a str, &'a str)>,
) -> fmt::Result {
    given.try_for_each(|(name, value)| write!(f, " {name}={}", value_word(value)))
}

/// A command, its vectors and its paths.
fn write_line(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    vectors: &[&[f64; 3]],
    paths: &[String],
) -> fmt::Result {
    f.write_str(name)?;
    for [x, y, z] in vectors {
        write!(f, " \"{x} {y} {z}\"")?;
    }
    paths.iter().try_for_each(|path| write!(f, " {}", written(path)))
}
