//! The layout of a world: places of objects in the state, rows of constraints, ports of behaviours. Made anew after
//! every edit.

use std::ops::Range;

use super::WorldError;
use super::parts::{BehaviourPart, ConstraintKind, ConstraintPart, ObjectPart, Order};
use crate::interactive::Dependence;
use crate::interactive::graph::{Graph, Port};

/// Places of an object.
#[derive(Clone, Debug)]
pub(super) struct ObjectPlaces {
    pub(super) first_state: usize,
    pub(super) states: usize,
    pub(super) first_velocity: usize,
    pub(super) velocities: usize,
    /// Column of its first state in the graph.
    pub(super) first_column: usize,
    pub(super) order: Order,
}

/// A row of a constraint.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) constraint: usize,
    pub(super) port: Port,
    pub(super) kind: ConstraintKind,
    /// True if it depends on an object of first order: it then holds on the level of velocities.
    pub(super) is_first: bool,
    pub(super) segments: Range<usize>,
}

/// Part of a row: the derivatives by the velocities of one object.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) row: usize,
    pub(super) object: usize,
    /// Places in the row of the graph, and the first of these states in the object.
    pub(super) in_row: Range<usize>,
    pub(super) first_state: usize,
    /// Places of its values.
    pub(super) values: Range<usize>,
}

/// Places of a behaviour.
#[derive(Clone, Debug)]
pub(super) struct BehaviourPlaces {
    pub(super) ports: Range<usize>,
    /// Velocities that its ports depend on, as object and number there; for implicit steps alone.
    pub(super) velocities: Vec<(usize, usize)>,
    pub(super) segments: Vec<PortSegment>,
}

/// Dependence of a port of a behaviour on one object.
#[derive(Clone, Debug)]
pub(super) struct PortSegment {
    pub(super) port: usize,
    pub(super) object: usize,
    /// Places in the row of the graph, and the first of these states in the object.
    pub(super) in_row: Range<usize>,
    pub(super) first_state: usize,
    /// Place of the first velocity of the object among those of the behaviour.
    pub(super) first: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) objects: Vec<ObjectPlaces>,
    pub(super) states: usize,
    pub(super) velocities: usize,
    pub(super) rows: Vec<Row>,
    pub(super) segments: Vec<Segment>,
    pub(super) values: usize,
    /// Segments of each object.
    pub(super) users: Vec<Vec<usize>>,
    pub(super) behaviours: Vec<BehaviourPlaces>,
    pub(super) ports: usize,
    /// Columns of the graph.
    pub(super) columns: usize,
}

impl ObjectPlaces {
    pub(super) fn state(&self) -> Range<usize> {
        self.first_state..self.first_state + self.states
    }
    pub(super) fn velocity(&self) -> Range<usize> {
        self.first_velocity..self.first_velocity + self.velocities
    }
    pub(super) fn columns(&self) -> Range<usize> {
        self.first_column..self.first_column + self.states
    }
}

impl Layout {
    pub(super) fn new(
        graph: &mut Graph,
        objects: &[ObjectPart],
        constraints: &[ConstraintPart],
        behaviours: &[BehaviourPart],
        with_stiffness: bool,
    ) -> Result<Self, WorldError> {
        let constrained = constraints.iter().flat_map(|part| part.ports.iter().copied());
        let forced = behaviours.iter().flat_map(|part| part.ports.iter().copied());
        let forced = forced.filter(|_| with_stiffness);
        graph.request_rows(&constrained.chain(forced).collect::<Vec<Port>>())?;
        let mut layout = Self::default();
        for part in objects {
            layout.push_object(graph, part)?;
        }
        layout.columns = graph.column_count();
        layout.users = vec![Vec::new(); objects.len()];
        for (constraint, part) in constraints.iter().enumerate() {
            for &port in &part.ports {
                layout.push_row(graph, constraint, (port, part.kind))?;
            }
        }
        for part in behaviours {
            layout.push_behaviour(graph, part, with_stiffness)?;
        }
        Ok(layout)
    }

    fn push_behaviour(
        &mut self,
        graph: &Graph,
        part: &BehaviourPart,
        with_stiffness: bool,
    ) -> Result<(), WorldError> {
        let first = self.ports;
        self.ports += part.ports.len();
        let (mut velocities, mut segments) = (Vec::new(), Vec::new());
        for (k, &port) in part.ports.iter().enumerate().filter(|_| with_stiffness) {
            self.visit_support(graph, port, |object, in_row, first_state| {
                segments.push(PortSegment { port: k, object, in_row, first_state, first: 0 });
            })?;
        }
        let mut objects: Vec<usize> = segments.iter().map(|segment| segment.object).collect();
        objects.sort_unstable();
        objects.dedup();
        for object in objects {
            let own = segments.iter_mut().filter(|segment| segment.object == object);
            own.for_each(|segment| segment.first = velocities.len());
            velocities.extend((0..self.objects[object].velocities).map(|k| (object, k)));
        }
        self.behaviours.push(BehaviourPlaces { ports: first..self.ports, velocities, segments });
        Ok(())
    }

    fn push_object(&mut self, graph: &mut Graph, part: &ObjectPart) -> Result<(), WorldError> {
        self.objects.push(ObjectPlaces {
            first_state: self.states,
            states: part.states,
            first_velocity: self.velocities,
            velocities: part.velocities,
            first_column: graph.column(part.block, 0)?,
            order: part.order,
        });
        self.states += part.states;
        self.velocities += part.velocities;
        Ok(())
    }

    /// Calls `visit` for each object in the support of a port: its number, and places and first state of its part.
    fn visit_support(
        &self,
        graph: &Graph,
        port: Port,
        mut visit: impl FnMut(usize, Range<usize>, usize),
    ) -> Result<(), WorldError> {
        let (columns, _) = graph.kept_row(port)?;
        for (object, places) in self.objects.iter().enumerate() {
            let own = places.columns();
            let from = columns.partition_point(|column| (*column as usize) < own.start);
            let to = columns.partition_point(|column| (*column as usize) < own.end);
            if from < to {
                visit(object, from..to, columns[from] as usize - own.start);
            }
        }
        Ok(())
    }

    fn push_row(
        &mut self,
        graph: &mut Graph,
        constraint: usize,
        (port, kind): (Port, ConstraintKind),
    ) -> Result<(), WorldError> {
        // The plan is made here; values may not be there yet.
        let depends = graph.dependence(port)? >= Dependence::Affine;
        let (row, first) = (self.rows.len(), self.segments.len());
        let mut found = Vec::new();
        if depends {
            self.visit_support(graph, port, |object, in_row, state| {
                found.push((object, in_row, state));
            })?;
        }
        let mut is_first = false;
        for (object, in_row, first_state) in found {
            let places = &self.objects[object];
            is_first |= places.order == Order::First;
            let values = self.values..self.values + places.velocities;
            self.values = values.end;
            self.users[object].push(self.segments.len());
            self.segments.push(Segment { row, object, in_row, first_state, values });
        }
        let segments = first..self.segments.len();
        self.rows.push(Row { constraint, port, kind, is_first, segments });
        Ok(())
    }
}
