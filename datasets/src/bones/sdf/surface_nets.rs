//! Closed triangle surfaces of solids: dual surface nets (a vertex a sheet of a mixed cell, a quadrilateral a
//! crossed grid edge; key Gibson1998), then sweeps of smoothing within the surface.

use super::cell::{EDGES, Grid, edge_at, edge_ends, mirrored_edge, sheets};
use super::segment::{Point, add_scaled, dot, sub};
use super::solid::Solid;

/// Sweeps of smoothing.
const SWEEPS: usize = 2;

/// Largest distance of a vertex from where it began, in cells: farther ones meet others.
const MOST_WAY: f64 = 0.8;

/// Smallest squared slope that a point is moved by.
const LEAST_SLOPE: f64 = 0.25;

/// Two sheets of a surface that meet in one cell, at this place [mm].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TooCoarse(pub(crate) Point);

/// Vertices [mm] and the vertices of each triangle, counterclockwise from outside.
pub(crate) type Triangles = (Vec<Point>, Vec<[u32; 3]>);

/// The surface under construction: vertices, their mirror images, their cells, quadrilaterals.
struct Net {
    points: Vec<Point>,
    /// Mirror image of each vertex; none of a one-sided solid.
    mirror: Vec<u32>,
    cells: Vec<[usize; 3]>,
    quads: Vec<[u32; 4]>,
}

/// Vertices of the mixed cells: for each grid index the row of a table, whose entries are the vertices of the
/// sheets that cross each edge of the cell.
struct Vertices {
    row_of: Vec<u32>,
    rows: Vec<[u32; EDGES]>,
}

impl Vertices {
    fn at(&self, grid: &Grid, cell: [usize; 3], edge: usize) -> u32 {
        self.rows[self.row_of[grid.index(cell)] as usize][edge]
    }
}

/// Largest number of times that sheets are parted before the cells are too coarse.
const MOST_PARTINGS: usize = 12;

/// The closed surface of a solid from a grid of the given cell size [mm]. Where two sheets of one cell meet two of
/// the next one, the corner that is least inside is taken out.
///
/// # Errors
/// [`TooCoarse`], where that does not help.
pub(crate) fn extract(solid: &Solid, cell: f64) -> Result<Triangles, TooCoarse> {
    let mut grid = Grid::sample(solid, cell);
    let mut net = net_of(&grid);
    let mut found = neighbours_of(&net);
    for _ in 0..MOST_PARTINGS {
        let Err(meeting) = &found else { break };
        meeting.iter().for_each(|&vertex| grid.part(net.cells[vertex]));
        net = net_of(&grid);
        found = neighbours_of(&net);
    }
    let neighbours = found.map_err(|meeting| TooCoarse(net.points[meeting[0]]))?;
    let start = net.points.clone();
    for _ in 0..SWEEPS {
        smooth(&grid, &mut net, (&neighbours, &start));
    }
    let triangles = net.quads.iter().flat_map(|&quad| split(&net.points, quad)).collect();
    Ok((net.points, triangles))
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
    let image = |&([i, j, k], edge): &([usize; 3], usize)| {
        table.at(grid, [i, grid.count[1] - 2 - j, k], mirrored_edge(edge))
    };
    let mirror = if grid.one_sided { Vec::new() } else { firsts.iter().map(image).collect() };
    let quads = quads_of(grid, &table);
    let cells = firsts.into_iter().map(|(cell, _)| cell).collect();
    let mut net = Net { points, mirror, cells, quads };
    make_symmetric(&mut net);
    net
}

/// Mean of the points where edges of a cell cross the surface.
fn crossing_mean(grid: &Grid, cell: [usize; 3], edges: impl Iterator<Item = usize>) -> Point {
    let corners = grid.corners(cell);
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for [a, b] in edges.map(edge_ends) {
        let t = corners[a] / (corners[a] - corners[b]);
        let [from, to] = [a, b].map(|corner| grid.corner_point(cell, corner));
        sum = add_scaled(sum, add_scaled(from, sub(to, from), t), 1.0);
        count += 1.0;
    }
    sum.map(|x| x / count)
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
/// The vertices at edges of more than two quadrilaterals: two sheets of one cell meet two of the next one.
fn neighbours_of(net: &Net) -> Result<Vec<Vec<u32>>, Vec<usize>> {
    let mut of = vec![Vec::with_capacity(6); net.points.len()];
    let mut meeting = Vec::new();
    // On a closed surface each edge belongs to two quadrilaterals, once in each direction.
    for quad in &net.quads {
        for k in 0..4 {
            let (from, to) = (quad[k] as usize, quad[(k + 1) % 4]);
            if of[from].contains(&to) {
                meeting.extend([from, to as usize]);
            }
            of[from].push(to);
        }
    }
    if meeting.is_empty() { Ok(of) } else { Err(meeting) }
}

/// Copies the left to the right, unless the solid is one-sided.
fn make_symmetric(net: &mut Net) {
    for at in 0..net.mirror.len() {
        let mirror = net.mirror[at] as usize;
        if mirror == at {
            net.points[at][1] = 0.0;
        } else if net.points[at][1] > 0.0 {
            let [x, y, z] = net.points[at];
            net.points[mirror] = [x, -y, z];
        }
    }
}

/// Moves each vertex towards the mean of its neighbours within the tangent plane, then onto the surface, unless that
/// leads far from its cell.
fn smooth(grid: &Grid, net: &mut Net, (neighbours, start): (&[Vec<u32>], &[Point])) {
    let most = MOST_WAY * grid.cell;
    let mut moved = net.points.clone();
    for (at, &p) in net.points.iter().enumerate().filter(|(_, p)| grid.one_sided || p[1] >= 0.0) {
        let Some(solid) = grid.solid_at(net.cells[at]) else { continue };
        let near = &neighbours[at];
        let sum =
            near.iter().fold([0.0; 3], |sum, &k| add_scaled(sum, net.points[k as usize], 1.0));
        let mean = sum.map(|x| x / near.len() as f64);
        let step = sub(mean, p).map(|x| 0.5 * x);
        let normal = gradient(solid, p);
        // On a crease opposite slopes may cancel.
        let square = dot(normal, normal).max(LEAST_SLOPE);
        let q = add_scaled(add_scaled(p, step, 1.0), normal, -dot(normal, step) / square);
        let end = add_scaled(q, normal, -solid.value(q) / square);
        let way = sub(end, start[at]);
        if dot(way, way) < most * most {
            moved[at] = end;
        }
    }
    net.points = moved;
    make_symmetric(net);
}

/// Gradient of the value by differences between the corners of a tetrahedron around the point.
fn gradient(solid: &Solid, p: Point) -> Point {
    const STEP: f64 = 0.01;
    const CORNERS: [Point; 4] =
        [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let sum = CORNERS.iter().fold([0.0; 3], |sum, &corner| {
        add_scaled(sum, corner, solid.value(add_scaled(p, corner, STEP)))
    });
    sum.map(|x| x / (4.0 * STEP))
}

/// Two triangles, along the shorter diagonal.
fn split(points: &[Point], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let length = |p: u32, q: u32| {
        let d = sub(points[p as usize], points[q as usize]);
        dot(d, d)
    };
    if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] }
}
