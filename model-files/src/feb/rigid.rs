//! Rigid bodies: solids of a rigid material, to which the nodes that they share with others are attached; what fixes,
//! moves and pushes them.

use std::collections::BTreeMap;

use nalgebra::Translation3;
use sinew::Vec3;
use sinew::constraint::{JointKind, Pose};
use sinew::dynamics::SpatialInertia;
use sinew::fem::VolumeMesh;
use sinew::geometry::{boundary, mesh_integrals};
use sinew::model::{FrameLoad, FrameSite, Inertia, Joint, Keyframe, RigidBody, Schedule};

use super::import::{Import, distinct};
use super::steps::elements;
use super::units::Dimension;
use super::values::{self, is_on};
use crate::diagnostic::Diagnostic;
use crate::imported::z_to;
use crate::xml_tree::Element;

/// Freedoms of a body in the spelling of 2.5, 3.0 and 4.0: along and about the axes of space.
const FREEDOMS: [&str; 6] = ["x", "y", "z", "u", "v", "w"];

/// A freedom, how far along or about its axis, and the time course of that.
type Displacement = (usize, f64, Schedule);

/// Motion of a body, as conditions say it.
#[derive(Default)]
struct Motion<'d> {
    fixed: [bool; 6],
    moved: Vec<Displacement>,
    /// The first condition.
    first: Option<&'d Element>,
}

/// Motions of bodies, by the numbers of their materials.
type Motions<'d> = BTreeMap<usize, Motion<'d>>;

/// The motion of a body that a condition says something of.
fn motion_of<'m, 'd>(
    motions: &'m mut Motions<'d>,
    body: usize,
    at: &'d Element,
) -> &'m mut Motion<'d> {
    let motion = motions.entry(body).or_default();
    motion.first.get_or_insert(at);
    motion
}

impl<'d> Import<'d> {
    pub(super) fn add_bodies(&mut self) {
        for number in 0..self.materials.len() {
            let elements = self.elements_of(number);
            if self.materials[number].laws.is_none() && !elements.is_empty() {
                let added = self.add_body(number, &elements);
                self.findings.take(added);
            }
        }
    }

    /// The body of a material, with its frame at its centre of mass.
    fn add_body(&mut self, number: usize, elements: &[u32]) -> Result<(), Diagnostic> {
        let (at, density) = (self.materials[number].at, self.materials[number].density);
        let part = self.elements_alone(elements.iter().copied());
        let refused = |why: String| at.refused(format!("{}: {why}", at.label()));
        let solid = mesh_integrals(&part).ok_or_else(|| refused("it has no volume".to_owned()))?;
        let center = match at.child("center_of_mass") {
            Some(it) => values::vector(it)? * self.units.length,
            None => solid.centroid,
        };
        let inertia = SpatialInertia::new(
            density * solid.volume,
            Vec3::zeros(),
            solid.volume_inertia() * density,
        );
        let inertia = inertia.map_err(|error| refused(error.to_string()))?;
        let name = crate::imported::plain_name(at.name());
        let mut body = RigidBody::new(name, Inertia::Explicit(inertia));
        body.pose =
            Pose::from_parts(Translation3::from(center), nalgebra::UnitQuaternion::identity());
        let outside = boundary(&part).mesh;
        body.mesh = outside.transformed(&sinew::Mat3::identity(), &-center).ok();
        let handle = self.model.add(body);
        self.put(handle.id(), at.span);
        self.bodies.insert(number, handle);
        let nodes = distinct(elements.iter().flat_map(|&e| part_nodes(self.mesh(), e)));
        self.attach_nodes(&nodes, number, at);
        Ok(())
    }

    pub(super) fn read_rigid(&mut self) {
        let mut motions = Motions::new();
        for at in elements(self.root, "Rigid").chain(elements(self.root, "Boundary")) {
            let read = match (at.tag.as_str(), at.kind()) {
                ("rigid_bc", "rigid_fixed") | ("rigid_constraint", "fix") => {
                    self.fixed_body(at, &mut motions)
                }
                ("rigid_bc", "rigid_displacement") | ("rigid_constraint", "prescribe") => {
                    self.moved_body(at, &mut motions)
                }
                ("rigid_load", "rigid_force" | "rigid_moment") | ("rigid_constraint", "force") => {
                    self.pushed_body(at)
                }
                ("rigid_body", _) => self.old_body(at, &mut motions),
                _ => Ok(()),
            };
            self.findings.take(read);
        }
        for (number, motion) in motions {
            self.move_body(number, motion);
        }
    }

    /// The body that an element names; none, with a warning, where there is none of it.
    fn named_body(&mut self, at: &'d Element) -> Option<usize> {
        let own = at.mark().child("rb").map(|it| it.text.as_str());
        let name = own.or_else(|| at.attribute("mat").map(|it| it.value.as_str())).unwrap_or("");
        let found = self.body_named(name, at);
        if found.is_none() {
            at.mark_all();
        }
        found
    }

    /// The body of a material by its name or number; none, with a warning at the element that asks for it, where there is
    /// none.
    pub(super) fn body_named(&mut self, name: &str, at: &Element) -> Option<usize> {
        let found = self.material_named(name).filter(|it| self.bodies.contains_key(it));
        if found.is_none() {
            let message =
                format!("{} is not read: no solid is of the rigid body '{name}'", at.label());
            self.findings.warn(at.span, message);
        }
        found
    }

    /// `<dofs>Rx,Ru</dofs>` (3.0), `<Rx_dof>1</Rx_dof>` (4.0).
    fn fixed_body(&mut self, at: &'d Element, motions: &mut Motions<'d>) -> Result<(), Diagnostic> {
        let Some(number) = self.named_body(at) else { return Ok(()) };
        let motion = motion_of(motions, number, at);
        for word in
            at.child("dofs").map_or("", |it| &it.text).split(',').filter(|it| !it.is_empty())
        {
            motion.fixed[freedom(word).ok_or_else(|| unknown_freedom(at, word))?] = true;
        }
        for (k, name) in FREEDOMS.into_iter().enumerate() {
            motion.fixed[k] |= at.child(&format!("R{name}_dof")).is_some_and(is_on);
        }
        Ok(())
    }

    fn moved_body(&mut self, at: &'d Element, motions: &mut Motions<'d>) -> Result<(), Diagnostic> {
        let Some(number) = self.named_body(at) else { return Ok(()) };
        let freedom = own_freedom(at)?;
        let moved = self.displacement(freedom, own_value(at)?)?;
        motion_of(motions, number, at).moved.push(moved);
        Ok(())
    }

    /// A displacement along or about one axis.
    fn displacement(
        &mut self,
        freedom: usize,
        value: &Element,
    ) -> Result<Displacement, Diagnostic> {
        Ok((freedom, self.scaled(value, Dimension::Length)?, self.course(value)?))
    }

    fn pushed_body(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let Some(number) = self.named_body(at) else { return Ok(()) };
        let freedom = own_freedom(at)?;
        self.push(number, freedom, own_value(at)?, at)?;
        // 0, LOAD, is the force in the axes of space.
        at.child("load_type")
            .filter(|it| !matches!(it.text.as_str(), "0" | "LOAD"))
            .into_iter()
            .for_each(|it| {
                let message = format!("a load of type '{}' acts in the axes of space", it.text);
                self.findings.warn(it.span, message);
            });
        Ok(())
    }

    /// Adds a force along an axis, or a moment about one, that an element applies to a body.
    fn push(
        &mut self,
        number: usize,
        freedom: usize,
        value: &Element,
        at: &Element,
    ) -> Result<(), Diagnostic> {
        let mut wrench = [Vec3::zeros(); 2];
        let dimension = if freedom < 3 { Dimension::Force } else { Dimension::Moment };
        wrench[freedom / 3][freedom % 3] = self.scaled(value, dimension)?;
        let schedule = self.course(value)?;
        let Some(&body) = self.bodies.get(&number) else { return Ok(()) };
        let load = FrameLoad { schedule, ..FrameLoad::new(body, wrench[0], wrench[1]) };
        let handle = self.model.add(load);
        self.put(handle.id(), at.span);
        Ok(())
    }

    /// `<rigid_body mat="2"><fixed bc="x"/><prescribed bc="z" lc="1">1</prescribed></rigid_body>` (2.5).
    fn old_body(&mut self, at: &'d Element, motions: &mut Motions<'d>) -> Result<(), Diagnostic> {
        let Some(number) = self.named_body(at) else { return Ok(()) };
        for part in &at.children {
            match part.tag.as_str() {
                "fixed" => {
                    let motion = motion_of(motions, number, at);
                    motion.fixed[own_freedom(part.mark())?] = true;
                }
                "prescribed" => {
                    let moved = self.displacement(own_freedom(part.mark())?, part)?;
                    motion_of(motions, number, at).moved.push(moved);
                }
                "force" => self.push(number, own_freedom(part.mark())?, part, part)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Fixes a body, moves it by keyframes, or joins it to the ground.
    fn move_body(&mut self, number: usize, motion: Motion<'d>) {
        let Some(&handle) = self.bodies.get(&number) else { return };
        let Some(at) = motion.first else { return };
        let Some(body) = self.model.get(handle) else { return };
        let start = body.pose;
        let mut set = motion.fixed;
        motion.moved.iter().for_each(|(k, ..)| set[*k] = true);
        let turned = motion.moved.iter().any(|(k, ..)| *k > 2);
        if set == [true; 6] && !turned {
            let keyframes = keyframes(&motion, start);
            if let Some(body) = self.model.get_mut(handle) {
                body.dynamic = false;
                body.keyframes = keyframes;
            }
            return;
        }
        let joint = if motion.moved.is_empty() { joint(motion.fixed) } else { None };
        match joint {
            Some((kind, axis)) => {
                let local = Pose::from_parts(Translation3::identity(), z_to(&axis));
                let (c, d) = (FrameSite::on(handle, local), FrameSite::ground(start * local));
                let joint = self.model.add(Joint::new(kind, c, d));
                self.put(joint.id(), at.span);
            }
            None if set != [false; 6] => {
                let message = format!(
                    "{} is not read: of the six freedoms of a body all are fixed or displaced, or those of a joint are left",
                    at.label()
                );
                self.findings.warn(at.span, message);
            }
            None => {}
        }
    }
}

/// The joint to the ground that leaves what is not fixed, and its axis.
fn joint(fixed: [bool; 6]) -> Option<(JointKind, Vec3)> {
    let free = fixed.map(|it| !it);
    let along: Vec<usize> = (0..3).filter(|&k| free[k]).collect();
    let about: Vec<usize> = (3..6).filter(|&k| free[k]).map(|k| k - 3).collect();
    let axis = |k: usize| Vec3::ith(k, 1.0);
    Some(match (&along[..], &about[..]) {
        ([], [k]) => (JointKind::Hinge, axis(*k)),
        ([k], []) => (JointKind::Slider, axis(*k)),
        ([k], [m]) if k == m => (JointKind::Cylindrical, axis(*k)),
        ([], [_, _, _]) => (JointKind::Spherical, Vec3::z()),
        ([a, b], []) => (JointKind::PlanarTranslation, axis(3 - a - b)),
        ([a, b], [k]) if a + b + k == 3 => (JointKind::Planar, axis(*k)),
        _ => return None,
    })
}

/// Poses of a body at the times of the courses of its displacements.
fn keyframes(motion: &Motion<'_>, start: Pose) -> Vec<Keyframe> {
    if motion.moved.is_empty() {
        return Vec::new();
    }
    let mut times = vec![0.0];
    for (_, _, schedule) in &motion.moved {
        if let Schedule::Table(table) = schedule {
            times.extend(table.iter().map(|row| row[0]));
        }
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    let pose = |time: f64| {
        let mut pose = start;
        for (k, distance, schedule) in &motion.moved {
            pose.translation.vector[*k] += distance * schedule.at(time);
        }
        Keyframe { time, pose }
    };
    times.into_iter().map(pose).collect()
}

fn freedom(word: &str) -> Option<usize> {
    let plain = word.trim().trim_start_matches('R').to_ascii_lowercase();
    FREEDOMS.iter().position(|it| *it == plain)
}

fn unknown_freedom(at: &Element, word: &str) -> Diagnostic {
    at.refused(format!("'{word}' of {} is none of Rx, Ry, Rz, Ru, Rv, Rw", at.label()))
}

/// The one freedom that an element names: by `bc` or `<dof>`.
fn own_freedom(at: &Element) -> Result<usize, Diagnostic> {
    let word = at.attribute("bc").map(|it| it.value.as_str());
    let word = word.or_else(|| at.child("dof").map(|it| it.text.as_str())).unwrap_or("");
    freedom(word).ok_or_else(|| unknown_freedom(at, word))
}

/// The `<value>` of a condition.
fn own_value(at: &Element) -> Result<&Element, Diagnostic> {
    at.child("value").ok_or_else(|| at.refused(format!("{} has no <value>", at.label())))
}

fn part_nodes(mesh: &VolumeMesh, element: u32) -> impl Iterator<Item = u32> {
    mesh.element(element as usize).1.iter().copied()
}
