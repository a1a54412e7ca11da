//! Springs and muscles along a line through several points.

use serde::{Deserialize, Serialize};

use super::axial_properties::{Pulling, law_table, pulling, scale_lengths};
use super::checks::read_index;
use crate::axial::{ActivationDynamics, AxialLaw};
use crate::component::{
    Address, ComponentId, Handle, Invalidates, LineLengths, Reference, TransformRefusal,
};
use crate::force::{MOST_BENDS, MOST_ROWS};
use crate::kinds::{PointRef, WrapShape, WrapSurface};
use crate::property::{
    CheckError, Components, ModelComponent, Paths, Problem, Put, Refusal, Transformation, choices,
    properties,
};

/// A surface that a line wraps over, and where.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wrapped {
    /// The surface.
    pub surface: Handle<WrapSurface>,
    /// The segment that can touch it, from 0, or the first of several; `None` for each.
    pub segment: Option<u32>,
    /// The last of several segments that can touch it; `None` where it is one.
    #[serde(default)]
    pub until: Option<u32>,
}

/// Order of the surfaces of a line within one segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrapOrder {
    /// That in which they are listed.
    #[default]
    Listed,
    /// That in which the straight line is nearest to them, at every pose; each bends one segment of the line.
    Met,
}

choices!(WrapOrder { Listed => "listed", Met => "met" });

/// A spring or a muscle along the line through an origin, any number of via points, and an insertion.
/// One tension acts along the whole line, by its whole length. Between points the line is straight, or the shortest
/// way over the surfaces that it wraps over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MultiPointSpring {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The points in order, two at least.
    pub points: Vec<PointRef>,
    /// Surfaces that it wraps over, in the order in which a segment meets them.
    #[serde(default)]
    pub wraps: Vec<Wrapped>,
    /// Order of surfaces within a segment.
    #[serde(default)]
    pub wrap_order: WrapOrder,
    /// Its law.
    pub material: AxialLaw,
    /// Length without tension [m], for laws that have none of their own.
    pub rest_length: f64,
    /// Excitation of a muscle [-], 0 to 1.
    #[serde(default)]
    pub excitation: f64,
    /// Dynamics of activation, for laws without such dynamics of their own.
    #[serde(default)]
    pub activation: ActivationDynamics,
    /// True if it pulls.
    pub enabled: bool,
}

impl MultiPointSpring {
    /// A line through points that are pulled together by a law, with a rest length of zero.
    pub fn new(points: Vec<PointRef>, law: AxialLaw) -> Self {
        Self {
            name: String::new(),
            points,
            wraps: Vec::new(),
            wrap_order: WrapOrder::Listed,
            material: law,
            rest_length: 0.0,
            excitation: 0.0,
            activation: ActivationDynamics::default(),
            enabled: true,
        }
    }

    /// The same wrapped over a surface too, by each of its segments that meets it.
    #[must_use]
    pub fn over(mut self, surface: Handle<WrapSurface>) -> Self {
        self.wraps.push(Wrapped { surface, segment: None, until: None });
        self
    }

    /// Wraps over those of a list; those that it wraps over already keep their segments.
    fn put_wraps(&mut self, to: &[Address]) -> Put {
        let surface = |at: &Address| match at {
            Address::Component(id) => id.typed().ok_or(NO_SURFACES),
            _ => Err(NO_SURFACES),
        };
        let surfaces: Vec<Handle<WrapSurface>> =
            to.iter().map(surface).collect::<Result<_, _>>()?;
        let known = std::mem::take(&mut self.wraps);
        let wrapped = |surface| {
            let before = known.iter().find(|it| it.surface == surface).copied();
            before.unwrap_or(Wrapped { surface, segment: None, until: None })
        };
        self.wraps = surfaces.into_iter().map(wrapped).collect();
        Ok(())
    }

    /// Segments as numbers, -1 for each.
    fn segments(&self) -> Vec<f64> {
        self.wraps.iter().map(|it| it.segment.map_or(-1.0, f64::from)).collect()
    }

    /// Last segments as numbers, -1 where there is one; empty where none has several.
    fn last_segments(&self) -> Vec<f64> {
        match self.wraps.iter().all(|it| it.until.is_none()) {
            true => Vec::new(),
            false => self.wraps.iter().map(|it| it.until.map_or(-1.0, f64::from)).collect(),
        }
    }

    fn put_segments(&mut self, segments: &[f64]) -> Put {
        let segments = self.numbers_of_segments(segments)?;
        self.wraps.iter_mut().zip(segments).for_each(|(it, segment)| it.segment = segment);
        Ok(())
    }

    fn put_last_segments(&mut self, segments: &[f64]) -> Put {
        if segments.is_empty() {
            self.wraps.iter_mut().for_each(|it| it.until = None);
            return Ok(());
        }
        let segments = self.numbers_of_segments(segments)?;
        self.wraps.iter_mut().zip(segments).for_each(|(it, segment)| it.until = segment);
        Ok(())
    }

    fn numbers_of_segments(&self, segments: &[f64]) -> Result<Vec<Option<u32>>, Refusal> {
        if segments.len() != self.wraps.len() {
            return Err(Refusal::Value("it must be one number for each of its wrap surfaces"));
        }
        let wrong = Refusal::Value("they must be numbers of segments from 0, or -1 for each");
        let segment = |&number: &f64| match number {
            -1.0 => Ok(None),
            _ => read_index(number).map(Some).ok_or(wrong),
        };
        segments.iter().map(segment).collect()
    }

    /// Surfaces are there, segments too, and no segment has too many.
    fn check_wraps(&self, model: &dyn Components) -> Result<(), CheckError> {
        let bends = self.bends_of_segments(model)?;
        if let Some(&most) = bends.iter().max().filter(|&&most| most > MOST_BENDS) {
            let (what, must) =
                ("segment with a number of surfaces", "8 at most; a torus counts twice");
            return Err(Problem::Entry { what, value: most as f64, must }.at("wrap_surfaces"));
        }
        let rows = self.points.len() + 2 * self.wraps.len();
        let leaves = |point: &PointRef| match point {
            PointRef::Marker(marker) => model.get(*marker).is_some_and(|it| it.active.is_some()),
            PointRef::Particle(_) | PointRef::FemNode(..) => false,
        };
        let plain = self.wraps.is_empty() && !self.points.iter().any(leaves);
        if !plain && rows > MOST_ROWS {
            let (what, must) = ("number of points and twice the surfaces", "64 at most");
            return Err(Problem::Entry { what, value: rows as f64, must }.at("wrap_surfaces"));
        }
        Ok(())
    }

    /// Most bends that each segment may have, a torus counted twice.
    fn bends_of_segments(&self, model: &dyn Components) -> Result<Vec<usize>, CheckError> {
        let segment_count = self.points.len().saturating_sub(1);
        let mut bends = vec![0; segment_count];
        for &Wrapped { surface, segment, until } in &self.wraps {
            let Some(found) = model.get(surface) else {
                return Err(Problem::Missing(model.path(surface)).at("wrap_surfaces"));
            };
            let taken = if found.shape == WrapShape::Torus { 2 } else { 1 };
            let first = segment.unwrap_or(0) as usize;
            let last = match segment {
                None => segment_count.saturating_sub(1),
                Some(first) => until.unwrap_or(first).max(first) as usize,
            };
            match bends.get_mut(first..=last) {
                Some(bends) => bends.iter_mut().for_each(|count| *count += taken),
                None if segment.is_none() => {}
                None => {
                    let (what, value) = ("segment", last as f64);
                    let must = "less than the number of segments, or -1 for each";
                    return Err(Problem::Entry { what, value, must }.at("wrap_segments"));
                }
            }
        }
        Ok(bends)
    }

    /// Two points at least, all of them there.
    fn check_points(&self, model: &dyn Components) -> Result<(), CheckError> {
        let (given, least) = (self.points.len(), 2);
        if given < least {
            return Err(Problem::Few { given, least }.at("points"));
        }
        self.points.iter().try_for_each(|&point| model.check_point("points", point))
    }
}

const NO_SURFACES: Refusal = Refusal::Value("they must lead to wrap surfaces");

pulling!(MultiPointSpring);

impl ModelComponent for MultiPointSpring {
    const HOME: Option<&'static str> = Some("multi_point_springs");
    const MOVED: Invalidates = Invalidates::PARAMETER;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.points.iter().for_each(|point| visit(point.reference()));
        self.wraps.iter().for_each(|it| visit(Reference::soft(it.surface)));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.points.iter_mut().for_each(|point| point.redirect(map));
        let follow = |it: &Wrapped| {
            let surface = map(it.surface.id())?.typed()?;
            Some(Wrapped { surface, ..*it })
        };
        self.wraps = self.wraps.iter().filter_map(follow).collect();
    }

    /// Its lengths change with that of the straight lines between its points.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        if transformation.options.lengths == LineLengths::Keep {
            return Ok(());
        }
        let factor = transformation.length_factor_of(&self.points)?;
        self.rest_length *= factor;
        if transformation.options.lengths == LineLengths::All {
            scale_lengths(&mut self.material, factor);
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_points(model)?;
        self.check_wraps(model)?;
        self.check_law(model)
    }

    properties! { MultiPointSpring {
        "enabled": bool = true, "", FINITE, PARAMETER, "True if it pulls", own (enabled);
        "points": Paths = Paths::default(), "", FINITE, STRUCTURE, "Its points in order, two at least: particles, frame markers or nodes",
            reference (|s| s.points.iter().map(|point| point.address()).collect(), |s, to| PointRef::put_all(&mut s.points, to)), check MultiPointSpring::check_points;
        "wrap_surfaces": Paths = Paths::default(), "", FINITE, STRUCTURE, "Surfaces that it wraps over, in the order in which it meets them; each segment wraps over those that it meets",
            reference (|s| s.wraps.iter().map(|it| it.surface.into()).collect(), |s, to| s.put_wraps(to)), check MultiPointSpring::check_wraps;
        "wrap_segments": Vec<f64> = Vec::new(), "-", FINITE, STRUCTURE, "For each of the surfaces the segment that can touch it, counted from 0; -1 for each segment",
            via (|s: &MultiPointSpring| Some(s.segments()), |s: &mut MultiPointSpring, segments: Vec<f64>| s.put_segments(&segments)), check MultiPointSpring::check_wraps;
        "wrap_last_segments": Vec<f64> = Vec::new(), "-", FINITE, STRUCTURE, "For each of the surfaces the last of several segments that can touch it, from its segment on; -1 where that is the only one",
            via (|s: &MultiPointSpring| Some(s.last_segments()), |s: &mut MultiPointSpring, segments: Vec<f64>| s.put_last_segments(&segments)), check MultiPointSpring::check_wraps;
        "wrap_order": WrapOrder = WrapOrder::Listed, "", FINITE, STRUCTURE, "Order of the surfaces that one segment meets: as listed, or as the straight line is nearest to them at each pose (met), where each bends one segment", own (wrap_order);
        "point_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of points", derived (|model: &dyn Components, s| i64::try_from(model.get(s)?.points.len()).ok());
        "rest_length": f64 = 0.0, "m", NOT_NEGATIVE, PARAMETER, "Length without tension, for laws that have none of their own", own (rest_length);
        "excitation": f64 = 0.0, "-", UNIT, PARAMETER, "Excitation of a muscle", own (excitation);
        ..law_table();
        "length": f64 = 0.0, "m", FINITE, NOTHING, "Length of the whole line now", simulated ();
        "length_rate": f64 = 0.0, "m/s", FINITE, NOTHING, "Rate of its length", simulated ();
        "tension": f64 = 0.0, "N", FINITE, NOTHING, "Pull along the line", simulated ();
        "strain_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy stored in it; 0 for laws without a potential", simulated ();
        "moment_arms": Vec<f64> = Vec::new(), "m, -", FINITE, NOTHING, "Moment arms by all coordinates of joints, those of joints of a kind first, then of custom joints, in the order of the tree: minus the derivative of the length, with the other coordinates at rest; 0 by coordinates that a coupling makes dependent", simulated ();
        "activation_level": f64 = 0.0, "-", FINITE, NOTHING, "Activation now; the excitation for laws without dynamics of activation", simulated ();
        "fibre_length": f64 = 0.0, "m", FINITE, NOTHING, "Length of the fibre now, for laws with a fibre", simulated ();
        "fibre_velocity": f64 = 0.0, "m/s", FINITE, NOTHING, "Rate of the length of the fibre, positive when it lengthens", simulated ();
        "tendon_force": f64 = 0.0, "N", FINITE, NOTHING, "Force of the tendon in series with the fibre", simulated ();
    } }
}
