//! The cases of a sweep: a level of each factor each.

use std::path::Path;

use sinew_datasets::random::Draws;

use super::error::SweepError;
use super::spec::{Design, Factor, Scale, Spec, as_text, text_of};

/// Most cases of a sweep.
const MOST: usize = 1_000_000;

/// Names of factors, and a level of each for every case.
#[derive(Debug, PartialEq)]
pub(super) struct Cases {
    pub(super) names: Vec<String>,
    /// One case each, in order of their numbers, which begin at 1.
    pub(super) levels: Vec<Vec<String>>,
}

impl Cases {
    /// The cases of the sweep in the file `path`.
    ///
    /// # Errors
    /// Factors without levels, lists that cannot be read, too many cases or none.
    pub(super) fn of(spec: &Spec, path: &Path) -> Result<Self, SweepError> {
        check_keys(spec, path)?;
        let cases = match spec.design {
            Design::List => listed(spec, path)?,
            Design::Grid => Self { names: names(spec), levels: grid(spec, path)? },
            Design::Random | Design::LatinHypercube => {
                Self { names: names(spec), levels: drawn(spec, path)? }
            }
        };
        cases.check(path)?;
        Ok(cases)
    }

    /// Number of cases.
    pub(super) fn count(&self) -> usize {
        self.levels.len()
    }

    /// The subcommand of a case with its model, options and levels.
    pub(super) fn command_line(&self, spec: &Spec, index: usize) -> Vec<String> {
        let levels = self.names.iter().zip(&self.levels[index]);
        let mut words = vec!["run".to_owned(), spec.model.clone()];
        words.extend_from_slice(&spec.options);
        words.extend(levels.flat_map(|(name, level)| argument(name, level)));
        words
    }

    fn check(&self, path: &Path) -> Result<(), SweepError> {
        for (index, name) in self.names.iter().enumerate() {
            let refused = |problem| Err(factor(path, name, problem));
            if name.trim_start_matches('-').is_empty() || name.contains('=') {
                return refused(
                    "is no name: give a parameter, PATH:property, or an option with dashes",
                );
            }
            if self.names[..index].contains(name) {
                return refused("stands twice");
            }
            let parts = is_parameter(name) && self.levels.iter().any(|it| it[index].contains(','));
            if parts {
                return refused("has a level with a comma, which parts parameters from each other");
            }
        }
        Ok(())
    }
}

fn is_parameter(name: &str) -> bool {
    !name.starts_with("--") && !name.contains(['/', ':'])
}

/// A level on the command line.
fn argument(name: &str, level: &str) -> Vec<String> {
    match name {
        option if option.starts_with("--") => vec![format!("{option}={level}")],
        parameter if is_parameter(name) => vec!["--param".into(), format!("{parameter}={level}")],
        property => vec!["--set".into(), format!("{property}={level}")],
    }
}

fn factor(path: &Path, name: &str, problem: &'static str) -> SweepError {
    SweepError::Factor { path: path.to_owned(), name: name.to_owned(), problem }
}

fn design(path: &Path, problem: impl Into<String>) -> SweepError {
    SweepError::Design { path: path.to_owned(), problem: problem.into() }
}

/// Refuses keys that the design would not look at.
fn check_keys(spec: &Spec, path: &Path) -> Result<(), SweepError> {
    let draws = matches!(spec.design, Design::Random | Design::LatinHypercube);
    let drawn = [("samples", spec.samples.is_some()), ("seed", spec.seed.is_some())];
    if let Some((key, _)) = drawn.iter().find(|(_, given)| *given && !draws) {
        let needs = "needs `design = \"random\"` or `\"latin-hypercube\"`";
        return Err(design(path, format!("`{key}` {needs}: give one of these, or leave it out")));
    }
    if spec.list.is_some() && spec.design != Design::List {
        return Err(design(path, "`list` needs `design = \"list\"`: give it, or leave `list` out"));
    }
    Ok(())
}

fn names(spec: &Spec) -> Vec<String> {
    spec.factor.iter().map(|factor| factor.name.clone()).collect()
}

/// Source of the levels of a factor.
enum Levels<'s> {
    Listed(&'s [toml::Value]),
    Between { ends: [f64; 2], scale: Scale },
}

/// Levels of a factor, with what is wrong with them.
fn levels_of<'s>(from: &'s Factor, path: &Path) -> Result<Levels<'s>, SweepError> {
    let refused = |problem| Err(factor(path, &from.name, problem));
    match (&from.values, from.range) {
        (Some(_), None) if from.scale.is_some() => {
            refused("has `values`, and `scale` is of a range")
        }
        (Some(values), None) if !values.is_empty() => Ok(Levels::Listed(values)),
        (None, Some(ends)) => match (ends, from.scale.unwrap_or_default()) {
            ([low, high], _) if !(low.is_finite() && high.is_finite() && low < high) => {
                refused("has a range that does not rise from one number to another")
            }
            ([low, _], Scale::Log) if low <= 0.0 => {
                refused("has no logarithm: its range must be > 0")
            }
            (ends, scale) => Ok(Levels::Between { ends, scale }),
        },
        _ => refused("needs either `values`, one at least, or `range`"),
    }
}

impl Levels<'_> {
    /// The level at a share of the way through [0 to 1].
    fn at(&self, share: f64) -> String {
        match self {
            Self::Listed(values) => {
                let index = (share * values.len() as f64) as usize;
                as_text(&values[index.min(values.len() - 1)])
            }
            Self::Between { ends: [low, high], scale: Scale::Linear } => {
                (low * (1.0 - share) + high * share).to_string()
            }
            Self::Between { ends: [low, high], scale: Scale::Log } => {
                (low.ln() * (1.0 - share) + high.ln() * share).exp().clamp(*low, *high).to_string()
            }
        }
    }
}

/// Every level of each factor with every level of the others.
fn grid(spec: &Spec, path: &Path) -> Result<Vec<Vec<String>>, SweepError> {
    let mut cases: Vec<Vec<String>> = vec![Vec::new()];
    for from in &spec.factor {
        let levels: Vec<String> = match (levels_of(from, path)?, from.levels) {
            (Levels::Listed(values), None) => values.iter().map(as_text).collect(),
            (levels @ Levels::Between { .. }, Some(count)) if (2..=MOST).contains(&count) => {
                (0..count).map(|k| levels.at(k as f64 / (count - 1) as f64)).collect()
            }
            (Levels::Listed(_), Some(_)) => {
                return Err(factor(path, &from.name, "has `values`, and `levels` are of a range"));
            }
            (Levels::Between { .. }, _) => {
                return Err(factor(
                    path,
                    &from.name,
                    "needs `levels` >= 2: how many of its range a grid takes",
                ));
            }
        };
        if cases.len().saturating_mul(levels.len()) > MOST {
            return Err(design(path, format!("the grid has more than {MOST} cases")));
        }
        let with =
            |case: &Vec<String>, level: &String| [&case[..], std::slice::from_ref(level)].concat();
        cases = cases.iter().flat_map(|case| levels.iter().map(|it| with(case, it))).collect();
    }
    Ok(cases)
}

/// Samples of a design that draws.
fn drawn(spec: &Spec, path: &Path) -> Result<Vec<Vec<String>>, SweepError> {
    let Some(count) = spec.samples.filter(|count| (1..=MOST).contains(count)) else {
        return Err(design(path, format!("`samples` must be given, from 1 to {MOST}")));
    };
    let mut draws = Draws::from_seed(spec.seed.unwrap_or_default());
    let mut cases = vec![Vec::new(); count];
    for from in &spec.factor {
        let levels = levels_of(from, path)?;
        if from.levels.is_some() {
            return Err(factor(path, &from.name, "has `levels`, which are of a grid"));
        }
        let mut parts: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            parts.swap(last, draws.below(last + 1));
        }
        for (case, part) in cases.iter_mut().zip(parts) {
            let within = draws.unit();
            let share = match spec.design {
                Design::LatinHypercube => (part as f64 + within) / count as f64,
                Design::Random | Design::Grid | Design::List => within,
            };
            case.push(levels.at(share));
        }
    }
    Ok(cases)
}

/// Rows of a table.
fn listed(spec: &Spec, path: &Path) -> Result<Cases, SweepError> {
    let Some(list) = &spec.list else {
        return Err(design(path, "the design `list` needs `list`, the CSV file of its cases"));
    };
    if !spec.factor.is_empty() {
        return Err(design(path, "the headings of a list name its factors: leave out [[factor]]"));
    }
    let list = path.parent().unwrap_or(Path::new("")).join(list);
    let text = text_of(&list)?;
    let wrong =
        |error: csv::Error| SweepError::Syntax { path: list.clone(), message: error.to_string() };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
    let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    let levels: Vec<Vec<String>> =
        reader.records().map(|it| it.map(row)).collect::<Result<_, _>>().map_err(wrong)?;
    match levels.len() {
        0 => Err(design(&list, "it has no row below its heading")),
        count if count > MOST => Err(design(&list, format!("it has more than {MOST} rows"))),
        _ => Ok(Cases { names, levels }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(text: &str) -> Result<Cases, SweepError> {
        Cases::of(&toml::from_str(text).expect("a sweep"), Path::new("sweep.toml"))
    }

    #[test]
    fn a_grid_has_every_level_with_every_other_and_the_last_changes_fastest() {
        let text = "model = 'beam'\n[[factor]]\nname = 'elem'\nvalues = ['hex', 'tet']\n\
                    [[factor]]\nname = '--step'\nrange = [0.01, 1]\nlevels = 3\nscale = 'log'";
        let cases = cases(text).unwrap();
        assert_eq!(cases.count(), 6);
        assert_eq!(cases.levels[1][0], "hex");
        let middle: f64 = cases.levels[4][1].parse().unwrap();
        assert!((middle - 0.1).abs() < 1e-15, "{middle}");
        let line = cases.command_line(&toml::from_str(text).expect("a sweep"), 5);
        assert_eq!(line, ["run", "beam", "--param", "elem=tet", "--step=1"]);
    }

    #[test]
    fn a_latin_hypercube_has_one_sample_in_each_part_of_every_range() {
        let text = "model = 'beam'\ndesign = 'latin-hypercube'\nsamples = 50\nseed = 7\n\
                    [[factor]]\nname = 'E'\nrange = [0, 50]\n\
                    [[factor]]\nname = '/models/beam:gravity'\nvalues = [[0, 0, -1], [0, 0, 0]]";
        let made = cases(text).unwrap();
        let mut parts: Vec<usize> =
            made.levels.iter().map(|it| it[0].parse::<f64>().unwrap() as usize).collect();
        assert!(!parts.is_sorted());
        parts.sort_unstable();
        assert_eq!(parts, (0..50).collect::<Vec<_>>());
        assert_eq!(made.levels.iter().filter(|it| it[1] == "0 0 -1").count(), 25);
        assert_eq!(made, cases(text).unwrap());
        assert_ne!(made, cases(&text.replace("seed = 7", "seed = 8")).unwrap());
    }

    #[test]
    fn sweeps_that_make_no_cases_are_refused_by_the_factor() {
        let sweep =
            |factor: &str| cases(&format!("model = 'beam'\n[[factor]]\nname = 'E'\n{factor}"));
        for (text, words) in [
            ("", "needs either `values`"),
            ("values = []", "needs either `values`"),
            ("range = [2, 1]\nlevels = 3", "does not rise"),
            ("range = [0, 1]\nlevels = 3\nscale = 'log'", "must be > 0"),
            ("range = [0, 1]", "needs `levels`"),
            ("range = [0, 1]\nlevels = 2000000", "needs `levels`"),
            ("values = ['1,nx=2']", "comma"),
            ("values = [1]\n[[factor]]\nname = 'E'\nvalues = [2]", "stands twice"),
            ("values = [1, 2]\nlevels = 2", "`levels` are of a range"),
            ("values = [1, 2]\nscale = 'log'", "`scale` is of a range"),
            ("values = [1]\nrange = [0, 1]", "needs either `values`"),
            ("range = [0, nan]\nlevels = 2", "does not rise"),
        ] {
            let error = sweep(text).unwrap_err().to_string();
            assert!(error.contains(words) && error.contains("`E`"), "{text}: {error}");
        }
        for (keys, words) in [
            ("samples = 4", "`samples` needs `design = \"random\"`"),
            ("seed = 4", "`seed` needs `design = \"random\"`"),
            ("list = 'a.csv'", "`list` needs `design = \"list\"`"),
            ("design = 'random'", "`samples` must be given, from 1 to 1000000"),
            ("design = 'random'\nsamples = 0", "`samples` must be given, from 1 to 1000000"),
            ("design = 'list'", "needs `list`, the CSV file"),
        ] {
            let error = cases(&format!("model = 'beam'\n{keys}")).unwrap_err().to_string();
            assert!(error.starts_with("sweep.toml: ") && error.contains(words), "{keys}: {error}");
        }
        let huge = "range = [0, 1]\nlevels = 100000\n[[factor]]\nname = 'nx'\nrange = [0, 1]\nlevels = 100000";
        assert!(sweep(huge).unwrap_err().to_string().contains("more than 1000000 cases"));
    }
}
