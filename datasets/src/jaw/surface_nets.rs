//! Closed triangle surfaces of implicit bones: dual surface nets (a vertex a sheet of a mixed cell, a
//! quadrilateral a crossed grid edge; key Gibson1998), then sweeps of smoothing within the surface.

use sinew::Vec3;

use super::cell::{EDGES, Grid, edge_at, edge_ends, mirrored_edge, sheets};
use super::implicit::Bone;
use super::{Surface, SurfaceError};

/// Sweeps of smoothing.
const SWEEPS: usize = 4;

/// The surface under construction: vertices [mm], their mirror images, quadrilaterals.
struct Net {
    points: Vec<Vec3>,
    mirror: Vec<u32>,
    quads: Vec<[u32; 4]>,
}

/// Vertices of the mixed cells: for each grid index the row of a table, whose entries are the
/// vertices of the sheets that cross each edge of the cell.
struct Vertices {
    row_of: Vec<u32>,
    rows: Vec<[u32; EDGES]>,
}

impl Vertices {
    fn at(&self, grid: &Grid, cell: [usize; 3], edge: usize) -> u32 {
        self.rows[self.row_of[grid.index(cell)] as usize][edge]
    }
}

/// The closed surface of `bone` from a grid of the given cell size [mm], in metres.
pub(super) fn extract(bone: &Bone, cell: f64) -> Result<Surface, SurfaceError> {
    let grid = Grid::sample(bone, cell);
    let mut net = net_of(&grid);
    let neighbours = neighbours_of(&net, cell)?;
    for _ in 0..SWEEPS {
        smooth(bone, &mut net, &neighbours);
    }
    let vertices = net.points.iter().map(|p| [p.x, p.y, p.z].map(|x| x * 1e-3)).collect();
    let triangles = net.quads.iter().flat_map(|&quad| split(&net.points, quad)).collect();
    Ok(Surface { vertices, triangles })
}

fn net_of(grid: &Grid) -> Net {
    let mut table = Vertices { row_of: vec![u32::MAX; grid.values.len()], rows: Vec::new() };
    let (mut points, mut firsts) = (Vec::new(), Vec::new());
    for cell in grid.cells(0) {
        let corners = grid.corners(cell);
        let Some((sheet_of, count)) = sheets(&corners) else { continue };
        let first = points.len() as u32;
        table.row_of[grid.index(cell)] = table.rows.len() as u32;
        table.rows.push(sheet_of.map(|sheet| sheet.map_or(u32::MAX, |sheet| first + sheet)));
        for sheet in 0..count {
            let edges = (0..EDGES).filter(|&edge| sheet_of[edge] == Some(sheet));
            points.push(crossing_mean(grid, cell, edges.clone()));
            firsts.push((cell, edges.min().expect("a sheet crosses an edge")));
        }
    }
    let mirror = firsts.iter().map(|&([i, j, k], edge)| {
        table.at(grid, [i, grid.count[1] - 2 - j, k], mirrored_edge(edge))
    });
    let mut net = Net { points, mirror: mirror.collect(), quads: quads_of(grid, &table) };
    make_symmetric(&mut net);
    net
}

/// Mean of the points where edges of a cell cross the surface.
fn crossing_mean(grid: &Grid, cell: [usize; 3], edges: impl Iterator<Item = usize>) -> Vec3 {
    let corners = grid.corners(cell);
    let (mut sum, mut count) = (Vec3::zeros(), 0.0);
    for [a, b] in edges.map(edge_ends) {
        let t = corners[a] / (corners[a] - corners[b]);
        let [from, to] = [a, b].map(|corner| grid.corner_point(cell, corner));
        sum += from + (to - from) * t;
        count += 1.0;
    }
    sum / count
}

/// A quadrilateral of the four cells around each crossed grid edge, wound outwards.
fn quads_of(grid: &Grid, table: &Vertices) -> Vec<[u32; 4]> {
    let mut quads = Vec::new();
    for at in grid.cells(1) {
        let here = grid.values[grid.index(at)] < 0.0;
        for axis in 0..3 {
            let mut next = at;
            next[axis] += 1;
            if here == (grid.values[grid.index(next)] < 0.0) {
                continue;
            }
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut quad = [[1, 1], [0, 1], [0, 0], [1, 0]].map(|[back_u, back_v]| {
                let mut cell = at;
                cell[u] -= back_u;
                cell[v] -= back_v;
                table.at(grid, cell, edge_at(axis, back_u, back_v))
            });
            if !here {
                quad.reverse();
            }
            quads.push(quad);
        }
    }
    quads
}

/// Vertices that share an edge with each vertex.
///
/// # Errors
/// An edge of more than two quadrilaterals: two sheets of one cell meet two of the next one.
fn neighbours_of(net: &Net, cell: f64) -> Result<Vec<Vec<u32>>, SurfaceError> {
    let mut of = vec![Vec::new(); net.points.len()];
    // On a closed surface each edge belongs to two quadrilaterals, once in each direction.
    for quad in &net.quads {
        for k in 0..4 {
            let (from, to) = (quad[k] as usize, quad[(k + 1) % 4]);
            if of[from].contains(&to) {
                let at: [f64; 3] = net.points[from].into();
                return Err(SurfaceError::TooCoarse {
                    cell: cell * 1e-3,
                    at: at.map(|x| x * 1e-3),
                });
            }
            of[from].push(to);
        }
    }
    Ok(of)
}

/// Copies the left to the right.
fn make_symmetric(net: &mut Net) {
    for at in 0..net.points.len() {
        let mirror = net.mirror[at] as usize;
        if mirror == at {
            net.points[at].y = 0.0;
        } else if net.points[at].y > 0.0 {
            let p = net.points[at];
            net.points[mirror] = Vec3::new(p.x, -p.y, p.z);
        }
    }
}

/// Moves each vertex towards the mean of its neighbours within the tangent plane, then onto the
/// surface.
fn smooth(bone: &Bone, net: &mut Net, neighbours: &[Vec<u32>]) {
    let mut moved = net.points.clone();
    for (at, p) in net.points.iter().enumerate().filter(|(_, p)| p.y >= 0.0) {
        let near = &neighbours[at];
        let mean = near.iter().map(|&k| net.points[k as usize]).sum::<Vec3>() / near.len() as f64;
        let step = 0.5 * (mean - p);
        let normal = gradient(bone, *p);
        let tangential = step - normal * (normal.dot(&step) / normal.norm_squared());
        let q = p + tangential;
        moved[at] = q - normal * (bone.value(q) / normal.norm_squared());
    }
    net.points = moved;
    make_symmetric(net);
}

/// Gradient of the value by central differences over 0.02 mm.
fn gradient(bone: &Bone, p: Vec3) -> Vec3 {
    const STEP: f64 = 0.01;
    Vec3::from_fn(|axis, _| {
        let mut step = Vec3::zeros();
        step[axis] = STEP;
        (bone.value(p + step) - bone.value(p - step)) / (2.0 * STEP)
    })
}

/// Two triangles, along the shorter diagonal.
fn split(points: &[Vec3], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let length = |p: u32, q: u32| (points[p as usize] - points[q as usize]).norm_squared();
    if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] }
}
