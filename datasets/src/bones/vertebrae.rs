//! The cervical vertebrae [mm], behind the throat: atlas, axis with its dens, and five alike, from the dimensions of
//! docs/theory/anatomy.md.

use super::sdf::{Point, Section, Segment, Solid, Upright, rod, section, tube};

/// The vertical, and the direction to the left.
const UP: Point = [0.0, 0.0, 1.0];
const ACROSS: Point = [0.0, 1.0, 0.0];

/// A vertebra from the second to the seventh.
struct Vertebra {
    /// Middle of the body, x and z.
    center: [f64; 2],
    /// Lean of its axis, forward over up.
    lean: f64,
    /// Depth, width and height of the body.
    body: Point,
    /// Width across the transverse processes.
    transverse: f64,
    /// From the back of the body to the tip of the spinous process, and the drop of the tip.
    spinous: [f64; 2],
}

/// The axis.
const AXIS: Vertebra = Vertebra {
    center: [-51.6, 29.0],
    lean: 0.0,
    body: [15.6, 17.5, 19.6],
    transverse: 52.0,
    spinous: [34.0, 8.0],
};

/// The vertebrae from the third to the seventh.
const LOWER: [Vertebra; 5] = [
    Vertebra {
        center: [-50.2, 9.4],
        lean: -0.06,
        body: [15.6, 17.2, 12.4],
        transverse: 52.0,
        spinous: [31.0, 9.0],
    },
    Vertebra {
        center: [-48.8, -8.6],
        lean: -0.02,
        body: [15.9, 17.2, 12.4],
        transverse: 53.0,
        spinous: [31.0, 10.0],
    },
    Vertebra {
        center: [-48.8, -26.2],
        lean: 0.04,
        body: [17.9, 17.5, 12.2],
        transverse: 54.0,
        spinous: [30.0, 11.0],
    },
    Vertebra {
        center: [-50.2, -43.8],
        lean: 0.12,
        body: [18.0, 18.5, 12.2],
        transverse: 56.0,
        spinous: [35.0, 13.0],
    },
    Vertebra {
        center: [-53.0, -61.8],
        lean: 0.20,
        body: [18.0, 21.8, 13.6],
        transverse: 66.0,
        spinous: [46.0, 15.0],
    },
];

/// Half the breadth of the canal for the spinal cord.
const CANAL: f64 = 12.0;
/// Anteroposterior diameter of the canal.
const CANAL_DEPTH: f64 = 15.0;

impl Vertebra {
    /// A point in the frame of the vertebra: forward, to the left, up from the middle of the body.
    fn at(&self, [forward, left, up]: Point) -> Point {
        let length = (1.0 + self.lean * self.lean).sqrt();
        let (c, s) = (1.0 / length, self.lean / length);
        [self.center[0] + c * forward + s * up, left, self.center[1] - s * forward + c * up]
    }

    fn cone(&self, ends: [Point; 2], radii: [f64; 2]) -> Segment {
        Segment::cone(ends.map(|end| self.at(end)), radii)
    }

    /// Body, with its upper edges raised at the sides.
    fn body(&self) -> Solid {
        let [depth, width, height] = self.body;
        let end = 0.5 * height - 2.0;
        let ends = [[0.0, 0.0, -end], [0.0, 0.0, end]].map(|end| self.at(end));
        let radii = [[2.0, 0.53 * width, 0.52 * depth], [2.0, 0.48 * width, 0.48 * depth]];
        let disc = Segment::new(ends, UP, ACROSS, radii);
        let side = 0.44 * width;
        let uncinate = self.cone([[2.0, side, end], [-5.0, side, end + 2.5]], [1.8, 1.8]);
        Solid::new().add([1.0, 0.0], [disc]).add([2.0, 0.0], [uncinate])
    }

    /// Arch: pedicle, articular pillar, lamina, spinous process with two tips; transverse process.
    fn arch(&self, forked: bool) -> Vec<Segment> {
        let back = -0.5 * self.body[0];
        let pillar = CANAL + 4.5;
        let [length, drop] = self.spinous;
        let roof = back - CANAL_DEPTH - 2.0;
        let tip = back - length;
        let fork = if forked { 4.0 } else { 0.5 };
        let aside = 0.5 * self.transverse;
        let mut all = vec![
            self.cone(
                [[back + 2.0, 0.4 * self.body[1], 0.5], [back - 5.0, pillar, 0.0]],
                [3.4, 3.6],
            ),
            self.cone([[back - 4.5, pillar, 3.8], [back - 8.5, pillar, -4.6]], [4.2, 4.2]),
            self.cone(
                [[back - 2.5, pillar - 3.0, 0.0], [back + 0.5, aside - 2.5, -2.5]],
                [2.8, 2.4],
            ),
            self.cone(
                [[back + 7.0, 0.5 * self.body[1], -1.5], [back + 4.0, aside - 3.5, -2.5]],
                [2.4, 2.2],
            ),
            self.cone([[roof + 1.0, 0.0, 0.0], [tip + 4.0, 0.25 * fork, 0.6 - drop]], [3.4, 2.8]),
            self.cone(
                [[tip + 6.0, 0.3 * fork, 1.0 - drop], [tip + 1.5, fork, -0.5 - drop]],
                [2.8, 2.2],
            ),
        ];
        let lamina = [[back - 8.0, pillar - 1.0, 0.0], [roof + 3.5, 7.0, -0.5], [roof, 0.0, -1.0]];
        let lamina = lamina.map(|at| section(self.at(at), 2.4, 5.2));
        all.extend(tube(&lamina, Upright::Height(UP)));
        all
    }

    fn solid(&self, forked: bool) -> Solid {
        let back = -0.5 * self.body[0];
        let hole = [-9.0, 9.0].map(|up| [back + 2.6, 0.5 * self.body[1] + 4.4, up]);
        self.body().add([2.5, 2.0], self.arch(forked)).cut([1.0, 0.0], [self.cone(hole, [2.2; 2])])
    }
}

/// Ring of the atlas, from its anterior tubercle to the posterior one.
const ATLAS: [Section; 7] = [
    section([-45.6, 0.0, 50.0], 3.4, 5.2),
    section([-47.6, 9.0, 50.0], 3.0, 4.8),
    section([-55.0, 18.0, 51.0], 5.0, 6.0),
    section([-64.0, 20.0, 52.0], 5.6, 6.5),
    section([-75.0, 19.0, 52.0], 3.2, 4.0),
    section([-85.5, 11.0, 51.0], 3.0, 4.2),
    section([-89.5, 0.0, 50.0], 3.6, 4.8),
];

/// Transverse process of the atlas.
const WING: [Section; 3] = [
    section([-60.0, 20.0, 50.0], 6.0, 4.0),
    section([-60.5, 28.0, 49.0], 5.4, 3.0),
    section([-61.0, 36.0, 48.0], 4.0, 3.4),
];

/// The dens of the axis.
const DENS: [Section; 3] =
    [rod([-52.4, 0.0, 34.0], 6.4), rod([-54.2, 0.0, 47.0], 4.6), rod([-55.4, 0.0, 54.5], 4.2)];

/// The atlas, first of the vertebrae.
pub(super) fn atlas() -> Solid {
    let hole = Segment::cone([[-60.5, 28.0, 40.0], [-60.5, 28.0, 60.0]], [2.4; 2]);
    Solid::new()
        .add([2.0, 1.0], tube(&ATLAS, Upright::Height(UP)))
        .add([2.5, 1.0], tube(&WING, Upright::Height(UP)))
        .cut([1.0, 0.0], [hole])
}

/// The axis, with its dens.
pub(super) fn axis() -> Solid {
    AXIS.solid(true).add([3.0, 1.0], tube(&DENS, Upright::Width(ACROSS)))
}

/// The vertebrae from the third, 0, to the seventh, 4.
pub(super) fn lower(number: usize) -> Solid {
    let last = LOWER.len() - 1;
    LOWER[number.min(last)].solid(number < last)
}
