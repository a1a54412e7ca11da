//! Constraints of what was clicked. They hold where the world is now, but for those on outputs that are to become zero.

use super::blocks::keyframes;
use super::sites::{Made, PaletteError, Pick, Site};
use crate::interactive::{BlockKind, ConstraintRule};

pub(super) fn nail(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (block, at) = site.block(&picks[0])?;
    site.add_constraint("nail", ConstraintRule::Nail { block, at });
    Ok(())
}

pub(super) fn join(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let of = site.blocks(picks)?;
    site.add_constraint("joint", ConstraintRule::Join(of));
    Ok(())
}

/// An output less its value of now is zero.
fn keep(site: &mut Site<'_>, word: &str, (output, value): (&str, f64)) {
    let text = format!("{output} - {value:?}").replace("- -", "+ ");
    let gap = site.add_block(&format!("{word}_gap"), BlockKind::Formula(text));
    site.add_constraint(word, ConstraintRule::Zero(vec![gap]));
}

pub(super) fn rod(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let ((a, from), (b, to)) = (site.block(&picks[0])?, site.block(&picks[1])?);
    let length = from.iter().zip(&to).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let distance = site.add_block("rod_length", BlockKind::Distance([a, b]));
    keep(site, "rod", (&distance, length));
    Ok(())
}

pub(super) fn hold(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let output = site.output(&picks[0])?;
    let values = site.values(&output)?;
    match values[..] {
        [value] => keep(site, "hold", (&output, value)),
        _ => return Err(PaletteError::Pick(output, "an output")),
    }
    Ok(())
}

fn outputs(site: &Site<'_>, picks: &[Pick]) -> Result<Vec<String>, PaletteError> {
    picks.iter().map(|pick| site.output(pick)).collect()
}

pub(super) fn zero(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let rule = ConstraintRule::Zero(outputs(site, picks)?);
    site.add_constraint("zero", rule);
    Ok(())
}

pub(super) fn not_negative(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let rule = ConstraintRule::NotNegative(outputs(site, picks)?);
    site.add_constraint("not_negative", rule);
    Ok(())
}

/// A path that begins where the point is.
pub(super) fn follow(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (block, place) = site.block(&picks[0])?;
    let mut frames = keyframes(site, &picks[1..], place.len().min(3))?;
    frames.iter_mut().for_each(|it| it[0] += 1.0);
    let now = std::iter::once(site.time()).chain(place).collect();
    frames.insert(0, now);
    site.add_constraint("follow", ConstraintRule::Follow { block, keyframes: frames });
    Ok(())
}
