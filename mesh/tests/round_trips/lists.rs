//! Formats that are lists of numbers: TetGen, ANSYS, AVS UCD, Medit, Vega.

use sinew_mesh::ElementKind;

use super::meshes::{Order, Sample, in_order, joined};

pub(crate) fn tetgen(Sample { mesh, regions }: &Sample) -> [Vec<u8>; 2] {
    let mut nodes = format!("{} 3 0 0\n", mesh.nodes.len());
    for (i, p) in mesh.nodes.iter().enumerate() {
        nodes += &format!("{i} {:?} {:?} {:?} # node\n", p.x, p.y, p.z);
    }
    let (kind, _) = mesh.element(0);
    let mut elements = format!("{} {} 1\n", mesh.element_count(), kind.node_count());
    for (i, (_, own)) in mesh.elements().enumerate() {
        elements += &format!("{i} {} {}\n", joined(own, " "), regions[i]);
    }
    [nodes.into_bytes(), elements.into_bytes()]
}

/// Columns of 8 and 20, trailing zeros left out, and solids as hexahedra with repeated nodes.
pub(crate) fn ansys(Sample { mesh, regions }: &Sample) -> [Vec<u8>; 2] {
    let mut nodes = String::new();
    for (i, p) in mesh.nodes.iter().enumerate() {
        let columns = p.map(|x| if x == 0.0 { " ".repeat(20) } else { format!("{x:20.12}") });
        let line = format!("{:8}{}{}{}", i + 1, columns.x, columns.y, columns.z);
        nodes += &format!("{}\n", line.trim_end());
    }
    let mut elements = String::new();
    for (e, (kind, own)) in mesh.elements().enumerate() {
        let n: Vec<u32> = in_order(kind, own, Order::Vtk).iter().map(|n| n + 1).collect();
        let places = as_hexahedron(kind);
        let columns = |places: &[usize]| places.iter().map(|&i| format!("{:6}", n[i])).collect();
        let first: String = columns(&places[..8]);
        let rest: String = columns(&places[8..]);
        elements += &format!("{first}{:6}     1     1     1     0{:6}\n", regions[e], e + 1);
        if !rest.is_empty() {
            elements += &format!("{rest}\n");
        }
    }
    [nodes.into_bytes(), elements.into_bytes()]
}

/// Places of the nodes of a hexahedron with repeated nodes among those of the element that it is.
fn as_hexahedron(kind: ElementKind) -> &'static [usize] {
    match kind {
        ElementKind::Tet4 => &[0, 1, 2, 2, 3, 3, 3, 3],
        ElementKind::Pyramid5 => &[0, 1, 2, 3, 4, 4, 4, 4],
        ElementKind::Wedge6 => &[0, 1, 2, 2, 3, 4, 5, 5],
        ElementKind::Hex8 => &[0, 1, 2, 3, 4, 5, 6, 7],
        ElementKind::Tet10 => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        ElementKind::Hex20 => {
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
        }
        ElementKind::Wedge15 => &[0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 2, 8, 9, 10, 5, 11, 12, 13, 14, 14],
        ElementKind::Pyramid13 => &[0, 1, 2, 3, 4, 4, 4, 4, 5, 6, 7, 8, 4, 4, 4, 4, 9, 10, 11, 12],
    }
}

/// An archive: blocks in the columns that they state.
pub(crate) fn ansys_archive(Sample { mesh, regions }: &Sample) -> Vec<u8> {
    let [nodes, cells] = [mesh.nodes.len(), mesh.element_count()];
    let mut text =
        format!("/PREP7\nET,1,186\nNBLOCK,6,SOLID,{nodes:9},{nodes:9}\n(3i9,6e21.13e3)\n");
    for (i, p) in mesh.nodes.iter().enumerate() {
        let columns = p.map(|x| if x == 0.0 { " ".repeat(21) } else { format!("{x:21.12}") });
        let line = format!("{:9}{:9}{:9}{}{}{}", i + 1, 0, 0, columns.x, columns.y, columns.z);
        text += &format!("{}\n", line.trim_end());
    }
    text += &format!("N,R5.3,LOC,       -1,\nEBLOCK,19,SOLID,{cells:9},{cells:9}\n(19i10)\n");
    for (e, (kind, own)) in mesh.elements().enumerate() {
        let n: Vec<u32> = in_order(kind, own, Order::Vtk).iter().map(|n| n + 1).collect();
        let places = as_hexahedron(kind);
        let head = [regions[e], 1, 1, 1, 0, 0, 0, 0, places.len(), 0, e + 1];
        let head: String = head.iter().map(|n| format!("{n:10}")).collect();
        let columns = |places: &[usize]| places.iter().map(|&i| format!("{:10}", n[i])).collect();
        let [first, rest]: [String; 2] = [columns(&places[..8]), columns(&places[8..])];
        text += &format!("{head}{first}\n");
        if !rest.is_empty() {
            text += &format!("{rest}\n");
        }
    }
    text += "        -1\n";
    text.into_bytes()
}

pub(crate) fn ucd(sample: &Sample) -> Vec<u8> {
    let Sample { mesh, regions } = sample;
    let [nodes, cells] = [mesh.nodes.len(), mesh.element_count()];
    let mut text = format!("# comment\n{nodes} {cells} 3 1 0\n");
    for (i, p) in mesh.nodes.iter().enumerate() {
        text += &format!("{} {:?} {:?} {:?}\n", i + 1, p.x, p.y, p.z);
    }
    for (e, (kind, own)) in mesh.elements().enumerate() {
        let name = match kind {
            ElementKind::Tet4 => "tet",
            ElementKind::Hex8 => "hex",
            ElementKind::Wedge6 => "prism",
            _ => "pyr",
        };
        let own = in_order(kind, own, Order::Ucd);
        text += &format!(
            "{} {} {name} {}\n",
            e + 1,
            regions[e],
            joined(own.iter().map(|n| n + 1), " ")
        );
    }
    text += "1 3\nu, m\n";
    for (i, row) in sample.vectors().chunks(3).enumerate() {
        text += &format!("{} {}\n", i + 1, joined(row, " "));
    }
    text += "1 1\ns, Pa\n";
    for (i, value) in sample.scalars().iter().enumerate() {
        text += &format!("{} {value}\n", i + 1);
    }
    text.into_bytes()
}

pub(crate) fn medit(Sample { mesh, regions }: &Sample) -> Vec<u8> {
    let mut text =
        format!("MeshVersionFormatted 2\nDimension 3\n\nVertices\n{}\n", mesh.nodes.len());
    for p in &mesh.nodes {
        text += &format!("{:?} {:?} {:?} 0\n", p.x, p.y, p.z);
    }
    for (e, (kind, own)) in mesh.elements().enumerate() {
        let section = match kind {
            ElementKind::Tet4 => "Tetrahedra",
            ElementKind::Tet10 => "TetrahedraP2",
            ElementKind::Hex8 => "Hexahedra",
            ElementKind::Wedge6 => "Prisms",
            _ => "Pyramids",
        };
        let own = in_order(kind, own, Order::Vtk);
        let own = joined(own.iter().map(|n| n + 1), " ");
        text += &format!("\n{section}\n1\n{own} {}\n", regions[e]);
    }
    (text + "\nEnd\n").into_bytes()
}

pub(crate) fn vega(Sample { mesh, regions }: &Sample) -> Vec<u8> {
    let mut text = format!("*VERTICES\n{} 3 0 0\n", mesh.nodes.len());
    for (i, p) in mesh.nodes.iter().enumerate() {
        text += &format!("{i} {:?} {:?} {:?}\n", p.x, p.y, p.z);
    }
    let (kind, _) = mesh.element(0);
    let name = if kind == ElementKind::Tet4 { "TET" } else { "CUBIC" };
    text += &format!("*ELEMENTS\n{name}\n{} {} 0\n", mesh.element_count(), kind.node_count());
    for (e, (kind, own)) in mesh.elements().enumerate() {
        text += &format!("{e} {}\n", joined(in_order(kind, own, Order::Vtk), " "));
    }
    for region in 1..4 {
        let members = (0..regions.len()).filter(|&e| regions[e] == region);
        let members = joined(members, ", ");
        if !members.is_empty() {
            text += &format!("*SET R{region}\n{members}\n");
        }
    }
    text.into_bytes()
}
