//! One mesh of tetrahedra, and its surface, as text in every format that is read. Coordinates have all
//! the digits that give them back, as measured ones do.

use std::fmt::Write;

use sinew::fem::VolumeMesh;
use sinew::geometry::{SurfaceMesh, boundary};

/// A format, and the contents of its file or of the two files of a pair.
pub(crate) type Text = (&'static str, Vec<String>);

/// Function that makes the file of a mesh.
type Writer = fn(&VolumeMesh) -> String;

/// Rows of the nodes by `node` (number from 1, position) and of the elements by `element` (number,
/// nodes from 0).
fn rows(
    mesh: &VolumeMesh,
    node: impl Fn(&mut String, usize, [f64; 3]),
    element: impl Fn(&mut String, usize, [u32; 4]),
) -> [String; 2] {
    let [mut nodes, mut elements] = [String::new(), String::new()];
    for (i, p) in mesh.nodes.iter().enumerate() {
        node(&mut nodes, i + 1, [p.x, p.y, p.z]);
    }
    for (e, (_, own)) in mesh.elements().enumerate() {
        element(&mut elements, e + 1, [own[0], own[1], own[2], own[3]]);
    }
    [nodes, elements]
}

/// Rows of words between `by`; elements have `head` behind their number.
fn plain(mesh: &VolumeMesh, numbered: bool, by: &str, head: &str, base: u32) -> [String; 2] {
    let number = |n: usize| if numbered { format!("{n}{by}") } else { String::new() };
    let node = |out: &mut String, n: usize, [x, y, z]: [f64; 3]| {
        let _ = writeln!(out, "{}{x:?}{by}{y:?}{by}{z:?}", number(n));
    };
    let element = |out: &mut String, n: usize, own: [u32; 4]| {
        let [a, b, c, d] = own.map(|node| node + base);
        let _ = writeln!(out, "{}{head}{a}{by}{b}{by}{c}{by}{d}", number(n));
    };
    rows(mesh, node, element)
}

/// The mesh in every text format of volumes.
pub(crate) fn volumes(mesh: &VolumeMesh) -> Vec<Text> {
    let mut all = vec![("TetGen", tetgen(mesh)), ("ANSYS", ansys(mesh))];
    let single: [(&str, Writer); 11] = [
        ("Gmsh 1.0", gmsh_1),
        ("Gmsh 2.2", gmsh_2),
        ("Gmsh 4.1", gmsh_4),
        ("Abaqus", abaqus),
        ("AVS UCD", ucd),
        ("Medit", medit),
        ("Nastran", nastran),
        ("FEBio", febio),
        ("Vega", vega),
        ("legacy VTK", legacy_vtk),
        ("VTU ascii", vtu),
    ];
    all.extend(single.map(|(name, text)| (name, vec![text(mesh)])));
    all
}

fn tetgen(mesh: &VolumeMesh) -> Vec<String> {
    let [nodes, elements] = plain(mesh, true, " ", "", 1);
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    vec![format!("{n} 3 0 0\n{nodes}"), format!("{m} 4 0\n{elements}")]
}

fn ansys(mesh: &VolumeMesh) -> Vec<String> {
    let node = |out: &mut String, n: usize, [x, y, z]: [f64; 3]| {
        let _ = writeln!(out, "{n:8}{x:20.12E}{y:20.12E}{z:20.12E}");
    };
    let element = |out: &mut String, n: usize, own: [u32; 4]| {
        let [a, b, c, d] = own.map(|node| node + 1);
        let rest = [c, d, d, d, d, 1, 1, 1, 1, 0].map(|i| format!("{i:6}")).concat();
        let _ = writeln!(out, "{a:6}{b:6}{c:6}{rest}{n:6}");
    };
    rows(mesh, node, element).into()
}

fn gmsh_1(mesh: &VolumeMesh) -> String {
    let [nodes, elements] = plain(mesh, true, " ", "4 1 1 4 ", 1);
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    format!("$NOD\n{n}\n{nodes}$ENDNOD\n$ELM\n{m}\n{elements}$ENDELM\n")
}

fn gmsh_2(mesh: &VolumeMesh) -> String {
    let [nodes, elements] = plain(mesh, true, " ", "4 2 1 1 ", 1);
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{n}\n{nodes}$EndNodes\n\
         $Elements\n{m}\n{elements}$EndElements\n"
    )
}

fn gmsh_4(mesh: &VolumeMesh) -> String {
    let [nodes, _] = plain(mesh, false, " ", "", 1);
    let [_, elements] = plain(mesh, true, " ", "", 1);
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    let numbers: String = (1..=n).map(|i| format!("{i}\n")).collect();
    format!(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n\
         $Nodes\n1 {n} 1 {n}\n3 1 0 {n}\n{numbers}{nodes}$EndNodes\n\
         $Elements\n1 {m} 1 {m}\n3 1 4 {m}\n{elements}$EndElements\n"
    )
}

fn abaqus(mesh: &VolumeMesh) -> String {
    let [nodes, elements] = plain(mesh, true, ", ", "", 1);
    format!("*HEADING\n*NODE\n{nodes}*ELEMENT, TYPE=C3D4, ELSET=ALL\n{elements}")
}

fn ucd(mesh: &VolumeMesh) -> String {
    let [nodes, elements] = plain(mesh, true, " ", "1 tet ", 1);
    format!("{} {} 0 0 0\n{nodes}{elements}", mesh.nodes.len(), mesh.element_count())
}

fn medit(mesh: &VolumeMesh) -> String {
    let node = |out: &mut String, _, [x, y, z]: [f64; 3]| {
        let _ = writeln!(out, "{x:?} {y:?} {z:?} 0");
    };
    let element = |out: &mut String, _, own: [u32; 4]| {
        let [a, b, c, d] = own.map(|node| node + 1);
        let _ = writeln!(out, "{a} {b} {c} {d} 1");
    };
    let [nodes, elements] = rows(mesh, node, element);
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    format!(
        "MeshVersionFormatted 2\nDimension 3\nVertices\n{n}\n{nodes}Tetrahedra\n{m}\n{elements}End\n"
    )
}

/// Points in the large format, which holds their digits, elements in the small one.
fn nastran(mesh: &VolumeMesh) -> String {
    let node = |out: &mut String, n: usize, [x, y, z]: [f64; 3]| {
        let _ = writeln!(out, "GRID*   {n:16}{:16}{x:16.9E}{y:16.9E}\n*       {z:16.9E}", "");
    };
    let element = |out: &mut String, n: usize, own: [u32; 4]| {
        let [a, b, c, d] = own.map(|node| node + 1);
        let _ = writeln!(out, "CTETRA  {n:8}{:8}{a:8}{b:8}{c:8}{d:8}", 1);
    };
    let [nodes, elements] = rows(mesh, node, element);
    format!("BEGIN BULK\n{nodes}{elements}ENDDATA\n")
}

fn febio(mesh: &VolumeMesh) -> String {
    let node = |out: &mut String, n: usize, [x, y, z]: [f64; 3]| {
        let _ = writeln!(out, "\t\t\t<node id=\"{n}\">{x:?},{y:?},{z:?}</node>");
    };
    let element = |out: &mut String, n: usize, own: [u32; 4]| {
        let [a, b, c, d] = own.map(|node| node + 1);
        let _ = writeln!(out, "\t\t\t<elem id=\"{n}\">{a},{b},{c},{d}</elem>");
    };
    let [nodes, elements] = rows(mesh, node, element);
    format!(
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<febio_spec version=\"4.0\">\n\t<Mesh>\n\
         \t\t<Nodes name=\"all\">\n{nodes}\t\t</Nodes>\n\t\t<Elements type=\"tet4\" name=\"part\">\n\
         {elements}\t\t</Elements>\n\t</Mesh>\n</febio_spec>\n"
    )
}

fn vega(mesh: &VolumeMesh) -> String {
    let [nodes, elements] = plain(mesh, true, " ", "", 1);
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    format!("*VERTICES\n{n} 3 0 0\n{nodes}*ELEMENTS\nTET\n{m} 4 0\n{elements}")
}

fn legacy_vtk(mesh: &VolumeMesh) -> String {
    let [nodes, elements] = plain(mesh, false, " ", "4 ", 0);
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    format!(
        "# vtk DataFile Version 3.0\nbeam\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {n} double\n\
         {nodes}CELLS {m} {}\n{elements}CELL_TYPES {m}\n{}",
        5 * m,
        "10\n".repeat(m)
    )
}

fn vtu(mesh: &VolumeMesh) -> String {
    let [nodes, elements] = plain(mesh, false, " ", "", 0);
    let [n, m] = [mesh.nodes.len(), mesh.element_count()];
    let array = |head: &str, values: &str| {
        format!("<DataArray {head} format=\"ascii\">\n{values}</DataArray>\n")
    };
    let ends: String = (1..=m).map(|e| format!("{}\n", 4 * e)).collect();
    let cells = [
        array("type=\"Int64\" Name=\"connectivity\"", &elements),
        array("type=\"Int64\" Name=\"offsets\"", &ends),
        array("type=\"UInt8\" Name=\"types\"", &"10\n".repeat(m)),
    ];
    let points = array("type=\"Float64\" NumberOfComponents=\"3\"", &nodes);
    format!(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{n}\" NumberOfCells=\"{m}\">\n\
         <Points>\n{points}</Points>\n<Cells>\n{}</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
        cells.concat()
    )
}

/// The surface of the mesh in every text format of surfaces.
pub(crate) fn surfaces(mesh: &VolumeMesh) -> Vec<Text> {
    let surface = boundary(mesh).mesh;
    vec![
        ("OBJ", vec![obj(&surface)]),
        ("STL ascii", vec![stl(&surface)]),
        ("PLY ascii", vec![ply(&surface)]),
    ]
}

fn points(surface: &SurfaceMesh, head: &str) -> String {
    let mut out = String::new();
    for p in surface.vertices() {
        let _ = writeln!(out, "{head}{:?} {:?} {:?}", p.x, p.y, p.z);
    }
    out
}

fn obj(surface: &SurfaceMesh) -> String {
    let mut out = points(surface, "v ");
    for [a, b, c] in surface.triangles().iter().map(|t| t.map(|v| v + 1)) {
        let _ = writeln!(out, "f {a} {b} {c}");
    }
    out
}

fn stl(surface: &SurfaceMesh) -> String {
    let mut out = "solid beam\n".to_owned();
    for t in 0..surface.triangles().len() {
        out += "  facet normal 0 0 0\n    outer loop\n";
        for p in surface.corners(t) {
            let _ = writeln!(out, "      vertex {:.6e} {:.6e} {:.6e}", p.x, p.y, p.z);
        }
        out += "    endloop\n  endfacet\n";
    }
    out + "endsolid beam\n"
}

fn ply(surface: &SurfaceMesh) -> String {
    let mut out = format!(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\n\
         property double z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n{}",
        surface.vertices().len(),
        surface.triangles().len(),
        points(surface, "")
    );
    for [a, b, c] in surface.triangles() {
        let _ = writeln!(out, "3 {a} {b} {c}");
    }
    out
}
