//! A model with all its parameters, and the systems on both sides of each of these. Rest positions of nodes that no equation
//! shares are moved at once (CurtisPowellReid1974): a whole rest shape takes as many systems as a node has neighbours.

use super::cotangent::StateVector;
use super::error::AdjointError;
use super::layout::Layout;
use super::linearization::{Column, FOURTH_ORDER, Linearization};
use super::parameter::{Number, Parameter};
use super::step::{StepDerivatives, TakenStep};
use crate::Vec3;
use crate::force::ExcitationSource;
use crate::model::Model;
use crate::system::{CompiledModel, MechSystem, Refresh, State};

/// Change of a number for differences, over its size [-], and at the end of its range, where differences are of one side.
const CHANGE: f64 = 1e-5;
/// Smaller of two changes where memory follows the motion: the length of a fibre answers to the constants of its tendon at once, so that the
/// column of a constant and that of its memory nearly cancel, and differences of second order leave 1e-4 of the sum.
const SMALLER_CHANGE: f64 = 4e-5;
const ONE_SIDED: f64 = 1e-7;
/// Size of a number that is zero, as are those of its unit beside it.
const SMALL: f64 = 1.0;
/// Size of rest positions, over the extent of the model [-].
const SHAPE: f64 = 0.1;

/// Systems beside the model itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// None: steps are taken, and not differentiated.
    None,
    /// Two for each parameter.
    Each,
    /// Two for each group of parameters that no equation shares.
    Grouped,
}

/// A model with some of its numbers moved, compiled.
struct Side {
    model: Model,
    compiled: CompiledModel,
    by: f64,
}

/// Parameters that are moved at once, and the two sides of them; where memory follows the motion also those twice as far.
struct Group {
    members: Vec<usize>,
    pairs: Vec<[Side; 2]>,
    /// Source of the excitation that it is, whose column has a closed form.
    excited: Option<ExcitationSource>,
}

/// A model with all its parameters, and their sides.
pub(super) struct Systems {
    numbers: Vec<Number>,
    parameters: Vec<Parameter>,
    /// Block rows of the equations that a parameter is in; of most any.
    footprints: Vec<Option<Vec<u32>>>,
    base: Side,
    groups: Vec<Group>,
}

/// Parameters that were moved at once, in one view.
pub(super) struct Moved<'s> {
    /// Their numbers, each with its block rows where it shares the systems with others.
    pub(super) members: Vec<(usize, Option<&'s [u32]>)>,
    pairs: &'s [[Side; 2]],
    excited: Option<(ExcitationSource, &'s CompiledModel)>,
}

impl Moved<'_> {
    /// Change of the start of the model by the parameters.
    pub(super) fn change_of_start(
        &self,
        derivatives: &mut StepDerivatives,
        layout: &Layout,
    ) -> Result<StateVector, AdjointError> {
        let mut sum: Option<StateVector> = None;
        for (factor, [low, high]) in self.factors().zip(self.pairs) {
            let width = high.by - low.by;
            let [a, b] = [low, high].map(|side| derivatives.start_of(&side.compiled));
            let (a, b) = (a?, b?);
            let sum = sum.get_or_insert_with(|| StateVector::zeros(&a));
            sum.add(1.0, &layout.difference(&a, &b, factor / width));
        }
        Ok(sum.unwrap_or_default())
    }

    /// Column of the parameters in a step that was taken.
    pub(super) fn column(
        &self,
        derivatives: &mut StepDerivatives,
        taken: &TakenStep,
        of: &Linearization,
    ) -> Result<Column, AdjointError> {
        if let Some((source, system)) = self.excited
            && let Some(column) = derivatives.excitation_column(system, source, (taken, of))?
        {
            return Ok(column);
        }
        let layout = of.layout();
        let mut sum = Column::zeros(&taken.start, layout.rows);
        for (factor, [low, high]) in self.factors().zip(self.pairs) {
            let (systems, width) = ([&low.compiled, &high.compiled], high.by - low.by);
            let column = derivatives.parameter_column(systems, taken, (layout, width))?;
            sum.add(factor, (&column.equations, &column.end));
        }
        Ok(sum)
    }

    /// Factors of the differences of the pairs.
    fn factors(&self) -> impl Iterator<Item = f64> + use<> {
        let factors = if self.pairs.len() == 1 { [1.0, 0.0] } else { FOURTH_ORDER };
        factors.into_iter()
    }
}

impl Systems {
    /// For the values of the first step, on the rows of the model as it is.
    pub(super) fn new(
        model: &Model,
        parameters: &[Parameter],
        sides: Sides,
    ) -> Result<Self, AdjointError> {
        let (given, mut model) = (model, model.clone());
        let mut numbers = Vec::new();
        for parameter in parameters {
            let number = Number::at(&model, &parameter.path)?;
            number.set(&mut model, parameter.at(0))?;
            numbers.push(number);
        }
        let moves_nodes = numbers.iter().any(|it| it.rest_node().is_some());
        let known = moves_nodes.then(|| Side::compile(given.clone(), None, None)).transpose()?;
        let base = Side::compile(model, None, known.as_ref().map(|it| &it.compiled))?;
        let (parameters, footprints) = (parameters.to_vec(), vec![None; numbers.len()]);
        let mut own = Self { numbers, parameters, footprints, base, groups: Vec::new() };
        if sides == Sides::Grouped {
            own.find_footprints();
        }
        for members in own.groups_of_members().into_iter().filter(|_| sides != Sides::None) {
            let pairs = own.pairs_of(&members)?;
            let excited = match members[..] {
                [only] => own.excited(only),
                _ => None,
            };
            own.groups.push(Group { members, pairs, excited });
        }
        Ok(own)
    }

    /// The model.
    pub(super) fn compiled(&self) -> &CompiledModel {
        &self.base.compiled
    }

    /// All parameters, those together that were moved at once.
    pub(super) fn moved(&self) -> impl Iterator<Item = Moved<'_>> {
        self.groups.iter().map(|Group { members, pairs, excited }| Moved {
            members: members.iter().map(|&k| (k, self.footprints[k].as_deref())).collect(),
            pairs,
            excited: excited.map(|source| (source, self.compiled())),
        })
    }

    /// Source of the excitation that a parameter is; loads are scaled by theirs, and left to differences.
    fn excited(&self, k: usize) -> Option<ExcitationSource> {
        let component = self.numbers[k].excited()?;
        let source = self.base.compiled.excitation_source(&self.base.model, component)?;
        (!matches!(source, ExcitationSource::Load(_))).then_some(source)
    }

    /// True if memories follow the motion.
    fn memory_follows(&self) -> bool {
        let compiled = &self.base.compiled;
        memory_follows_motion(compiled, &compiled.initial_state(), 1e-3)
    }

    /// Finds the rows of rest positions: those that the node is coupled with. Through bodies, attached points and memories
    /// that follow motions it would reach others.
    fn find_footprints(&mut self) {
        let compiled = &self.base.compiled;
        if compiled.multibody().is_some() || self.memory_follows() {
            return;
        }
        let pattern = compiled.pattern();
        for (number, footprint) in self.numbers.iter().zip(&mut self.footprints) {
            let row = number.rest_node().and_then(|node| compiled.find_row(node));
            *footprint = row.map(|row| pattern.columns()[pattern.row(row)].to_vec());
        }
    }

    /// Parameters parted so that no two of a part have a row in common.
    fn groups_of_members(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        // Groups of rest positions, with the rows that are taken.
        let mut taken: Vec<(usize, Vec<bool>)> = Vec::new();
        let size = self.base.compiled.pattern().size();
        for (k, footprint) in self.footprints.iter().enumerate() {
            let Some(rows) = footprint else {
                groups.push(vec![k]);
                continue;
            };
            let free =
                |(_, taken): &&mut (usize, Vec<bool>)| rows.iter().all(|&row| !taken[row as usize]);
            match taken.iter_mut().find(free) {
                Some((group, taken)) => {
                    groups[*group].push(k);
                    rows.iter().for_each(|&row| taken[row as usize] = true);
                }
                None => {
                    let mut own = vec![false; size];
                    rows.iter().for_each(|&row| own[row as usize] = true);
                    taken.push((groups.len(), own));
                    groups.push(vec![k]);
                }
            }
        }
        groups
    }

    /// Size of the change of a parameter.
    fn size_of(&self, k: usize) -> f64 {
        if self.numbers[k].rest_node().is_some() {
            return SHAPE * extent(&self.base.compiled.initial_state());
        }
        let largest = self.parameters[k].values.iter().fold(0f64, |most, it| most.max(it.abs()));
        match largest > 0.0 {
            true => largest,
            false => self.numbers[k].size_beside(&self.base.model).unwrap_or(SMALL),
        }
    }

    /// Compiles the sides of parameters; at an end of their range one is the model itself.
    fn pairs_of(&self, members: &[usize]) -> Result<Vec<[Side; 2]>, AdjointError> {
        let size = self.size_of(members[0]);
        let allowed = |by: f64| {
            let mut model = self.base.model.clone();
            members.iter().all(|&k| {
                let mut set = |value: &f64| self.numbers[k].set(&mut model, value + by).is_ok();
                self.parameters[k].values.iter().all(&mut set)
            })
        };
        let both = |change: f64| [-1.0, 1.0].map(|sign| allowed(sign * change * size));
        let [smaller, larger] = [SMALLER_CHANGE, 2.0 * SMALLER_CHANGE];
        let widths = match both(CHANGE) {
            [true, true] if self.memory_follows() && both(larger) == [true; 2] => {
                vec![[-smaller, smaller], [-larger, larger]]
            }
            [true, true] => vec![[-CHANGE, CHANGE]],
            [true, false] => vec![[-ONE_SIDED, 0.0]],
            [false, _] => vec![[0.0, ONE_SIDED]],
        };
        let pair = |shares: [f64; 2]| {
            let [low, high] = shares.map(|share| self.side_of(members, share * size));
            Ok([low?, high?])
        };
        widths.into_iter().map(pair).collect()
    }

    /// The model with parameters moved by some amount.
    fn side_of(&self, members: &[usize], by: f64) -> Result<Side, AdjointError> {
        let mut model = self.base.model.clone();
        for &k in members {
            self.numbers[k].set(&mut model, self.parameters[k].at(0) + by)?;
        }
        let (path, value) =
            (&self.parameters[members[0]].path, self.parameters[members[0]].at(0) + by);
        let known = &self.base.compiled;
        let mut side = Side::compile(model, Some((path, value)), Some(known))?;
        side.by = by;
        match side.compiled.pattern() == known.pattern() {
            true => Ok(side),
            false => Err(AdjointError::Structure(path.clone())),
        }
    }

    /// Takes the values of step number `step`.
    pub(super) fn set_step(&mut self, step: usize) -> Result<(), AdjointError> {
        if self.parameters.iter().all(|it| it.values.len() == 1) {
            return Ok(());
        }
        let Self { numbers, parameters, base, groups, .. } = self;
        let set = |side: &mut Side, moved: &[usize]| -> Result<(), AdjointError> {
            for (k, (number, parameter)) in numbers.iter().zip(&*parameters).enumerate() {
                let by = if moved.contains(&k) { side.by } else { 0.0 };
                number.set(&mut side.model, parameter.at(step) + by)?;
            }
            side.update()
        };
        set(base, &[])?;
        for Group { members, pairs, .. } in groups.iter_mut() {
            pairs.iter_mut().flatten().try_for_each(|side| set(side, members))?;
        }
        Ok(())
    }
}

impl Side {
    /// Compiles a model, on the rows of another where there is one.
    fn compile(
        model: Model,
        of: Option<(&str, f64)>,
        known: Option<&CompiledModel>,
    ) -> Result<Self, AdjointError> {
        let compiled = match known {
            Some(known) => model.compile_on_rows_of(known),
            None => model.compile(),
        };
        let compiled = compiled.map_err(|error| {
            let (path, value) = of.unwrap_or(("the start", 0.0));
            AdjointError::Parameter { path: path.to_owned(), value, error: Box::new(error) }
        })?;
        Ok(Self { model, compiled, by: 0.0 })
    }

    fn update(&mut self) -> Result<(), AdjointError> {
        let Self { model, compiled, .. } = self;
        if model.staleness(compiled) == Refresh::Recompiled {
            return Err(AdjointError::Structure("a parameter with a value a step".to_owned()));
        }
        model.update_parameters(compiled).map_err(|error| AdjointError::Parameter {
            path: "a parameter with a value a step".to_owned(),
            value: self.by,
            error: Box::new(error),
        })
    }
}

/// Diagonal of the box around all points of a state [m].
fn extent(state: &State) -> f64 {
    let first = state.q.first().copied().unwrap_or_else(Vec3::zeros);
    let bounds = state.q.iter().fold((first, first), |(low, high), q| (low.inf(q), high.sup(q)));
    (bounds.1 - bounds.0).norm().max(f64::MIN_POSITIVE)
}

/// True if the memory at the end of a step depends on the motion that leads there.
fn memory_follows_motion(system: &dyn MechSystem, end: &State, h: f64) -> bool {
    if end.memory.is_empty() {
        return false;
    }
    let [mut still, mut moved] = [end.clone(), end.clone()];
    for (k, (q, u)) in moved.q.iter_mut().zip(&mut moved.u).enumerate() {
        let shift = Vec3::new(0.7, -0.4, 0.9) * (1.0 + (k % 7) as f64);
        *q += shift * 1e-4;
        *u += shift * 1e-2;
    }
    system.advance_memory(h, &mut still);
    system.advance_memory(h, &mut moved);
    still.memory != moved.memory
}
