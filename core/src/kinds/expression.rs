//! Named formulas of properties whose operands are found under another name too.

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Reference};
use crate::property::{CheckError, Components, NamedProperty, Problem, Put, Refusal};

/// A formula with a name: the text around its operands, and the operands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedFormula {
    /// Name of what it computes.
    pub name: String,
    /// Text before each operand, and behind the last one.
    around: Vec<String>,
    operands: Vec<NamedProperty>,
}

impl NamedFormula {
    /// The formula `text`, of which `operands` stand in its braces in this order.
    pub(crate) fn new(name: impl Into<String>, text: &str, operands: Vec<NamedProperty>) -> Self {
        let around: Vec<String> = braces(text).map(|(before, _)| before.to_owned()).collect();
        debug_assert_eq!(around.len(), operands.len() + 1, "an operand stands between two texts");
        Self { name: name.into(), around, operands }
    }

    /// Its text, operands by the paths that they have now: `{PATH:NAME}`.
    pub fn text(&self, model: &dyn Components) -> String {
        let mut text = String::new();
        for (before, operand) in self.around.iter().zip(&self.operands) {
            text += &format!("{before}{{{}}}", operand.path(model));
        }
        text + self.around.last().map_or("", String::as_str)
    }

    pub(super) fn visit(&self, visit: &mut dyn FnMut(Reference)) {
        self.operands.iter().for_each(|it| visit(it.reference()));
    }

    pub(super) fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.operands.iter_mut().for_each(|it| it.redirect(map));
    }

    pub(super) fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        self.operands.iter_mut().all(|it| keep(&mut it.host))
    }

    pub(super) fn check(&self, model: &dyn Components, at: &str) -> Result<(), CheckError> {
        let gone = self.operands.iter().find(|it| !model.contains(it.host.component()));
        if let Some(gone) = gone {
            return Err(Problem::Missing(model.path(gone.host)).at(at));
        }
        model.check_formula(at, &self.text(model))
    }
}

/// Paths in the braces of a formula.
pub(crate) fn operands_of(text: &str) -> impl Iterator<Item = &str> {
    braces(text).filter_map(|(_, path)| path)
}

/// The texts before braces, and what stands in them; the last text is before none.
fn braces(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let now = rest.take()?;
        let found = now.split_once('{').and_then(|(before, after)| {
            let (path, behind) = after.split_once('}')?;
            Some((before, path.trim(), behind))
        });
        Some(match found {
            Some((before, path, behind)) => {
                rest = Some(behind);
                (before, Some(path))
            }
            None => (now, None),
        })
    })
}

/// Formulas as one text: `NAME = FORMULA; NAME = FORMULA`; odd names stand in quotes.
pub(super) fn text_of(formulas: &[NamedFormula], model: &dyn Components) -> String {
    let name = |name: &str| match name.contains(['=', ';', '{', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    };
    let texts: Vec<String> =
        formulas.iter().map(|it| format!("{} = {}", name(&it.name), it.text(model))).collect();
    texts.join("; ")
}

/// Paths of the operands of formulas in one text, in its order.
pub(crate) fn operand_paths(text: &str) -> Vec<&str> {
    let parts = parts(text).unwrap_or_default();
    parts.into_iter().flat_map(|(_, formula)| operands_of(formula)).collect()
}

/// The formulas of a text whose operands were found in its order.
pub(super) fn put(
    formulas: &mut Vec<NamedFormula>,
    text: &str,
    mut operands: &[NamedProperty],
) -> Put {
    let refused = Refusal::Value("it must be NAME = FORMULA, a semicolon between two");
    let mut read = Vec::new();
    for (name, formula) in parts(text).ok_or(refused)? {
        let count = operands_of(formula).count();
        let (own, others) = operands.split_at_checked(count).ok_or(refused)?;
        operands = others;
        read.push(NamedFormula::new(name, formula, own.to_vec()));
    }
    *formulas = read;
    Ok(())
}

/// Names and formulas in a text; a formula without a name is called as it is written.
fn parts(text: &str) -> Option<Vec<(String, &str)>> {
    let (mut parts, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (name, behind) = match rest.strip_prefix('"') {
            Some(inside) => quoted(inside)?,
            None => plain(rest),
        };
        let end = end_of_formula(behind);
        let formula = behind[..end].trim();
        parts.push((name.unwrap_or_else(|| formula.to_owned()), formula));
        rest = behind[end..].trim_start_matches(';').trim_start();
    }
    parts.iter().all(|(name, formula)| !name.is_empty() && !formula.is_empty()).then_some(parts)
}

/// A quoted name, and what stands behind its equals sign.
fn quoted(inside: &str) -> Option<(Option<String>, &str)> {
    let mut at = 0;
    loop {
        at += inside[at..].find('"')?;
        match inside[at + 1..].starts_with('"') {
            true => at += 2,
            false => break,
        }
    }
    let name = inside[..at].replace("\"\"", "\"");
    Some((Some(name), inside[at + 1..].trim_start().strip_prefix('=')?))
}

/// A name without quotes, if there is one, and the formula and what follows.
fn plain(text: &str) -> (Option<String>, &str) {
    match text.split_once('=') {
        Some((name, behind)) if !name.contains(['{', ';']) && !behind.starts_with('=') => {
            (Some(name.trim().to_owned()), behind)
        }
        _ => (None, text),
    }
}

/// End of a formula: a semicolon outside braces, or that of the text.
fn end_of_formula(text: &str) -> usize {
    let mut depth = 0_i32;
    let ends = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ';' && depth <= 0
    };
    text.find(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_told_apart_by_semicolons_and_have_names_of_any_sort() {
        let of = |text| {
            parts(text).map(|it| it.into_iter().map(|(a, b)| (a, b.to_owned())).collect::<Vec<_>>())
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            of("a = {/x:y.z} * 2; b=t"),
            Some(vec![pair("a", "{/x:y.z} * 2"), pair("b", "t")])
        );
        assert_eq!(of("{/x:y} == 2"), Some(vec![pair("{/x:y} == 2", "{/x:y} == 2")]));
        assert_eq!(of("\"a;\"\"b=\" = {/\"x;y\":z}"), Some(vec![pair("a;\"b=", "{/\"x;y\":z}")]));
        assert_eq!(of(""), Some(vec![]));
        assert_eq!(of("a = "), None);
        assert_eq!(operand_paths("a = {/x:y.z} * {/b:c}; \"{/no:no}\" = t"), ["/x:y.z", "/b:c"]);
    }
}
