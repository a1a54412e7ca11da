//! Tendons: through sites, over geoms on one side, and sums of coordinates.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::dynamics::SpatialInertia;
use sinew::model::{FrameMarker, Inertia, RigidBody, WrapSurface, Wrapped};
use sinew::{Mat3, prelude::Pose};

use super::import::Import;
use super::records::{FixedTendon, Solid, SpatialTendon};
use super::view::View;
use super::xml::Element;
use crate::diagnostic::Diagnostic;
use crate::imported::plain_name;

impl<'d> Import<'d> {
    /// Reads the tendons, and adds markers and surfaces of their paths.
    pub(super) fn read_tendons(&mut self, root: &'d Element) {
        for at in root.all("tendon").flat_map(|list| &list.mark().children) {
            let read = self.defaults.view(at, &["tendon"], None);
            let read = read.and_then(|view| match at.tag.as_str() {
                "spatial" => self.spatial(view),
                "fixed" => self.fixed(view),
                _ => Ok(()),
            });
            if self.findings.take(read).is_none() {
                self.tendons.left_out.push(at.name().to_owned());
            }
        }
    }

    fn tendon_name(&self, at: &Element) -> String {
        match at.name() {
            "" => {
                let count = self.tendons.spatial.len() + self.tendons.fixed.len();
                format!("tendon_{}", count + 1)
            }
            name => name.to_owned(),
        }
    }

    fn fixed(&mut self, view: View<'d>) -> Result<(), Diagnostic> {
        let mut terms = Vec::new();
        for child in view.at.all("joint") {
            let term = View::plain(child);
            let joint = term.target("joint")?;
            if self.joint_named(joint).filter(|it| it.kind.is_scalar()).is_none() {
                return Err(self.no_joint(&term, "joint", joint));
            }
            terms.push((joint.to_owned(), term.number("coef")?.unwrap_or(1.0)));
        }
        if terms.is_empty() {
            return Err(view.at.refused(format!("{} has no joints", view.at.label())));
        }
        let name = self.tendon_name(view.at);
        self.tendons.fixed.push(FixedTendon { name, view, terms });
        Ok(())
    }

    /// An error for the name of a joint without a coordinate.
    pub(super) fn no_joint(&self, view: &View<'d>, at: &str, name: &str) -> Diagnostic {
        let span = view.blamed(at, "").span.unwrap_or(view.at.span);
        let message = format!("{}: '{name}' is no hinge or slide", view.at.label());
        let known = self.joint_places.keys().map(String::as_str);
        Diagnostic::unknown(span, message, name, known)
    }

    /// Leaves out a tendon that has pulleys, and says so at the first of them.
    fn leave_out_pulleys(&mut self, name: String, first: &Element) {
        let message =
            format!("tendon '{name}' has pulleys, which are not read: nothing pulls along it");
        self.findings.warn(first.span, message);
        self.tendons.left_out.push(name);
    }

    fn spatial(&mut self, view: View<'d>) -> Result<(), Diagnostic> {
        let at = view.at;
        let name = self.tendon_name(at);
        if let Some(pulley) = at.all("pulley").next() {
            at.mark_all();
            self.leave_out_pulleys(name, pulley);
            return Ok(());
        }
        let (mut points, mut wraps) = (Vec::new(), Vec::new());
        let mut open: Option<&Element> = None;
        for child in &at.children {
            let step = View::plain(child);
            match child.tag.as_str() {
                "site" => {
                    let site = self.site_number(&step, "site")?;
                    points.push(self.marker(site));
                    open = None;
                }
                "geom" => {
                    if points.is_empty() || open.is_some() {
                        let message = format!("a geom of {} is not between two sites", at.label());
                        return Err(child.refused(message));
                    }
                    let segment = Some(points.len() as u32 - 1);
                    let surface = self.wrap_surface(&step)?;
                    wraps.push(Wrapped { surface, segment, until: None });
                    open = Some(child);
                }
                _ => return Err(child.refused(format!("{} is no part of a tendon", child.label()))),
            }
        }
        let points: Vec<Handle<FrameMarker>> = points.into_iter().flatten().collect();
        if points.len() < 2 || open.is_some() {
            let message = format!("{} must begin and end at sites, two at least", at.label());
            return Err(at.refused(message));
        }
        self.tendons.spatial.push(SpatialTendon { name, view, points, wraps });
        Ok(())
    }

    /// The number of the site that an attribute names.
    pub(super) fn site_number(&self, view: &View<'d>, name: &str) -> Result<usize, Diagnostic> {
        let wanted = view.target(name)?;
        self.site_numbers.get(wanted).copied().ok_or_else(|| {
            let span = view.blamed(name, "").span.unwrap_or(view.at.span);
            let message = format!("there is no site '{wanted}'");
            Diagnostic::unknown(span, message, wanted, self.site_numbers.keys().map(String::as_str))
        })
    }

    /// The number of the geom that an attribute names.
    pub(super) fn geom_number(&self, view: &View<'d>, name: &str) -> Result<usize, Diagnostic> {
        let wanted = view.target(name)?;
        self.geom_numbers.get(wanted).copied().ok_or_else(|| {
            let span = view.blamed(name, "").span.unwrap_or(view.at.span);
            let message = format!("there is no geom '{wanted}'");
            Diagnostic::unknown(span, message, wanted, self.geom_numbers.keys().map(String::as_str))
        })
    }

    /// The marker of a site, made where there is none yet.
    pub(super) fn marker(&mut self, number: usize) -> Option<Handle<FrameMarker>> {
        if let Some(&known) = self.markers.get(&number) {
            return Some(known);
        }
        let site = &self.sites[number];
        let (name, location) = (plain_name(&site.name), site.pose.translation.vector);
        let (body, span) = (site.body, site.view.at.span);
        let body = if body == 0 { self.ground_body() } else { self.handles[body] }?;
        let handle = self.model.add(FrameMarker { name, ..FrameMarker::new(body, location) });
        self.put(handle.id(), span);
        self.markers.insert(number, handle);
        Some(handle)
    }

    /// Adds the markers of sites that only say sides nothing of.
    pub(super) fn add_markers(&mut self) {
        for number in 0..self.sites.len() {
            if !self.sites[number].name.is_empty() && !self.sides.contains(&number) {
                self.marker(number);
            }
        }
    }

    /// The body that holds what stands on the world and needs one.
    fn ground_body(&mut self) -> Option<Handle<RigidBody>> {
        if self.ground.is_none() {
            let unit = SpatialInertia::new(1.0, Vec3::zeros(), Mat3::identity());
            let unit = unit.map_err(|error| Diagnostic::error(None, error.to_string()));
            let inertia = Inertia::Explicit(self.findings.take(unit)?);
            self.ground = Some(self.model.add(RigidBody::new("world", inertia).fixed()));
        }
        self.ground
    }

    /// The surface of a geom that a tendon passes on the side of a site, if one is named.
    fn wrap_surface(&mut self, view: &View<'d>) -> Result<Handle<WrapSurface>, Diagnostic> {
        let number = self.geom_number(view, "geom")?;
        let side = match view.text("sidesite") {
            None => None,
            Some(_) => Some(self.site_number(view, "sidesite")?),
        };
        if let Some(&known) = self.surfaces.get(&(number, side)) {
            return Ok(known);
        }
        let geom = self.geoms[number].clone();
        let site = self.frame_site(geom.body, &geom.pose);
        let mut made = match geom.solid {
            Solid::Sphere(radius) => WrapSurface::sphere(site, radius),
            Solid::Cylinder(radius, _) => WrapSurface::cylinder(site, radius),
            _ => {
                let message = format!(
                    "{} is wrapped over: it must be a sphere or a cylinder",
                    geom.view.at.label()
                );
                return Err(view.blamed("geom", message));
            }
        };
        made.name = plain_name(&geom.name);
        if let Some(side) = side {
            self.sides.insert(side);
            made = made.on_side(self.side_point(view, number, side));
            let twice = self.surfaces.keys().any(|it| it.0 == number);
            if twice {
                made.name = format!("{}_{}", made.name, plain_name(&self.sites[side].name));
            }
        }
        let handle = self.model.add(made);
        self.put(handle.id(), geom.view.at.span);
        self.surfaces.insert((number, side), handle);
        Ok(handle)
    }

    /// A side site in the frame of a geom [m].
    fn side_point(&mut self, view: &View<'d>, geom: usize, side: usize) -> Vec3 {
        let (geom, site) = (&self.geoms[geom], &self.sites[side]);
        let place = self.bodies[site.body].placed * site.pose;
        let frame: Pose = self.geom_pose(geom);
        let point = frame.inverse_transform_point(&place.translation.vector.into()).coords;
        if self.bodies[geom.body].welded != self.bodies[site.body].welded {
            let message = format!(
                "side site '{}' is not on the body of its geom: it goes with that from where it is at the start",
                site.name
            );
            self.findings.warn(view.blamed("sidesite", "").span, message);
        }
        point
    }
}
