//! Geoms: solids with their sizes, and the inertia of bodies that comes of them.

use nalgebra::Isometry3;
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::dynamics::{InertiaError, SpatialInertia};

use super::compiler::InertiaSource;
use super::import::Import;
use super::pyramids::inertia_of;
use super::records::{Geom, Solid};
use super::view::View;
use crate::diagnostic::Diagnostic;
use crate::imported::z_to;

/// Density of geoms without one [kg/m³].
const DENSITY: f64 = 1000.0;

impl<'d> Import<'d> {
    /// A geom in its frame; the frames around it are left to the caller.
    pub(super) fn geom(&mut self, view: View<'d>, body: usize) -> Result<Geom<'d>, Diagnostic> {
        let mut pose = self.compiler.pose(&view)?;
        let mut size = [0.0; 3];
        let count = view.put_numbers("size", &mut size)?;
        let ends = view.array::<6>("fromto")?;
        let half = match ends {
            None => None,
            Some([a, b, c, d, e, f]) => {
                let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
                let along = (from - to).try_normalize(1e-15).ok_or_else(|| {
                    view.blamed("fromto", format!("fromto of {} has no length", view.at.label()))
                })?;
                pose = Isometry3::from_parts(((from + to) * 0.5).into(), z_to(&along));
                Some(0.5 * (from - to).norm())
            }
        };
        let solid = solid(&view, (size, count), half)?;
        let mut friction = [1.0, 0.005, 0.0001];
        view.put_numbers("friction", &mut friction)?;
        let number = |name: &str, usual: f64| view.number(name).map(|it| it.unwrap_or(usual));
        let bits = [number("contype", 1.0)? as u32, number("conaffinity", 1.0)? as u32];
        let (group, dimensions) = (number("group", 0.0)?, number("condim", 3.0)?);
        let (friction, priority) = (friction[0], number("priority", 0.0)?);
        let name = view.at.name().to_owned();
        Ok(Geom { name, view, body, solid, pose, group, bits, friction, dimensions, priority })
    }

    /// The inertia of a body: what is given, or of its geoms, as the compiler says.
    pub(super) fn inertia_of(
        &mut self,
        number: usize,
        given: Option<SpatialInertia>,
    ) -> Result<Option<SpatialInertia>, Diagnostic> {
        let has_given = self.bodies[number].view.at.children.iter().any(|it| it.tag == "inertial");
        let from_geoms = match self.compiler.inertia {
            InertiaSource::Given => false,
            InertiaSource::Geoms => true,
            InertiaSource::Automatic => !has_given,
        };
        if !from_geoms {
            self.bodies[number].geoms.iter().for_each(|&geom| {
                // Of no use beside an inertia that is given.
                let view = &self.geoms[geom].view;
                ["mass", "density"].iter().for_each(|name| {
                    view.attribute(name);
                });
            });
            return Ok(given);
        }
        let mut parts = Vec::new();
        for geom in self.bodies[number].geoms.clone() {
            parts.extend(self.geom_inertia(geom)?);
        }
        if parts.is_empty() {
            return Ok(None);
        }
        let at = self.bodies[number].view.at;
        let composed = SpatialInertia::composed(&parts);
        composed.map(Some).map_err(|error| at.refused(format!("{}: {error}", at.label())))
    }

    /// The inertia of a geom in the frame of its body; `None` for one without mass.
    fn geom_inertia(&mut self, number: usize) -> Result<Option<SpatialInertia>, Diagnostic> {
        let geom = self.geoms[number].clone();
        let (mass, density) = (geom.view.number("mass")?, geom.view.number("density")?);
        let density = density.unwrap_or(DENSITY);
        let [low, high] = self.compiler.groups;
        let counted = (low..=high).contains(&geom.group);
        if !counted || mass == Some(0.0) || mass.is_none() && density == 0.0 {
            return Ok(None);
        }
        let of = |volume: f64| mass.unwrap_or(density * volume);
        let pi = std::f64::consts::PI;
        let made: Result<SpatialInertia, InertiaError> = match &geom.solid {
            Solid::Plane | Solid::Other(_) => return Ok(None),
            &Solid::Sphere(r) => SpatialInertia::of_sphere(of(4.0 / 3.0 * pi * r.powi(3)), r),
            &Solid::Capsule(r, h) => {
                let volume = pi * r * r * (2.0 * h + 4.0 / 3.0 * r);
                SpatialInertia::of_capsule(of(volume), r, 2.0 * h)
            }
            &Solid::Cylinder(r, h) => {
                SpatialInertia::of_cylinder(of(pi * r * r * 2.0 * h), r, 2.0 * h)
            }
            Solid::Ellipsoid(a) => {
                SpatialInertia::of_ellipsoid(of(4.0 / 3.0 * pi * a.product()), a)
            }
            Solid::Box(half) => SpatialInertia::of_box(of(8.0 * half.product()), &(half * 2.0)),
            Solid::Mesh(name) => self.mesh_inertia(&geom, name, (mass, density))?,
        };
        let inertia = made.map_err(|error| {
            let message = format!("inertia of {}: {error}", geom.view.at.label());
            geom.view.at.refused(message).help("or give its body an <inertial>")
        })?;
        Ok(Some(inertia.transformed(&geom.pose.rotation, &geom.pose.translation.vector)))
    }

    /// The inertia of a mesh in its frame, by its mass [kg] or else its density [kg/m³].
    fn mesh_inertia(
        &mut self,
        geom: &Geom<'d>,
        name: &str,
        (mass, density): (Option<f64>, f64),
    ) -> Result<Result<SpatialInertia, InertiaError>, Diagnostic> {
        let span = geom.view.blamed("mesh", "").span;
        let mesh = self.mesh(name, span.unwrap_or(geom.view.at.span))?;
        let kind = self.meshes.assets.get(name).and_then(|it| it.text("inertia"));
        Ok(match (kind, mass) {
            (Some("exact"), Some(mass)) => SpatialInertia::from_mesh_mass(&mesh, mass),
            (Some("exact"), None) => SpatialInertia::from_mesh_density(&mesh, density),
            (None | Some("legacy"), _) => inertia_of(&mesh, mass, density),
            (Some(other), _) => {
                let message = format!(
                    "inertia '{other}' of mesh '{name}' is not here: it is that of its solid"
                );
                self.findings.warn(geom.view.at.span, message);
                inertia_of(&mesh, mass, density)
            }
        })
    }

    /// Pose of a geom in the world at the start [m].
    pub(super) fn geom_pose(&self, geom: &Geom<'_>) -> Pose {
        self.bodies[geom.body].placed * geom.pose
    }
}

/// The type of a geom: that of a mesh, where it has one and says no other.
fn type_of<'d>(view: &View<'d>) -> &'d str {
    match (view.text("type"), view.text("mesh")) {
        (Some(kind), _) => kind,
        (None, Some(_)) => "mesh",
        (None, None) => "sphere",
    }
}

/// The solid of a geom.
fn solid(
    view: &View<'_>,
    (size, count): ([f64; 3], usize),
    half: Option<f64>,
) -> Result<Solid, Diagnostic> {
    let kind = type_of(view);
    if kind == "mesh" {
        return Ok(Solid::Mesh(view.target("mesh")?.to_owned()));
    }
    if view.text("mesh").is_some() {
        let message =
            format!("a {kind} fitted to a mesh is not read: {} has no solid", view.at.label());
        return Err(view.blamed("mesh", message).help("give it a size"));
    }
    let [a, b, c] = size;
    let (least, made) = match (kind, half) {
        ("plane", _) => return Ok(Solid::Plane),
        ("sphere", _) => (1, Solid::Sphere(a)),
        ("capsule", None) => (2, Solid::Capsule(a, b)),
        ("cylinder", None) => (2, Solid::Cylinder(a, b)),
        ("capsule", Some(half)) => (1, Solid::Capsule(a, half)),
        ("cylinder", Some(half)) => (1, Solid::Cylinder(a, half)),
        ("ellipsoid", None) => (3, Solid::Ellipsoid(Vec3::new(a, b, c))),
        ("box", None) => (3, Solid::Box(Vec3::new(a, b, c))),
        ("ellipsoid", Some(half)) => (1, Solid::Ellipsoid(Vec3::new(a, a, half))),
        ("box", Some(half)) => (1, Solid::Box(Vec3::new(a, a, half))),
        ("hfield" | "sdf", _) => return Ok(Solid::Other(kind.to_owned())),
        _ => {
            let kinds = ["plane", "sphere", "capsule", "cylinder", "ellipsoid", "box", "mesh"];
            return Err(view.unknown_type("geom", kind, &kinds));
        }
    };
    if count < least || size.iter().take(least).any(|x| *x <= 0.0) {
        let message =
            format!("size of {} must be {least} positive numbers for a {kind}", view.at.label());
        return Err(view.blamed("size", message));
    }
    Ok(made)
}
