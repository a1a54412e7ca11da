//! Visibility of a model's components: commands that hide them, show them, and show one alone.

use sinew::component::ComponentId;
use sinew::schedule::{Assignment, Command};
use sinew::snapshot::Outline;

/// The property that hides.
const VISIBLE: &str = "render.visible";

/// The component that is shown alone, and what was hidden for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Isolated {
    only: Option<ComponentId>,
    hidden: Vec<String>,
}

fn assign(path: String, value: Option<&str>) -> Assignment {
    Assignment { path, value: value.map(str::to_owned) }
}

fn path_of(outline: &Outline, row: usize) -> String {
    format!("{}:{VISIBLE}", outline.path(row))
}

/// Hides what is seen in a row, and shows what is hidden.
pub(super) fn toggle(outline: &Outline, row: usize) -> Command {
    let data = &outline.rows[row];
    let parent_seen = row == 0 || outline.rows[data.parent as usize].visible;
    let value = match (data.visible, parent_seen) {
        (true, _) => Some("false"),
        // It is seen as what it is part of is.
        (false, true) => None,
        (false, false) => Some("true"),
    };
    Command::set(vec![assign(path_of(outline, row), value)])
}

/// Shows everything that is hidden; nothing where nothing is.
pub(super) fn show_all(outline: &Outline) -> Option<Command> {
    let hidden = (0..outline.rows.len()).filter(|&row| !outline.rows[row].visible);
    let shown: Vec<_> = hidden.map(|row| assign(path_of(outline, row), None)).collect();
    (!shown.is_empty()).then(|| Command::set(shown))
}

impl Isolated {
    /// True if a component is shown alone.
    pub(super) fn is(&self, id: ComponentId) -> bool {
        self.only == Some(id)
    }

    /// Shows a row alone, with all below it; where it is alone, all that was seen before. One edit.
    pub(super) fn toggle(&mut self, outline: &Outline, row: usize) -> Command {
        let mut edits: Vec<_> = self.hidden.drain(..).map(|path| assign(path, None)).collect();
        let id = outline.rows[row].id;
        if self.only.take() == Some(id) {
            return Command::set(edits);
        }
        self.only = Some(id);
        for path in beside(outline, row) {
            match edits.iter_mut().find(|edit| edit.path == path) {
                Some(edit) => edit.value = Some("false".to_owned()),
                None if is_seen(outline, &path) => edits.push(assign(path.clone(), Some("false"))),
                // It was hidden before, and stays so.
                None => continue,
            }
            self.hidden.push(path);
        }
        Command::set(edits)
    }
}

fn is_seen(outline: &Outline, path: &str) -> bool {
    let owner = path.strip_suffix(VISIBLE).unwrap_or(path).trim_end_matches(':');
    super::tree::find(outline, owner).is_none_or(|row| outline.rows[row].visible)
}

/// Paths of what is drawn beside a row, and beside what is above it.
fn beside(outline: &Outline, row: usize) -> Vec<String> {
    let mut paths = Vec::new();
    let mut at = row;
    while at != 0 {
        let parent = outline.rows[at].parent as usize;
        let mut child = parent + 1;
        while child < outline.rows[parent].end as usize {
            if child != at && outline.rows[child].drawn {
                paths.push(path_of(outline, child));
            }
            child = outline.rows[child].end as usize;
        }
        at = parent;
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::dynamics::SpatialInertia;
    use sinew::model::{Inertia, Model, Particle, RigidBody};
    use sinew::snapshot::Outline;

    /// Two particles and a body, with what is hidden.
    fn outline(hidden: &[&str]) -> Outline {
        let mut model = Model::new("m");
        for name in ["a", "b"] {
            model.add(Particle { name: name.to_owned(), ..Particle::default() });
        }
        let inertia = SpatialInertia::of_box(1.0, &sinew::Vec3::repeat(0.1)).unwrap();
        model.add(RigidBody::new("bone", Inertia::Explicit(inertia)));
        let owners: Vec<_> = model.iter::<Particle>().map(|(id, _)| id.id()).collect();
        let body = model.iter::<RigidBody>().next().unwrap().0.id();
        let mut outline = Outline::of(&model);
        outline.mark_drawn(owners.into_iter().chain([body]));
        for path in hidden {
            let row = super::super::tree::find(&outline, path).unwrap();
            outline.rows[row].visible = false;
        }
        outline
    }

    fn row(outline: &Outline, path: &str) -> usize {
        super::super::tree::find(outline, path).unwrap()
    }

    fn set(command: &Command) -> Vec<(&str, Option<&str>)> {
        let Command::Set { assignments: list, .. } = command else { panic!("{command:?}") };
        list.iter().map(|it| (it.path.as_str(), it.value.as_deref())).collect()
    }

    #[test]
    fn an_eye_hides_and_shows_again_as_what_is_above() {
        let seen = outline(&[]);
        let eye = toggle(&seen, row(&seen, "/models/m/particles/a"));
        assert_eq!(set(&eye), [("/models/m/particles/a:render.visible", Some("false"))]);
        let hidden = outline(&["/models/m/particles/a"]);
        let eye = toggle(&hidden, row(&hidden, "/models/m/particles/a"));
        assert_eq!(set(&eye), [("/models/m/particles/a:render.visible", None)]);
        let above = outline(&["/models/m/particles", "/models/m/particles/a"]);
        let eye = toggle(&above, row(&above, "/models/m/particles/a"));
        assert_eq!(set(&eye), [("/models/m/particles/a:render.visible", Some("true"))]);
        assert_eq!(show_all(&seen), None);
        assert_eq!(set(&show_all(&above).unwrap()).len(), 2);
    }

    #[test]
    fn one_component_is_shown_alone_and_all_that_was_seen_comes_back() {
        let seen = outline(&["/models/m/rigid_bodies/bone"]);
        let mut isolated = Isolated::default();
        let a = row(&seen, "/models/m/particles/a");
        let command = isolated.toggle(&seen, a);
        let expected = ["/models/m/particles/b", "/models/m/rigid_bodies"]
            .map(|path| format!("{path}:render.visible"));
        let expected: Vec<_> = expected.iter().map(|it| (it.as_str(), Some("false"))).collect();
        assert_eq!(set(&command), expected);
        assert!(isolated.is(seen.rows[a].id));
        let back = isolated.toggle(&seen, a);
        let expected: Vec<_> = expected.iter().map(|&(path, _)| (path, None)).collect();
        assert_eq!(set(&back), expected);
        assert!(!isolated.is(seen.rows[a].id));
    }
}
