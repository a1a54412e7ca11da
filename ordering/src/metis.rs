//! The call of METIS: every `unsafe` block of the CPU path is in this file.
//!
//! METIS_NodeNDP for one part does what METIS_NodeND does, without its detour over process-wide
//! signal handlers: NodeND catches SIGTERM for the time of the call and leaves by `longjmp`, from
//! whichever thread the signal reaches, which would be undefined behaviour in a program that has
//! threads. (Out of memory, NodeNDP aborts, as Rust's own allocations do.)

use std::sync::Mutex;

use metis_sys as sys;

use crate::graph::Graph;
use crate::{Ordering, OrderingError};

/// Any fixed value will do: it makes the ordering a function of the graph alone.
const SEED: sys::idx_t = 1;

/// METIS draws from the random generator of the C library, which threads share: one call at a time
/// keeps the result deterministic.
static ONE_CALL: Mutex<()> = Mutex::new(());

/// Orders a checked graph that has at least one edge.
pub(crate) fn node_nd(graph: Graph) -> Result<Ordering, OrderingError> {
    let node_count = graph.node_count();
    let (mut offsets, mut neighbours) = graph.into_parts();
    let mut perm: Vec<sys::idx_t> = vec![-1; node_count];
    let mut inverse: Vec<sys::idx_t> = vec![-1; node_count];
    // METIS notes the sizes of the 2 parts - 1 top separators here.
    let mut sizes = [0; 1];

    // A panic elsewhere cannot leave METIS half-way: the lock guards nothing that could be broken.
    let _guard = ONE_CALL.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut options = default_options();
    // SAFETY: `Graph` proves that the offsets are monotone from 0 to the number of neighbours, that
    // each neighbour is a node and that the graph is symmetric without loops, which is all that
    // METIS asks of it. The result arrays hold one entry a node; null weights mean unit weights.
    // METIS keeps no pointer after its return, and the lock above keeps other calls out.
    let code = unsafe {
        sys::METIS_NodeNDP(
            node_count as sys::idx_t,
            offsets.as_mut_ptr(),
            neighbours.as_mut_ptr(),
            std::ptr::null_mut(),
            1,
            options.as_mut_ptr(),
            perm.as_mut_ptr(),
            inverse.as_mut_ptr(),
            sizes.as_mut_ptr(),
        )
    };
    if code != sys::rstatus_et_METIS_OK {
        return Err(OrderingError::Failed { code });
    }
    checked(&perm, &inverse).ok_or(OrderingError::NotAPermutation { node_count })
}

fn default_options() -> [sys::idx_t; sys::METIS_NOPTIONS as usize] {
    let mut options = [0; sys::METIS_NOPTIONS as usize];
    // SAFETY: METIS writes METIS_NOPTIONS entries, the length of the array.
    unsafe { sys::METIS_SetDefaultOptions(options.as_mut_ptr()) };
    options[sys::moptions_et_METIS_OPTION_SEED as usize] = SEED;
    options[sys::moptions_et_METIS_OPTION_NUMBERING as usize] = 0;
    options
}

/// The permutations that C hands back, checked like any other input: callers index with them.
fn checked(perm: &[sys::idx_t], inverse: &[sys::idx_t]) -> Option<Ordering> {
    let unsigned = |values: &[sys::idx_t]| -> Option<Vec<u32>> {
        values.iter().map(|&v| u32::try_from(v).ok()).collect()
    };
    let (perm, inverse) = (unsigned(perm)?, unsigned(inverse)?);
    let undone =
        |(new, &old): (usize, &u32)| inverse.get(old as usize).is_some_and(|&k| k as usize == new);
    perm.iter().enumerate().all(undone).then_some(Ordering { perm, inverse })
}
