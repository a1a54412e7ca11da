//! Marks of blocks, constraints and behaviours: where they are, as points in space.

use super::outlines::ObjectFrame;
use super::snapshot::{Mark, MarkKind};
use crate::interactive::description::motion_path;
use crate::interactive::graph::{BlockFunction, Port, Workspace};
use crate::interactive::{
    BehaviourDescription, BehaviourKind, BlockKind, ConstraintRule, PartId, PartList, World,
    WorldDescription,
};

/// Points along a path of keyframes.
const PATH_POINTS: usize = 96;

/// A world, and the description that it was built of, at which parts are looked up.
pub(super) struct Scene<'w> {
    pub(super) description: &'w WorldDescription,
    pub(super) world: &'w World,
}

/// A point of up to three coordinates.
fn point(coordinates: &[f64]) -> [f64; 3] {
    std::array::from_fn(|k| coordinates.get(k).copied().unwrap_or_default())
}

/// Marks of paths of keyframes, which do not move.
pub(super) fn paths(description: &WorldDescription) -> Vec<Mark> {
    let blocks = description.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Path(keyframes) => Some((PartList::Block, &block.name, keyframes)),
        _ => None,
    });
    let guides = description.constraints.iter().filter_map(|it| match &it.rule {
        ConstraintRule::Follow { keyframes, .. } => {
            Some((PartList::Constraint, &it.name, keyframes))
        }
        _ => None,
    });
    let mark = |(list, name, keyframes): (PartList, &String, &Vec<Vec<f64>>)| {
        // One or more than three coordinates are no place.
        let sizes = keyframes.iter().map(Vec::len);
        sizes.clone().all(|size| (3..=4).contains(&size)).then_some(())?;
        let points = path_points(keyframes)?;
        Some(Mark { kind: MarkKind::Path, part: PartId::new(list, name), points })
    };
    blocks.chain(guides).filter_map(mark).collect()
}

fn path_points(keyframes: &[Vec<f64>]) -> Option<Vec<[f64; 3]>> {
    let path = motion_path(keyframes).ok()?;
    let [from, to] = [keyframes.first()?[0], keyframes.last()?[0]];
    let (mut values, mut work) =
        (vec![0.0; BlockFunction::output_count(&path)], Workspace::default());
    let at = |k: usize| {
        let time = from + (to - from) * k as f64 / PATH_POINTS as f64;
        BlockFunction::eval(&path, &[time], &mut values, &mut work);
        point(&values)
    };
    Some((0..=PATH_POINTS).map(at).collect())
}

impl Scene<'_> {
    /// Value of an output at the last evaluation.
    pub(super) fn value(&self, port: Port) -> Option<f64> {
        self.world.graph().kept_motion(port).ok().map(|[value, ..]| value)
    }

    fn values(&self, ports: &[Port]) -> Option<Vec<f64>> {
        ports.iter().map(|port| self.value(*port)).collect()
    }

    /// All outputs of a block, or the one that is named.
    fn ports(&self, name: &str) -> Option<Vec<Port>> {
        let graph = self.world.graph();
        match graph.find(name) {
            Some(block) => graph.ports(block).ok(),
            None => Some(vec![graph.resolve(name)?]),
        }
    }

    /// The frame of an object by its name.
    pub(super) fn frame(&self, name: &str) -> Option<ObjectFrame> {
        let object = self.description.objects.iter().find(|it| it.name == name)?;
        let state = self.world.state(self.world.find_object(name)?).ok()?;
        ObjectFrame::of(&object.kind, state)
    }

    /// The place of a block: the origin of an object, or two or three coordinates that are no formula's.
    fn place(&self, name: &str) -> Option<[f64; 3]> {
        if self.description.objects.iter().any(|it| it.name == name) {
            return self.frame(name).map(|frame| frame.origin());
        }
        let block = self.description.blocks.iter().find(|it| it.name == name)?;
        match block.kind {
            BlockKind::Point { .. } | BlockKind::Path(_) | BlockKind::Parameters(_) => {
                let values = self.values(&self.ports(name)?)?;
                (2..=3).contains(&values.len()).then(|| point(&values))
            }
            _ => None,
        }
    }

    fn places(&self, names: &[String]) -> Option<Vec<[f64; 3]>> {
        names.iter().map(|name| self.place(name)).collect()
    }

    /// Marks of the blocks, those of paths aside.
    pub(super) fn blocks(&self, marks: &mut Vec<Mark>) {
        for block in &self.description.blocks {
            let found = match &block.kind {
                BlockKind::Point { .. } => {
                    self.place(&block.name).map(|at| (MarkKind::Point, vec![at]))
                }
                BlockKind::Direction { object, .. } => self.direction(&block.name, object),
                BlockKind::Distance(of) | BlockKind::Difference(of) => self.measure(of),
                BlockKind::PolygonArea(of) => self.measure(of).map(closed),
                BlockKind::TriangleNormal(of) => self.measure(of).map(closed),
                BlockKind::EnclosedVolume { corners, triangles } => self.volume(corners, triangles),
                BlockKind::Formula(_)
                | BlockKind::Parameters(_)
                | BlockKind::Path(_)
                | BlockKind::InnerProduct(_)
                | BlockKind::PlaneAngle(_)
                | BlockKind::SpaceAngle(_) => None,
            };
            let part = PartId::new(PartList::Block, &block.name);
            let mark = |(kind, points)| Mark { kind, part, points };
            marks.extend(found.map(mark));
        }
    }

    fn direction(&self, name: &str, object: &str) -> Option<(MarkKind, Vec<[f64; 3]>)> {
        let from = self.frame(object)?.origin();
        let along = point(&self.values(&self.ports(name)?)?);
        let to = std::array::from_fn(|k| from[k] + along[k]);
        Some((MarkKind::Direction, vec![from, to]))
    }

    fn measure(&self, of: &[String]) -> Option<(MarkKind, Vec<[f64; 3]>)> {
        Some((MarkKind::Measure, self.places(of)?))
    }

    /// One line around each triangle after the other.
    fn volume(
        &self,
        corners: &[String],
        triangles: &[[u32; 3]],
    ) -> Option<(MarkKind, Vec<[f64; 3]>)> {
        let places = self.places(corners)?;
        let at = |corner: u32| places.get(corner as usize).copied();
        let around = triangles.iter().flat_map(|&[a, b, c]| [a, b, c, a]);
        Some((MarkKind::Measure, around.map(at).collect::<Option<_>>()?))
    }

    /// Marks of the constraints, paths aside.
    pub(super) fn constraints(&self, marks: &mut Vec<Mark>) {
        for constraint in &self.description.constraints {
            let found = match &constraint.rule {
                ConstraintRule::Nail { block, at } if (2..=3).contains(&at.len()) => {
                    self.place(block).map(|place| (MarkKind::Nail, vec![point(at), place]))
                }
                ConstraintRule::Join([a, b]) => {
                    let both = self.place(a).zip(self.place(b));
                    both.map(|(a, b)| (MarkKind::Joint, vec![a, b]))
                }
                ConstraintRule::Follow { block, .. } => {
                    self.place(block).map(|at| (MarkKind::Guide, vec![at]))
                }
                ConstraintRule::Nail { .. }
                | ConstraintRule::Zero(_)
                | ConstraintRule::NotNegative(_) => None,
            };
            let part = PartId::new(PartList::Constraint, &constraint.name);
            let mark = |(kind, points)| Mark { kind, part, points };
            marks.extend(found.map(mark));
        }
    }

    /// Marks of the behaviours.
    pub(super) fn behaviours(&self, marks: &mut Vec<Mark>) {
        for behaviour in &self.description.behaviours {
            let part = PartId::new(PartList::Behaviour, &behaviour.name);
            let mark = |(kind, points)| Mark { kind, part, points };
            marks.extend(self.behaviour(behaviour).map(mark));
        }
    }

    fn behaviour(&self, behaviour: &BehaviourDescription) -> Option<(MarkKind, Vec<[f64; 3]>)> {
        let ports: Option<Vec<Vec<Port>>> =
            behaviour.on.iter().map(|name| self.ports(name)).collect();
        let ports = ports?.concat();
        let values = self.values(&ports)?;
        let is_place = (2..=3).contains(&values.len());
        match &behaviour.kind {
            BehaviourKind::Spring { .. } => {
                let ends = values.chunks(values.len().div_ceil(2).max(1));
                Some((MarkKind::Spring, ends.map(point).collect()))
            }
            BehaviourKind::Bending(_) => {
                let points = values.chunks(values.len().div_ceil(3).max(1));
                Some((MarkKind::Bending, points.map(point).collect()))
            }
            BehaviourKind::Pull { target, .. } if is_place => {
                Some((MarkKind::Pull, vec![point(&values), point(target)]))
            }
            BehaviourKind::Force(force) if is_place => {
                let (from, along) = (point(&values), point(force));
                let to = std::array::from_fn(|k| from[k] + along[k]);
                Some((MarkKind::Force, vec![from, to]))
            }
            BehaviourKind::Motor { .. } => {
                Some((MarkKind::Motor, vec![self.object_of(*ports.first()?)?]))
            }
            BehaviourKind::Pull { .. }
            | BehaviourKind::Force(_)
            | BehaviourKind::Damper(_)
            | BehaviourKind::Objective(_)
            | BehaviourKind::Residuals { .. }
            | BehaviourKind::TroidElasticity { .. }
            | BehaviourKind::Edges { .. } => None,
        }
    }

    /// Place of the first object that an output depends on.
    fn object_of(&self, port: Port) -> Option<[f64; 3]> {
        let graph = self.world.graph();
        let (mut open, mut at) = (vec![port.block], 0);
        while let Some(&block) = open.get(at) {
            let name = graph.name(block).ok()?;
            if let Some(frame) = self.frame(name) {
                return Some(frame.origin());
            }
            for input in graph.inputs(block).ok()? {
                if !open.contains(&input.block) {
                    open.push(input.block);
                }
            }
            at += 1;
        }
        None
    }
}

/// A line that ends where it begins.
fn closed((kind, mut points): (MarkKind, Vec<[f64; 3]>)) -> (MarkKind, Vec<[f64; 3]>) {
    points.extend(points.first().copied());
    (kind, points)
}
