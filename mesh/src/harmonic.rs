//! Directions of fibres in elements from a harmonic field: the function u with Δu = 0 inside, 0 on one set of nodes, 1 on
//! another and no flux elsewhere. Its streamlines run from the one to the other, leave the free surface alone and never
//! cross (BayerEtAl2012 lay fibres of the heart so).

use crate::{ElementKind, Mat3, Vec3, VolumeMesh};

/// Nodes that no harmonic field runs between.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HarmonicError {
    /// A set without nodes.
    #[error("the {which} set has no nodes: give one that the fibres begin or end at")]
    Empty {
        /// `first` or `second`.
        which: &'static str,
    },
    /// A node that is not there.
    #[error("node {node} is not in the mesh, which has {count}")]
    Node {
        /// The node.
        node: u32,
        /// Nodes of the mesh.
        count: usize,
    },
    /// A node of both sets.
    #[error("node {node} is in both sets: fibres run from one to the other")]
    Shared {
        /// The node.
        node: u32,
    },
    /// An element that is flat or inside out at a point of its quadrature.
    #[error("element {element} has the volume {volume:.3e} m³ around a point: mend the mesh first")]
    Flat {
        /// The element.
        element: usize,
        /// Weight times det dX/dr [m³].
        volume: f64,
    },
    /// Conjugate gradients came to no end.
    #[error(
        "the harmonic field is known to {residual:.1e} only after {iterations} iterations: look for needles among the elements"
    )]
    Unsolved {
        /// Residual over the first one [-].
        residual: f64,
        /// Iterations.
        iterations: usize,
    },
}

/// Residual of the field over the first one [-]: directions are then exact to what is drawn or simulated.
const TOLERANCE: f64 = 1e-10;
/// Iterations for each node, at most; with rounding a few times as many as there are unknowns never occur in practice.
const MOST_ITERATIONS: usize = 4;
/// Slope over the greatest one [-] below which an element is one that the field does not reach.
const FLAT_FIELD: f64 = 1e-8;

/// Direction of the harmonic field from the nodes `from` to the nodes `to` at the centre of each element, of length 1;
/// `None` in parts of the mesh that hang on neither of both, or on one alone.
///
/// # Errors
/// [`HarmonicError`]: sets that are empty, unknown or share a node, elements without a volume.
pub fn directions_between(
    mesh: &VolumeMesh,
    [from, to]: [&[u32]; 2],
) -> Result<Vec<Option<Vec3>>, HarmonicError> {
    let mut field = Field::new(mesh, [from, to])?;
    field.solve()?;
    let slopes: Vec<Vec3> = (0..mesh.element_count()).map(|e| field.slope(e)).collect();
    let most = slopes.iter().map(Vec3::norm).fold(0.0, f64::max);
    let direction = |slope: Vec3| (slope.norm() > FLAT_FIELD * most).then(|| slope.normalize());
    Ok(slopes.into_iter().map(direction).collect())
}

/// The field with the matrices of the elements.
struct Field<'m> {
    mesh: &'m VolumeMesh,
    /// Values at the nodes.
    values: Vec<f64>,
    fixed: Vec<bool>,
    /// Integrals of products of gradients [m], row after row, element after element.
    matrices: Vec<f64>,
}

impl<'m> Field<'m> {
    fn new(mesh: &'m VolumeMesh, sets: [&[u32]; 2]) -> Result<Self, HarmonicError> {
        let count = mesh.nodes.len();
        let (mut values, mut fixed) = (vec![0.0; count], vec![false; count]);
        for ((nodes, value), which) in sets.into_iter().zip([0.0, 1.0]).zip(["first", "second"]) {
            if nodes.is_empty() {
                return Err(HarmonicError::Empty { which });
            }
            for &node in nodes {
                let place = node as usize;
                match fixed.get(place) {
                    None => return Err(HarmonicError::Node { node, count }),
                    Some(true) if values[place] != value => {
                        return Err(HarmonicError::Shared { node });
                    }
                    Some(_) => (values[place], fixed[place]) = (value, true),
                }
            }
        }
        let mut matrices = Vec::new();
        for (element, (kind, nodes)) in mesh.elements().enumerate() {
            add_matrix(mesh, (element, kind, nodes), &mut matrices)?;
        }
        Ok(Self { mesh, values, fixed, matrices })
    }

    /// Calls with the nodes of each element and its matrix.
    fn for_matrices(&self, mut visit: impl FnMut(&[u32], &[f64])) {
        let mut rest = self.matrices.as_slice();
        for (_, nodes) in self.mesh.elements() {
            let (matrix, after) = rest.split_at(nodes.len() * nodes.len());
            visit(nodes, matrix);
            rest = after;
        }
    }

    /// The product of the matrix with values, zero where the field is fixed.
    fn product(&self, x: &[f64], into: &mut [f64]) {
        into.fill(0.0);
        self.for_matrices(|nodes, matrix| {
            for (row, &a) in matrix.chunks_exact(nodes.len()).zip(nodes) {
                let sum: f64 = row.iter().zip(nodes).map(|(k, &b)| k * x[b as usize]).sum();
                into[a as usize] += sum;
            }
        });
        into.iter_mut().zip(&self.fixed).filter(|(_, fixed)| **fixed).for_each(|(x, _)| *x = 0.0);
    }

    /// Inverse of the diagonal; 1 at nodes of no element.
    fn preconditioner(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.values.len()];
        self.for_matrices(|nodes, matrix| {
            for (k, &a) in nodes.iter().enumerate() {
                diagonal[a as usize] += matrix[k * nodes.len() + k];
            }
        });
        diagonal.into_iter().map(|d| if d > 0.0 { 1.0 / d } else { 1.0 }).collect()
    }

    /// Conjugate gradients with the diagonal as preconditioner.
    fn solve(&mut self) -> Result<(), HarmonicError> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (inverse, count) = (self.preconditioner(), self.values.len());
        let mut product = vec![0.0; count];
        self.product(&self.values, &mut product);
        let mut residual: Vec<f64> = product.iter().map(|x| -x).collect();
        let conditioned = |r: &[f64]| r.iter().zip(&inverse).map(|(r, m)| r * m).collect();
        let mut step: Vec<f64> = conditioned(&residual);
        let mut norm = dot(&residual, &step);
        let (first, most) = (norm, MOST_ITERATIONS * count + 10);
        for _ in 0..most {
            if norm <= TOLERANCE * TOLERANCE * first {
                return Ok(());
            }
            self.product(&step, &mut product);
            let length = norm / dot(&step, &product);
            self.values.iter_mut().zip(&step).for_each(|(x, s)| *x += length * s);
            residual.iter_mut().zip(&product).for_each(|(r, p)| *r -= length * p);
            let next: Vec<f64> = conditioned(&residual);
            let after = dot(&residual, &next);
            step.iter_mut().zip(&next).for_each(|(s, z)| *s = z + after / norm * *s);
            norm = after;
        }
        Err(HarmonicError::Unsolved { residual: (norm / first).sqrt(), iterations: most })
    }

    /// Slope of the field at the centre of an element [1/m].
    fn slope(&self, element: usize) -> Vec3 {
        let (kind, nodes) = self.mesh.element(element);
        let (gradients, _) = gradients_at(self.mesh, (kind, nodes), kind.centre());
        let each = gradients.iter().zip(nodes);
        each.map(|(g, &n)| g * self.values[n as usize]).sum()
    }
}

/// Gradients of the shape functions in space [1/m] and det dX/dr [m³] at reference coordinates.
fn gradients_at(
    mesh: &VolumeMesh,
    (kind, nodes): (ElementKind, &[u32]),
    at: [f64; 3],
) -> (Vec<Vec3>, f64) {
    let mut slopes = [[0.0; 3]; ElementKind::MAX_NODE_COUNT];
    kind.gradient(at, &mut slopes);
    let slopes = slopes[..nodes.len()].iter().map(|&slope| Vec3::from(slope));
    let place = |&n: &u32| mesh.nodes[n as usize];
    let jacobian: Mat3 =
        slopes.clone().zip(nodes).map(|(slope, n)| place(n) * slope.transpose()).sum();
    let inverse = jacobian.try_inverse().unwrap_or_else(Mat3::zeros).transpose();
    (slopes.map(|slope| inverse * slope).collect(), jacobian.determinant())
}

fn add_matrix(
    mesh: &VolumeMesh,
    (element, kind, nodes): (usize, ElementKind, &[u32]),
    matrices: &mut Vec<f64>,
) -> Result<(), HarmonicError> {
    let start = matrices.len();
    matrices.resize(start + nodes.len() * nodes.len(), 0.0);
    for point in kind.points() {
        let (gradients, determinant) = gradients_at(mesh, (kind, nodes), point.at);
        let volume = point.weight * determinant;
        if volume.is_nan() || volume <= 0.0 {
            return Err(HarmonicError::Flat { element, volume });
        }
        let products = gradients.iter().flat_map(|a| gradients.iter().map(|b| volume * a.dot(b)));
        matrices[start..].iter_mut().zip(products).for_each(|(k, product)| *k += product);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    /// Cells of a box bent by a map of its points, 0 to 1 along each axis, and the nodes at both ends of x.
    fn bent(cells: [usize; 3], map: impl Fn(Vec3) -> Vec3) -> (VolumeMesh, [Vec<u32>; 2]) {
        let [nx, ny, nz] = cells;
        let number = |i: usize, j: usize, k: usize| ((i * (ny + 1) + j) * (nz + 1) + k) as u32;
        let share = |i: usize, n: usize| i as f64 / n as f64;
        let (mut nodes, mut ends) = (Vec::new(), [Vec::new(), Vec::new()]);
        for i in 0..=nx {
            for (j, k) in (0..=ny).flat_map(|j| (0..=nz).map(move |k| (j, k))) {
                nodes.push(map(Vec3::new(share(i, nx), share(j, ny), share(k, nz))));
                for (set, end) in ends.iter_mut().zip([0, nx]) {
                    set.extend((i == end).then(|| number(i, j, k)));
                }
            }
        }
        let mut mesh = VolumeMesh::new(nodes);
        for i in 0..nx {
            for (j, k) in (0..ny).flat_map(|j| (0..nz).map(move |k| (j, k))) {
                let low =
                    [(i, j, k + 1), (i + 1, j, k + 1), (i + 1, j + 1, k + 1), (i, j + 1, k + 1)];
                let face = |up: usize| low.map(|(i, j, k)| number(i, j, k - up));
                mesh.push_element(ElementKind::Hex8, &[face(0), face(1)].concat()).unwrap();
            }
        }
        (mesh, ends)
    }

    fn between(mesh: &VolumeMesh, ends: &[Vec<u32>; 2]) -> Vec<Option<Vec3>> {
        directions_between(mesh, [&ends[0], &ends[1]]).unwrap()
    }

    fn centre(mesh: &VolumeMesh, e: usize) -> Vec3 {
        let nodes = mesh.element(e).1;
        nodes.iter().map(|&n| mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len() as f64
    }

    #[test]
    fn in_a_straight_bar_fibres_are_straight() {
        let (mesh, ends) = bent([4, 2, 3], |x| Vec3::new(2.0 * x.x, 0.3 * x.y, 0.2 * x.z));
        for direction in between(&mesh, &ends) {
            assert!((direction.unwrap() - Vec3::x()).norm() < 1e-9, "{direction:?}");
        }
        let back = [ends[1].clone(), ends[0].clone()];
        assert!((between(&mesh, &back)[0].unwrap() + Vec3::x()).norm() < 1e-9);
    }

    /// u = angle over its range: fibres run around the axis. On a skewed mesh the error falls with the square of the cells.
    #[test]
    fn in_a_quarter_of_a_ring_fibres_run_around() {
        let error = |n: usize| {
            let (mesh, ends) = bent([2 * n, n, 1], |x| {
                let skew = 0.1 * (2.0 * FRAC_PI_2 * x.x).sin() * (x.y - 0.5);
                let (sin, cos) = (FRAC_PI_2 * (x.x + skew)).sin_cos();
                Vec3::new((2.0 - x.y) * cos, (2.0 - x.y) * sin, 0.5 * x.z)
            });
            let found = between(&mesh, &ends);
            let off = |(e, d): (usize, &Option<Vec3>)| {
                let at = centre(&mesh, e);
                (d.unwrap() - Vec3::z().cross(&at).normalize()).norm()
            };
            found.iter().enumerate().map(off).fold(0.0, f64::max)
        };
        let [coarse, fine] = [error(4), error(8)];
        assert!((1e-6..2e-2).contains(&coarse) && fine < 0.35 * coarse, "{coarse}, {fine}");
    }

    #[test]
    fn parts_that_the_field_does_not_reach_have_none() {
        let (mut mesh, ends) = bent([2, 1, 1], |x| x);
        let far: Vec<u32> =
            (0..8).map(|k| mesh.element(0).1[k] + mesh.nodes.len() as u32).collect();
        let moved: Vec<Vec3> = mesh.nodes.iter().map(|x| x + Vec3::repeat(5.0)).collect();
        mesh.nodes.extend(moved);
        mesh.push_element(ElementKind::Hex8, &far).unwrap();
        let found = between(&mesh, &ends);
        assert!(found[0].is_some() && found[1].is_some() && found[2].is_none(), "{found:?}");
    }

    #[test]
    fn sets_that_no_field_runs_between_are_refused() {
        let (mesh, [first, second]) = bent([2, 1, 1], |x| x);
        let told = |sets: [&[u32]; 2]| directions_between(&mesh, sets).unwrap_err().to_string();
        assert!(told([&[], &second]).contains("first set has no nodes"));
        assert!(told([&first, &[]]).contains("second set has no nodes"));
        assert!(told([&first, &[first[0]]]).contains("node 0 is in both sets"));
        assert!(told([&first, &[99]]).contains("node 99 is not in the mesh, which has 12"));
        let mut flat = mesh.clone();
        flat.nodes.iter_mut().for_each(|x| x.z = 0.0);
        let error = directions_between(&flat, [&first, &second]).unwrap_err();
        assert!(matches!(error, HarmonicError::Flat { element: 0, .. }), "{error}");
    }
}
