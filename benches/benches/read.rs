//! Reading of volume meshes with all checks, in bytes of the file a second: a beam written as text in
//! three formats, and the femur of the public data where that is present.

use std::fmt::Write;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::io::{ReadOptions, read_volume_bytes};
use sinew_benches::{group, label};

/// Cells along the short sides of the beam: 196,608 tetrahedra, some 10 MB of text.
const CELLS: u32 = 16;
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

/// Rows of numbers: those of the nodes, and those of the elements behind `head`, counted from `base`.
fn rows(mesh: &VolumeMesh, numbered: bool, head: &str, base: u32) -> [String; 2] {
    let [mut nodes, mut elements] = [String::new(), String::new()];
    for (i, p) in mesh.nodes.iter().enumerate() {
        let number = if numbered { format!("{} ", i + 1) } else { String::new() };
        let _ = writeln!(nodes, "{number}{:?} {:?} {:?}", p.x, p.y, p.z);
    }
    for (e, (_, own)) in mesh.elements().enumerate() {
        let number = if numbered { format!("{} ", e + 1) } else { String::new() };
        let [a, b, c, d] = [own[0] + base, own[1] + base, own[2] + base, own[3] + base];
        let _ = writeln!(elements, "{number}{head}{a} {b} {c} {d}");
    }
    [nodes, elements]
}

/// TetGen, Gmsh 2.2 and legacy VTK of one mesh.
fn texts(mesh: &VolumeMesh) -> Vec<(&'static str, Vec<String>)> {
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    let [nodes, elements] = rows(mesh, true, "", 1);
    let tetgen = vec![format!("{n} 3 0 0\n{nodes}"), format!("{m} 4 0\n{elements}")];
    let [_, elements] = rows(mesh, true, "4 2 1 1 ", 1);
    let gmsh = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{n}\n{nodes}$EndNodes\n\
         $Elements\n{m}\n{elements}$EndElements\n"
    );
    let [nodes, elements] = rows(mesh, false, "4 ", 0);
    let vtk = format!(
        "# vtk DataFile Version 3.0\nbeam\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {n} double\n\
         {nodes}CELLS {m} {}\n{elements}CELL_TYPES {m}\n{}",
        5 * m,
        "10\n".repeat(m)
    );
    vec![("TetGen", tetgen), ("Gmsh 2.2", vec![gmsh]), ("legacy VTK", vec![vtk])]
}

fn read(criterion: &mut Criterion) {
    let mut group = group(criterion, "read");
    let mut files: Vec<(String, Vec<Vec<u8>>)> = texts(&beam(CELLS))
        .into_iter()
        .map(|(name, texts)| (name.to_owned(), texts.into_iter().map(String::into_bytes).collect()))
        .collect();
    let shared = std::env::var("SINEW_SHARED").unwrap_or_else(|_| "../../shared".to_owned());
    let femur = Path::new(&shared).join("datasets/large/femur_253k.vtu");
    files.extend(std::fs::read(femur).ok().map(|bytes| ("femur_253k.vtu".to_owned(), vec![bytes])));
    for (name, contents) in &files {
        let contents: Vec<&[u8]> = contents.iter().map(|content| &content[..]).collect();
        group.throughput(Throughput::Bytes(contents.iter().map(|c| c.len() as u64).sum()));
        group.bench_function(label(name.clone()), |b| {
            b.iter(|| read_volume_bytes(&contents, None, &ReadOptions::default()).expect("a mesh"));
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
