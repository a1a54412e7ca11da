//! Words of the kinds of parts, as in files: what serde makes of the names of the variants.

use super::parts::{BehaviourKind, BlockKind, ConstraintRule, ObjectKind};

impl ObjectKind {
    /// Its word, as in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Particle { .. } => "particle",
            Self::PlanarBody { .. } => "planar_body",
            Self::RigidBody { .. } => "rigid_body",
            Self::Troid { .. } => "troid",
            Self::Curve { .. } => "curve",
            Self::Variables { .. } => "variables",
        }
    }

    /// Names of the numbers of its state, where it has some of its own.
    pub fn state_names(&self) -> Option<&[String]> {
        match self {
            Self::Curve { parameters, .. } => Some(parameters),
            Self::Variables { names, .. } => Some(names),
            Self::Particle { .. }
            | Self::PlanarBody { .. }
            | Self::RigidBody { .. }
            | Self::Troid { .. } => None,
        }
    }
}

impl BlockKind {
    /// Its word, as in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Formula(_) => "formula",
            Self::Parameters(_) => "parameters",
            Self::Point { .. } => "point",
            Self::Direction { .. } => "direction",
            Self::Path(_) => "path",
            Self::Difference(_) => "difference",
            Self::Distance(_) => "distance",
            Self::InnerProduct(_) => "inner_product",
            Self::PlaneAngle(_) => "plane_angle",
            Self::SpaceAngle(_) => "space_angle",
            Self::PolygonArea(_) => "polygon_area",
            Self::TriangleNormal(_) => "triangle_normal",
            Self::EnclosedVolume { .. } => "enclosed_volume",
        }
    }
}

impl ConstraintRule {
    /// Its word, as in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Zero(_) => "zero",
            Self::NotNegative(_) => "not_negative",
            Self::Join(_) => "join",
            Self::Nail { .. } => "nail",
            Self::Follow { .. } => "follow",
        }
    }

    /// Blocks and outputs that it is on, in its order.
    pub fn on(&self) -> Vec<&str> {
        match self {
            Self::Zero(on) | Self::NotNegative(on) => on.iter().map(String::as_str).collect(),
            Self::Join(on) => on.iter().map(String::as_str).collect(),
            Self::Nail { block, .. } | Self::Follow { block, .. } => vec![block],
        }
    }
}

impl BehaviourKind {
    /// Its word, as in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Spring { .. } => "spring",
            Self::Pull { .. } => "pull",
            Self::Motor { .. } => "motor",
            Self::Force(_) => "force",
            Self::Damper(_) => "damper",
            Self::Objective(_) => "objective",
            Self::Residuals { .. } => "residuals",
            Self::TroidElasticity { .. } => "troid_elasticity",
            Self::Bending(_) => "bending",
            Self::Edges { .. } => "edges",
        }
    }

    /// The image that it is of.
    pub fn image(&self) -> Option<&str> {
        match self {
            Self::Edges { image, .. } => Some(image),
            Self::Spring { .. }
            | Self::Pull { .. }
            | Self::Motor { .. }
            | Self::Force(_)
            | Self::Damper(_)
            | Self::Objective(_)
            | Self::Residuals { .. }
            | Self::TroidElasticity { .. }
            | Self::Bending(_) => None,
        }
    }
}
