//! Render properties that have a meaning for a kind of component: the others are not shown.

use sinew::component::Kind;

/// Picture of a kind of components.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Picture {
    /// A surface.
    Surface,
    /// A surface, and lines in it.
    Tissue,
    /// Lines.
    Lines,
    /// Points.
    Points,
    /// Axes of a frame.
    Frame,
    /// Whatever lies below it.
    Container,
    /// Nothing.
    Nothing,
}

fn picture_of(kind: Kind) -> Picture {
    match kind {
        Kind::RigidBody | Kind::RenderMesh | Kind::Collider => Picture::Surface,
        Kind::FemModel => Picture::Tissue,
        Kind::AxialSpring | Kind::MultiPointSpring | Kind::MuscleBundle => Picture::Lines,
        Kind::Particle | Kind::FrameMarker => Picture::Points,
        Kind::Joint => Picture::Frame,
        Kind::RootModel | Kind::MechModel | Kind::ComponentList => Picture::Container,
        Kind::ReferenceList
        | Kind::FrameSpring
        | Kind::PointConstrainer
        | Kind::Attachment
        | Kind::CollisionBehavior
        | Kind::FrameAttachment
        | Kind::PointLoad
        | Kind::BodyLoad
        | Kind::Shell
        | Kind::SurfaceLoad
        | Kind::ClosedVolume
        | Kind::FrameLoad
        | Kind::CustomForce
        | Kind::MuscleExciter
        | Kind::CustomJoint
        | Kind::CustomConstrainer
        | Kind::JointCoordinateCoupling
        | Kind::CoordinateActuator
        | Kind::SegmentedPlane
        | Kind::Sensor
        | Kind::PropertyController
        | Kind::Event
        | Kind::InputProbe
        | Kind::OutputProbe
        | Kind::Waypoint
        | Kind::ControlPanel
        | Kind::WrapSurface => Picture::Nothing,
    }
}

/// True if a property has a meaning for components of a kind. Those that are not of how they are drawn have.
pub(super) fn applies(kind: Kind, property: &str) -> bool {
    let Some(part) = property.strip_prefix("render.") else { return true };
    let picture = picture_of(kind);
    let is_line = part.starts_with("line_");
    let is_point = part.starts_with("point_");
    let is_surface = ["face_", "back_", "edge_"].iter().any(|it| part.starts_with(it))
        || ["draw_edges", "shading", "shininess", "specular"].contains(&part);
    match picture {
        Picture::Container => true,
        Picture::Nothing => false,
        Picture::Frame => part == "visible",
        Picture::Surface => !is_line && !is_point,
        Picture::Tissue => part == "line_color" || (!is_line && !is_point),
        Picture::Lines => !is_surface && !is_point,
        Picture::Points => !is_surface && !is_line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_no_width_of_lines_and_a_spring_no_colour_of_faces() {
        let cases = [
            (Kind::RigidBody, "render.face_color", true),
            (Kind::RigidBody, "render.line_width", false),
            (Kind::RigidBody, "render.point_size", false),
            (Kind::RigidBody, "pose", true),
            (Kind::AxialSpring, "render.line_width", true),
            (Kind::AxialSpring, "render.face_color", false),
            (Kind::AxialSpring, "render.alpha", true),
            (Kind::Particle, "render.point_radius", true),
            (Kind::Particle, "render.shading", false),
            (Kind::FemModel, "render.line_color", true),
            (Kind::MuscleExciter, "render.visible", false),
            (Kind::MuscleExciter, "excitation", true),
            (Kind::MechModel, "render.point_radius", true),
        ];
        for (kind, property, expected) in cases {
            assert_eq!(applies(kind, property), expected, "{property} of {}", kind.name());
        }
    }

    #[test]
    fn each_part_of_the_looks_applies_to_something_that_is_drawn() {
        for property in Kind::RigidBody.properties() {
            let drawn = [Kind::RigidBody, Kind::AxialSpring, Kind::Particle];
            let shown = drawn.iter().any(|&kind| applies(kind, property.name));
            assert!(shown, "{} is shown nowhere", property.name);
        }
    }
}
