//! Tangents and forces a second by kind of element and material, assembled into the matrix of a
//! step: to compare with DOLFINx, whose tangents are of one degree and one material too.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew_benches::{Kind, Scene, Size, StepSystem, group, kuhn_scene, label, quick, scene};
use sinew_datasets::beam::beam;
use sinew_datasets::law::Law;

/// Beams whose matrix does not fit into the caches: 52,728 tetrahedra, 16,384 hexahedra.
fn beams() -> [(&'static str, Scene); 2] {
    if quick() {
        [("tet4", kuhn_scene(5)), ("hex8", scene(Kind::Hex, Size::K1))]
    } else {
        [("tet4", kuhn_scene(13)), ("hex8", scene(Kind::Hex, Size::K19))]
    }
}

fn elements(criterion: &mut Criterion) {
    let mut group = group(criterion, "elements");
    for (element, scene) in beams() {
        let count = beam(&scene.beam).expect("counts in range").fem(0).mesh.element_count();
        for (name, law) in [("corot", Law::Corotated), ("neohook", Law::NeoHookean)] {
            let mut step = StepSystem::new(&scene.clone().with_law(law));
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(label(format!("{element} {name} tangent")), |b| {
                b.iter(|| step.assemble());
            });
            group.bench_function(label(format!("{element} {name} forces")), |b| {
                b.iter(|| step.eval_forces());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, elements);
criterion_main!(benches);
