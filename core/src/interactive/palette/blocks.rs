//! Blocks of what was clicked.

use super::sites::{Made, PaletteError, Pick, Site};
use crate::interactive::BlockKind;

pub(super) fn formula(site: &mut Site<'_>, _: &[Pick]) -> Made {
    site.add_block("formula", BlockKind::Formula("t".to_owned()));
    Ok(())
}

pub(super) fn parameters(site: &mut Site<'_>, _: &[Pick]) -> Made {
    site.add_block("parameters", BlockKind::Parameters(vec![1.0]));
    Ok(())
}

pub(super) fn point(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (object, at) = site.object_point(&picks[0])?;
    site.add_block("point", BlockKind::Point { object, at });
    Ok(())
}

/// From the origin of a body to the point, as a unit vector; of a curve, along it.
pub(super) fn direction(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (object, mut at) = site.object_point(&picks[0])?;
    let length = at.iter().map(|x| x * x).sum::<f64>().sqrt();
    if at.len() > 1 {
        match length > 0.0 {
            true => at.iter_mut().for_each(|x| *x /= length),
            false => at[0] = 1.0,
        }
    }
    site.add_block("direction", BlockKind::Direction { object, at });
    Ok(())
}

/// Keyframes a second apart, from now on, through the places that were clicked.
pub(super) fn keyframes(
    site: &Site<'_>,
    picks: &[Pick],
    dimensions: usize,
) -> Result<Vec<Vec<f64>>, PaletteError> {
    let keyframe = |(k, pick): (usize, &Pick)| {
        let place = site.free(pick)?;
        let time = std::iter::once(site.time() + k as f64);
        Ok(time.chain(place[..dimensions].iter().copied()).collect())
    };
    picks.iter().enumerate().map(keyframe).collect()
}

pub(super) fn path(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let keyframes = keyframes(site, picks, site.dimensions())?;
    site.add_block("path", BlockKind::Path(keyframes));
    Ok(())
}

/// A block of as many others as it takes.
fn of_blocks<const N: usize>(
    site: &mut Site<'_>,
    picks: &[Pick],
    word: &str,
    kind: fn([String; N]) -> BlockKind,
) -> Made {
    let of = site.blocks(picks)?;
    site.add_block(word, kind(of));
    Ok(())
}

pub(super) fn difference(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    of_blocks(site, picks, "difference", BlockKind::Difference)
}

pub(super) fn distance(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    of_blocks(site, picks, "distance", BlockKind::Distance)
}

pub(super) fn inner_product(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    of_blocks(site, picks, "inner_product", BlockKind::InnerProduct)
}

pub(super) fn plane_angle(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    of_blocks(site, picks, "angle", BlockKind::PlaneAngle)
}

pub(super) fn space_angle(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    of_blocks(site, picks, "angle", BlockKind::SpaceAngle)
}

pub(super) fn polygon_area(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let corners: Result<_, _> = picks.iter().map(|pick| Ok(site.block(pick)?.0)).collect();
    let corners: Result<Vec<String>, PaletteError> = corners;
    site.add_block("area", BlockKind::PolygonArea(corners?));
    Ok(())
}

pub(super) fn triangle_normal(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    of_blocks(site, picks, "triangle", BlockKind::TriangleNormal)
}

/// A tetrahedron; its volume is negative where its corners are clicked the other way round.
pub(super) fn enclosed_volume(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let corners = site.blocks::<4>(picks)?.to_vec();
    let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    site.add_block("volume", BlockKind::EnclosedVolume { corners, triangles });
    Ok(())
}
