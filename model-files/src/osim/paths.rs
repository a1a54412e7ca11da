//! Paths of muscles: points on bodies, points that move with coordinates, points that come and go.

use sinew::Vec3;
use sinew::constraint::spatial::Function;
use sinew::model::{FrameMarker, JointCoordinate, MarkerRange, PointAxis, PointMove, PointRef};

use super::degenerate::shifted;
use super::fields::refused;
use super::import::{Import, name};
use super::records::{Base, Frame};
use super::xml::Element;
use crate::diagnostic::Diagnostic;
use crate::tree::Span;

/// A point of a path before it is on its body.
#[derive(Debug, Default)]
struct Point {
    location: Vec3,
    moves: Vec<PointMove>,
    active: Option<MarkerRange>,
}

/// The path of a muscle, ligament or spring.
pub(super) struct Path<'d> {
    /// Its points.
    pub(super) points: Vec<PointRef>,
    /// True if some of them come and go.
    pub(super) is_conditional: bool,
    /// Surfaces that it wraps over, as the file has them.
    pub(super) wraps: &'d [Element],
}

impl<'d> Import<'d> {
    /// The path of a muscle, ligament or spring.
    ///
    /// # Errors
    /// No path, fewer than two points, a point on what is not there.
    pub(super) fn path(&mut self, of: &'d Element) -> Result<Path<'d>, Diagnostic> {
        let missing = || refused(of, format!("{} has no <GeometryPath>", of.label()));
        let path = of.child("GeometryPath").or_else(|| of.child("path")?.child("GeometryPath"));
        let path = path.ok_or_else(missing)?;
        path.child("Appearance").into_iter().for_each(Element::mark_all);
        let (mut points, mut is_conditional) = (Vec::new(), false);
        for at in path.members("PathPointSet") {
            let point = self.point(at)?;
            let base = self.socket(at, "parent_frame").or_else(|| self.text(at, "body"));
            let base = base.ok_or_else(|| refused(at, format!("{} is on no body", at.label())))?;
            let frame = self.frame(base, of.title(), at)?;
            is_conditional |= point.active.is_some();
            let marker = self.moving_marker(&frame, point, at)?;
            points.extend(marker.map(PointRef::Marker));
        }
        if points.len() < 2 {
            return Err(refused(
                path,
                format!("the path of {} has {} points, it must have two", of.label(), points.len()),
            ));
        }
        Ok(Path { points, is_conditional, wraps: path.members("PathWrapSet") })
    }

    fn point(&self, at: &'d Element) -> Result<Point, Diagnostic> {
        let location = || self.vector(at, "location").map(Option::unwrap_or_default);
        match at.mark().tag.as_str() {
            "PathPoint" | "MusclePoint" => Ok(Point { location: location()?, ..Point::default() }),
            "ConditionalPathPoint" | "ConditionalViaPoint" | "MuscleViaPoint" => {
                Ok(Point { location: location()?, active: self.active(at)?, ..Point::default() })
            }
            "MovingPathPoint" | "MovingMusclePoint" => self.moving(at),
            _ => {
                let known = ["PathPoint", "ConditionalPathPoint", "MovingPathPoint"];
                let message = format!("{} is no kind of path point", at.label());
                Err(Diagnostic::unknown(at.span, message, &at.tag, known.into_iter()))
            }
        }
    }

    /// Adds a marker on a body, or on one that stands for the ground.
    pub(super) fn marker(
        &mut self,
        frame: &Frame,
        location: Vec3,
        called: &str,
        span: Span,
    ) -> Option<sinew::component::Handle<FrameMarker>> {
        let frame = self.solid_frame(frame);
        let location = frame.pose.transform_point(&location.into()).coords;
        let body = match frame.base {
            Base::Ground => self.ground_body(),
            Base::Body(number) => self.handles[number],
        }?;
        let made = FrameMarker::new(body, location);
        let handle = self.model.add(FrameMarker { name: name(called), ..made });
        self.put(handle.id(), span);
        Some(handle)
    }

    /// The same for a point that may move in its frame, and come and go.
    fn moving_marker(
        &mut self,
        frame: &Frame,
        point: Point,
        at: &Element,
    ) -> Result<Option<sinew::component::Handle<FrameMarker>>, Diagnostic> {
        let Point { location, moves, active } = point;
        let solid = self.solid_frame(frame);
        let moves = match moves.is_empty() || solid.pose == sinew::property::Pose::identity() {
            true => moves,
            false => turned(&moves, &solid).ok_or_else(|| {
                let message = format!(
                    "{} moves in a turned frame by functions of several coordinates: give it the frame of its body",
                    at.label()
                );
                refused(at, message)
            })?,
        };
        let Some(handle) = self.marker(frame, location, at.title(), at.span) else {
            return Ok(None);
        };
        if let Some(marker) = self.model.get_mut(handle) {
            (marker.moves, marker.active) = (moves, active);
        }
        Ok(Some(handle))
    }

    /// The range in which a point is there.
    fn active(&self, at: &'d Element) -> Result<Option<MarkerRange>, Diagnostic> {
        let tag = if at.child("coordinates").is_some() { "coordinates" } else { "coordinate" };
        let named = self.coordinate_name(at, tag)?;
        let range = self.numbers(at, "range")?.unwrap_or_default();
        let [low, high] = range[..] else {
            let message = format!("<range> of {} must be two numbers", at.label());
            return Err(self.blamed(at, "range", message));
        };
        if low > high {
            let message = format!("<range> of {} must rise, got {low} and {high}", at.label());
            return Err(self.blamed(at, "range", message));
        }
        Ok(self
            .coordinates
            .get(&named)
            .map(|of| MarkerRange { of: of.clone(), range: [low, high] }))
    }

    /// A point with a function for each axis: of a coordinate, or of nothing.
    fn moving(&self, at: &'d Element) -> Result<Point, Diagnostic> {
        let mut point = Point::default();
        let axes = [("x", PointAxis::X), ("y", PointAxis::Y), ("z", PointAxis::Z)];
        for (k, (letter, axis)) in axes.into_iter().enumerate() {
            let tags =
                [format!("{letter}_location"), format!("{}Attachment", letter.to_uppercase())];
            let found = tags.iter().find_map(|tag| at.object(tag));
            let Some(found) = found.filter(|it| !it.is_void()) else { continue };
            let function = self.function(found)?;
            if let Function::Constant(value) = function {
                self.ignore_coordinate(at, letter);
                point.location[k] = value;
                continue;
            }
            let named = self.coordinate_name(at, &format!("{letter}_coordinate"))?;
            let start = self.value(&named).unwrap_or(0.0);
            let wrong = || format!("{}: <{}> takes one coordinate", at.label(), tags[0]);
            // Coordinates beyond their range move no point.
            let function = match self.range(&named) {
                Some(range) => Function::Within(range, Box::new(function)),
                None => function,
            };
            point.location[k] = function.of(&[start]).ok_or_else(|| refused(at, wrong()))?;
            if let Some(of) = self.coordinates.get(&named) {
                point.moves.push(PointMove { axis, of: of.clone(), function });
            }
        }
        Ok(point)
    }

    /// The coordinate of a constant says nothing.
    fn ignore_coordinate(&self, at: &Element, letter: &str) {
        self.socket(at, &format!("{letter}_coordinate"));
        self.property(at, &format!("{letter}_coordinate"));
    }

    /// Name of the coordinate that a property names.
    fn coordinate_name(&self, at: &Element, tag: &str) -> Result<String, Diagnostic> {
        let named = self.socket(at, tag).or_else(|| self.text(at, tag)).unwrap_or("");
        let last = named.rsplit('/').next().unwrap_or("").trim();
        self.known_coordinate(last, at)?;
        Ok(last.to_owned())
    }

    /// Reads the markers of the model.
    pub(super) fn add_markers(&mut self, model: &'d Element) {
        for at in model.members("MarkerSet").iter().filter(|it| it.tag == "Marker") {
            let found = self.free_marker(at.mark());
            self.findings.take(found);
        }
    }

    fn free_marker(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let base = self.socket(at, "parent_frame").or_else(|| self.text(at, "body"));
        let base = base.ok_or_else(|| refused(at, format!("{} is on no body", at.label())))?;
        let frame = self.frame(base, "", at)?;
        let location = self.vector(at, "location")?.unwrap_or_default();
        self.marker(&frame, location, at.title(), at.span);
        Ok(())
    }
}

/// Moves of a point of a frame, in the body that the frame is on: shifted, and to other axes where the frame is turned by
/// quarters. `None` for other turns.
fn turned(moves: &[PointMove], frame: &Frame) -> Option<Vec<PointMove>> {
    let turn = frame.pose.rotation.to_rotation_matrix().into_inner();
    let axes = [PointAxis::X, PointAxis::Y, PointAxis::Z];
    let one = |it: &PointMove| {
        let column = turn.column(it.axis.index());
        let to = (0..3).find(|&k| column[k].abs() > 1.0 - 1e-12)?;
        let function =
            shifted(&it.function, column[to].signum(), frame.pose.translation.vector[to])?;
        let of: JointCoordinate = it.of.clone();
        Some(PointMove { axis: axes[to], of, function })
    };
    moves.iter().map(one).collect()
}
