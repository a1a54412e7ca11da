//! The table of what a hand can add to a world: every kind that files hold, and some that are made of several parts. A
//! window needs no more than this table: it lists the rows, and lets what a row takes be clicked.

use super::sites::{Made, PaletteError, Pick, Site};
use super::{behaviours, blocks, constraints, objects};
use crate::interactive::{PartList, WorldPart};

/// A thing that is clicked for a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A place of the plane.
    Free,
    /// A point of an object, or a block with a place.
    Point,
    /// The same, or a place of the plane.
    Anchor,
    /// A point of an object alone.
    ObjectPoint,
    /// A troid.
    Troid,
    /// A block with all of its outputs.
    Block,
    /// A direction.
    Direction,
    /// An output.
    Output,
    /// An angle.
    Angle,
}

/// Kinds of blocks that are places, and of outputs that are angles.
const PLACES: [&str; 4] = ["particle", "point", "path", "parameters"];
const ANGLES: [&str; 3] = ["plane_angle", "space_angle", "formula"];

/// An object or block that is to be clicked.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'c> {
    /// List that it stands in.
    pub list: PartList,
    /// Its kind, as in files.
    pub kind: &'c str,
    /// Number of its outputs.
    pub outputs: usize,
}

impl Slot {
    /// The thing to click, in words.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Free => "a place",
            Self::Point | Self::ObjectPoint => "a point of an object",
            Self::Anchor => "a point of an object, or a place",
            Self::Troid => "a troid",
            Self::Block => "a part in the list, or its mark",
            Self::Direction => "a direction",
            Self::Output => "an output in the list",
            Self::Angle => "an angle: a planar body, or an output in the list",
        }
    }

    /// True if any place of the plane will do.
    pub fn takes_places(self) -> bool {
        matches!(self, Self::Free | Self::Anchor)
    }

    /// True if the points of an object will do.
    pub fn takes_points(self, part: Candidate<'_>) -> bool {
        let is_object = part.list == PartList::Object && part.kind != "variables";
        match self {
            Self::Point | Self::Anchor | Self::ObjectPoint => is_object,
            Self::Troid => part.kind == "troid",
            Self::Free | Self::Block | Self::Direction | Self::Output | Self::Angle => false,
        }
    }

    /// True if a block as a whole will do.
    pub fn takes_block(self, part: Candidate<'_>) -> bool {
        match self {
            Self::Point | Self::Anchor => {
                PLACES.contains(&part.kind) && (2..=3).contains(&part.outputs)
            }
            Self::Troid => part.kind == "troid",
            Self::Block => true,
            Self::Direction => matches!(part.kind, "direction" | "difference"),
            Self::Free | Self::ObjectPoint | Self::Output | Self::Angle => false,
        }
    }

    /// True if one of the outputs of a block will do, by its name.
    pub fn takes_output(self, part: Candidate<'_>, output: &str) -> bool {
        match self {
            Self::Output => true,
            Self::Angle => ANGLES.contains(&part.kind) || output.ends_with(".angle"),
            Self::Free
            | Self::Point
            | Self::Anchor
            | Self::ObjectPoint
            | Self::Troid
            | Self::Block
            | Self::Direction => false,
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct PartKind {
    /// Its word: that of files, where it makes a single part.
    pub name: &'static str,
    /// The list of the part.
    pub list: PartList,
    /// Kind of the part in files.
    pub kind: &'static str,
    /// Description in a sentence.
    pub hint: &'static str,
    /// Things that are clicked for it, one after the other.
    pub slots: &'static [Slot],
    /// True if the last one is clicked as often as is wanted.
    pub is_open: bool,
    pub(super) make: fn(&mut Site<'_>, &[Pick]) -> Made,
}

/// A row by list, word, sentence and what is clicked.
const fn row(
    list: PartList,
    name: &'static str,
    hint: &'static str,
    slots: &'static [Slot],
    make: fn(&mut Site<'_>, &[Pick]) -> Made,
) -> PartKind {
    PartKind { name, list, kind: name, hint, slots, is_open: false, make }
}

impl PartKind {
    /// The same for a part of another kind in files.
    const fn of(self, kind: &'static str) -> Self {
        Self { kind, ..self }
    }

    /// The same with a last slot that is clicked again and again.
    const fn open(self) -> Self {
        Self { is_open: true, ..self }
    }

    /// The thing that is clicked after some clicks; `None` where nothing is left.
    pub fn slot(&self, clicks: usize) -> Option<Slot> {
        let last = self.slots.last().filter(|_| self.is_open);
        self.slots.get(clicks).or(last).copied()
    }

    /// True if a part can be made of this many clicks.
    pub fn is_complete(&self, clicks: usize) -> bool {
        clicks >= self.slots.len()
    }
}

/// Makes the parts of a kind of the table by what was clicked.
///
/// # Errors
/// [`PaletteError`].
pub(in crate::interactive) fn make_parts(
    mut site: Site<'_>,
    kind: &str,
    picks: &[Pick],
) -> Result<Vec<WorldPart>, PaletteError> {
    let row = KINDS.iter().find(|row| row.name == kind);
    let row = row.ok_or_else(|| PaletteError::Kind(kind.to_owned()))?;
    if !row.is_complete(picks.len()) {
        let (expected, found) = (row.slots.len(), picks.len());
        return Err(PaletteError::Clicks { kind: row.name, expected, found });
    }
    (row.make)(&mut site, picks)?;
    Ok(site.into_parts())
}

/// The table.
pub fn part_kinds() -> &'static [PartKind] {
    KINDS
}

use PartList::{Behaviour, Block, Constraint, Image, Object};
use Slot::{Anchor, Angle, Direction, Free, ObjectPoint, Output, Point, Troid};

/// Slots of curves: from end to end, or from the centre to a point.
const TWO: &[Slot] = &[Free, Free];

static KINDS: &[PartKind] = &[
    row(Object, "particle", "a mass in a point", &[Free], objects::particle),
    row(Object, "planar_body", "a disc, by its centre and border", TWO, objects::planar_body),
    row(Object, "rigid_body", "a cube, by its centre and side", TWO, objects::rigid_body),
    row(Object, "troid", "an elastic sheet or box, by its centre and corner", TWO, objects::troid),
    row(Object, "line", "a curve from end to end", TWO, objects::line).of("curve"),
    row(Object, "circle", "a curve by centre and point", TWO, objects::circle).of("curve"),
    row(Object, "ellipse", "a curve by centre and corner", TWO, objects::ellipse).of("curve"),
    row(Object, "bezier", "a curve from end to end", TWO, objects::bezier).of("curve"),
    row(Object, "spiral", "a curve by centre and point", TWO, objects::spiral).of("curve"),
    row(Object, "superellipse", "a curve by centre and corner", TWO, objects::superellipse)
        .of("curve"),
    row(Object, "curve", "a curve whose formula is edited in the list", TWO, objects::curve),
    row(Object, "variables", "numbers that are no places", &[], objects::variables),
    row(Image, "image", "an image below the world", &[], objects::image),
    row(Block, "formula", "a formula, edited in the list", &[], blocks::formula),
    row(Block, "parameters", "a number that a slider sets", &[], blocks::parameters),
    row(Block, "point", "a point of an object", &[ObjectPoint], blocks::point),
    row(Block, "direction", "a direction of an object", &[ObjectPoint], blocks::direction),
    row(Block, "path", "keyframes, a second apart", TWO, blocks::path).open(),
    row(Block, "difference", "a minus b", &[Slot::Block, Slot::Block], blocks::difference),
    row(Block, "distance", "the distance of two points", &[Anchor, Anchor], blocks::distance),
    row(Block, "inner_product", "a times b", &[Slot::Block, Slot::Block], blocks::inner_product),
    row(Block, "plane_angle", "the angle of two directions", &[Direction, Direction], {
        blocks::plane_angle
    }),
    row(Block, "space_angle", "the angle of two directions", &[Direction, Direction], {
        blocks::space_angle
    }),
    row(Block, "polygon_area", "the area within corners", &[Anchor, Anchor, Anchor], {
        blocks::polygon_area
    })
    .open(),
    row(Block, "triangle_normal", "area and normal of a triangle", &[Anchor, Anchor, Anchor], {
        blocks::triangle_normal
    }),
    row(Block, "enclosed_volume", "the volume of a tetrahedron", &[Anchor; 4], {
        blocks::enclosed_volume
    }),
    row(Constraint, "nail", "a point stays where it is", &[Point], constraints::nail),
    row(Constraint, "join", "two points are one", &[Point, Point], constraints::join),
    row(Constraint, "rod", "two points keep their distance", &[Anchor, Anchor], constraints::rod)
        .of("zero"),
    row(Constraint, "hold", "an output stays as it is", &[Output], constraints::hold).of("zero"),
    row(Constraint, "zero", "outputs are zero", &[Output], constraints::zero).open(),
    row(Constraint, "not_negative", "outputs are not negative", &[Output], {
        constraints::not_negative
    })
    .open(),
    row(Constraint, "follow", "a point follows keyframes, a second apart", &[Point, Free], {
        constraints::follow
    })
    .open(),
    row(Behaviour, "spring", "a spring between two points", &[Anchor, Anchor], behaviours::spring),
    row(Behaviour, "pull", "a spring to where a point is", &[Point], behaviours::pull),
    row(Behaviour, "motor", "a motor on an angle", &[Angle], behaviours::motor),
    row(Behaviour, "force", "a force from a point to a place, 1 N a metre", &[Point, Free], {
        behaviours::force
    }),
    row(Behaviour, "damper", "a force against the rates of a block", &[Slot::Block], {
        behaviours::damper
    }),
    row(Behaviour, "objective", "an output becomes small", &[Output], behaviours::objective),
    row(Behaviour, "residuals", "outputs become small under a norm", &[Output], {
        behaviours::residuals
    })
    .open(),
    row(Behaviour, "troid_elasticity", "a troid keeps its shape", &[Troid], {
        behaviours::troid_elasticity
    }),
    row(Behaviour, "bending", "three points stay in a row", &[Point, Point, Point], {
        behaviours::bending
    }),
    row(Behaviour, "edges", "edges of the first image attract points", &[Point], {
        behaviours::edges
    })
    .open(),
];
