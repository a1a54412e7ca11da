//! A snapshot of a world that runs: outlines, marks, and the lists of its parts.

use super::live_world::LiveWorld;
use super::marks::Scene;
use super::outlines::outline;
use super::snapshot::{
    BlockRow, ConstraintRow, ObjectOutline, OutputRow, WorldSnapshot, WorldStatus,
};
use crate::interactive::{BlockKind, ObjectDescription, ObjectKind, PartList, WorldError};

impl LiveWorld {
    /// Writes all but the number of the world into a snapshot; `status` says how it runs.
    ///
    /// # Errors
    /// A block without a value: the snapshot stays as it was.
    pub fn write_snapshot(
        &mut self,
        status: &WorldStatus,
        snapshot: &mut WorldSnapshot,
    ) -> Result<(), WorldError> {
        let time = self.world.graph().time();
        // Brings the graph to where the world is.
        self.world.value(time)?;
        let kinetic_energy = self.world.kinetic_energy()?;
        let (time, can_undo) = (self.world.time(), self.can_undo());
        snapshot.status = WorldStatus { time, kinetic_energy, can_undo, ..status.clone() };
        snapshot.gravity = self.description.settings.gravity;
        snapshot.images = self.images.clone();
        let objects = self.description.objects.iter();
        snapshot.outlines = objects.map(|object| self.outline(object)).collect();
        snapshot.marks.clone_from(&self.paths);
        let scene = Scene { description: &self.description, world: &self.world };
        scene.blocks(&mut snapshot.marks);
        scene.constraints(&mut snapshot.marks);
        scene.behaviours(&mut snapshot.marks);
        snapshot.drag = self.drag_line(&scene);
        snapshot.blocks = self.block_rows(&scene);
        snapshot.constraints = self.constraint_rows();
        Ok(())
    }

    fn outline(&self, object: &ObjectDescription) -> ObjectOutline {
        let points = self.description.blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Point { object: of, at } if *of == object.name => {
                Some(std::array::from_fn(|k| at.get(k).copied().unwrap_or_default()))
            }
            _ => None,
        });
        let state = self.world.find_object(&object.name).map(|id| self.world.state(id));
        let state = state.and_then(Result::ok).unwrap_or_default();
        outline(object, state, &points.collect::<Vec<_>>())
    }

    /// From the point that a mouse pulls to the place.
    fn drag_line(&self, scene: &Scene<'_>) -> Option<[[f64; 3]; 2]> {
        let drag = self.drag.as_ref()?;
        let at = |k: usize| drag.ports().get(k).and_then(|port| scene.value(*port));
        let from = std::array::from_fn(|k| at(k).unwrap_or_default());
        let to = std::array::from_fn(|k| drag.target().get(k).copied().unwrap_or_default());
        Some([from, to])
    }

    fn block_rows(&self, scene: &Scene<'_>) -> Vec<BlockRow> {
        let objects = self.description.objects.iter().map(|object| {
            let is_set = matches!(object.kind, ObjectKind::Variables { .. });
            let mut row = self.block_row(scene, &object.name, (object.kind.name(), is_set));
            if let ObjectKind::Curve { formula, .. } = &object.kind {
                self.add_formula(&mut row, formula);
            }
            row
        });
        let blocks = self.description.blocks.iter().map(|block| {
            let is_set = matches!(block.kind, BlockKind::Parameters(_));
            let mut row = self.block_row(scene, &block.name, (block.kind.name(), is_set));
            row.list = PartList::Block;
            if let BlockKind::Formula(text) = &block.kind {
                self.add_formula(&mut row, text);
            }
            row
        });
        objects.chain(blocks).collect()
    }

    /// A formula that can be edited, and what was refused of it.
    fn add_formula(&self, row: &mut BlockRow, text: &str) {
        let refusal = self.refusals.iter().find(|(name, _)| *name == row.name);
        row.refusal = refusal.map(|(_, refusal)| refusal.clone());
        row.formula = Some(text.to_owned());
    }

    fn block_row(
        &self,
        scene: &Scene<'_>,
        name: &str,
        (kind, is_set): (&'static str, bool),
    ) -> BlockRow {
        let mut row = BlockRow { name: name.to_owned(), kind, ..BlockRow::default() };
        let graph = self.world.graph();
        let Some(block) = graph.find(name) else { return row };
        let (Ok(names), Ok(ports)) = (graph.outputs(block), graph.ports(block)) else { return row };
        for (output, port) in names.iter().zip(ports) {
            let name = if names.len() == 1 { name.to_owned() } else { format!("{name}.{output}") };
            let value = scene.value(port).unwrap_or(f64::NAN);
            let pull = self.pulls.iter().find(|(pulled, _)| *pulled == name);
            let target = pull.and_then(|(_, pull)| pull.target().first().copied());
            row.outputs.push(OutputRow { name, value, is_set, target });
        }
        row
    }

    fn constraint_rows(&self) -> Vec<ConstraintRow> {
        let row = |list, name: &String, kind| ConstraintRow {
            name: name.clone(),
            list,
            kind,
            multiplier: None,
        };
        let constraints = self.description.constraints.iter().map(|it| {
            let id = self.world.find_constraint(&it.name);
            let multipliers = id.and_then(|id| self.world.multipliers(id).ok());
            let largest = |all: &[f64]| all.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let multiplier = multipliers.map(largest);
            ConstraintRow { multiplier, ..row(PartList::Constraint, &it.name, it.rule.name()) }
        });
        let behaviours = self.description.behaviours.iter();
        let behaviours = behaviours.map(|it| row(PartList::Behaviour, &it.name, it.kind.name()));
        let images = self.description.images.iter();
        let images = images.map(|it| row(PartList::Image, &it.name, PartList::Image.name()));
        let settings = PartList::Settings.name();
        let settings = row(PartList::Settings, &settings.to_owned(), settings);
        constraints.chain(behaviours).chain(images).chain([settings]).collect()
    }
}
