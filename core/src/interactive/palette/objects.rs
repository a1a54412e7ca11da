//! Objects and images of what was clicked. Numbers are those of a thing of some kilograms on the scale of the clicks.

use super::sites::{Made, PaletteError, Pick, Site};
use crate::interactive::{
    CurveKind, DrawnCurve, ImageDescription, ObjectDescription, ObjectKind, Order, Weight,
    WorldPart,
};

/// Mass of a new object \[kg\].
const MASS: f64 = 1.0;
/// Least length of a new object, as a part of its largest one, and of the world where both clicks are at one place \[m\].
const THINNEST: f64 = 0.1;
const LEAST: f64 = 0.05;

/// An object at rest.
fn add(site: &mut Site<'_>, word: &str, (kind, order): (ObjectKind, Order), state: Vec<f64>) {
    let (name, velocity) = (site.name(word), Vec::new());
    site.add(ObjectDescription { name, kind, order, state, velocity });
}

/// The first place, and the way from there to the second one, which is no shorter than the least length.
fn centre_and_way(site: &Site<'_>, picks: &[Pick]) -> Result<[[f64; 3]; 2], PaletteError> {
    let (centre, to) = (site.free(&picks[0])?, site.free(&picks[1])?);
    let way: [f64; 3] = std::array::from_fn(|k| to[k] - centre[k]);
    let short = way.iter().all(|d| d.abs() < LEAST);
    Ok([centre, if short { [LEAST, LEAST, 0.0] } else { way }])
}

fn length(way: [f64; 3]) -> f64 {
    way.iter().map(|d| d * d).sum::<f64>().sqrt()
}

pub(super) fn particle(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (place, dimensions) = (site.free(&picks[0])?, site.dimensions());
    let kind = ObjectKind::Particle { mass: MASS, dimensions };
    add(site, "particle", (kind, Order::Second), place[..dimensions].to_vec());
    Ok(())
}

/// A disc: I = m r²/2.
pub(super) fn planar_body(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let [[x, y, _], way] = centre_and_way(site, picks)?;
    let inertia = 0.5 * MASS * length(way).powi(2);
    let kind = ObjectKind::PlanarBody { mass: MASS, inertia };
    add(site, "body", (kind, Order::Second), vec![x, y, 0.0]);
    Ok(())
}

/// A cube of the half side a: I = 2 m a²/3.
pub(super) fn rigid_body(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let [[x, y, z], way] = centre_and_way(site, picks)?;
    let inertia = 2.0 / 3.0 * MASS * length(way).powi(2);
    let kind = ObjectKind::RigidBody { mass: MASS, inertia: [inertia; 3] };
    add(site, "body", (kind, Order::Second), vec![x, y, z, 1.0, 0.0, 0.0, 0.0]);
    Ok(())
}

pub(super) fn troid(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let [centre, way] = centre_and_way(site, picks)?;
    let least = THINNEST * length(way);
    let count = site.dimensions();
    let sides = way[..count].iter().map(|d| 2.0 * d.abs().max(least)).collect();
    let mut state = centre[..count].to_vec();
    state.extend((0..count * count).map(|k| f64::from(k.is_multiple_of(count + 1))));
    add(site, "troid", (ObjectKind::Troid { mass: MASS, sides }, Order::Second), state);
    Ok(())
}

/// A curve as it is drawn by hand, of first order: it stops when it is let go.
fn drawn(site: &mut Site<'_>, picks: &[Pick], kind: CurveKind) -> Made {
    let [[x, y, _], way] = centre_and_way(site, picks)?;
    let state = kind.drawn([x, y], [x + way[0], y + way[1]]);
    let word = if kind == CurveKind::Equation { "curve" } else { kind.name() };
    let drawn = DrawnCurve::new(word, kind, state.clone());
    let kind = ObjectKind::Curve {
        formula: drawn.formula(),
        parameters: drawn.parameter_names().into_iter().map(str::to_owned).collect(),
        range: drawn.s_range(),
        density: 1.0,
        weight: Weight::default(),
    };
    add(site, word, (kind, Order::First), state);
    Ok(())
}

pub(super) fn line(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    drawn(site, picks, CurveKind::Line)
}

pub(super) fn circle(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    drawn(site, picks, CurveKind::Circle)
}

pub(super) fn ellipse(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    drawn(site, picks, CurveKind::Ellipse)
}

pub(super) fn bezier(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    drawn(site, picks, CurveKind::Bezier)
}

pub(super) fn spiral(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    drawn(site, picks, CurveKind::Spiral)
}

pub(super) fn superellipse(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    drawn(site, picks, CurveKind::Superellipse)
}

pub(super) fn curve(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    drawn(site, picks, CurveKind::Equation)
}

pub(super) fn variables(site: &mut Site<'_>, _: &[Pick]) -> Made {
    let kind = ObjectKind::Variables { names: vec!["x".to_owned()], masses: vec![MASS] };
    add(site, "variables", (kind, Order::First), vec![0.0]);
    Ok(())
}

/// A bright disc, as an example of a formula.
pub(super) fn image(site: &mut Site<'_>, _: &[Pick]) -> Made {
    let brightness = "min(1, max(0, 12 - hypot(x - 40, y - 30)))".to_owned();
    let name = site.name("image");
    let image = ImageDescription { name, size: [80, 60], brightness, ..Default::default() };
    site.add_part(WorldPart::Image(image));
    Ok(())
}
