//! Directions that worlds in space are seen along.

use sinew::interactive::WorldSnapshot;

/// A parallel projection onto the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Projection {
    /// x to the right, y upwards.
    #[default]
    Xy,
    /// x to the right, z upwards.
    Xz,
    /// y to the right, z upwards.
    Yz,
    /// z upwards, from the left in front and a little above.
    Oblique,
}

/// Angles of the oblique projection [rad]: about z, and above the plane of x and y.
const TURN: f64 = 0.45;
const RISE: f64 = 0.35;

impl Projection {
    /// All of them.
    pub(super) const ALL: [Self; 4] = [Self::Xy, Self::Xz, Self::Yz, Self::Oblique];

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Xy => "x y",
            Self::Xz => "x z",
            Self::Yz => "y z",
            Self::Oblique => "oblique",
        }
    }

    /// Unit vectors to the right and upwards.
    fn axes(self) -> [[f64; 3]; 2] {
        match self {
            Self::Xy => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            Self::Xz => [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            Self::Yz => [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Self::Oblique => {
                let ((s, c), (rise, level)) = (TURN.sin_cos(), RISE.sin_cos());
                [[c, s, 0.0], [-s * rise, c * rise, level]]
            }
        }
    }

    /// The place in the plane where a place in space is seen.
    pub(super) fn seen(self, place: [f64; 3]) -> [f64; 2] {
        self.axes().map(|axis| (0..3).map(|k| axis[k] * place[k]).sum())
    }

    /// The place in space as deep as another one that is seen somewhere in the plane.
    pub(super) fn moved(self, place: [f64; 3], to: [f64; 2]) -> [f64; 3] {
        let (axes, from) = (self.axes(), self.seen(place));
        std::array::from_fn(|k| {
            place[k] + (to[0] - from[0]) * axes[0][k] + (to[1] - from[1]) * axes[1][k]
        })
    }

    /// The one in which a world is shown at first: planar ones as they are, others with their weight downwards.
    pub(super) fn of(snapshot: &WorldSnapshot) -> Self {
        let [x, y, z] = snapshot.gravity.map(f64::abs);
        let is_planar = snapshot.outlines.iter().all(|outline| outline.is_planar);
        if is_planar || y >= x.max(z) && y > 0.0 { Self::Xy } else { Self::Xz }
    }
}
