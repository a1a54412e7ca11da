//! Lists of numbered points and of muscle fibres between them, as published with the face: ANSYS nodes, and the tables
//! `FIBER(muscle, fibre, point) = number` of its scripts.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::path::Path;

use regex::Regex;
use sinew::Vec3;

use crate::ParamError;
use crate::published::{fault, read_text};

/// Largest index of a table: many times what a face has.
const MOST: usize = 1000;

/// Numbered points, in the order of their file.
#[derive(Debug, Default)]
pub(super) struct NodeList {
    points: Vec<Vec3>,
    rows: HashMap<i64, usize>,
}

impl NodeList {
    /// Lines of a number and three coordinates, which may run together where the next one has a sign.
    pub(super) fn read(path: &Path) -> Result<Self, ParamError> {
        let text = read_text(path)?;
        let mut list = Self::default();
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        for (number, line) in lines {
            let words = numbers_of(line);
            let &[id, x, y, z, ..] = words.as_slice() else {
                return Err(fault(
                    path,
                    format!("line {number}: wanted a number and three coordinates"),
                ));
            };
            list.rows.insert(id as i64, list.points.len());
            list.points.push(Vec3::new(x, y, z));
        }
        Ok(list)
    }

    /// Row of a number.
    pub(super) fn row(&self, number: i64) -> Option<usize> {
        self.rows.get(&number).copied()
    }

    fn point(&self, number: i64) -> Option<Vec3> {
        self.row(number).map(|row| self.points[row])
    }

    /// The node of a mesh at each row; none where no element uses it.
    pub(super) fn places_in(&self, nodes: &[Vec3]) -> Vec<Option<u32>> {
        let key = |p: &Vec3| [p.x, p.y, p.z].map(|x| (x * 1e9).round() as i64);
        let at: HashMap<_, u32> = nodes.iter().map(key).zip(0..).collect();
        self.points.iter().map(|p| at.get(&key(p)).copied()).collect()
    }
}

/// Numbers of a line; a sign begins a new one, unless it belongs to an exponent.
fn numbers_of(line: &str) -> Vec<f64> {
    let mut parted = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    for letter in line.chars() {
        if matches!(letter, '-' | '+') && before.is_ascii_digit() {
            parted.push(' ');
        }
        parted.push(letter);
        before = letter;
    }
    parted
        .split([' ', '\t', ','])
        .filter(|word| !word.is_empty())
        .map_while(|word| word.parse().ok())
        .collect()
}

/// Whole numbers of a file.
pub(super) fn read_numbers(path: &Path) -> Result<Vec<i64>, ParamError> {
    let text = read_text(path)?;
    let number = |word: &str| {
        word.parse().map_err(|_| fault(path, format!("'{word}' is not the number of a node")))
    };
    text.split_whitespace().map(number).collect()
}

/// Fibres of muscles, by the short names of these.
#[derive(Debug, Default)]
pub(super) struct FibreLines(BTreeMap<String, Vec<Vec<Vec3>>>);

impl FibreLines {
    /// The fibres between points of one file in the order of another.
    pub(super) fn read(points: &Path, order: &Path) -> Result<Self, ParamError> {
        let list = NodeList::read(points)?;
        let text = read_text(order)?;
        let (names, fibres) = (names_of(&text), fibres_of(order, &text)?);
        let mut lines = Self::default();
        for ((muscle, _), numbers) in fibres {
            let Some(name) = names.get(&muscle) else { continue };
            let line: Vec<Vec3> =
                numbers.values().filter_map(|&number| list.point(number)).collect();
            if line.len() > 1 {
                lines.0.entry(name.clone()).or_default().push(line);
            }
        }
        if lines.0.is_empty() {
            let points = points.display();
            return Err(fault(
                order,
                format!(
                    "no fibre leads between points of {points}; wanted lines FIBER(1,1,1)=NUMBER"
                ),
            ));
        }
        Ok(lines)
    }

    /// The same, each point moved.
    pub(super) fn moved(mut self, map: impl Fn(&Vec3) -> Vec3) -> Self {
        self.0.values_mut().flatten().flatten().for_each(|p| *p = map(p));
        self
    }

    /// Fibres of a muscle.
    pub(super) fn of(&self, name: &str) -> &[Vec<Vec3>] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Lines that are no comments.
fn statements(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).map(|(k, line)| (k, line.split('!').next().unwrap_or_default().trim()))
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this file")
}

/// Short names of muscles by their numbers.
fn names_of(text: &str) -> BTreeMap<usize, String> {
    let line = pattern(r"^ACTIV\((\d+)\)\s*=\s*(\w+)");
    let found = statements(text).filter_map(|(_, it)| line.captures(it));
    found.filter_map(|it| Some((it[1].parse().ok()?, it[2].to_owned()))).collect()
}

/// Numbers of points of each fibre, by muscle and fibre.
type Fibres = BTreeMap<(usize, usize), BTreeMap<usize, i64>>;

fn fibres_of(path: &Path, text: &str) -> Result<Fibres, ParamError> {
    let line = pattern(r"^FIBER\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*=\s*(\d+)");
    let mut fibres = Fibres::new();
    for (number, statement) in statements(text) {
        let Some(it) = line.captures(statement) else { continue };
        let index = |k: usize| it[k].parse::<usize>().ok().filter(|n| (1..=MOST).contains(n));
        let (Some(muscle), Some(fibre), Some(place), Ok(point)) =
            (index(1), index(2), index(3), it[4].parse())
        else {
            return Err(fault(path, format!("line {number}: wanted indices from 1 to {MOST}")));
        };
        fibres.entry((muscle, fibre)).or_default().insert(place, point);
    }
    Ok(fibres)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_run_together_are_parted_and_exponents_are_not() {
        assert_eq!(numbers_of("  12 1.5-2.25 3e-2"), [12.0, 1.5, -2.25, 3e-2]);
        assert_eq!(numbers_of("1,2.0,+3.0E+01-4"), [1.0, 2.0, 30.0, -4.0]);
    }

    #[test]
    fn fibres_are_read_without_comments_in_their_order() {
        let text =
            "ACTIV(2) = ZYG ! the name\n!FIBER(2,1,1)= 9\nFIBER(2,1,2)= 12\nFIBER(2, 1, 1)=11 !\n";
        assert_eq!(names_of(text), BTreeMap::from([(2, "ZYG".to_owned())]));
        let fibres = fibres_of(Path::new("a.mac"), text).unwrap();
        assert_eq!(fibres[&(2, 1)].values().copied().collect::<Vec<_>>(), [11, 12]);
        let refused = fibres_of(Path::new("a.mac"), "FIBER(0,1,1)= 3").unwrap_err().to_string();
        assert!(refused.starts_with("a.mac: line 1"), "{refused}");
    }
}
