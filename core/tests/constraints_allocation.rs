//! Factoring, solving and reducing a constrained system allocate nothing after the first time:
//! counted by the allocator. One test in a binary of its own, so that nothing else allocates meanwhile.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use sinew::attachment::{AttachmentList, Attachments, RowReduction};
use sinew::linalg::kkt::{ConstraintPattern, KktSolver, KktSystem, SchurColumns};
use sinew::linalg::{BlockMatrix, BlockPattern};
use sinew::{Mat3, Vec3};

/// Counts what all threads take.
struct Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the allocator of the system, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SIZE: usize = 60;

/// A chain of points; some scalars differ from row to row.
fn assemble(s: &mut BlockMatrix) {
    let pattern = s.pattern().clone();
    let values = s.values_mut();
    values.fill(0.0);
    for row in 0..SIZE {
        for slot in pattern.row(row) {
            let own = slot == pattern.diagonal(row);
            let coupled = (pattern.columns()[slot] as usize).abs_diff(row) == 1;
            let value = if own { 2.5 + row as f64 * 0.01 } else { -f64::from(u8::from(coupled)) };
            (0..3).for_each(|a| values[9 * slot + 4 * a] = value);
        }
    }
}

#[test]
fn constrained_steps_allocate_nothing_after_the_first() {
    let pattern = BlockPattern::from_cliques(SIZE, |visit| {
        (1..SIZE as u32).for_each(|i| visit(&[i - 1, i]));
    });
    let mut held = [[false; 3]; SIZE];
    held[0] = [true; 3];
    let mut list = AttachmentList::default();
    list.push(10, &[30, 31]);
    list.push(12, &[10, 40]);
    let mut attachments = Attachments::new(&pattern, &list, &held).unwrap();
    attachments.hold_slaves(&mut held);
    // The second row repeats the first: its conflict and the shared multipliers are work as well.
    let rows = ConstraintPattern::from_lists(&[[10u32, 20], [10, 20], [25, 50]], SIZE).unwrap();
    let reduction = RowReduction::new(&rows, &attachments);
    let mut g = vec![Vec3::zeros(); reduction.pattern().entry_count()];
    let mut solver =
        KktSolver::new(attachments.pattern(), &held, reduction.pattern().clone()).unwrap();
    let further = ConstraintPattern::from_lists(&[[5u32, 6], [30, 55]], SIZE).unwrap();
    let (mut columns, mut s) =
        (SchurColumns::default(), BlockMatrix::zeros(attachments.pattern().clone()));
    let (mut u, mut lambda) = (vec![Vec3::zeros(); SIZE], [0.0; 3]);
    let mut force = vec![Vec3::z(); SIZE];
    let mut step = || {
        attachments.update_weights(&[Mat3::identity() * 0.5; 4]);
        assemble(&mut s);
        attachments.reduce(&mut s);
        attachments.reduce_force(&mut force);
        reduction.reduce(
            &attachments,
            &[Vec3::x(), -Vec3::x(), Vec3::x(), -Vec3::x(), Vec3::y(), Vec3::z()],
            &mut g,
        );
        let system = KktSystem { s: &s, g: &g, r: &[0.0; 3] };
        solver.factor(system).unwrap();
        let right = (&force[..], &[0.1, 0.2, 0.3][..]);
        let report = solver.solve(system, right, (&mut u, &mut lambda)).unwrap();
        assert!(report.conflict.is_some());
        solver.columns(system, (&further, &[Vec3::z(); 4]), &mut columns).unwrap();
        attachments.expand_velocity(&mut u);
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let taken = pool.install(|| {
        (0..2).for_each(|_| step());
        let before = TAKEN.load(Ordering::SeqCst);
        drop(std::hint::black_box(vec![1u8; 100]));
        assert_eq!(TAKEN.load(Ordering::SeqCst) - before, 1, "the allocator does not count");
        let before = TAKEN.load(Ordering::SeqCst);
        (0..10).for_each(|_| step());
        TAKEN.load(Ordering::SeqCst) - before
    });
    assert_eq!(taken, 0);
}
