//! Properties of the columns of a recorded table.

use sinew::inverse::TrackedExcitation;
use sinew::model::{FrameLoad, Model, PointLoad};

use crate::read::Heading;
use crate::spec::InputProbeSpec;
use sinew::formula::part_names;

/// The columns that are named by properties of `model`, as an output probe names them, each with all of
/// its parts in a row, or as controls of OpenSim (`/forceset/NAME`, an excitation); a probe that feeds them. Other columns, and properties that can only be read, are
/// left out and named in the second part.
pub fn properties_of_columns(heading: &Heading, model: &Model) -> (InputProbeSpec, Vec<String>) {
    let (mut spec, mut others) = (InputProbeSpec::default(), Vec::new());
    let mut rest = &heading.columns[..];
    while let Some((column, after)) = rest.split_first() {
        match property_at(rest, model) {
            Some((path, count)) => {
                spec.properties.push(path);
                spec.columns.extend_from_slice(&rest[..count]);
                rest = &rest[count..];
            }
            None => {
                others.push(column.clone());
                rest = after;
            }
        }
    }
    (spec, others)
}

/// Path of forces in tables of OpenSim.
const FORCES: &str = "/forceset/";

/// The excitation that a column of controls of OpenSim is, by the name of the one component that has it.
fn excitation_at(column: &str, model: &Model) -> Option<String> {
    let name = column.strip_prefix(FORCES).filter(|name| !name.is_empty())?;
    let muscles = TrackedExcitation::muscles(model).into_iter().map(|it| it.component);
    let points = model.iter::<PointLoad>().map(|(handle, _)| handle.id());
    let bodies = model.iter::<FrameLoad>().map(|(handle, _)| handle.id());
    let paths = muscles.chain(points).chain(bodies).map(|id| model.path(id));
    let mut found = paths.filter(|path| path.rsplit('/').next() == Some(name));
    match (found.next(), found.next()) {
        (Some(path), None) => Some(format!("{path}:excitation")),
        _ => None,
    }
}

/// The property that the first columns are, and how many they are.
fn property_at(columns: &[String], model: &Model) -> Option<(String, usize)> {
    let settable = |path: &str| {
        let property = model.property(path).ok()?;
        (!property.info().read_only).then_some(property.info().value_type)
    };
    let first = columns.first()?;
    if settable(first).is_some_and(|ty| ty.numeric_size() == Some(1)) {
        return Some((first.clone(), 1));
    }
    if let Some(path) = excitation_at(first, model) {
        return Some((path, 1));
    }
    let (path, _) = first.rsplit_once('.')?;
    let parts = part_names(settable(path)?);
    let named = columns.iter().zip(parts).all(|(it, part)| *it == format!("{path}.{part}"));
    let whole = !parts.is_empty() && columns.len() >= parts.len() && named;
    whole.then(|| (path.to_owned(), parts.len()))
}

#[cfg(test)]
mod tests {
    use sinew::axial::AxialLaw;
    use sinew::axial::active::{ConstantMuscle, Thelen2003};
    use sinew::model::{AxialSpring, Particle};

    use super::*;

    #[test]
    fn controls_of_opensim_are_excitations_of_the_forces_of_their_names() {
        let mut model = Model::new("arm");
        let ends = [0.0, 0.3].map(|x| model.add(Particle::new(1.0, [x, 0.0, 0.0].into())));
        let muscle = AxialLaw::Thelen2003(Thelen2003::default());
        let pull = AxialLaw::ConstantMuscle(ConstantMuscle::default());
        for (name, law) in [("flexor", muscle), ("extensor", pull)] {
            let made = AxialSpring::with_law(ends, law);
            model.add(AxialSpring { name: name.into(), ..made });
        }
        let columns = ["/forceset/flexor", "/forceset/nobody", "/forceset/flexor/activation"];
        let columns = columns.map(str::to_owned).to_vec();
        let heading = Heading { columns, ..Heading::default() };
        let (spec, others) = properties_of_columns(&heading, &model);
        assert_eq!(spec.columns, ["/forceset/flexor"]);
        assert!(spec.properties[0].ends_with("/flexor:excitation"), "{:?}", spec.properties);
        assert_eq!(others.len(), 2);
    }
}
