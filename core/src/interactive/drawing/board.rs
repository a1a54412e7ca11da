//! A drawing that moves: curves with drag in a world, which are pulled at any point and keep their nails.

use super::{CurvePoint, Drawing, DrawingError, DrawnCurve, Nail};
use crate::formula::Formula;
use crate::interactive::graph::{BlockFunction, Port, Workspace};
use crate::interactive::{BehaviourId, ObjectId, Order, Pull, World, WorldError, WorldSettings};

/// Points along a curve that are drawn, and among which the nearest one is looked for.
const POINTS: usize = 192;
/// Rate with which a point follows the hand [1/s]: quick for an eye, and slow enough for steps of a sixtieth of a second.
const RATE: f64 = 20.0;

/// Errors of a board; it is then as it was.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// A fault of the drawing.
    #[error(transparent)]
    Drawing(#[from] DrawingError),
    /// A fault of the world.
    #[error(transparent)]
    World(#[from] WorldError),
}

/// The point of a drawing that is nearest to a place.
#[derive(Clone, Debug, PartialEq)]
pub struct NearPoint {
    /// The point.
    pub point: CurvePoint,
    /// Its place.
    pub place: [f64; 2],
    /// Its distance from the place that was asked for.
    pub distance: f64,
}

/// A curve in the world.
struct Placed {
    id: ObjectId,
    formula: Formula,
}

/// A drawing on which hands pull.
pub struct DrawingBoard {
    drawing: Drawing,
    world: World,
    curves: Vec<Placed>,
    /// The pull, and the coordinates of its point.
    pull: Option<(BehaviourId, [Port; 2])>,
    /// Drawings before each edit.
    done: Vec<Drawing>,
    undone: Vec<Drawing>,
}

fn world_of(drawing: &Drawing) -> Result<(World, Vec<Placed>), BoardError> {
    drawing.check()?;
    let mut world = World::new(WorldSettings::default());
    let mut curves: Vec<Placed> = Vec::new();
    for curve in &drawing.curves {
        let id = world.add_object(&curve.name, curve.object()?, Order::First, &curve.parameters)?;
        curves.push(Placed { id, formula: formula_of(curve)? });
    }
    let of = |name: &str| drawing.curves.iter().position(|it| it.name == name);
    for (k, Nail { point, to, at }) in drawing.nails.iter().enumerate() {
        let mut block = |point: &CurvePoint, end: &str| {
            let at = of(&point.curve).unwrap_or_default();
            world.add_point(&format!("nail_{k}_{end}"), curves[at].id, &[point.s])
        };
        let first = block(point, "point")?;
        match (to, at) {
            (Some(to), _) => {
                let second = block(to, "to")?;
                world.join(&format!("nail_{k}"), first, second)?;
            }
            (None, Some(place)) => drop(world.nail(&format!("nail_{k}"), first, place)?),
            (None, None) => return Err(DrawingError::Nail(k + 1).into()),
        }
    }
    Ok((world, curves))
}

fn formula_of(curve: &DrawnCurve) -> Result<Formula, DrawingError> {
    let names: Vec<&str> = std::iter::once("s").chain(curve.parameter_names()).collect();
    Formula::parse(&curve.formula(), &names)
        .map_err(|fault| DrawingError::Equation { curve: curve.name.clone(), fault })
}

impl DrawingBoard {
    /// A board with a drawing.
    ///
    /// # Errors
    /// [`BoardError`].
    pub fn new(drawing: Drawing) -> Result<Self, BoardError> {
        let (world, curves) = world_of(&drawing)?;
        Ok(Self { drawing, world, curves, pull: None, done: Vec::new(), undone: Vec::new() })
    }

    /// The drawing as it is now.
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// Changes the drawing, as an edit that can be undone.
    ///
    /// # Errors
    /// [`BoardError`]; the drawing stays as it was.
    pub fn edit(&mut self, change: impl FnOnce(&mut Drawing)) -> Result<(), BoardError> {
        let mut next = self.drawing.clone();
        change(&mut next);
        let before = self.drawing.clone();
        self.put(next)?;
        self.done.push(before);
        self.undone.clear();
        Ok(())
    }

    /// Takes the last edit back, pulls among them; false when there is none.
    ///
    /// # Errors
    /// [`BoardError`].
    pub fn undo(&mut self) -> Result<bool, BoardError> {
        let Some(before) = self.done.pop() else { return Ok(false) };
        self.undone.push(self.drawing.clone());
        self.put(before).map(|()| true)
    }

    /// Does it again; false when there is none.
    ///
    /// # Errors
    /// [`BoardError`].
    pub fn redo(&mut self) -> Result<bool, BoardError> {
        let Some(after) = self.undone.pop() else { return Ok(false) };
        self.done.push(self.drawing.clone());
        self.put(after).map(|()| true)
    }

    fn put(&mut self, drawing: Drawing) -> Result<(), BoardError> {
        (self.world, self.curves) = world_of(&drawing)?;
        (self.drawing, self.pull) = (drawing, None);
        Ok(())
    }

    /// Adds a nail at a point: into another curve, or the ground where it is.
    ///
    /// # Errors
    /// [`BoardError`].
    pub fn nail(&mut self, point: NearPoint, to: Option<CurvePoint>) -> Result<(), BoardError> {
        let at = to.is_none().then_some(point.place);
        self.edit(|drawing| drawing.nails.push(Nail { point: point.point, to, at }))
    }

    /// Removes a curve with its nails.
    ///
    /// # Errors
    /// [`BoardError`].
    pub fn remove(&mut self, name: &str) -> Result<(), BoardError> {
        self.edit(|drawing| {
            drawing.curves.retain(|it| it.name != name);
            let holds = |point: &CurvePoint| point.curve == name;
            drawing
                .nails
                .retain(|nail| !holds(&nail.point) && !nail.to.as_ref().is_some_and(holds));
        })
    }

    /// Begins to pull a point towards a place; [`Self::release`] ends it.
    ///
    /// # Errors
    /// [`BoardError`].
    pub fn pull(&mut self, point: &CurvePoint, target: [f64; 2]) -> Result<(), BoardError> {
        self.release()?;
        let found = self.drawing.curves.iter().position(|it| it.name == point.curve);
        let no_curve = DrawingError::NoCurve { nail: 0, curve: point.curve.clone() };
        let at = found.ok_or(no_curve)?;
        self.done.push(self.drawing.clone());
        self.undone.clear();
        let block = self.world.add_point("hand", self.curves[at].id, &[point.s])?;
        let pull = Pull { target: target.to_vec(), stiffness: 0.0, damping: 0.0 };
        let pull = self.world.add_behaviour("hand", pull, &block.ports::<2>())?;
        self.pull = Some((pull, block.ports()));
        Ok(())
    }

    /// Pulls towards another place.
    ///
    /// # Errors
    /// [`BoardError`].
    pub fn move_pull(&mut self, target: [f64; 2]) -> Result<(), BoardError> {
        if let Some((pull, ..)) = self.pull {
            self.world.behaviour_mut::<Pull>(pull)?.target.copy_from_slice(&target);
        }
        Ok(())
    }

    /// True while something is pulled.
    pub fn is_pulled(&self) -> bool {
        self.pull.is_some()
    }

    /// Ends a pull: the curves stay as they are.
    ///
    /// # Errors
    /// [`BoardError`].
    pub fn release(&mut self) -> Result<(), BoardError> {
        match self.pull.take() {
            // A world anew, without what the hand added.
            Some(_) => self.put(self.drawing.clone()),
            None => Ok(()),
        }
    }

    /// Takes a step of time [s].
    ///
    /// # Errors
    /// [`BoardError`]; the drawing stays as it was.
    pub fn step(&mut self, h: f64) -> Result<(), BoardError> {
        if self.curves.is_empty() {
            return Ok(());
        }
        if let Some((pull, ports)) = self.pull {
            let stiffness = self.stiffness(ports);
            self.world.behaviour_mut::<Pull>(pull)?.stiffness = stiffness.unwrap_or(0.0);
        }
        let stepped = self.world.step(h);
        if let Err(error) = stepped {
            self.put(self.drawing.clone())?;
            return Err(error.into());
        }
        for (Placed { id, .. }, curve) in self.curves.iter().zip(&mut self.drawing.curves) {
            curve.parameters.copy_from_slice(self.world.state(*id)?);
        }
        Ok(())
    }

    /// Stiffness with which a point follows a pull at [`RATE`]: over the velocity by a unit of force.
    /// `None` where the curve is a point, or so long that no force moves it.
    fn stiffness(&mut self, ports: [Port; 2]) -> Option<f64> {
        let mobility = ports.map(|port| self.world.mobility(port).map_or(0.0, |it| it.value));
        let mobility: f64 = mobility.iter().sum();
        (mobility > 0.0 && mobility.is_finite()).then(|| RATE / mobility)
    }

    /// Points along a curve by its place in the drawing, from the begin of its range to its end.
    pub fn points(&self, at: usize) -> Vec<[f64; 2]> {
        let Some(curve) = self.drawing.curves.get(at) else { return Vec::new() };
        let [from, to] = curve.s_range();
        let mut work = Workspace::default();
        (0..=POINTS)
            .map(|k| from + (to - from) * k as f64 / POINTS as f64)
            .map(|s| self.place(at, s, &mut work))
            .collect()
    }

    fn place(&self, at: usize, s: f64, work: &mut Workspace) -> [f64; 2] {
        let inputs: Vec<f64> =
            std::iter::once(s).chain(self.drawing.curves[at].parameters.iter().copied()).collect();
        // Curves in space are seen along z.
        let mut place = [0.0; 3];
        let outputs = self.curves[at].formula.outputs().len();
        BlockFunction::eval(&self.curves[at].formula, &inputs, &mut place[..outputs], work);
        [place[0], place[1]]
    }

    /// The place of a point; `None` where there is no such curve.
    pub fn place_of(&self, point: &CurvePoint) -> Option<[f64; 2]> {
        let at = self.drawing.curves.iter().position(|it| it.name == point.curve)?;
        Some(self.place(at, point.s, &mut Workspace::default()))
    }

    /// The nearest point of the curves to a place, but for those of a curve that is left out.
    pub fn nearest(&self, place: [f64; 2], without: Option<&str>) -> Option<NearPoint> {
        let mut best: Option<NearPoint> = None;
        for (at, curve) in self.drawing.curves.iter().enumerate() {
            if without == Some(curve.name.as_str()) {
                continue;
            }
            let near = self.nearest_of(at, place);
            if best.as_ref().is_none_or(|best| near.distance < best.distance) {
                best = Some(near);
            }
        }
        best
    }

    /// Among the points that are drawn, then by halving about the nearest one.
    fn nearest_of(&self, at: usize, place: [f64; 2]) -> NearPoint {
        let curve = &self.drawing.curves[at];
        let ([from, to], mut work) = (curve.s_range(), Workspace::default());
        let mut off = |s: f64| {
            let [x, y] = self.place(at, s, &mut work);
            (x - place[0]).hypot(y - place[1])
        };
        let mut width = (to - from) / POINTS as f64;
        let all = (0..=POINTS).map(|k| from + width * k as f64);
        let mut s =
            all.map(|s| (s, off(s))).min_by(|a, b| a.1.total_cmp(&b.1)).map_or(from, |it| it.0);
        // Ends of lines are likely meant where they are near.
        for _ in 0..24 {
            let tries = [s, (s - width).max(from), (s + width).min(to)];
            s = tries.into_iter().min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(s);
            width *= 0.5;
        }
        let distance = off(s);
        let point = CurvePoint { curve: curve.name.clone(), s };
        NearPoint { place: self.place(at, s, &mut Workspace::default()), point, distance }
    }
}
