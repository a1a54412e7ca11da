//! Fixed nodes of a mesh file: `--param clamp=..` is `none`, the name of a set of nodes, or a
//! condition such as `z<0.05 and x>=1`, with lengths in the unit of the file.

use std::fmt;
use std::str::FromStr;

use sinew::component::{did_you_mean, similar};
use sinew::fem::VolumeMesh;
use sinew::formula::{Condition, ConditionError};

/// Share of the extent along z that is fixed when nothing is said.
const LOWEST_SHARE: f64 = 0.05;

/// Selection of the fixed nodes.
#[derive(Clone, Debug, Default, PartialEq)]
// A run has one of it.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Clamp {
    /// Those in the lowest 5 % of the extent along z.
    #[default]
    Lowest,
    /// No node.
    None,
    /// Those of a set of the mesh.
    Set(String),
    /// Those that meet a condition.
    Where(Condition),
}

/// A clamp that names no nodes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum ClampError {
    /// Neither `none` nor a condition, nor a name.
    #[error("parameter clamp: {0}; or write none, or the name of a set of nodes")]
    Condition(#[from] ConditionError),
    /// The mesh has no such set.
    #[error(
        "parameter clamp: the mesh has no set of nodes '{name}'{}; {known}",
        did_you_mean(near)
    )]
    Set {
        /// The name as given.
        name: String,
        /// Sets that are spelled like it.
        near: Vec<String>,
        /// Names of the sets that there are.
        known: String,
    },
}

/// Names of sets that a message lists.
const MOST_NAMES: usize = 20;

impl ClampError {
    fn no_set(name: &str, mesh: &VolumeMesh) -> Self {
        let names: Vec<&str> = mesh.node_sets.keys().map(String::as_str).collect();
        let near = similar(name, names.iter().copied());
        let known = match names.len() {
            0 => "it has none".to_owned(),
            count if count > MOST_NAMES => format!("it has {count}: see sinew info"),
            _ => format!("it has {}", names.join(", ")),
        };
        Self::Set { name: name.to_owned(), near, known }
    }
}

impl FromStr for Clamp {
    type Err = ClampError;

    fn from_str(text: &str) -> Result<Self, ClampError> {
        let text = text.trim();
        if text == "none" {
            return Ok(Self::None);
        }
        let is_name = text.contains(char::is_alphanumeric) && !text.contains(['<', '>', '=']);
        if !is_name {
            return Ok(Self::Where(Condition::parse(text)?));
        }
        Ok(Self::Set(text.to_owned()))
    }
}

impl fmt::Display for Clamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lowest => f.write_str("lowest 5 %"),
            Self::None => f.write_str("none"),
            Self::Set(name) => f.write_str(name),
            Self::Where(condition) => f.write_str(condition.text()),
        }
    }
}

impl Clamp {
    /// The nodes of `mesh` [m] that are fixed, in order; `unit` is the unit of the file [m].
    ///
    /// # Errors
    /// A set that the mesh does not have.
    pub(crate) fn nodes(&self, mesh: &VolumeMesh, unit: f64) -> Result<Vec<u32>, ClampError> {
        let (low, high) = mesh.bounding_box().map_or((0.0, 0.0), |[low, high]| (low.z, high.z));
        let lowest = low + LOWEST_SHARE * (high - low);
        let is_fixed = |p: &sinew::Vec3| match self {
            Self::Lowest => p.z <= lowest,
            Self::None | Self::Set(_) => false,
            Self::Where(condition) => condition.holds(&(p / unit).into()),
        };
        if let Self::Set(name) = self {
            let set = mesh.node_sets.get(name);
            return set.cloned().ok_or_else(|| ClampError::no_set(name, mesh));
        }
        Ok((0..).zip(&mesh.nodes).filter(|(_, p)| is_fixed(p)).map(|(n, _)| n).collect())
    }
}

#[cfg(test)]
mod tests {
    use sinew::Vec3;

    use super::*;

    /// Nodes on the diagonal of a cube, at 0, 0.01, .. 0.1 m.
    fn diagonal() -> VolumeMesh {
        let nodes = (0..=10).map(|i| Vec3::repeat(f64::from(i) / 100.0)).collect();
        let mut mesh = VolumeMesh::new(nodes);
        mesh.node_sets.insert("base".into(), vec![0, 3]);
        mesh
    }

    fn fixed(clamp: &str, unit: f64) -> Vec<u32> {
        clamp.parse::<Clamp>().unwrap().nodes(&diagonal(), unit).unwrap()
    }

    #[test]
    fn nodes_are_fixed_by_condition_or_by_set() {
        assert_eq!(fixed("z<0.02", 1.0), [0, 1]);
        assert_eq!(fixed(" x >= 0.09 ", 1.0), [9, 10]);
        assert_eq!(fixed("x>0.035 and z<6e-2", 1.0), [4, 5]);
        assert_eq!(fixed("x<0.005 or x+y>0.19", 1.0), [0, 10]);
        assert_eq!(fixed("base", 1.0), [0, 3]);
        assert!(fixed("none", 1.0).is_empty());
    }

    #[test]
    fn a_clamp_is_printed_as_it_is_written() {
        for text in ["none", "z<0.05", "x>=1 and y<=2 and z>-3.5", "base"] {
            assert_eq!(text.parse::<Clamp>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn limits_are_in_the_unit_of_the_file() {
        assert_eq!(fixed("z<25", 1e-3), [0, 1, 2]);
    }

    #[test]
    fn without_an_expression_the_lowest_twentieth_is_fixed() {
        let mut mesh = diagonal();
        mesh.nodes.push(Vec3::new(0.0, 0.0, 0.0049));
        mesh.nodes.push(Vec3::new(0.0, 0.0, 0.0051));
        assert_eq!(Clamp::default().nodes(&mesh, 1.0).unwrap(), [0, 11]);
    }

    #[test]
    fn what_names_no_nodes_is_refused_with_what_there_is() {
        for bad in ["", "w<1", "z=1", "z<", "z<q", "z<1 and", "z<1,2", "zz<1", "0<z<1"] {
            let error = bad.parse::<Clamp>().expect_err(bad).to_string();
            assert!(error.contains("clamp") && error.contains(bad), "{bad}: {error}");
        }
        let set = "bse".parse::<Clamp>().unwrap();
        let error = set.nodes(&diagonal(), 1.0).unwrap_err().to_string();
        assert!(error.contains("'bse' (did you mean 'base'?)"), "{error}");
    }
}
