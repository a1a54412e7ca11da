//! Paths of muscles: points on bodies. Points that move or come and go stay as they are at the start, and
//! wrap objects are not passed round; both are told.

use sinew::Vec3;
use sinew::model::{FrameMarker, PointRef};

use super::fields::refused;
use super::import::{Import, name};
use super::records::{Base, Frame, Simplified};
use super::xml::Element;
use crate::diagnostic::Diagnostic;
use crate::tree::Span;

impl<'d> Import<'d> {
    /// The points of the path of a muscle, ligament or spring.
    ///
    /// # Errors
    /// No path, fewer than two points, a point on what is not there.
    pub(super) fn path(&mut self, of: &'d Element) -> Result<Vec<PointRef>, Diagnostic> {
        let missing = || refused(of, format!("{} has no <GeometryPath>", of.label()));
        let path = of.child("GeometryPath").or_else(|| of.child("path")?.child("GeometryPath"));
        let path = path.ok_or_else(missing)?;
        path.child("Appearance").map(Element::mark_all);
        let mut points = Vec::new();
        for at in path.members("PathPointSet") {
            let found = match at.mark().tag.as_str() {
                "PathPoint" | "MusclePoint" => {
                    Some(self.vector(at, "location")?.unwrap_or_default())
                }
                "ConditionalPathPoint" | "ConditionalViaPoint" => self.conditional(at)?,
                "MovingPathPoint" | "MovingMusclePoint" => Some(self.moving(at)?),
                _ => {
                    let known = ["PathPoint", "ConditionalPathPoint", "MovingPathPoint"];
                    let message = format!("{} is no kind of path point", at.label());
                    return Err(Diagnostic::unknown(at.span, message, &at.tag, known.into_iter()));
                }
            };
            let base = self.socket(at, "parent_frame").or_else(|| self.text(at, "body"));
            let base = base.ok_or_else(|| refused(at, format!("{} is on no body", at.label())))?;
            let frame = self.frame(base, &of.name, at)?;
            if let Some(location) = found {
                let marker = self.marker(&frame, location, &at.name, at.span);
                points.extend(marker.map(PointRef::Marker));
            }
        }
        self.learn_wraps(of, path);
        if points.len() < 2 {
            return Err(refused(
                path,
                format!("the path of {} has {} points, it must have two", of.label(), points.len()),
            ));
        }
        Ok(points)
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
        let handle = self.model.add(FrameMarker { name: name(called), body, location });
        self.put(handle.id(), span);
        Some(handle)
    }

    /// The point if its coordinate is in its range at the start.
    fn conditional(&mut self, at: &'d Element) -> Result<Option<Vec3>, Diagnostic> {
        let value = self.coordinate_value(at, "coordinate")?;
        let range = self.numbers(at, "range")?.unwrap_or_default();
        let [low, high] = range[..] else {
            return Err(self.blamed(
                at,
                "range",
                format!("<range> of {} must be two numbers", at.label()),
            ));
        };
        let location = self.vector(at, "location")?.unwrap_or_default();
        Simplified::count(&mut self.simplified.conditional, at.span);
        // Ends as OpenSim takes them: with 1e-5 rad to spare.
        Ok((value >= low - 1e-5 && value <= high + 1e-5).then_some(location))
    }

    /// Place of the point at the start.
    fn moving(&mut self, at: &'d Element) -> Result<Vec3, Diagnostic> {
        let mut location = Vec3::zeros();
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let value = self.coordinate_value(at, &format!("{axis}_coordinate"))?;
            let place = format!("{axis}_location");
            let function = self
                .property(at, &place)
                .ok_or_else(|| refused(at, format!("{} has no <{place}>", at.label())))?;
            let function = self.function(function)?;
            location[k] = function.of(&[value]).unwrap_or(0.0);
        }
        Simplified::count(&mut self.simplified.moving, at.span);
        Ok(location)
    }

    /// Value at the start of the coordinate that a property names.
    fn coordinate_value(&self, at: &Element, tag: &str) -> Result<f64, Diagnostic> {
        let named = self.socket(at, tag).or_else(|| self.text(at, tag)).unwrap_or("");
        let last = named.rsplit('/').next().unwrap_or("").trim();
        self.known_coordinate(last, at)?;
        Ok(self.value(last).unwrap_or(0.0))
    }

    fn learn_wraps(&mut self, of: &Element, path: &'d Element) {
        for at in path.members("PathWrapSet") {
            at.mark_all();
            let object = self.text(at, "wrap_object").unwrap_or("").to_owned();
            let of = of.name.clone();
            let new = || (at.span, Vec::new());
            self.simplified.wraps.entry(object).or_insert_with(new).1.push(of);
        }
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
        self.marker(&frame, location, &at.name, at.span);
        Ok(())
    }
}
