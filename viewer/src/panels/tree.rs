//! Rows of the tree that are shown: those whose ancestors are open, or that a filter lets through.

use std::collections::HashSet;
use std::sync::Arc;

use sinew::component::ComponentId;
use sinew::snapshot::{Outline, OutlineRow};

use crate::Titles;

/// The rows that are shown; they are found anew when what they depend on changes, not every frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    open: HashSet<ComponentId>,
    rows: Arc<Vec<u32>>,
    outline: Option<Arc<Outline>>,
    filter: String,
    titles: Titles,
    stale: bool,
    /// Number of searches for rows, for tests.
    #[cfg(test)]
    pub(super) searches: usize,
}

impl Tree {
    /// Rows that are found by these titles too.
    pub(super) fn new(titles: Titles) -> Self {
        Self { titles, ..Self::default() }
    }

    pub(super) fn titles(&self) -> &Titles {
        &self.titles
    }

    /// Rows of `outline` that are shown, by rising number.
    pub(super) fn rows(&mut self, outline: &Arc<Outline>, filter: &str) -> Arc<Vec<u32>> {
        let same = self.outline.as_ref().is_some_and(|it| Arc::ptr_eq(it, outline));
        if self.outline.is_none() {
            self.open_first(outline);
        }
        if self.stale || !same || self.filter != filter {
            self.outline = Some(outline.clone());
            self.filter = filter.to_owned();
            self.stale = false;
            self.find(outline);
        }
        self.rows.clone()
    }

    /// The root and what lies two generations below it are open at first.
    fn open_first(&mut self, outline: &Outline) {
        let upper = outline.rows.iter().take(64).filter(|row| row.depth < 3);
        self.open.extend(upper.map(|row| row.id));
    }

    fn find(&mut self, outline: &Outline) {
        #[cfg(test)]
        {
            self.searches += 1;
        }
        let shown = Arc::make_mut(&mut self.rows);
        shown.clear();
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            let mut row = 0;
            while let Some(data) = outline.rows.get(row) {
                shown.push(row as u32);
                row = if self.open.contains(&data.id) { row + 1 } else { data.end as usize };
            }
            return;
        }
        let found = |row: &OutlineRow| {
            let title = self.titles.of(&row.label).unwrap_or_default();
            let texts = [&row.label, row.id.kind().name(), title];
            words.iter().all(|word| texts.iter().any(|text| holds(text, word)))
        };
        // What lies above a row comes before it.
        let mut kept: Vec<bool> = outline.rows.iter().map(found).collect();
        for at in (1..kept.len()).rev() {
            if kept[at] {
                kept[outline.rows[at].parent as usize] = true;
            }
        }
        shown.extend((0..kept.len() as u32).filter(|&at| kept[at as usize]));
    }

    /// The rows that were found last.
    pub(super) fn shown(&self) -> &[u32] {
        &self.rows
    }

    pub(super) fn is_open(&self, id: ComponentId) -> bool {
        self.open.contains(&id)
    }

    pub(super) fn toggle(&mut self, id: ComponentId) {
        if !self.open.remove(&id) {
            self.open.insert(id);
        }
        self.stale = true;
    }

    /// Opens all above a component.
    pub(super) fn reveal(&mut self, outline: &Outline, id: ComponentId) {
        let Some(mut row) = outline.row(id) else { return };
        while row != 0 {
            row = outline.rows[row].parent as usize;
            self.stale |= self.open.insert(outline.rows[row].id);
        }
    }

    /// Place among the rows that are shown.
    pub(super) fn place(&self, outline: &Outline, id: ComponentId) -> Option<usize> {
        let row = outline.row(id)? as u32;
        self.rows.binary_search(&row).ok()
    }
}

/// True if `text` holds `part`, which is in small letters, in any case.
fn holds(text: &str, part: &str) -> bool {
    if text.is_ascii() && part.is_ascii() {
        let (text, part) = (text.as_bytes(), part.as_bytes());
        return text.windows(part.len()).any(|it| it.eq_ignore_ascii_case(part));
    }
    text.to_lowercase().contains(part)
}

/// Row of the component that a path leads to, as [`Outline::path`] writes it.
pub(crate) fn find(outline: &Outline, path: &str) -> Option<usize> {
    let mut rest = path.trim().trim_start_matches('/').trim_end_matches('/');
    let mut at = 0;
    while !rest.is_empty() {
        let end = outline.rows.get(at)?.end as usize;
        let mut child = at + 1;
        loop {
            let row = outline.rows.get(child).filter(|_| child < end)?;
            let left = rest.strip_prefix(row.label.as_str());
            if let Some(left) = left.filter(|left| left.is_empty() || left.starts_with('/')) {
                (at, rest) = (child, left.trim_start_matches('/'));
                break;
            }
            child = row.end as usize;
        }
    }
    (at < outline.rows.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use sinew::model::{Model, Particle};

    use super::*;

    fn model(count: usize) -> (Arc<Outline>, Vec<ComponentId>) {
        let mut model = Model::new("many");
        let ids = (0..count)
            .map(|k| model.add(Particle { name: format!("p{k}"), ..Particle::default() }).id());
        let ids = ids.collect();
        (Arc::new(Outline::of(&model)), ids)
    }

    #[test]
    fn closed_branches_hide_what_is_below_and_rows_are_found_once() {
        let (outline, ids) = model(100_000);
        let mut tree = Tree::default();
        let list = outline.rows[outline.row(ids[0]).unwrap()].parent as usize;
        let few = tree.rows(&outline, "").len();
        assert!(few < 200, "{few} rows are shown of a closed list");
        for _ in 0..50 {
            tree.rows(&outline, "");
        }
        assert_eq!(tree.searches, 1);
        tree.toggle(outline.rows[list].id);
        assert_eq!(tree.rows(&outline, "").len(), few + 100_000);
        assert_eq!(tree.searches, 2);
    }

    #[test]
    fn a_filter_finds_names_and_kinds_wherever_they_are() {
        let (outline, ids) = model(20);
        let mut tree = Tree::default();
        let found: Vec<u32> = tree.rows(&outline, "p1 part").to_vec();
        let expected = [1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
        let mut above = vec![outline.rows[outline.row(ids[0]).unwrap()].parent];
        while above[0] != 0 {
            above.insert(0, outline.rows[above[0] as usize].parent);
        }
        let rows = expected.iter().map(|&k: &usize| outline.row(ids[k]).unwrap() as u32);
        let expected: Vec<u32> = above.into_iter().chain(rows).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_component_is_found_by_what_people_call_it() {
        let mut model = Model::new("jaw");
        for name in ["lsm", "rsm", "cranium"] {
            model.add(Particle { name: name.to_owned(), ..Particle::default() });
        }
        let titles = [("lsm", "left superficial masseter"), ("cranium", "skull, braincase")];
        let titles = titles.map(|(name, title)| (name.to_owned(), title.to_owned()));
        let mut tree = Tree::new(titles.into_iter().collect());
        let outline = Arc::new(Outline::of(&model));
        let mut found = |text: &str| -> Vec<String> {
            let rows = tree.rows(&outline, text);
            let leaves = rows.iter().map(|&row| &outline.rows[row as usize]);
            leaves.filter(|row| row.depth == 4).map(|row| row.label.clone()).collect()
        };
        let depth = outline.rows.iter().find(|row| row.label == "lsm").unwrap().depth;
        assert_eq!(depth, 4);
        assert_eq!(found("skull"), ["cranium"]);
        assert_eq!(found("Masseter left"), ["lsm"]);
        assert_eq!(found("rsm"), ["rsm"]);
    }

    #[test]
    fn what_is_revealed_has_a_place() {
        let (outline, ids) = model(20);
        let mut tree = Tree::default();
        tree.rows(&outline, "");
        tree.reveal(&outline, ids[7]);
        tree.rows(&outline, "");
        let place = tree.place(&outline, ids[7]).unwrap();
        assert_eq!(tree.rows[place] as usize, outline.row(ids[7]).unwrap());
    }

    #[test]
    fn paths_lead_to_the_rows_that_have_them() {
        let mut model = Model::new("names");
        for name in ["tip", "tip2", "a/b", "two words", "tip"] {
            model.add(Particle { name: name.to_owned(), ..Particle::default() });
        }
        let outline = Outline::of(&model);
        for row in 0..outline.rows.len() {
            assert_eq!(find(&outline, &outline.path(row)), Some(row), "{}", outline.path(row));
        }
        assert_eq!(find(&outline, "/nothing/there"), None);
        assert_eq!(find(&Outline::default(), "/"), None);
    }
}
