//! Edits as they are written.

/// An edit as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EditCommand {
    Add { kind: String, path: String, properties: Vec<(String, String)> },
    Delete(Vec<String>),
    Duplicate(Vec<String>),
    Rename { path: String, name: String },
    Move { path: String, parent: String },
    Undo,
    Redo,
}

impl EditCommand {
    /// The edit with a name and the words after it; `None` where these are not what it takes.
    pub(super) fn of(name: &str, words: &[String]) -> Option<Self> {
        match (name, words) {
            ("add", [kind, path, properties @ ..]) => {
                let pair = |word: &String| {
                    let (name, value) = word.split_once('=')?;
                    let inner = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
                    Some((name.to_owned(), inner.unwrap_or(value).to_owned()))
                };
                let properties = properties.iter().map(pair).collect::<Option<_>>()?;
                Some(Self::Add { kind: kind.clone(), path: path.clone(), properties })
            }
            ("delete", [_, ..]) => Some(Self::Delete(words.to_vec())),
            ("duplicate", [_, ..]) => Some(Self::Duplicate(words.to_vec())),
            ("rename", [path, name]) => {
                Some(Self::Rename { path: path.clone(), name: name.clone() })
            }
            ("move", [path, parent]) => {
                Some(Self::Move { path: path.clone(), parent: parent.clone() })
            }
            ("undo", []) => Some(Self::Undo),
            ("redo", []) => Some(Self::Redo),
            _ => None,
        }
    }
}
