//! Whole solves on the twins, against factorization and the CPU's own preconditioners.

mod device;
mod system;

use device::{Device, Settings};
use sinew_datasets::beam::{BeamParams, beam};
use sinew_gpu::solve::Cycle;
use system::{System, error, hex_beam};

#[test]
fn survey() {
    let kuhn = |n| beam(&BeamParams::kuhn(n)).expect("a beam");
    let sheet = BeamParams {
        size: [0.3, 0.3, 0.003],
        grid: sinew_datasets::beam::BeamGrid::Cells {
            element: sinew_datasets::beam::BeamElement::Hex,
            counts: [40, 40, 1],
        },
        stiffness_damping: 0.0,
        ..BeamParams::default()
    };
    for (name, model, h) in [
        ("hex 24x8x8", hex_beam([24, 8, 8]), 0.01),
        ("kuhn 5", kuhn(5), 0.01),
        ("kuhn 8", kuhn(8), 0.01),
        ("kuhn 10", kuhn(10), 0.01),
        ("kuhn 8 long step", kuhn(8), 0.1),
        ("hex 24x8x8 long step", hex_beam([24, 8, 8]), 0.1),
        (
            "nu .49 kuhn 8",
            beam(&BeamParams {
                isotropic: sinew::material::Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.49 },
                ..BeamParams::kuhn(8)
            })
            .expect("a beam"),
            0.01,
        ),
        (
            "nu .49 hex 8",
            beam(&BeamParams {
                isotropic: sinew::material::Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.49 },
                grid: sinew_datasets::beam::BeamGrid::Cells {
                    element: sinew_datasets::beam::BeamElement::Hex,
                    counts: [24, 8, 8],
                },
                ..BeamParams::default()
            })
            .expect("a beam"),
            0.01,
        ),
        ("sheet", beam(&sheet).expect("a beam"), 0.01),
    ] {
        if std::env::var("CASE").is_ok_and(|case| !name.contains(&case)) {
            continue;
        }
        let system = System::of(&model, h);
        let b = system.load();
        let tolerance = 1e-8;
        let exact = system.direct(&b);
        println!(
            "{name}: {} rows, cpu jacobi {} multigrid {} lambda {}",
            b.len(),
            system.jacobi_iterations(&b, tolerance),
            system.multigrid_iterations(&b, tolerance),
            system.largest_eigenvalue()
        );
        for (multigrid, cycle) in [(false, Cycle::V), (true, Cycle::V), (true, Cycle::W)] {
            let settings = Settings { multigrid, cycle, tolerance, ..Settings::default() };
            let mut device = Device::<f64>::new(&system, settings);
            device.refresh();
            let report = device.solve(&b);
            println!(
                "   f64 mg={multigrid} {cycle:?} {:?} counts {:?}: outcome {} it {} corr {} res {:.2e} err {:.2e}",
                device.solve.level_sizes(),
                device.counts(),
                report.outcome,
                report.iterations,
                report.corrections,
                report.residual,
                error(&report.x, &exact)
            );
            if let Some(c) = device.solve.coefficients() {
                println!(
                    "     {:?}",
                    device.floats(c).iter().skip(4).step_by(8).collect::<Vec<_>>()
                );
            }
            let settings = Settings { multigrid, cycle, tolerance: 1e-5, ..Settings::default() };
            let mut device = Device::<f32>::new(&system, settings);
            device.refresh();
            let report = device.solve(&b);
            println!(
                "   f32: outcome {} it {} corr {} res {:.2e} err {:.2e}",
                report.outcome,
                report.iterations,
                report.corrections,
                report.residual,
                error(&report.x, &exact)
            );
        }
    }
}
