//! Springs between two frames that resist displacement and turning.

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{ComponentId, Invalidates, Reference, TransformRefusal};
use crate::kinds::FrameSite;
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Transformation, properties,
};

/// A linear spring and damper between frame C and frame D, each on a body or on the ground: force and
/// moment in the axes of D by the energy of the position x of C seen from D and of the turn t of C against
/// D (direction times angle), half the sum of stiffness times square over their components. The force is
/// stiffness times x; the moment is rotary stiffness times t for small turns, and for turns of any
/// size where all three rotary stiffnesses are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameSpring {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Frame C.
    pub c: FrameSite,
    /// Frame D.
    pub d: FrameSite,
    /// Stiffness along x, y, z of D [N/m].
    pub stiffness: Vec3,
    /// Stiffness about x, y, z of D [N m/rad].
    pub rotary_stiffness: Vec3,
    /// Damping along x, y, z of D [N s/m].
    pub damping: Vec3,
    /// Damping about x, y, z of D [N m s/rad].
    pub rotary_damping: Vec3,
    /// True if it pulls.
    pub enabled: bool,
}

impl FrameSpring {
    /// A spring without stiffness between frame C and frame D.
    pub fn new(c: FrameSite, d: FrameSite) -> Self {
        let zero = Vec3::zeros();
        Self {
            name: String::new(),
            c,
            d,
            stiffness: zero,
            rotary_stiffness: zero,
            damping: zero,
            rotary_damping: zero,
            enabled: true,
        }
    }

    fn check_sides(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_sides(&self.c, &self.d)
    }
}

impl ModelComponent for FrameSpring {
    const HOME: Option<&'static str> = Some("frame_springs");
    const MOVED: Invalidates = Invalidates::GEOMETRY;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        [self.c, self.d].iter().for_each(|site| site.visit(visit));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.c.redirect(map);
        self.d.redirect(map);
    }

    /// Frames on the ground move; those on bodies go with these.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        transformation.put_site(&mut self.c, 2)?;
        transformation.put_site(&mut self.d, 2)?;
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_sides(model)
    }

    properties! { FrameSpring {
        "enabled": bool = true, "", FINITE, PARAMETER, "True if it pulls", own (enabled);
        "body_c": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that frame C is on; empty for the ground",
            reference (|it| it.c.addresses(), |it, to| it.c.put(to)), check FrameSpring::check_sides;
        "body_d": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that frame D is on; empty for the ground",
            reference (|it| it.d.addresses(), |it, to| it.d.put(to)), check FrameSpring::check_sides;
        "frame_c": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame C, in that of its body or of the world: position, then the quaternion i j k w", own (c.pose);
        "frame_d": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Frame D, in that of its body or of the world", own (d.pose);
        "stiffness": Vec3 = Vec3::zeros(), "N/m", NOT_NEGATIVE, PARAMETER, "Stiffness along x, y, z of D", own (stiffness);
        "rotary_stiffness": Vec3 = Vec3::zeros(), "N m/rad", NOT_NEGATIVE, PARAMETER, "Stiffness about x, y, z of D", own (rotary_stiffness);
        "damping": Vec3 = Vec3::zeros(), "N s/m", NOT_NEGATIVE, PARAMETER, "Damping along x, y, z of D", own (damping);
        "rotary_damping": Vec3 = Vec3::zeros(), "N m s/rad", NOT_NEGATIVE, PARAMETER, "Damping about x, y, z of D", own (rotary_damping);
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force on the body of frame C at the origin of C", simulated ();
        "moment": Vec3 = Vec3::zeros(), "N m", FINITE, NOTHING, "Moment on the body of frame C about the origin of C, world axes", simulated ();
        "strain_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy stored in it", simulated ();
    } }
}
