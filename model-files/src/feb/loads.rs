//! Loads: forces on nodes, pressures, tractions, accelerations of masses; volumes inside of surfaces that are kept.

use sinew::Vec3;
use sinew::model::{BodyLoad, ClosedVolume, PointLoad, PointRef, Schedule, SurfaceLoad};

use super::boundary::AXES;
use super::import::Import;
use super::steps::elements;
use super::units::Dimension;
use super::values;
use crate::diagnostic::Diagnostic;
use crate::xml_tree::Element;

impl<'d> Import<'d> {
    pub(super) fn read_loads(&mut self) {
        for at in elements(self.root, "Loads") {
            let read = match (at.tag.as_str(), at.kind()) {
                ("nodal_load", "" | "nodal_load" | "nodal_force") => self.nodal_load(at.mark()),
                ("surface_load", "pressure") => self.pressure(at.mark()),
                ("surface_load", "traction") => self.traction(at.mark()),
                ("body_load", "const") => self.accelerations(at.mark()),
                ("body_load", "body force") => self.body_force(at.mark()),
                _ => Ok(()),
            };
            self.findings.take(read);
        }
        for at in elements(self.root, "Constraints").filter(|it| it.tag == "constraint") {
            if at.kind() == "volume" {
                self.closed_volume(at.mark());
            }
        }
    }

    /// A fluid that keeps the volume inside of a closed surface; lids of open ones would push where FEBio does not.
    fn closed_volume(&mut self, at: &'d Element) {
        let (Some(surface), Some(fem)) = (self.surface(at), self.tissue) else { return };
        let volume = ClosedVolume::new(fem, surface);
        let closed = volume.closed_surface(self.mesh());
        if closed.is_ok_and(|surface| surface.lid_count() == 0) {
            let handle = self.model.add(ClosedVolume { name: load_name(at), ..volume });
            self.put(handle.id(), at.span);
            return;
        }
        let message = format!(
            "{} is not read: '{}' is no closed surface with something inside",
            at.label(),
            volume.surface
        );
        self.findings.warn(at.span, message);
    }

    /// The same force on every node: `bc` and `<scale>` (2.5), `<dof>` and `<scale>` (3.0), a vector `<value>` (4.0).
    fn nodal_load(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let factor = self.units.factor(Dimension::Force);
        let is_vector = at.child("value").is_some_and(|it| values::numbers(&it.text).len() == 3);
        let (force, schedule) = if is_vector {
            let value = at.child("value").unwrap_or(at);
            (values::vector(value)? * factor, self.course(value)?)
        } else {
            let Some(axis) = self.axis(at)? else { return Ok(()) };
            let value = ["scale", "value"].into_iter().find_map(|tag| at.child(tag));
            let mut force = Vec3::zeros();
            force[axis] = value.map_or(Ok(1.0), values::number)? * factor;
            (force, value.map_or(Ok(Schedule::default()), |it| self.course(it))?)
        };
        let Some(fem) = self.tissue else { return Ok(()) };
        for node in self.nodes_of(at)? {
            let mut load = PointLoad::new(PointRef::FemNode(fem, node), force);
            load.schedule = schedule.clone();
            let handle = self.model.add(load);
            self.put(handle.id(), at.span);
        }
        Ok(())
    }

    /// The surface of a load; none, with a warning, where none of its faces is one of a solid.
    fn surface(&mut self, at: &'d Element) -> Option<String> {
        let name = at.attribute("surface").map_or("", |it| it.value.as_str());
        let name = name.strip_prefix("@surface:").unwrap_or(name);
        if self.mesh().face_sets.get(name).is_some_and(|faces| !faces.is_empty()) {
            return Some(name.to_owned());
        }
        let message =
            format!("{} is not read: the surface '{name}' has no faces of solids", at.label());
        self.findings.warn(at.span, message);
        None
    }

    fn pressure(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let Some(value) = at.child("pressure") else {
            return Err(at.refused(format!("{} has no <pressure>", at.label())));
        };
        let (pressure, schedule) = (self.scaled(value, Dimension::Stress)?, self.course(value)?);
        let (Some(surface), Some(fem)) = (self.surface(at), self.tissue) else { return Ok(()) };
        let load = SurfaceLoad::pressure(fem, surface, pressure);
        self.add_surface_load(SurfaceLoad { schedule, ..load }, at);
        Ok(())
    }

    /// A vector times a factor, either with a load curve.
    fn traction(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let Some(value) = at.child("traction") else {
            return Err(at.refused(format!("{} has no <traction>", at.label())));
        };
        let traction = values::vector(value)? * self.units.factor(Dimension::Stress);
        let scale = at.child("scale");
        let factor = scale.map_or(Ok(1.0), values::number)?;
        let schedule = match scale.filter(|it| it.attribute("lc").is_some()) {
            Some(scale) => self.course(scale)?,
            None => self.course(value)?,
        };
        let (Some(surface), Some(fem)) = (self.surface(at), self.tissue) else { return Ok(()) };
        let load = SurfaceLoad::traction(fem, surface, traction * factor);
        self.add_surface_load(SurfaceLoad { schedule, ..load }, at);
        Ok(())
    }

    fn add_surface_load(&mut self, load: SurfaceLoad, at: &Element) {
        let handle = self.model.add(SurfaceLoad { name: load_name(at), ..load });
        self.put(handle.id(), at.span);
    }

    /// `<x lc="1">`, `<y>`, `<z>`, each with a load curve of its own.
    fn accelerations(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        for (axis, tag) in AXES.into_iter().enumerate() {
            let Some(value) = at.child(tag) else { continue };
            let mut acceleration = Vec3::zeros();
            acceleration[axis] = self.scaled(value, Dimension::Acceleration)?;
            let schedule = self.course(value)?;
            if acceleration != Vec3::zeros() {
                self.add_acceleration(acceleration, schedule, at);
            }
        }
        Ok(())
    }

    fn body_force(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let Some(value) = at.child("force") else {
            return Err(at.refused(format!("{} has no <force>", at.label())));
        };
        let acceleration = values::vector(value)? * self.units.factor(Dimension::Acceleration);
        let schedule = self.course(value)?;
        self.add_acceleration(acceleration, schedule, at);
        Ok(())
    }

    /// A body force of FEBio is an acceleration of the frame: masses are pushed the other way.
    fn add_acceleration(&mut self, of_frame: Vec3, schedule: Schedule, at: &Element) {
        let Some(fem) = self.tissue else { return };
        let load = BodyLoad { schedule, ..BodyLoad::new(fem, -of_frame) };
        let handle = self.model.add(load);
        self.put(handle.id(), at.span);
    }
}

/// The name of a load.
fn load_name(at: &Element) -> String {
    crate::imported::plain_name(at.name())
}
