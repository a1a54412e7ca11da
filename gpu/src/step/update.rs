//! New numbers of a model that stays on a device: what changed of the contents of buffers goes up, and nothing else.

use std::hash::{DefaultHasher, Hash, Hasher};

use sinew_shaders::program::{BufferId, Data, Program};

use crate::{Executor, real_bytes};

/// Fingerprints of what the buffers of a program hold at the start.
pub(super) struct Contents(Vec<u64>);

impl Contents {
    pub(super) fn of(program: &Program) -> Self {
        let fingerprints = program.buffers.iter().map(|spec| spec.contents.as_ref());
        Self(fingerprints.map(|data| data.map_or(0, fingerprint)).collect())
    }

    /// Overwrites the buffers whose contents differ in `program`, which is like the one that runs.
    pub(super) fn renew(&mut self, program: &Program, executor: &mut dyn Executor) {
        let new = Self::of(program);
        for (k, (old, new)) in self.0.iter().zip(&new.0).enumerate() {
            if let (true, Some(data)) = (old != new, &program.buffers[k].contents) {
                let id = BufferId(k as u32);
                match data {
                    Data::Words(words) => executor.write(id, 0, bytemuck::cast_slice(words)),
                    Data::Floats(floats) => executor.write(id, 0, bytemuck::cast_slice(floats)),
                    Data::Reals(reals) => {
                        executor.write(id, 0, &real_bytes(reals, program.precision));
                    }
                }
            }
        }
        *self = new;
    }
}

fn fingerprint(data: &Data) -> u64 {
    let mut hasher = DefaultHasher::new();
    data.bytes().hash(&mut hasher);
    hasher.finish()
}
