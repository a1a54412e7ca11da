//! `frame_00000.vtu`, .. and `frames.pvd`: the deformed tissues for ParaView, and the bodies with them.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::io::{FieldRef, Frame, PvdWriter, WriteError, write_vtu};
use sinew::model::Model;
use sinew::system::{CompiledModel, State};

use super::bodies::{self, BodyFrames};
use super::error::OutputError;

/// Name of the list of frames.
pub(super) const SERIES: &str = "frames.pvd";

/// Prefix of the names of the tissues' files.
const PREFIX: &str = "frame_";

/// Part of the interval by which a frame may come early: times are sums of rounded steps.
const ROUNDING: f64 = 1e-6;

/// True if `name` is that of a frame.
pub(super) fn is_frame(name: &str) -> bool {
    number(name).is_some()
}

/// The number of the frame that `name` is that of.
pub(super) fn number(name: &str) -> Option<usize> {
    let stem = name.strip_prefix(PREFIX).or_else(|| name.strip_prefix(bodies::PREFIX));
    let number = stem.and_then(|rest| rest.strip_suffix(".vtu"));
    number.filter(|n| n.len() >= 5 && n.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// Writes frames at intervals of simulated time. All soft tissues are one mesh in a frame, the surfaces of
/// all bodies a second part.
pub(super) struct FrameWriter {
    directory: PathBuf,
    series: PvdWriter,
    /// Without a tissue, none.
    tissues: Option<Tissues>,
    bodies: Option<BodyFrames>,
    schedule: FrameSchedule,
    /// Times of the frames [s].
    times: Vec<f64>,
    /// Files since the last checkpoint, which the disk may not have taken.
    unsynced: Vec<PathBuf>,
}

/// The soft tissues in a frame.
struct Tissues {
    /// The tissues at rest, one after another.
    mesh: VolumeMesh,
    /// Index in the state of each node of `mesh`.
    blocks: Vec<usize>,
}

impl FrameWriter {
    /// Frames of `model` in `directory`, `interval` [s] apart, 0 is every step; `None` without an interval, and
    /// where there is neither a tissue nor a body with a surface.
    ///
    /// # Errors
    /// A list of frames that cannot be written.
    pub(super) fn create(
        directory: &Path,
        model: &Model,
        compiled: &CompiledModel,
        interval: Option<f64>,
    ) -> Result<Option<Self>, OutputError> {
        let Some(interval) = interval else { return Ok(None) };
        let (tissues, bodies) = (Tissues::of(model, compiled), BodyFrames::of(model));
        if tissues.is_none() && bodies.is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            directory: directory.to_owned(),
            series: PvdWriter::create(directory.join(SERIES))?,
            tissues,
            bodies,
            schedule: FrameSchedule { interval, next: 0 },
            times: Vec::new(),
            unsynced: Vec::new(),
        }))
    }

    /// True if a frame is to be written at `time` [s].
    pub(super) fn is_due(&self, time: f64) -> bool {
        self.schedule.is_due(time)
    }

    /// True if the last frame shows `time` [s].
    pub(super) fn ends_at(&self, time: f64) -> bool {
        self.times.last() == Some(&time)
    }

    /// Number of frames written.
    pub(super) fn count(&self) -> usize {
        self.times.len()
    }

    /// Has the disk take all frames and their list; times of the frames [s].
    ///
    /// # Errors
    /// A frame that is gone; the refusal of the system.
    pub(super) fn place(&mut self) -> Result<Vec<f64>, OutputError> {
        let series = self.directory.join(SERIES);
        for path in self.unsynced.iter().chain([&series]) {
            // Some systems sync only what is open for writing.
            let open = OpenOptions::new().write(true).open(path);
            let synced = open.and_then(|file| file.sync_all());
            synced.map_err(OutputError::system("write", path))?;
        }
        self.unsynced.clear();
        // The checkpoint has the disk take the names of the directory with its own.
        Ok(self.times.clone())
    }

    /// Lists frames of these times that are there [s]; the next is one after them.
    ///
    /// # Errors
    /// A list that cannot be written.
    pub(super) fn go_on(&mut self, times: &[f64]) -> Result<(), OutputError> {
        for (number, &time) in times.iter().enumerate() {
            let tissues = self.tissues.iter().map(|_| self.path(PREFIX, number));
            let bodies = self.bodies.iter().map(|_| self.path(bodies::PREFIX, number));
            let parts: Vec<_> = tissues.chain(bodies).collect();
            self.series.push_parts(time, &parts)?;
            self.schedule.skip_to_after(time);
        }
        self.times = times.to_vec();
        Ok(())
    }

    fn path(&self, prefix: &str, number: usize) -> PathBuf {
        self.directory.join(format!("{prefix}{number:05}.vtu"))
    }

    /// Writes `state` as the next frame and lists it.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn add(
        &mut self,
        compiled: &CompiledModel,
        state: &State,
    ) -> Result<(), OutputError> {
        let mut parts = Vec::new();
        if let Some(tissues) = &self.tissues {
            let path = self.path(PREFIX, self.count());
            tissues.write(&path, compiled, state)?;
            parts.push(path);
        }
        if let Some(bodies) = &self.bodies {
            parts.push(bodies.write(&self.directory, self.count(), compiled, state)?);
        }
        self.series.push_parts(state.time, &parts)?;
        tracing::debug!(?parts, time = state.time, "frame written");
        self.unsynced.extend(parts);
        self.times.push(state.time);
        self.schedule.skip_to_after(state.time);
        Ok(())
    }
}

impl Tissues {
    /// Those of `model`; `None` without any.
    fn of(model: &Model, compiled: &CompiledModel) -> Option<Self> {
        let blocks = model.fems().flat_map(|(id, fem)| {
            (0..fem.mesh.nodes.len()).map(move |node| compiled.block_of_node(id, node))
        });
        model.fems().next()?;
        Some(Self { mesh: joined_mesh(model), blocks: blocks.collect() })
    }

    /// # Errors
    /// A file that cannot be written.
    fn write(
        &self,
        path: &Path,
        compiled: &CompiledModel,
        state: &State,
    ) -> Result<(), WriteError> {
        let positions: Vec<Vec3> = self.blocks.iter().map(|&block| state.q[block]).collect();
        let velocities: Vec<Vec3> = self.blocks.iter().map(|&block| state.u[block]).collect();
        let rest = &self.mesh.nodes;
        let displacements: Vec<Vec3> = positions.iter().zip(rest).map(|(p, r)| p - r).collect();
        let (mut von_mises, mut energy_density) = (Vec::new(), Vec::new());
        for &fem in compiled.fems() {
            let fields = compiled.at(state).element_fields(fem);
            von_mises.extend(fields.von_mises);
            energy_density.extend(fields.strain_energy_density);
        }
        let of_nodes = |of_rows: Vec<f64>| -> Vec<f64> {
            self.blocks.iter().map(|&block| of_rows[block]).collect()
        };
        let pressures = compiled.at(state).contact_pressures().map(of_nodes);
        let mut point_data = vec![
            ("displacement", FieldRef::Vectors(&displacements)),
            ("velocity", FieldRef::Vectors(&velocities)),
        ];
        if let Some(pressures) = &pressures {
            point_data.push(("contact_pressure", FieldRef::Scalars(pressures)));
        }
        let frame = Frame {
            mesh: &self.mesh,
            positions: &positions,
            point_data: &point_data,
            cell_data: &[
                ("von_mises", FieldRef::Scalars(&von_mises)),
                ("strain_energy_density", FieldRef::Scalars(&energy_density)),
            ],
        };
        write_vtu(path, &frame)
    }
}

/// The meshes of all tissues of `model` as one, without its sets.
fn joined_mesh(model: &Model) -> VolumeMesh {
    let mut joined = VolumeMesh::default();
    for (_, fem) in model.fems() {
        let first = joined.nodes.len() as u32;
        joined.nodes.extend(&fem.mesh.nodes);
        for (kind, nodes) in fem.mesh.elements() {
            let nodes: Vec<u32> = nodes.iter().map(|node| first + node).collect();
            joined
                .push_element(kind, &nodes)
                .expect("an element of a mesh is one of the joined mesh");
        }
    }
    joined
}

/// Times of frames.
#[derive(Clone, Copy, Debug)]
struct FrameSchedule {
    /// Time between frames [s]; 0 is every step.
    interval: f64,
    /// The next frame is due at this many intervals.
    next: u64,
}

impl FrameSchedule {
    fn is_due(&self, time: f64) -> bool {
        time >= (self.next as f64 - ROUNDING) * self.interval
    }

    /// The next frame is due after `time` [s], also when several intervals have passed.
    fn skip_to_after(&mut self, time: f64) {
        if self.interval > 0.0 {
            self.next = ((time / self.interval + ROUNDING) as u64).saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use sinew::fem::ElementKind;
    use sinew::material::{Isotropic, MaterialSpec};
    use sinew::model::FemModel;

    use super::*;

    fn frame_steps(interval: f64, step: f64, step_count: usize) -> Vec<usize> {
        let mut schedule = FrameSchedule { interval, next: 0 };
        let (mut time, mut steps) = (0.0, Vec::new());
        for index in 0..=step_count {
            if schedule.is_due(time) {
                schedule.skip_to_after(time);
                steps.push(index);
            }
            time += step;
        }
        steps
    }

    #[test]
    fn frames_come_at_the_interval_in_spite_of_rounded_times() {
        assert_eq!(frame_steps(0.04, 0.01, 12), [0, 4, 8, 12]);
        assert_eq!(frame_steps(0.1, 0.1, 1000).len(), 1001);
        assert_eq!(frame_steps(0.0, 0.01, 3), [0, 1, 2, 3]);
    }

    #[test]
    fn steps_longer_than_the_interval_are_all_frames_and_uneven_ones_the_next_after() {
        assert_eq!(frame_steps(0.01, 0.04, 3), [0, 1, 2, 3]);
        assert_eq!(frame_steps(0.25, 0.1, 10), [0, 3, 5, 8, 10]);
    }

    #[test]
    fn an_interval_too_short_to_be_counted_is_every_step() {
        assert_eq!(frame_steps(1e-300, 0.01, 3), [0, 1, 2, 3]);
    }

    #[test]
    fn a_checkpoint_is_refused_while_a_frame_that_it_counts_on_is_gone() {
        let directory = tempfile::tempdir().unwrap();
        let model = sinew_datasets::beam::beam(&Default::default()).unwrap();
        let compiled = model.compile().unwrap();
        let made = FrameWriter::create(directory.path(), &model, &compiled, Some(0.0)).unwrap();
        let (mut frames, mut state) = (made.unwrap(), compiled.initial_state());
        frames.add(&compiled, &state).unwrap();
        assert_eq!(frames.place().unwrap(), [0.0]);
        state.time = 0.1;
        frames.add(&compiled, &state).unwrap();
        let path = directory.path().join("frame_00001.vtu");
        std::fs::remove_file(&path).unwrap();
        let error = frames.place().unwrap_err().to_string();
        assert!(error.contains("frame_00001.vtu"), "{error}");
    }

    #[test]
    fn names_of_frames_have_five_digits_or_more() {
        assert!(is_frame("frame_00000.vtu") && is_frame("frame_123456.vtu"));
        assert!(is_frame("bodies_00000.vtu") && !is_frame("bodies_final.vtu"));
        assert!(!is_frame("frame_1.vtu") && !is_frame("frame_0000a.vtu"));
        assert!(!is_frame("frame_00000.vtk") && !is_frame("my_frame_00000.vtu"));
    }

    #[test]
    fn joined_meshes_keep_their_elements_apart() {
        let mut mesh = VolumeMesh::new(vec![Vec3::zeros(); 4]);
        mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 3]).unwrap();
        let constants = Isotropic { youngs_modulus: 1.0, poissons_ratio: 0.0 };
        let fem = FemModel::new("a", mesh, 1.0, MaterialSpec::Linear(constants));
        let mut model = Model::new("two");
        model.add(fem.clone());
        model.add(fem);
        let joined = joined_mesh(&model);
        assert_eq!(joined.nodes.len(), 8);
        assert_eq!(joined.element(1), (ElementKind::Tet4, &[4, 5, 6, 7][..]));
    }
}
