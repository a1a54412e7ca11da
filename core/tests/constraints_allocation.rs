//! Factoring, solving and reducing a constrained system allocate nothing after the first time:
//! counted by the allocator. One test in a binary of its own, which has the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sinew::attachment::{AttachmentList, Attachments, RowReduction};
use sinew::linalg::kkt::{ConstraintPattern, KktSolver, KktSystem, SchurColumns};
use sinew::linalg::{BlockMatrix, BlockPattern};
use sinew::{Mat3, Vec3};

/// Counts what each thread takes: those of the test harness take memory as they like.
struct Counting;

thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the allocator of the system, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Nothing to count for a thread that ends.
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
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
        let before = TAKEN.get();
        drop(std::hint::black_box(vec![1u8; 100]));
        assert_eq!(TAKEN.get() - before, 1, "the allocator does not count");
        let before = TAKEN.get();
        (0..10).for_each(|_| step());
        TAKEN.get() - before
    });
    assert_eq!(taken, 0);
}
