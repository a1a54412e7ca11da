//! Bodies: mass, centre of mass, inertia.

use sinew::dynamics::SpatialInertia;
use sinew::{Mat3, Vec3};

use super::fields::refused;
use super::import::Import;
use super::records::Body;
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Mass of a body that has none and moves, over that of all bodies: little enough to change the motion
/// of the others by no more than that.
const NEGLIGIBLE: f64 = 1e-6;
/// Radius of gyration where a body has none [m].
const POINT: f64 = 1e-3;

impl<'d> Import<'d> {
    /// Reads the bodies of the model.
    pub(super) fn read_bodies(&mut self, model: &'d Element) {
        for at in model.members("BodySet") {
            if at.tag != "Body" {
                continue;
            }
            at.mark();
            if at.title() == "ground" {
                self.grounds.push(at);
                // The ground of old versions has an inertia that means nothing.
                for tag in ["mass", "mass_center", "inertia", "Joint"] {
                    at.child(tag).into_iter().for_each(Element::mark_all);
                }
                INERTIA.iter().for_each(|tag| {
                    at.child(tag);
                });
                continue;
            }
            let body = self.body(at);
            // One that was refused is there for what is on it.
            let body = self.findings.take(body).unwrap_or_else(|| Body {
                name: at.title().to_owned(),
                at,
                mass: 0.0,
                centre: Vec3::zeros(),
                rotational: Mat3::zeros(),
                placed: None,
                part_of: None,
            });
            let number = self.bodies.len();
            if self.frames.bodies.insert(body.name.clone(), number).is_some() {
                let message = format!("body '{}' is there twice", body.name);
                self.findings.push(refused(at, message).help("give one of them another name"));
            }
            self.bodies.push(body);
        }
        self.grounds.extend(model.child("Ground"));
    }

    fn body(&self, at: &'d Element) -> Result<Body<'d>, Diagnostic> {
        if at.title().is_empty() {
            return Err(refused(at, "a body has no name: give it one"));
        }
        let mass = self.number(at, "mass")?.unwrap_or(0.0);
        if mass < 0.0 {
            let message = format!("the mass of body '{}' must be >= 0, got {mass}", at.title());
            return Err(self.blamed(at, "mass", message));
        }
        let centre = self.vector(at, "mass_center")?.unwrap_or_default();
        let rotational = self.rotational(at)?;
        let (name, placed, part_of) = (at.title().to_owned(), None, None);
        Ok(Body { name, at, mass, centre, rotational, placed, part_of })
    }

    /// By one property of six numbers, or by six properties.
    fn rotational(&self, at: &Element) -> Result<Mat3, Diagnostic> {
        let list = match self.numbers(at, "inertia")? {
            Some(list) if !list.is_empty() => list,
            _ => {
                let number = |tag: &&str| self.number(at, tag).map(Option::unwrap_or_default);
                INERTIA.iter().map(number).collect::<Result<_, _>>()?
            }
        };
        let [xx, yy, zz, xy, xz, yz] = list[..] else {
            let message = format!(
                "<inertia> of body '{}' must be six numbers, got {}",
                at.title(),
                list.len()
            );
            return Err(self.blamed(at, "inertia", message));
        };
        Ok(Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
    }

    /// The inertia of a body that moves by itself: where the file has none, a negligible one, with a
    /// warning.
    ///
    /// # Errors
    /// Moments that are negative.
    pub(super) fn inertia(&mut self, number: usize) -> Result<SpatialInertia, Diagnostic> {
        let all: f64 = self.bodies.iter().map(|body| body.mass).sum();
        let body = &self.bodies[number];
        let (at, name) = (body.at, &body.name);
        let least = NEGLIGIBLE * if all > 0.0 { all } else { 1.0 };
        let fixed = body.placed.is_some_and(|it| it.fixed);
        let mass = if body.mass > 0.0 { body.mass } else { least };
        if body.mass == 0.0 && !fixed {
            let message = format!(
                "body '{name}' moves and has no mass: it gets {mass:.3e} kg, a millionth of all"
            );
            self.findings.warn(at.span, message);
        }
        if let Ok(inertia) = SpatialInertia::new(mass, body.centre, body.rotational) {
            return Ok(inertia);
        }
        let mut moments: [f64; 3] = body.rotational.symmetric_eigenvalues().into();
        moments.sort_by(f64::total_cmp);
        let [small, middle, large] = moments;
        if small < -1e-9 * large.abs() {
            let message = format!("body '{name}' has a negative moment of inertia, {small} kg m²");
            return Err(self.blamed(at, "inertia", message));
        }
        let added =
            (large - small - middle).max(0.0) + 1e-6 * large.max(mass * POINT * POINT * 1e6);
        if body.mass > 0.0 && !fixed {
            let message = format!(
                "moments of inertia of body '{name}', {small}, {middle}, {large} kg m², are those of no solid: \
                 {added:.3e} kg m² are added to each"
            );
            self.findings.warn(self.blamed(at, "inertia", "").span, message);
        }
        let rotational = body.rotational + Mat3::identity() * added;
        SpatialInertia::new(mass, body.centre, rotational)
            .map_err(|error| self.blamed(at, "inertia", format!("body '{name}': {error}")))
    }
}

/// Properties of old versions.
const INERTIA: [&str; 6] =
    ["inertia_xx", "inertia_yy", "inertia_zz", "inertia_xy", "inertia_xz", "inertia_yz"];
