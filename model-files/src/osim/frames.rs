//! Frames by name: bodies, the ground, and frames with an offset to those, in the spellings of all versions.

use nalgebra::{Isometry3, UnitQuaternion};
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::constraint::spatial::turn;

use super::fields::refused;
use super::import::Import;
use super::records::{Base, Frame};
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// Turns about x, then about the turned y, then about the turned z [rad].
pub(super) fn body_fixed_xyz(angles: &Vec3) -> UnitQuaternion<f64> {
    turn(&Vec3::x(), angles.x) * turn(&Vec3::y(), angles.y) * turn(&Vec3::z(), angles.z)
}

/// Most frames that stand on each other.
const DEEPEST: usize = 20;

impl<'d> Import<'d> {
    /// Learns the frames with an offset below an element, wherever they stand.
    pub(super) fn learn_frames(&mut self, at: &'d Element, owner: &'d str) {
        for child in &at.children {
            if child.tag == "PhysicalOffsetFrame" {
                for owner in [owner, ""] {
                    let key = (owner.to_owned(), child.title().to_owned());
                    self.frames.offsets.entry(key).or_insert(child);
                }
            }
            let owner = if child.title().is_empty() { owner } else { child.title() };
            self.learn_frames(child, owner);
        }
    }

    /// The frame of a name as `at` says it, which stands in the element `owner`.
    ///
    /// # Errors
    /// A name that leads nowhere, or in circles.
    pub(super) fn frame(&self, name: &str, owner: &str, at: &Element) -> Result<Frame, Diagnostic> {
        self.frame_within(name, owner, at, 0)
    }

    fn frame_within(
        &self,
        name: &str,
        owner: &str,
        at: &Element,
        depth: usize,
    ) -> Result<Frame, Diagnostic> {
        if depth > DEEPEST {
            let message =
                format!("frame '{name}' stands on more than {DEEPEST} others, or on itself");
            return Err(refused(at, message));
        }
        let steps: Vec<&str> = name.split('/').filter(|s| !matches!(*s, "" | "." | "..")).collect();
        let Some((last, above)) = steps.split_last() else {
            return Err(refused(at, format!("{}: '{name}' is no name of a frame", at.label())));
        };
        let owner = above.last().copied().unwrap_or(owner);
        let local = self.frames.offsets.get(&(owner.to_owned(), (*last).to_owned()));
        if let Some(offset) = local {
            return self.offset_frame(offset, owner, depth);
        }
        if *last == "ground" {
            return Ok(Frame::of(Base::Ground));
        }
        if let Some(&number) = self.frames.bodies.get(*last) {
            return Ok(Frame::of(Base::Body(number)));
        }
        match self.frames.offsets.get(&(String::new(), (*last).to_owned())) {
            Some(offset) => self.offset_frame(offset, owner, depth),
            None => {
                let bodies = self.frames.bodies.keys().map(String::as_str);
                let message = format!("{}: there is no body or frame '{last}'", at.label());
                Err(Diagnostic::unknown(at.span, message, last, bodies))
            }
        }
    }

    fn offset_frame(&self, at: &Element, owner: &str, depth: usize) -> Result<Frame, Diagnostic> {
        let parent = self.socket(at.mark(), "parent");
        let parent = parent.ok_or_else(|| refused(at, format!("{} has no parent", at.label())))?;
        let pose = self.pose(at, ["translation", "orientation"])?;
        // A frame that is called like what it stands on is not that itself.
        let owner = if parent.trim_matches('/') == at.title() { "" } else { owner };
        Ok(self.frame_within(parent, owner, at, depth + 1)?.with(&pose))
    }

    /// A pose by the properties that say where and how it is turned [m, rad].
    pub(super) fn pose(&self, at: &Element, tags: [&str; 2]) -> Result<Pose, Diagnostic> {
        let place = self.vector(at, tags[0])?.unwrap_or_default();
        let angles = self.vector(at, tags[1])?.unwrap_or_default();
        Ok(Isometry3::from_parts(place.into(), body_fixed_xyz(&angles)))
    }
}
