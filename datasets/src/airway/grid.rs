//! The grid of the pharynx: stations from the choanae down to the entrance of the larynx, lines across and from front to back. Its middle is
//! air; what lies around is tissue. The velum ends in a slit, below which the base of the tongue begins. Dimensions:
//! docs/theory/anatomy.md.

use sinew::Vec3;

use crate::interpolation::hermite;

/// A station of the pharynx in the midsagittal plane [mm].
struct Station {
    /// Ends of the air, x and z: on velum, tongue or epiglottis, and on the rear wall.
    front: [f64; 2],
    back: [f64; 2],
    /// Half its width.
    half_width: f64,
    /// Thickness of what lies before it.
    before: f64,
}

const fn station(front: [f64; 2], back: [f64; 2], [half_width, before]: [f64; 2]) -> Station {
    Station { front, back, half_width, before }
}

/// From the choanae to the entrance of the larynx.
const STATIONS: [Station; 11] = [
    station([-9.0, 64.5], [-14.0, 75.0], [11.0, 6.0]),
    station([-14.5, 61.0], [-25.5, 71.0], [12.0, 7.0]),
    station([-20.5, 56.5], [-34.0, 64.0], [13.0, 8.0]),
    station([-25.5, 50.5], [-38.0, 54.5], [13.5, 8.0]),
    station([-29.0, 44.0], [-39.2, 45.0], [13.0, 8.0]),
    station([-31.0, 37.0], [-39.6, 37.0], [12.5, 9.0]),
    station([-32.0, 29.0], [-40.0, 29.0], [12.5, 14.0]),
    station([-32.6, 20.0], [-40.6, 20.0], [13.0, 16.0]),
    station([-33.0, 11.0], [-41.0, 11.0], [13.5, 16.0]),
    station([-33.0, 1.0], [-41.2, 1.0], [13.0, 15.0]),
    station([-32.0, -9.0], [-41.2, -9.0], [12.0, 14.0]),
];
/// Stations of the end of the velum and of the epiglottis.
pub(super) const VELUM_END: f64 = 5.0;
pub(super) const EPIGLOTTIS: [f64; 2] = [7.5, 9.5];

/// Thickness of the rear wall and of the side walls [mm].
const BEHIND: f64 = 3.6;
const ASIDE: f64 = 7.0;
/// Half the gap between velum and tongue [mm].
const GAP: f64 = 0.5;
/// Cells a station, of a half of the air and of a side wall across, of tissue before, air and the rear wall; those at the coarsest
/// resolution are twice as many but for stations, which are three a station.
const ACROSS: [usize; 2] = [4, 2];
const DEEP: [usize; 3] = [2, 2, 2];
const A_STATION: usize = 3;
/// Millimetres to metres.
const MM: f64 = 1e-3;

/// A point of the grid: along, across from the middle (positive on the left), and deep, from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node {
    pub(super) along: usize,
    pub(super) across: isize,
    pub(super) deep: usize,
    /// True on the upper side of the slit, of points in it.
    pub(super) velum: bool,
}

/// A cell of the grid, by its least corner.
pub(super) type CellIndex = (usize, isize, usize);

/// The grid at a refinement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Refinement in halves: 2 for the tables.
    halves: usize,
}

impl Grid {
    pub(super) fn new(halves: usize) -> Self {
        Self { halves }
    }

    fn refined(self, count: usize) -> usize {
        count * self.halves / 2
    }

    /// Cells along.
    pub(super) fn length(self) -> usize {
        self.refined((STATIONS.len() - 1) * 2 * A_STATION / 2)
    }

    /// Cells of a half across: of the air, and with the side wall.
    fn across(self) -> [isize; 2] {
        let [air, wall] = ACROSS.map(|count| self.refined(count) as isize);
        [air, air + wall]
    }

    /// Ends of tissue before, air, and the rear wall.
    fn deep(self) -> [usize; 3] {
        let [before, air, wall] = DEEP.map(|count| self.refined(count));
        [before, before + air, before + air + wall]
    }

    /// All cells.
    pub(super) fn cells(self) -> Vec<CellIndex> {
        let [_, half] = self.across();
        let [.., deep] = self.deep();
        let rows = (0..self.length()).flat_map(|i| (-half..half).map(move |j| (i, j)));
        rows.flat_map(|(i, j)| (0..deep).map(move |k| (i, j, k))).collect()
    }

    /// True for a cell of air.
    pub(super) fn is_air(self, (_, across, deep): CellIndex) -> bool {
        let ([air, _], [before, behind, _]) = (self.across(), self.deep());
        (-air..air).contains(&across) && (before..behind).contains(&deep)
    }

    /// True for a cell of what lies before the air.
    pub(super) fn is_before(self, (_, across, deep): CellIndex) -> bool {
        let ([air, _], [before, ..]) = (self.across(), self.deep());
        (-air..air).contains(&across) && deep < before
    }

    /// True for a cell of what lies before the air that touches it.
    pub(super) fn is_lining(self, place: CellIndex) -> bool {
        self.is_before(place) && place.2 + 1 == self.deep()[0]
    }

    /// Station of the middle of a cell.
    pub(super) fn station(self, (along, ..): CellIndex) -> f64 {
        (2.0 * along as f64 + 1.0) / (self.halves * A_STATION) as f64
    }

    /// Row of the slit.
    fn slit(self) -> usize {
        self.refined(VELUM_END as usize * A_STATION)
    }

    /// The corners of a cell, in the order of a hexahedron: the upper face first, counterclockwise from above.
    pub(super) fn corners(self, (i, j, k): CellIndex) -> [Node; 8] {
        let corner = |along: usize, [across, deep]: [isize; 2]| {
            let (across, deep) = (j + across, k + deep as usize);
            let inside = across.abs() < self.across()[0] && deep <= self.deep()[0];
            let velum = along == self.slit() && inside && i + 1 == along && !self.is_air((i, j, k));
            Node { along, across, deep, velum }
        };
        // Deep goes rearward, across to the left: seen from above left, then forward.
        let face = [[0, 1], [0, 0], [1, 0], [1, 1]];
        let mut corners = [corner(i, face[0]); 8];
        for (n, at) in face.into_iter().enumerate() {
            corners[n] = corner(i, at);
            corners[4 + n] = corner(i + 1, at);
        }
        corners
    }

    /// Bodies that a point is attached to.
    pub(super) fn support(self, node: Node) -> Option<Support> {
        let ([_, half], [before, _, deep]) = (self.across(), self.deep());
        let middle = node.across.abs() < half;
        match () {
            () if node.along == 0 && node.deep <= before => Some(Support::Palate),
            () if node.along == 0 || node.along == self.length() => Some(Support::Spine),
            () if node.deep == deep || !middle => Some(Support::Spine),
            () if node.deep == 0 && node.along > self.slit() => Some(Support::Tongue),
            () => None,
        }
    }

    /// Points of the velum that levators pull at: a side, at a station, in the middle of its thickness.
    pub(super) fn levator(self, side: isize, station: f64) -> Node {
        let along = (station * (self.halves * A_STATION) as f64 / 2.0).round() as usize;
        let across = side * self.refined(2) as isize;
        Node { along, across, deep: self.deep()[0] / 2, velum: false }
    }

    /// True in the middle of the velum, half way to its end.
    pub(super) fn is_middle_of_velum(self, node: Node) -> bool {
        let along = self.levator(1, 0.6 * VELUM_END).along;
        node.across == 0 && node.along == along && node.deep <= self.deep()[0]
    }

    /// The place of a point [m].
    pub(super) fn place(self, node: Node) -> Vec3 {
        let at = 2.0 * node.along as f64 / (self.halves * A_STATION) as f64;
        let Station { front, back, half_width, before } = station_at(at);
        let ([air, half], [first, second, last]) = (self.across(), self.deep());
        let aside = node.across.unsigned_abs() as f64;
        let [a, wall] = [(aside / air as f64).min(1.0), (aside - air as f64).max(0.0)];
        let part =
            |from: usize, to: usize| (node.deep as f64 - from as f64) / (to as f64 - from as f64);
        let b = part(first, second).clamp(0.0, 1.0);
        let (dx, dz) = (back[0] - front[0], back[1] - front[1]);
        let gap = (dx * dx + dz * dz).sqrt();
        let across = 2.0 * b - 1.0;
        // The air is rounded: lower at its sides, narrower before and behind.
        let y =
            half_width * a * (1.0 - 0.12 * across * across) + ASIDE * wall / (half - air) as f64;
        let depth = 0.5 * gap * (1.0 + across * (1.0 - 0.45 * a * a))
            - before * (1.0 - part(0, first).min(1.0))
            + BEHIND * part(second, last).max(0.0);
        let lens = (1.0 - a * a).max(0.0).sqrt();
        let in_slit = node.along == self.slit() && node.deep <= first;
        let apart = match (in_slit, node.velum) {
            (false, _) => 0.0,
            (true, true) => GAP * lens,
            (true, false) => -GAP * lens,
        };
        let (ux, uz) = (dx / gap, dz / gap);
        let x = front[0] + ux * depth - uz * apart;
        let z = front[1] + uz * depth - ux * apart;
        Vec3::new(x, if node.across < 0 { -y } else { y }, z) * MM
    }
}

/// Body or structure that a point is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Support {
    /// Hard palate.
    Palate,
    /// Vertebrae, base of the skull and what lies beside the pharynx.
    Spine,
    /// Body of the tongue before its base, which follows the mandible.
    Tongue,
}

/// The station at a place between those of the table.
fn station_at(at: f64) -> Station {
    let k = (at as usize).min(STATIONS.len() - 2);
    let t = at - k as f64;
    let rows: [[f64; 6]; 4] = std::array::from_fn(|n| {
        let place = (k + n).saturating_sub(1).min(STATIONS.len() - 1);
        let s = &STATIONS[place];
        [s.front[0], s.front[1], s.back[0], s.back[1], s.half_width, s.before]
    });
    let value = |n: usize| {
        let [a, b, c, d] = [rows[0][n], rows[1][n], rows[2][n], rows[3][n]];
        hermite([b, c], [0.5 * (c - a), 0.5 * (d - b)], t)
    };
    station([value(0), value(1)], [value(2), value(3)], [value(4), value(5)])
}
