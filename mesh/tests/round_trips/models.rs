//! Formats of models of other solvers: Abaqus, Nastran, FEBio.

use sinew_mesh::ElementKind;

use super::meshes::{Order, Sample, in_order, joined};

pub(crate) fn abaqus(sample: &Sample) -> Vec<u8> {
    let Sample { mesh, regions } = sample;
    let mut text = "*Heading\nrandom\n** a comment\n*Node\n".to_owned();
    for (i, p) in mesh.nodes.iter().enumerate() {
        text += &format!("{:7}, {:?}, {:?}, {:?}\n", i + 1, p.x, p.y, p.z);
    }
    for (e, (kind, own)) in mesh.elements().enumerate() {
        let own: Vec<u32> = in_order(kind, own, Order::Vtk).iter().map(|n| n + 1).collect();
        text += &format!("*Element, type=C3D{}R, elset=R{}\n", kind.node_count(), regions[e]);
        let [first, rest] = [&own[..own.len().min(15)], &own[own.len().min(15)..]];
        text += &format!("{}, {}", e + 1, joined(first, ", "));
        text += &if rest.is_empty() { "\n".into() } else { format!(",\n{}\n", joined(rest, ", ")) };
    }
    // Face S1 is the one of the first corners in all solids.
    (text + "*Surface, type=ELEMENT, name=TOP\n1, S1\n").into_bytes()
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    Small,
    Large,
    Free,
}

pub(crate) const LAYOUTS: [Layout; 3] = [Layout::Small, Layout::Large, Layout::Free];

pub(crate) fn nastran(Sample { mesh, regions }: &Sample, layout: Layout) -> Vec<u8> {
    let mut text = "SOL 101\nCEND\nBEGIN BULK\n".to_owned();
    for (i, p) in mesh.nodes.iter().enumerate() {
        let x = p.map(|x| format!("{x:?}"));
        let fields = [(i + 1).to_string(), String::new(), x.x.clone(), x.y.clone(), x.z.clone()];
        // Eight columns do not hold all digits.
        let layout = if matches!(layout, Layout::Small) { Layout::Large } else { layout };
        text += &card("GRID", &fields, layout);
    }
    for (e, (kind, own)) in mesh.elements().enumerate() {
        let name = match kind.corner_count() {
            4 => "CTETRA",
            5 => "CPYRAM",
            6 => "CPENTA",
            _ => "CHEXA",
        };
        let mut fields = vec![(e + 1).to_string(), regions[e].to_string()];
        fields.extend(in_order(kind, own, Order::Nastran).iter().map(|n| (n + 1).to_string()));
        text += &card(name, &fields, layout);
    }
    (text + "ENDDATA\n").into_bytes()
}

fn card(name: &str, fields: &[String], layout: Layout) -> String {
    let (count, width) = if matches!(layout, Layout::Large) { (4, 16) } else { (8, 8) };
    let mut text = String::new();
    for (i, line) in fields.chunks(count).enumerate() {
        text += &match (layout, i) {
            (Layout::Free, 0) => format!("{name},{}", joined(line, ",")),
            (Layout::Free, _) => format!("+,{}", joined(line, ",")),
            (Layout::Large, 0) => format!("{:8}", format!("{name}*")),
            (Layout::Large, _) => format!("{:8}", "*"),
            (Layout::Small, 0) => format!("{name:8}"),
            (Layout::Small, _) => format!("{:8}", "+"),
        };
        if !matches!(layout, Layout::Free) {
            text.extend(line.iter().map(|field| format!("{field:>width$}")));
        }
        text += "\n";
    }
    text
}

pub(crate) fn febio(sample: &Sample, version: &str) -> Vec<u8> {
    let Sample { mesh, regions } = sample;
    let section = if version == "4.0" { "Mesh" } else { "Geometry" };
    let mut text =
        format!("<?xml version=\"1.0\"?>\n<febio_spec version=\"{version}\"><{section}><Nodes>");
    for (i, p) in mesh.nodes.iter().enumerate() {
        text += &format!("<node id=\"{}\">{:?}, {:?},{:?}</node>\n", i + 1, p.x, p.y, p.z);
    }
    text += "</Nodes>";
    for (e, (kind, own)) in mesh.elements().enumerate() {
        let name = match kind {
            ElementKind::Tet4 | ElementKind::Tet10 => "tet",
            ElementKind::Hex8 | ElementKind::Hex20 => "hex",
            ElementKind::Wedge6 | ElementKind::Wedge15 => "penta",
            _ => "pyra",
        };
        let own = in_order(kind, own, Order::Vtk);
        let own = joined(own.iter().map(|n| n + 1), ",");
        let (count, region) = (kind.node_count(), regions[e]);
        text += &format!("<Elements type=\"{name}{count}\" name=\"R{region}\">");
        text += &format!("<elem id=\"{}\">{own}</elem></Elements>\n", e + 1);
    }
    let face = sample.first_face();
    let name = if face.len() == 3 { "tri3" } else { "quad4" };
    let face = joined(face.iter().map(|n| n + 1), ",");
    text += &format!("<Surface name=\"TOP\"><{name} id=\"1\">{face}</{name}></Surface>");
    (text + &format!("</{section}></febio_spec>\n")).into_bytes()
}
