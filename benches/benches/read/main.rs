//! Reading of meshes with all checks, in bytes of the file a second: a beam as text in every format, and
//! the femur of the public data where that is present.

mod texts;

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::io::{ReadOptions, Recognized, read_surface_bytes, read_volume_bytes, recognize};
use sinew_benches::{group, label};
use texts::{surfaces, volumes};

/// Cells along the short sides of the beam: 196,608 tetrahedra, some 10 MB of text.
const CELLS: u32 = 16;
/// The same of the beam whose surface is written: 69,632 triangles.
const SURFACE_CELLS: u32 = 32;
/// The corners of six tetrahedra in a cube, by the bits x = 1, y = 2, z = 4.
const KUHN: [[u32; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// A beam of 8n x n x n cubes of six tetrahedra.
fn beam(n: u32) -> VolumeMesh {
    let [nx, ny, nz] = [8 * n, n, n];
    let index = |i, j, k| (i * (ny + 1) + j) * (nz + 1) + k;
    let mut mesh = VolumeMesh::default();
    for i in 0..=nx {
        for j in 0..=ny {
            // Thirds and sevenths have as many digits as measured coordinates.
            let at = |k| Vec3::new(f64::from(i) / 3.0, f64::from(j) / 7.0, f64::from(k) / 7.0);
            mesh.nodes.extend((0..=nz).map(at));
        }
    }
    for cell in 0..nx * ny * nz {
        let [i, j, k] = [cell / (ny * nz), cell / nz % ny, cell % nz];
        for tet in KUHN {
            let own = tet.map(|c| index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)));
            mesh.push_element(ElementKind::Tet4, &own).expect("nodes of the grid");
        }
    }
    mesh
}

fn read(criterion: &mut Criterion) {
    let mut group = group(criterion, "read");
    let texts = volumes(&beam(CELLS)).into_iter().chain(surfaces(&beam(SURFACE_CELLS)));
    let mut files: Vec<(String, Vec<Vec<u8>>)> = texts
        .map(|(name, texts)| (name.to_owned(), texts.into_iter().map(String::into_bytes).collect()))
        .collect();
    let shared = std::env::var("SINEW_SHARED").unwrap_or_else(|_| "../../shared".to_owned());
    let femur = Path::new(&shared).join("datasets/large/femur_253k.vtu");
    files.extend(std::fs::read(femur).ok().map(|bytes| ("femur_253k.vtu".to_owned(), vec![bytes])));
    for (name, contents) in &files {
        let contents: Vec<&[u8]> = contents.iter().map(|content| &content[..]).collect();
        group.throughput(Throughput::Bytes(contents.iter().map(|c| c.len() as u64).sum()));
        group.bench_function(label(name.clone()), |b| {
            let options = ReadOptions::default();
            if matches!(recognize(contents[0]), Recognized::Surface(_)) {
                b.iter(|| black_box(read_surface_bytes(contents[0], &options).expect("a mesh")));
            } else {
                b.iter(|| read_volume_bytes(&contents, None, &options).expect("a mesh"));
            }
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
