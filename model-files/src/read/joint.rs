//! Joints by a place and an axis: both frames at once, from where the bodies are at the start.

use sinew::Vec3;
use sinew::component::{ComponentId, Handle};
use sinew::model::{FrameSite, Joint};
use sinew::property::Pose;

use super::shape::turn_to;
use super::value::numbers;
use super::{Job, Reader};
use crate::diagnostic::Diagnostic;
use crate::tree::{Node, get};

/// Keys of a joint that stand for its frames.
pub(crate) const JOINT_KEYS: [&str; 2] = ["position", "axis"];

impl Reader {
    /// Puts the frames of a joint where its `position` and `axis` say, in the axes of the model.
    pub(super) fn place_joint(&mut self, id: ComponentId, job: &Job) {
        let Some(joint) = id.typed::<Joint>() else { return };
        let [position, axis] = JOINT_KEYS.map(|key| get(&job.table, key).cloned());
        if position.is_none() && axis.is_none() {
            return;
        }
        for key in ["frame_c", "frame_d"] {
            if let Some(node) = get(&job.table, key) {
                let message = format!("give 'position' and 'axis', or '{key}', not both");
                self.findings.error(|| Diagnostic::error(node.span, message));
                return;
            }
        }
        let pose = self.pose_of(position.as_ref(), axis.as_ref(), job);
        if let Some(pose) = self.findings.take(pose) {
            self.put_frames(joint, &pose);
        }
    }

    /// The pose that a position and an axis make \[m\].
    fn pose_of(
        &self,
        position: Option<&Node>,
        axis: Option<&Node>,
        job: &Job,
    ) -> Result<Pose, Diagnostic> {
        let three = |node: &Node, what: &str| {
            let list = numbers(node).filter(|list| list.len() == 3);
            let list = list.ok_or_else(|| {
                let found = node.value.describe();
                Diagnostic::error(node.span, format!("{what} is [x, y, z], not {found}"))
            })?;
            Ok(Vec3::from_column_slice(&list))
        };
        let length = self.scopes[job.scope].units.length.factor();
        let place = match position {
            None => Vec3::zeros(),
            Some(node) => three(node, "the position of a joint")?.map(|x| length.apply(x)),
        };
        let turn = match axis {
            None => Pose::identity(),
            Some(node) => turn_to(&three(node, "the axis of a joint")?)
                .ok_or_else(|| Diagnostic::error(node.span, "an axis has a length above 0"))?,
        };
        Ok(Pose::translation(place.x, place.y, place.z) * turn)
    }

    /// Gives both frames of a joint one pose in the world.
    fn put_frames(&mut self, joint: Handle<Joint>, pose: &Pose) {
        let model = self.draft.model();
        let Some(it) = model.get(joint) else { return };
        let own = |site: &FrameSite| {
            let body = match site.body {
                None => return Some(*pose),
                Some(body) => model.get(body)?.pose,
            };
            Some(body.inv_mul(pose))
        };
        // Without its bodies a joint is refused for that.
        let (Some(c), Some(d)) = (own(&it.c), own(&it.d)) else { return };
        if let Some(it) = self.draft.get_mut(joint) {
            (it.c.pose, it.d.pose) = (c, d);
        }
    }
}
