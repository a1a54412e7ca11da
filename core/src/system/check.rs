//! Errors of compilation. The faults of a component stand beside its fields, in `kinds/`.

use super::flat::Flat;
use crate::component::{ComponentId, Seen};
use crate::constraint::{CustomJointError, SlopeError};
use crate::model::CodeError;
use crate::property::{CheckError, Problem};

/// Errors of compiling a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CompileError {
    /// Nothing has mass.
    #[error("model '{0}' has neither particles nor bodies nor elements")]
    Empty(String),
    /// A component has a number out of range, a reference to nothing, a list of the wrong length.
    #[error("{}", .error.of(.path))]
    Component {
        /// Path of the component.
        path: String,
        /// The error in it.
        error: CheckError,
    },
    /// A node without an element has no mass.
    #[error(
        "node {node} of {fem} belongs to no element or shell with mass and is not fixed: remove it, or fix it"
    )]
    MasslessNode {
        /// Path of the tissue.
        fem: String,
        /// Node in its mesh.
        node: usize,
    },
    /// A point is attached twice, to itself in a circle, or fixed as well.
    #[error("{point} cannot be attached: {error}")]
    Attachment {
        /// Path of the point.
        point: String,
        /// The reason.
        error: crate::attachment::AttachmentError,
    },
    /// A body that follows something is prescribed, too.
    #[error(
        "{path} fits {body} to points, but forces do not move it: make it dynamic, or prescribe the points"
    )]
    FittedNotDynamic {
        /// Path of the frame attachment.
        path: String,
        /// Path of the body.
        body: String,
    },
    /// The functions of a custom joint contradict each other.
    #[error("{path}: {error}")]
    CustomJoint {
        /// Path of the joint.
        path: String,
        /// The contradiction.
        error: Box<CustomJointError>,
    },
    /// The derivatives that a custom constrainer writes are not those of its values.
    #[error("{path}: {error}")]
    CustomConstrainer {
        /// Path of the constrainer.
        path: String,
        /// The derivative.
        error: Box<SlopeError>,
    },
    /// A triangle of a shell has no area at rest.
    #[error("triangle {triangle} of {shell} has no area at rest: repair the mesh")]
    FlatTriangle {
        /// Path of the shell.
        shell: String,
        /// The triangle, those of its surface first.
        triangle: usize,
    },
    /// An element has no volume, or a negative one, at rest.
    #[error(
        "element {element} of {fem} is flat or turned inside out at rest (volume of a point {volume:.3e} m³) and cannot have a stress: repair the mesh"
    )]
    Degenerate {
        /// Path of the tissue.
        fem: String,
        /// Element in its mesh.
        element: usize,
        /// Smallest volume of a quadrature point [m³].
        volume: f64,
    },
}

impl Flat<'_> {
    /// The error of a component whose code cannot be made.
    pub(super) fn code_fault(&self, id: ComponentId, fault: &CodeError) -> CompileError {
        let error = Problem::Code(fault.to_string()).at("code");
        CompileError::Component { path: self.model.path(id), error }
    }
}

/// Checks that there is something to simulate, and every component is sound; where all were sound `before` in the log of the
/// model, those that changed since.
pub(super) fn check(flat: &Flat<'_>, before: Option<Seen>) -> Result<(), CompileError> {
    let model = flat.model;
    let elements: usize = flat.fems.iter().map(|f| f.mesh.element_count()).sum();
    if flat.particles.is_empty()
        && flat.bodies.is_empty()
        && elements == 0
        && flat.shells.is_empty()
    {
        return Err(CompileError::Empty(model.name().to_owned()));
    }
    let changes = before.and_then(|seen| model.changes().since(seen));
    let checked = match changes {
        Some(changes) => model.check_again(changes.map(|change| change.id).collect()),
        None => model.check(),
    };
    checked.map_err(|(id, error)| CompileError::Component { path: model.path(id), error })?;
    check_code(flat)
}

/// Checks that registered code makes the functions of joints, which have as many rows and coordinates as are set.
fn check_code(flat: &Flat<'_>) -> Result<(), CompileError> {
    for (handle, joint) in
        flat.custom_joints.iter().filter(|it| it.1.enabled && it.1.is_registered())
    {
        let Some(made) = flat.model.functions_of(*handle) else { continue };
        let functions = made.map_err(|fault| flat.code_fault(handle.id(), &fault))?;
        for (at, given, most) in [
            ("rows", joint.rows.len(), functions.rows.len()),
            ("coordinates", joint.coordinates.len(), functions.coordinates.len()),
        ] {
            if given > most {
                let error = Problem::Length { given, expected: most }.at(at);
                return Err(CompileError::Component { path: flat.model.path(*handle), error });
            }
        }
    }
    Ok(())
}
