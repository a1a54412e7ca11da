//! Factoring, solving and reducing a constrained system, and steps of a model with bodies, attached points and
//! rows, allocate nothing after the first time.

use sinew::attachment::{AttachmentList, Attachments, RowReduction};
use sinew::constraint::{JointKind, PointConstraint, Pose};
use sinew::dynamics::SpatialInertia;
use sinew::linalg::kkt::{ConstraintPattern, KktSolver, KktSystem, SchurColumns};
use sinew::linalg::{BlockMatrix, BlockPattern};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Anchor, Attachment, AxialSpring, FemModel, FrameMarker, FrameSite, FrameSpring, Inertia, Joint,
    LinearAxial, Master, Model, Particle, PointConstrainer, PointRef, RigidBody,
};
use sinew::ode::Method;
use sinew::solve::{
    BodyCoordinates, ImplicitMode, Integrator, MechSystemSolver, SolverSettings, VariableStep,
};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::{BeamElement, beam_mesh};

use crate::counting::taken_here;

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
    let mut fixed = [[false; 3]; SIZE];
    fixed[0] = [true; 3];
    let mut list = AttachmentList::default();
    list.push(10, &[30, 31]);
    list.push(12, &[10, 40]);
    let mut attachments = Attachments::new(&pattern, &list, &fixed).unwrap();
    attachments.fix_attached(&mut fixed);
    // The second row repeats the first: its conflict and the shared multipliers are work as well.
    let rows = ConstraintPattern::from_lists(&[[10u32, 20], [10, 20], [25, 50]], SIZE).unwrap();
    let reduction = RowReduction::new(&rows, &attachments);
    let mut g = vec![Vec3::zeros(); reduction.pattern().entry_count()];
    let mut solver =
        KktSolver::new(attachments.pattern(), &fixed, reduction.pattern().clone()).unwrap();
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
        let before = taken_here();
        drop(std::hint::black_box(vec![1u8; 100]));
        assert_eq!(taken_here() - before, 1, "the allocator does not count");
        let before = taken_here();
        (0..10).for_each(|_| step());
        taken_here() - before
    });
    assert_eq!(taken, 0);
}

/// Two links that hang, flesh and a particle attached to them, a frame spring, a particle on a rod.
fn assembly() -> Model {
    let mut model = Model::new("assembly");
    let inertia = SpatialInertia::of_box(1.0, &Vec3::new(0.2, 0.1, 0.1)).unwrap();
    let mut before = FrameSite::ground(Pose::identity());
    let mut links = Vec::new();
    for k in 0..2 {
        let link = RigidBody::new(format!("link{k}"), Inertia::Explicit(inertia));
        let link = model.add(link.at(Pose::translation(0.1 + 0.2 * f64::from(k), 0.0, 0.0)));
        let near = FrameSite::on(link, Pose::translation(-0.1, 0.0, 0.0));
        model.add(Joint::new(JointKind::Spherical, near, before));
        before = FrameSite::on(link, Pose::translation(0.1, 0.0, 0.0));
        links.push(link);
    }
    let mut mesh = beam_mesh(BeamElement::Hex, [4, 2, 2], [0.2, 0.1, 0.1]).unwrap();
    mesh.nodes.iter_mut().for_each(|x| *x += Vec3::new(0.5, 0.0, 0.0));
    let face = (0..mesh.nodes.len() as u32).filter(|&n| mesh.nodes[n as usize].x < 0.401);
    let face: Vec<u32> = face.collect();
    assert!(!face.is_empty());
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: 1e5, poissons_ratio: 0.3 });
    let fem = model.add(FemModel::new("flesh", mesh, 1000.0, law));
    let points = face.iter().map(|&n| PointRef::FemNode(fem, n)).collect();
    model.add(Attachment::new(points, Master::Body(links[1])));
    let inside = model.add(Particle::new(0.1, Vec3::new(0.55, 0.01, 0.01)));
    model.add(Attachment::new(vec![inside.into()], Master::Tissue(fem)));
    let mut spring = FrameSpring::new(before, FrameSite::ground(Pose::identity()));
    (spring.stiffness, spring.rotary_stiffness) = (Vec3::repeat(10.0), Vec3::repeat(0.1));
    model.add(spring);
    let marker = model.add(FrameMarker::new(links[0], Vec3::z() * 0.05));
    let bob = model.add(Particle::new(0.2, Vec3::new(0.1, 0.3, 0.05)));
    let rod = PointConstraint::AtDistance { length: 0.3 };
    model.add(PointConstrainer::new(rod, bob, Anchor::Point(marker.into())));
    model
}

#[test]
fn steps_of_bodies_allocate_nothing_after_the_first_two() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mode = ImplicitMode::Linearized;
    for integrator in [Integrator::BackwardEuler(mode), Integrator::Trapezoidal(mode)] {
        let taken = pool.install(|| {
            let compiled = assembly().compile().unwrap();
            let settings = SolverSettings { integrator, ..SolverSettings::default() };
            let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
            let mut state = compiled.initial_state();
            (0..2).for_each(|_| assert!(solver.step(&compiled, &mut state, 0.005).is_ok()));
            let before = taken_here();
            for _ in 0..20 {
                let stats = solver.step(&compiled, &mut state, 0.005).unwrap();
                assert_eq!(stats.substeps, 1, "a step was divided");
            }
            taken_here() - before
        });
        assert_eq!(taken, 0, "{integrator:?}");
    }
}

/// Links that swing on hinges, with a spring between the first and the last.
fn chain() -> Model {
    let mut model = Model::new("chain");
    let inertia = SpatialInertia::of_box(1.0, &Vec3::new(0.2, 0.05, 0.05)).unwrap();
    let along_y = Pose::rotation(Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let mut before = FrameSite::ground(along_y);
    let mut ends = Vec::new();
    for k in 0..6 {
        let link = RigidBody::new(format!("link{k}"), Inertia::Explicit(inertia));
        let link = model.add(link.at(Pose::translation(0.1 + 0.2 * f64::from(k), 0.0, 0.0)));
        let near = FrameSite::on(link, Pose::translation(-0.1, 0.0, 0.0) * along_y);
        model.add(Joint::new(JointKind::Hinge, near, before));
        before = FrameSite::on(link, Pose::translation(0.1, 0.0, 0.0) * along_y);
        ends.push(PointRef::from(model.add(FrameMarker::new(link, Vec3::z() * 0.05))));
    }
    let spring = LinearAxial { stiffness: 50.0, damping: 0.5, rest_length: 0.9 };
    model.add(AxialSpring::new([ends[0], ends[5]], spring));
    model
}

#[test]
fn steps_in_natural_coordinates_allocate_nothing_after_the_first_two() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for method in [Method::DormandPrince, Method::RungeKuttaFehlberg, Method::Adams] {
        for coordinates in [BodyCoordinates::Natural, BodyCoordinates::Quaternions] {
            let rule = VariableStep { method, relative: 1e-6, absolute: 1e-6, coordinates };
            let taken = pool.install(|| {
                let compiled = chain().compile().unwrap();
                let integrator = Integrator::Variable(rule);
                let settings = SolverSettings { integrator, ..SolverSettings::default() };
                let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
                let mut state = compiled.initial_state();
                (0..2).for_each(|_| assert!(solver.step(&compiled, &mut state, 0.01).is_ok()));
                let before = taken_here();
                (0..20).for_each(|_| assert!(solver.step(&compiled, &mut state, 0.01).is_ok()));
                taken_here() - before
            });
            assert_eq!(taken, 0, "{method:?}, {coordinates:?}");
        }
    }
}
