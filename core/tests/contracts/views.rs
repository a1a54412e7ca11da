//! The data that a compiled model shows are those from which its forces are computed.

use sinew::Vec3;
use sinew::fem::{ElementKind, Incompressible};
use sinew::force::VelocityTerms;
use sinew::material::PronySeries;
use sinew::model::{
    AxialSpring, BodyLoad, Dirichlet, FemModel, LinearAxial, Model, PointLoad, Region, Schedule,
};
use sinew::system::State;

use crate::fixture::{Numbers, distorted_mesh, floating, forces, laws};

/// A tissue under every load, damped, prescribed at one node, made of two materials.
fn loaded() -> Model {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), laws()[1]);
    model.set_gravity(Vec3::new(1.0, 2.0, -9.0));
    model.main_mut().point_damping = Some(0.3);
    let ramp = Schedule::Table(vec![[0.0, 0.0], [2.0, 1.0]]);
    let tissue = model.nth::<FemModel>(0);
    let fem = &mut model[tissue];
    fem.mass_damping = 4.0;
    fem.stiffness_damping = 0.01;
    fem.regions.push(Region { elements: vec![1], material: laws()[3] });
    let prescribed = Dirichlet {
        nodes: vec![2],
        axes: [true, false, true],
        displacement: vec![Vec3::new(0.1, 0.2, 0.3)],
        keyframes: Vec::new(),
        keyframe_interpolation: Default::default(),
        schedule: ramp.clone(),
    };
    fem.dirichlet.push(prescribed);
    let acceleration = Vec3::new(0.5, 0.0, 0.25);
    let weights = (0..12).map(f64::from).collect();
    let load = BodyLoad::new(tissue, acceleration);
    model.add(BodyLoad { weights, schedule: ramp.clone(), ..load });
    for node in [3, 3, 5] {
        let load = PointLoad::new((tissue, node), Vec3::new(1.0, -2.0, f64::from(node)));
        model.add(PointLoad { schedule: ramp.clone(), ..load });
    }
    model
}

#[test]
fn loads_and_drag_as_data_are_the_forces_on_a_tissue_without_stress() {
    let model = loaded().compile().unwrap();
    let u = Numbers(7).vector(1.0);
    let rest = model.initial_state();
    let state = State { time: 0.7, u: vec![u; rest.q.len()], ..rest };
    let expected = forces(&model, &state, VelocityTerms::Included);
    let mut found: Vec<Vec3> =
        model.device_view().drag_coefficients().iter().map(|&c| -u * c).collect();
    let loads = model.device_view().row_loads();
    assert_eq!(loads.len(), 2, "weight, and what follows the ramp");
    for load in &loads {
        assert!(load.forces.is_sorted_by(|a, b| a.0 < b.0), "rows rise");
        for &(row, force) in &load.forces {
            found[row as usize] += force * load.schedule.at(state.time);
        }
    }
    let scale = expected.iter().map(|f| f.norm()).fold(0.0, f64::max);
    for (f, e) in found.iter().zip(&expected) {
        // A few roundings of sums; a uniform velocity strains to rounding times stiffness only.
        assert!((f - e).norm() < 1e-12 * scale, "{f} {e}");
    }
}

#[test]
fn every_element_is_in_one_batch_with_its_law_and_every_support_is_listed() {
    let model = loaded().compile().unwrap();
    let tissue = model.fems()[0];
    let batches: Vec<_> = model.device_view().tissue_batches().collect();
    assert_eq!(batches.len(), 2);
    for batch in &batches {
        let wanted = laws()[if batch.elements == [1] { 3 } else { 1 }];
        assert_eq!((batch.fem, batch.kind, *batch.material), ("tissue", ElementKind::Hex8, wanted));
        assert_eq!(batch.rows.len(), 8 * batch.elements.len());
        assert_eq!(batch.stiffness_damping, 0.01);
        let mesh = distorted_mesh(ElementKind::Hex8);
        for (&e, rows) in batch.elements.iter().zip(batch.rows.chunks(8)) {
            let nodes = mesh.element(e as usize).1;
            let wanted: Vec<_> =
                nodes.iter().map(|&n| model.block_of_node(tissue, n as usize) as u32).collect();
            assert_eq!(rows, wanted);
        }
    }
    let row = model.block_of_node(tissue, 2) as u32;
    let listed: Vec<_> = model.supports().iter().map(|s| (s.row, s.axis, s.displacement)).collect();
    assert_eq!(listed, [(row, 0, 0.1), (row, 2, 0.3)]);
}

#[test]
fn what_is_neither_tissue_nor_load_nor_drag_is_named_or_acts_on_the_border() {
    let mut model = loaded();
    assert_eq!(model.compile().unwrap().device_view().other_effectors(), [""; 0]);
    let tissue = model.nth::<FemModel>(0);
    let material = LinearAxial { stiffness: 1.0, damping: 0.0, rest_length: 0.1 };
    model[tissue].prony = PronySeries::new([[0.1, 0.5]]);
    assert_eq!(model.compile().unwrap().device_view().other_effectors(), [""; 0]);
    model[tissue].prony = PronySeries::default();
    assert!(model.compile().unwrap().device_view().border().is_none());
    model.add(AxialSpring::new([(tissue, 0), (tissue, 1)], material));
    let compiled = model.compile().unwrap();
    assert_eq!(compiled.device_view().other_effectors(), [""; 0]);
    let mut rows = [0, 1].map(|node| compiled.block_of_node(tissue, node) as u32);
    rows.sort_unstable();
    let [i, j] = rows;
    let border = compiled.device_view().border().unwrap();
    assert_eq!((border.rows(), border.pairs()), (&rows[..], &[[i, i], [i, j], [j, i], [j, j]][..]));
    model.fem_mut(0).incompressible = Incompressible::Nodal;
    let compiled = model.compile().unwrap();
    assert_eq!(compiled.device_view().other_effectors(), ["tissue with pressures of nodes"; 2]);
}
