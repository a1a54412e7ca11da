//! The shapes of the elements of a mesh: left-handed ones, which are reordered, and the faults of
//! others.

use rayon::prelude::*;

use crate::io::element_codes::Codes;
use crate::io::volume::checks::{count, rebuilt};
use crate::io::volume::geometry::{point_volumes, scaled_jacobians};
use crate::{ElementKind, VolumeMesh};

/// Scaled Jacobians below this are rounding of a flat element: eps times some fifty operations.
const FLAT: f64 = 1e-14;
/// Below this scaled Jacobian a single element sets the condition number of the stiffness.
const SLIVER: f64 = 1e-3;

/// Measures by which the shape of an element is judged.
struct Shape {
    /// Smallest scaled Jacobian at a corner.
    low: f64,
    /// Largest scaled Jacobian at a corner.
    high: f64,
    /// True if every quadrature point has a positive volume.
    solvable: bool,
    /// True if every quadrature point has a negative volume, whatever the corners have.
    inverted: bool,
}

impl Shape {
    fn of(mesh: &VolumeMesh, e: usize) -> Self {
        let [low, high] = scaled_jacobians(mesh, e);
        let [solvable, inverted] = match mesh.element(e).0 {
            // One Jacobian everywhere; its sign is that of the corners.
            ElementKind::Tet4 => [low > 0.0, high < -FLAT],
            _ => [1.0, -1.0].map(|sign| point_volumes(mesh, e).all(|volume| sign * volume > 0.0)),
        };
        Self { low, high, solvable, inverted: inverted && low < -FLAT }
    }

    fn is_flat(&self) -> bool {
        self.low.abs() <= FLAT && self.high.abs() <= FLAT
    }

    fn is_left_handed(&self) -> bool {
        self.high < -FLAT || self.inverted
    }
}

/// Reorders the elements whose Jacobians are negative at all corners or at all quadrature points, and notes what else is amiss.
pub(in crate::io) fn right_handed(mut mesh: VolumeMesh, notes: &mut Vec<String>) -> VolumeMesh {
    let elements = (0..mesh.element_count()).into_par_iter();
    let mut shapes: Vec<Shape> = elements.map(|e| Shape::of(&mesh, e)).collect();
    let left: Vec<usize> = (0..shapes.len()).filter(|&e| shapes[e].is_left_handed()).collect();
    if !left.is_empty() {
        let which = if left.len() == shapes.len() {
            format!("all {}", count(left.len(), "element"))
        } else {
            format!("{} of {} elements", left.len(), shapes.len())
        };
        notes.push(format!("left-handed (inverted) and reordered to right-handed: {which}"));
        mesh = mirrored(mesh, &shapes);
        for e in left {
            shapes[e] = Shape::of(&mesh, e);
        }
    }
    note(&shapes, notes);
    mesh
}

fn mirrored(mut mesh: VolumeMesh, shapes: &[Shape]) -> VolumeMesh {
    let nodes = std::mem::take(&mut mesh.nodes);
    let kinds: Vec<ElementKind> = mesh.elements().map(|(kind, _)| kind).collect();
    rebuilt(&mut mesh, nodes, |e, old, new| {
        let order = Codes::of(kinds[e]).mirrored;
        for (i, n) in new.iter_mut().enumerate() {
            *n = old[if shapes[e].is_left_handed() { order[i] as usize } else { i }];
        }
    })
}

fn note(shapes: &[Shape], notes: &mut Vec<String>) {
    let mut report = |what: &str, hit: &dyn Fn(&Shape) -> bool| {
        if let Some(first) = shapes.iter().position(hit) {
            let n = shapes.iter().filter(|shape| hit(shape)).count();
            notes.push(format!(
                "{} {what} (the first is number {} from 1)",
                count(n, "element"),
                first + 1
            ));
        }
    };
    report("with zero volume", &Shape::is_flat);
    report(
        "with a Jacobian that is not positive at a quadrature point, which linear and corotated laws simulate \
         badly and the others refuse",
        &|shape| !shape.solvable,
    );
    report("with a corner Jacobian that is not positive; kept", &|shape| {
        shape.low <= FLAT && !shape.is_flat()
    });
    report(
        "nearly flat (slivers: scaled Jacobian below 0.001), which stiffens and slows the solve",
        &|shape| shape.low > FLAT && shape.low < SLIVER,
    );
}
