//! Element sets as one number an element, for formats that have no names.

use super::notes::counted;
use crate::VolumeMesh;

/// Numbers of the regions: 0 for elements in no set. `stem` is what the reader of the format puts
/// before the number, so that such names keep theirs. Notes what is lost.
pub(super) fn numbers(mesh: &VolumeMesh, stem: &str, notes: &mut Vec<String>) -> Option<Vec<i64>> {
    if mesh.element_sets.is_empty() {
        return None;
    }
    let own = |name: &str| name.strip_prefix(stem)?.strip_prefix('_')?.parse::<i64>().ok();
    let taken: Vec<Option<i64>> = mesh.element_sets.keys().map(|name| own(name)).collect();
    let mut next = 1;
    let mut number_of = vec![None; mesh.element_count()];
    let mut legend = Vec::new();
    for ((name, elements), known) in mesh.element_sets.iter().zip(&taken) {
        let number = known.unwrap_or_else(|| {
            while taken.contains(&Some(next)) {
                next += 1;
            }
            next += 1;
            legend.push(format!("{} is {name}", next - 1));
            next - 1
        });
        for &e in elements {
            if number_of[e as usize].replace(number).is_some_and(|before| before != number) {
                let sets = counted(mesh.element_sets.len(), "element set");
                notes.push(format!(
                    "{sets} not written: some overlap, and the format has one region an element"
                ));
                return None;
            }
        }
    }
    if !legend.is_empty() {
        notes.push(format!("element sets written as numbers: {}", legend.join(", ")));
    }
    if number_of.contains(&None) {
        notes.push("elements in no set are region 0".to_owned());
    }
    Some(number_of.into_iter().map(Option::unwrap_or_default).collect())
}
