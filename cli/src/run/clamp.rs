//! Which nodes of a mesh file are held: the language of `--param clamp=..`.
//! `none`, or terms such as `z<0.05` joined by `and`; lengths are in the unit of the file.

use std::fmt;
use std::str::FromStr;

use sinew::fem::VolumeMesh;

/// Share of the extent along z that is held when nothing is said.
const LOWEST_SHARE: f64 = 0.05;

/// Which nodes are held.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Clamp {
    /// Those in the lowest 5 % of the extent along z.
    #[default]
    Lowest,
    /// No node.
    None,
    /// Those on the right side of every bound.
    Within(Vec<Bound>),
}

/// One term: the coordinate along `axis` compared with `limit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    /// 0, 1, 2 for x, y, z.
    axis: usize,
    comparison: Comparison,
    /// In the unit of the file.
    limit: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// Operators in the order in which they are looked for: the long ones before their beginnings.
const OPERATORS: [(&str, Comparison); 4] = [
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Below),
    (">", Comparison::Above),
];

/// A term that is not of the form axis, comparison, number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "parameter clamp: '{term}' is no condition; write none, or conditions such as z<0.05, x>=1 joined by 'and'"
)]
pub(crate) struct ClampError {
    /// The term as given.
    term: String,
}

impl FromStr for Clamp {
    type Err = ClampError;

    fn from_str(text: &str) -> Result<Self, ClampError> {
        if text.trim() == "none" {
            return Ok(Self::None);
        }
        text.split(" and ").map(Bound::from_str).collect::<Result<_, _>>().map(Self::Within)
    }
}

impl FromStr for Bound {
    type Err = ClampError;

    fn from_str(text: &str) -> Result<Self, ClampError> {
        let refused = || ClampError { term: text.trim().to_owned() };
        let mut rest = text.trim().chars();
        let axis = match rest.next() {
            Some('x') => 0,
            Some('y') => 1,
            Some('z') => 2,
            _ => return Err(refused()),
        };
        let rest = rest.as_str().trim_start();
        let (number, comparison) = OPERATORS
            .iter()
            .find_map(|&(operator, comparison)| {
                rest.strip_prefix(operator).map(|number| (number, comparison))
            })
            .ok_or_else(refused)?;
        let limit = number.trim().parse().ok().filter(|x: &f64| x.is_finite());
        Ok(Self { axis, comparison, limit: limit.ok_or_else(refused)? })
    }
}

impl Bound {
    /// Whether the coordinate `x` [m] meets the bound, `unit` being the unit of the file [m].
    fn holds(self, x: f64, unit: f64) -> bool {
        let limit = self.limit * unit;
        match self.comparison {
            Comparison::Below => x < limit,
            Comparison::AtMost => x <= limit,
            Comparison::Above => x > limit,
            Comparison::AtLeast => x >= limit,
        }
    }
}

impl fmt::Display for Clamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lowest => f.write_str("lowest 5 %"),
            Self::None => f.write_str("none"),
            Self::Within(bounds) => {
                for (i, bound) in bounds.iter().enumerate() {
                    write!(f, "{}{bound}", if i == 0 { "" } else { " and " })?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operator = OPERATORS.iter().find(|(_, comparison)| *comparison == self.comparison);
        let sign = operator.map_or("", |(sign, _)| sign);
        write!(f, "{}{sign}{}", ["x", "y", "z"][self.axis], self.limit)
    }
}

impl Clamp {
    /// The nodes of `mesh` [m] that are held, in order; `unit` is the unit of the file [m].
    pub(crate) fn nodes(&self, mesh: &VolumeMesh, unit: f64) -> Vec<u32> {
        let (low, high) = mesh.bounding_box().map_or((0.0, 0.0), |[low, high]| (low.z, high.z));
        let lowest = low + LOWEST_SHARE * (high - low);
        let held = |p: &sinew::Vec3| match self {
            Self::Lowest => p.z <= lowest,
            Self::None => false,
            Self::Within(bounds) => bounds.iter().all(|bound| bound.holds(p[bound.axis], unit)),
        };
        (0..).zip(&mesh.nodes).filter(|(_, p)| held(p)).map(|(n, _)| n).collect()
    }
}

#[cfg(test)]
mod tests {
    use sinew::Vec3;

    use super::*;

    /// Nodes on the diagonal of a cube, at 0, 0.01, .. 0.1 m.
    fn diagonal() -> VolumeMesh {
        VolumeMesh::new((0..=10).map(|i| Vec3::repeat(f64::from(i) / 100.0)).collect())
    }

    fn held(clamp: &str, unit: f64) -> Vec<u32> {
        clamp.parse::<Clamp>().unwrap().nodes(&diagonal(), unit)
    }

    #[test]
    fn the_comparisons_differ_at_the_limit_only() {
        assert_eq!(held("z<0.02", 1.0), [0, 1]);
        assert_eq!(held("z<=0.02", 1.0), [0, 1, 2]);
        assert_eq!(held("y>0.09", 1.0), [10]);
        assert_eq!(held(" x >= 0.09 ", 1.0), [9, 10]);
    }

    #[test]
    fn a_clamp_is_printed_as_it_is_written() {
        for text in ["none", "z<0.05", "x>=1 and y<=2 and z>-3.5"] {
            assert_eq!(text.parse::<Clamp>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn terms_joined_by_and_must_all_hold() {
        assert_eq!(held("x>0.035 and z<6e-2", 1.0), [4, 5]);
    }

    #[test]
    fn limits_are_in_the_unit_of_the_file() {
        assert_eq!(held("z<25", 1e-3), [0, 1, 2]);
    }

    #[test]
    fn without_an_expression_the_lowest_twentieth_is_held() {
        let mut mesh = diagonal();
        mesh.nodes.push(Vec3::new(0.0, 0.0, 0.0049));
        mesh.nodes.push(Vec3::new(0.0, 0.0, 0.0051));
        assert_eq!(Clamp::default().nodes(&mesh, 1.0), [0, 11]);
        assert!(held("none", 1.0).is_empty());
    }

    #[test]
    fn what_is_not_axis_comparison_number_is_refused_by_name() {
        for bad in
            ["", "z", "w<1", "z=1", "z<", "z<x", "z<inf", "z<1 and", "0.1<z", "z<1,2", "zz<1"]
        {
            let error = bad.parse::<Clamp>().expect_err(bad);
            assert!(bad.contains(&error.term), "'{bad}' is refused as '{}'", error.term);
        }
        assert_eq!("z<1 and q>2".parse::<Clamp>().unwrap_err().term, "q>2");
    }
}
