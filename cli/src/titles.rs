//! Anatomical titles of components of the built-in models.

use sinew_datasets::bones::Bone;
use sinew_datasets::jaw::Body;
use sinew_datasets::jaw::muscles::muscles;
use sinew_viewer::Titles;

/// Titles of the parts of a head that are drawn in one piece.
const DRAWN: [(&str, &str); 3] =
    [("skull", "skull"), ("upper_teeth", "upper teeth"), ("lower_teeth", "lower teeth")];

/// Titles of components by their names, and in brackets other words for them.
pub(crate) fn titles() -> Titles {
    let bodies = Body::SOLID.into_iter().chain([Body::Sternum]);
    let bodies = bodies.map(|body| (body.name().to_owned(), body.title().to_owned()));
    let muscles = muscles().into_iter().flat_map(|muscle| {
        let title = format!("{} {}", muscle.side.name(), muscle.title.to_lowercase());
        let ends = ["origin", "insertion"];
        let ends = ends.map(|end| (format!("{}_{end}", muscle.name), format!("{end} of {title}")));
        [(muscle.name, format!("{title} ({})", muscle.group.name().replace('_', " ")))]
            .into_iter()
            .chain(ends)
    });
    let bones = Bone::ALL.map(|bone| (bone.name().to_owned(), bone.title().to_owned()));
    let drawn = DRAWN.map(|(name, title)| (name.to_owned(), title.to_owned()));
    bones.into_iter().chain(bodies).chain(drawn).chain(muscles).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_search_for_is_in_the_titles_of_the_jaw() {
        let titles = titles();
        for (name, word) in [
            ("cranium", "skull"),
            ("maxilla", "upper jaw"),
            ("mandible", "lower jaw"),
            ("c2", "axis"),
            ("lsm", "left superficial masseter"),
            ("rat", "right anterior temporal"),
            ("rat", "temporalis"),
            ("ldm_origin", "origin of left deep masseter"),
        ] {
            let title = titles.of(name).unwrap_or_else(|| panic!("{name} has no title"));
            assert!(title.contains(word), "{name}: {title}");
        }
    }
}
