//! Whole solves on the twins, against factorization and the CPU's own preconditioners.

mod device;
mod system;

use device::{Device, Settings};
use sinew_datasets::beam::{BeamParams, beam};
use system::{System, error, hex_beam};

#[test]
fn survey() {
    for (name, system) in [
        ("hex 12x4x4", System::of(&hex_beam([12, 4, 4]), 0.01)),
        ("hex 24x8x8", System::of(&hex_beam([24, 8, 8]), 0.01)),
        ("kuhn 5", System::of(&beam(&BeamParams::kuhn(5)).expect("a beam"), 0.01)),
        ("kuhn 8", System::of(&beam(&BeamParams::kuhn(8)).expect("a beam"), 0.01)),
    ] {
        if std::env::var("CASE").is_ok_and(|case| !name.contains(&case)) {
            continue;
        }
        let b = system.load();
        let tolerance = 1e-8;
        let exact = system.direct(&b);
        println!(
            "{name}: {} rows, cpu jacobi {} multigrid {}",
            b.len(),
            system.jacobi_iterations(&b, tolerance),
            system.multigrid_iterations(&b, tolerance)
        );
        for multigrid in [false, true] {
            let settings = Settings { multigrid, tolerance, ..Settings::default() };
            let mut device = Device::<f64>::new(&system, settings);
            device.refresh();
            let report = device.solve(&b);
            println!(
                "   f64 mg={multigrid} {:?} counts {:?}: outcome {} it {} corr {} res {:e} err {:e}",
                device.solve.level_sizes(),
                device.counts(),
                report.outcome,
                report.iterations,
                report.corrections,
                report.residual,
                error(&report.x, &exact)
            );
            if let Some(c) = device.solve.coefficients() {
                println!("     {:?}", device.floats(c));
            }
            let settings = Settings { multigrid, tolerance: 1e-5, ..Settings::default() };
            let mut device = Device::<f32>::new(&system, settings);
            device.refresh();
            let report = device.solve(&b);
            println!(
                "   f32 mg={multigrid}: outcome {} it {} corr {} res {:e} err {:e}",
                report.outcome,
                report.iterations,
                report.corrections,
                report.residual,
                error(&report.x, &exact)
            );
        }
    }
}
