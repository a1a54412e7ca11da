//! Parts of a document of others that an import made nothing of: each kind once, with its count and its first place.

use std::collections::BTreeMap;

use crate::diagnostic::Findings;
use crate::tree::Span;

/// Most names in one message.
const MOST_NAMES: usize = 12;

/// Kinds of parts that were not read.
#[derive(Debug, Default)]
pub(crate) struct Unread(BTreeMap<String, Found>);

#[derive(Clone, Copy, Debug)]
struct Found {
    count: usize,
    first: Span,
    effect: Effect,
}

/// Effect on motion of a part that was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It says how things are drawn, who made them, or how users group them.
    None,
    /// It may have one.
    Possible,
}

impl Unread {
    /// Adds a part of a kind.
    pub(crate) fn add(&mut self, kind: String, place: Span, effect: Effect) {
        let found = Found { count: 0, first: place, effect };
        self.0.entry(kind).or_insert(found).count += 1;
    }

    /// Tells of all kinds in the order of their first places: a note where they have no effect, else a warning.
    pub(crate) fn tell(self, findings: &mut Findings) {
        let mut kinds: Vec<_> = self.0.into_iter().collect();
        kinds.sort_by_key(|(_, found)| (found.first.file, found.first.start));
        for (kind, Found { count, first, effect }) in kinds {
            let times =
                if count == 1 { String::new() } else { format!(", {count} times, first here") };
            let message = format!("{kind} is not read{times}");
            match effect {
                Effect::None => findings.note(first, message + ": it has no effect on motion"),
                Effect::Possible => findings.warn(first, message),
            }
        }
    }
}

/// The first names of a list, and two dots where there are more.
pub(crate) fn first_names<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.into_iter().take(MOST_NAMES + 1).collect();
    if names.len() > MOST_NAMES {
        names[MOST_NAMES] = "..";
    }
    names.join(", ")
}
