//! The rows of docs/theory/validation.md: what was computed, what it should be, how far off it may be;
//! how they are printed, and how a printed table is compared with a new one.

/// One figure beside its reference.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Problem and discretization.
    pub(crate) case: String,
    /// Measured quantity, with its unit.
    pub(crate) metric: String,
    pub(crate) reference: f64,
    pub(crate) ours: f64,
    /// Scale below which a value is printed as zero; the reference unless that is zero.
    pub(crate) scale: f64,
    /// |ours - reference| / scale, or the largest of several figures of which one is shown.
    pub(crate) error: f64,
    /// Largest error.
    pub(crate) allowed: f64,
}

impl Row {
    /// A row whose error is relative to the reference.
    pub(crate) fn new(
        case: impl Into<String>,
        metric: impl Into<String>,
        (reference, ours): (f64, f64),
        allowed: f64,
    ) -> Self {
        let (case, metric) = (case.into(), metric.into());
        let scale = reference.abs();
        let error = (ours - reference).abs() / scale;
        Self { case, metric, reference, ours, scale, error, allowed }
    }

    /// The same with an error that is relative to something else, or that of the worst of several
    /// figures. One figure is shown, so that the table does not hang on which of them it is.
    pub(crate) fn with_error(self, error: f64) -> Self {
        Self { error, ..self }
    }

    /// A row for a figure that is an error itself.
    pub(crate) fn of_error(
        case: impl Into<String>,
        metric: impl Into<String>,
        error: f64,
        allowed: f64,
    ) -> Self {
        Self { scale: 1.0, error, ..Self::new(case, metric, (0.0, error), allowed) }
    }

    /// # Panics
    /// When the error is larger than allowed.
    pub(crate) fn check(&self) {
        let Self { case, metric, reference, ours, error, allowed, .. } = self;
        assert!(
            error <= allowed,
            "{case}, {metric}: {ours:e} instead of {reference:e}, error {error:.2e} above {allowed:e}"
        );
    }

    fn line(&self) -> String {
        let Self { case, metric, allowed, .. } = self;
        let [reference, ours] = [self.reference, self.ours].map(|x| number(x, self.scale));
        let error = error_cell(self.error);
        format!("| {case} | {metric} | {reference} | {ours} | {error} | {allowed:e} |\n")
    }
}

/// Rows that belong together, with what a reader must know about them.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) rows: Vec<Row>,
}

impl Group {
    /// # Panics
    /// When a row is further off than it may be.
    pub(crate) fn check(&self) {
        assert!(!self.rows.is_empty(), "{} has rows", self.title);
        self.rows.iter().for_each(Row::check);
    }

    pub(crate) fn render(&self) -> String {
        let head =
            "| case | metric | reference | ours | error | allowed |\n|---|---|--:|--:|--:|--:|\n";
        let rows: String = self.rows.iter().map(Row::line).collect();
        format!("\n## {}\n{}\n\n{head}{rows}", self.title, self.text)
    }
}

/// Errors below this depend on the machine's rounding: only their decade is printed.
const ROUNDING: f64 = 1e-6;

/// Six digits, fewer for what is small beside `scale`, zero for what is there by rounding.
fn number(x: f64, scale: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().expect("a number");
    match rounded.abs() {
        size if size < 1e-7 * scale => "0".into(),
        size if size < 0.1 * scale => format!("{x:.1e}"),
        size if (1e-2..1e5).contains(&size) => {
            let decimals = 5 - size.log10().floor() as i32;
            format!("{x:.*}", decimals.max(0) as usize)
        }
        _ => format!("{x:.5e}"),
    }
}

fn error_cell(error: f64) -> String {
    if error >= ROUNDING {
        return format!("{error:.1e}");
    }
    // The smallest decade told apart, since less is luck.
    let decade = error.max(1e-13).log10().floor() as i32 + 1;
    format!("< 1e{decade}")
}

/// Compares a printed table with a new one: text word by word, numbers to their last digit, errors at
/// the level of rounding to a decade up or down. Returns the first line that differs.
pub(crate) fn first_difference(printed: &str, new: &str) -> Option<String> {
    let (mut printed, mut new) = (printed.lines(), new.lines());
    loop {
        match (printed.next(), new.next()) {
            (None, None) => return None,
            (Some(old), Some(new)) if same_line(old, new) => {}
            (old, new) => return Some(format!("printed: {old:?}\nnew:     {new:?}")),
        }
    }
}

fn same_line(old: &str, new: &str) -> bool {
    let (old, new): (Vec<_>, Vec<_>) = (old.split('|').collect(), new.split('|').collect());
    old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| same_cell(a.trim(), b.trim()))
}

fn same_cell(old: &str, new: &str) -> bool {
    let exponent = |cell: &str| cell.strip_prefix("< 1e").and_then(|e| e.parse::<i32>().ok());
    if let (Some(a), Some(b)) = (exponent(old), exponent(new)) {
        return (a - b).abs() <= 1;
    }
    match (old.parse::<f64>(), new.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1.5 * last_digit(old).max(last_digit(new)),
        _ => old == new,
    }
}

/// Value of one unit in the last digit of a printed number.
fn last_digit(cell: &str) -> f64 {
    let (digits, exponent) = cell.split_once('e').unwrap_or((cell, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, d)| d.len() as i32);
    10_f64.powi(exponent.parse().unwrap_or(0) - decimals)
}

#[test]
fn tables_differ_by_what_matters_only() {
    let line = "| beam | tip [m] | 0.500000 | 0.501000 | 2.0e-3 | 1e-2 |";
    let same = |new: &str| first_difference(line, new).is_none();
    assert!(same("| beam | tip [m] | 0.500000 | 0.501001 | 2.1e-3 | 1e-2 |"));
    assert!(!same("| beam | tip [m] | 0.500000 | 0.501100 | 2.0e-3 | 1e-2 |"));
    assert!(!same("| beam | tip [mm] | 0.500000 | 0.501000 | 2.0e-3 | 1e-2 |"));
    assert!(first_difference("| < 1e-9 |", "| < 1e-10 |").is_none());
    assert!(first_difference("| < 1e-9 |", "| < 1e-7 |").is_some());
    assert!(first_difference("one\n", "one\ntwo\n").is_some());
}
