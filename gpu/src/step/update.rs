//! New numbers of a model that stays on a device: what changed of the contents of buffers goes up, and nothing else.

use std::hash::{DefaultHasher, Hash, Hasher};

use sinew_shaders::program::{BufferId, Data, Program};

use crate::real_bytes;

/// Fingerprints of what the buffers of a program were last given to hold; of one of which nothing is known, every content is new.
#[derive(Clone, Default)]
pub(super) struct Contents(Vec<u64>);

impl Contents {
    pub(super) fn of(program: &Program) -> Self {
        let fingerprints = program.buffers.iter().map(|spec| spec.contents.as_ref());
        Self(fingerprints.map(|data| data.map_or(0, fingerprint)).collect())
    }

    /// Overwrites the buffers whose contents differ in `program`, which is like the one that runs, by `write`; false, and nothing
    /// written, where such a buffer is one that `may_differ` refuses.
    pub(super) fn renew(
        &mut self,
        program: &Program,
        may_differ: impl Fn(BufferId) -> bool,
        mut write: impl FnMut(BufferId, &[u8]),
    ) -> bool {
        let new = Self::of(program);
        let changed: Vec<BufferId> = (new.0.iter().enumerate())
            .filter(|&(k, new)| self.0.get(k) != Some(new))
            .map(|(k, _)| BufferId(k as u32))
            .collect();
        if !changed.iter().all(|&id| may_differ(id)) {
            return false;
        }
        for id in changed {
            match &program.buffer(id).contents {
                Some(Data::Reals(reals)) => write(id, &real_bytes(reals, program.precision)),
                Some(data) => write(id, data.bytes()),
                None => {}
            }
        }
        *self = new;
        true
    }
}

fn fingerprint(data: &Data) -> u64 {
    let mut hasher = DefaultHasher::new();
    data.bytes().hash(&mut hasher);
    hasher.finish()
}
