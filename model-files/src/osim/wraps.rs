//! Wrap objects of bodies, and the paths that go over them.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::model::{FrameSite, WrapMethod, WrapShape, WrapSide, WrapSurface, Wrapped};

use super::import::{Import, name};
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Classes of wrap objects.
const CLASSES: [&str; 4] = ["WrapSphere", "WrapCylinder", "WrapEllipsoid", "WrapTorus"];

/// Half the length of a cylinder without length [m], which lines pass by.
const NO_LENGTH: f64 = 1e-9;

impl<'d> Import<'d> {
    /// Adds the wrap objects of all bodies and frames.
    pub(super) fn add_wrap_objects(&mut self, at: &'d Element) {
        for child in &at.children {
            let is_frame = matches!(child.tag.as_str(), "Body" | "Ground" | "PhysicalOffsetFrame");
            if is_frame && child.is_read() {
                for object in child.members("WrapObjectSet") {
                    let made = self.wrap_object(child, object);
                    self.findings.take(made);
                }
            }
            self.add_wrap_objects(child);
        }
    }

    fn wrap_object(&mut self, on: &'d Element, at: &'d Element) -> Result<(), Diagnostic> {
        if !CLASSES.contains(&at.tag.as_str()) {
            let message = format!("{} is no kind of wrap object", at.label());
            let known = CLASSES.into_iter();
            return Err(Diagnostic::unknown(at.span, message, &at.tag, known));
        }
        let pose = self.pose(at.mark(), ["translation", "xyz_body_rotation"])?;
        for tag in ["Appearance", "VisibleObject", "display_preference", "color"] {
            at.child(tag).into_iter().for_each(Element::mark_all);
        }
        let owner = if on.tag == "Ground" { "ground" } else { on.title() };
        let site = self.site(&self.frame(owner, "", at)?.with(&pose));
        let made = self.wrap_surface(at, site)?;
        let side = self.side(at)?;
        let enabled = self.flag(at, "active")?.unwrap_or(true);
        // Paths of the source go through the hole of a torus.
        let side = if at.tag == "WrapTorus" { WrapSide::PositiveZ } else { side };
        let made = WrapSurface { name: name(at.title()), side, enabled, ..made };
        let handle = self.model.add(made);
        self.put(handle.id(), at.span);
        self.surfaces.entry(at.title().to_owned()).or_insert(handle);
        Ok(())
    }

    fn wrap_surface(&self, at: &Element, site: FrameSite) -> Result<WrapSurface, Diagnostic> {
        let size = |tag: &str, default: f64| {
            let value = self.number(at, tag)?.unwrap_or(default);
            if value > 0.0 {
                return Ok(value);
            }
            let message = format!("<{tag}> of {} must be > 0, got {value}", at.label());
            Err(self.blamed(at, tag, message))
        };
        Ok(match at.tag.as_str() {
            "WrapSphere" => WrapSurface::sphere(site, size("radius", 1.0)?),
            "WrapCylinder" => {
                let half_length = 0.5 * self.number(at, "length")?.unwrap_or(1.0).abs();
                let made = WrapSurface::cylinder(site, size("radius", 1.0)?);
                WrapSurface { half_length: half_length.max(NO_LENGTH), ..made }
            }
            "WrapEllipsoid" => {
                let radii = self.vector(at, "dimensions")?.unwrap_or(Vec3::new(0.05, 0.05, 0.05));
                if radii.min() <= 0.0 {
                    let message = format!("<dimensions> of {} must be > 0", at.label());
                    return Err(self.blamed(at, "dimensions", message));
                }
                WrapSurface { method: WrapMethod::Hybrid, ..WrapSurface::ellipsoid(site, radii) }
            }
            // The outer radius is that of the ring, the inner one that of its tube.
            _ => {
                let (ring, tube) = (size("outer_radius", 0.5)?, size("inner_radius", 0.1)?);
                if ring <= tube {
                    let message = format!(
                        "<outer_radius> of {} must be more than <inner_radius>, got {ring} and {tube}",
                        at.label()
                    );
                    return Err(self.blamed(at, "outer_radius", message));
                }
                WrapSurface::torus(site, ring, tube)
            }
        })
    }

    fn side(&self, at: &Element) -> Result<WrapSide, Diagnostic> {
        let word = self.text(at, "quadrant").unwrap_or("all").to_ascii_lowercase();
        Ok(match word.as_str() {
            "all" | "unassigned" => WrapSide::Any,
            "x" | "+x" => WrapSide::PositiveX,
            "-x" => WrapSide::NegativeX,
            "y" | "+y" => WrapSide::PositiveY,
            "-y" => WrapSide::NegativeY,
            "z" | "+z" => WrapSide::PositiveZ,
            "-z" => WrapSide::NegativeZ,
            _ => {
                let message = format!(
                    "<quadrant> of {} must be all or an axis with a sign, got '{word}'",
                    at.label()
                );
                return Err(self.blamed(at, "quadrant", message));
            }
        })
    }

    /// First and last point between which a path wraps, of points up to `last`.
    fn wrapped_points(&self, at: &Element, last: usize) -> Result<[usize; 2], Diagnostic> {
        let range = self.numbers(at, "range")?.unwrap_or(vec![-1.0, -1.0]);
        let &[start, end] = &range[..] else {
            let message = format!("<range> of {} must be two numbers", at.label());
            return Err(self.blamed(at, "range", message));
        };
        let point = |number: f64, none: usize| match number < 1.0 {
            true => none,
            false => (number as usize - 1).min(last),
        };
        Ok([point(start, 0), point(end, last)])
    }

    /// The surface with the method of a path over it: a second one where other paths have another.
    fn by_method(
        &mut self,
        surface: Handle<WrapSurface>,
        at: &Element,
    ) -> Result<Handle<WrapSurface>, Diagnostic> {
        let word = self.text(at, "method").unwrap_or("hybrid").to_ascii_lowercase();
        let method = match word.as_str() {
            "hybrid" => WrapMethod::Hybrid,
            "midpoint" => WrapMethod::Midpoint,
            "axial" => WrapMethod::Axial,
            _ => {
                let message = format!("<method> of {} is no method, got '{word}'", at.label());
                let known = ["hybrid", "midpoint", "axial"];
                let error = Diagnostic::unknown(at.span, message, &word, known.into_iter());
                return Err(error);
            }
        };
        let known = &self.model[surface];
        if known.shape != WrapShape::Ellipsoid || known.method == method {
            return Ok(surface);
        }
        let made = WrapSurface { method, name: format!("{}_{word}", known.name), ..known.clone() };
        let found = self.model.iter::<WrapSurface>().find(|it| *it.1 == made).map(|it| it.0);
        Ok(found.unwrap_or_else(|| {
            let handle = self.model.add(made);
            self.put(handle.id(), at.span);
            handle
        }))
    }

    /// Surfaces that a path of some points wraps over.
    pub(super) fn wraps(
        &mut self,
        of: &Element,
        list: &'d [Element],
        point_count: usize,
    ) -> Result<Vec<Wrapped>, Diagnostic> {
        let mut wraps = Vec::new();
        for at in list {
            let object = self.text(at.mark(), "wrap_object").unwrap_or("").to_owned();
            let Some(&surface) = self.surfaces.get(&object) else {
                let message = format!("{}: there is no wrap object '{object}'", at.label());
                let known = self.surfaces.keys().map(String::as_str);
                return Err(Diagnostic::unknown(at.span, message, &object, known));
            };
            let surface = self.by_method(surface, at)?;
            let last = point_count.saturating_sub(1);
            let [start, end] = self.wrapped_points(at, last)?;
            if start >= end {
                let message = format!(
                    "{} of {} has no segment of the path between its points: it is left out",
                    at.label(),
                    of.label()
                );
                self.findings.warn(at.span, message);
                continue;
            }
            let whole = (start, end) == (0, last);
            let segment = (!whole).then_some(start as u32);
            let until = (!whole && end > start + 1).then_some(end as u32 - 1);
            wraps.push(Wrapped { surface, segment, until });
        }
        Ok(wraps)
    }
}
