//! Gmsh 1.0, and 2.2 and 4.1 as text and binary in both byte orders.

use sinew_mesh::ElementKind;

use super::meshes::{Order, Sample, in_order, joined};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    Little,
    Big,
}

pub(crate) const ENCODINGS: [Encoding; 3] = [Encoding::Text, Encoding::Little, Encoding::Big];

/// Numbers and text as they are written.
struct Out {
    bytes: Vec<u8>,
    encoding: Encoding,
}

impl Out {
    fn new(version: &str, encoding: Encoding) -> Self {
        let binary = i32::from(encoding != Encoding::Text);
        let mut out = Self { bytes: Vec::new(), encoding };
        out.text(&format!("$MeshFormat\n{version} {binary} 8\n"));
        if binary == 1 {
            out.int(1);
            out.text("\n");
        }
        out.text("$EndMeshFormat\n");
        out
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend(text.bytes());
    }

    fn put<const N: usize>(&mut self, text: String, little: [u8; N]) {
        let mut bytes = little;
        match self.encoding {
            Encoding::Text => return self.text(&format!("{text} ")),
            Encoding::Little => {}
            Encoding::Big => bytes.reverse(),
        }
        self.bytes.extend(bytes);
    }

    fn int(&mut self, n: i32) {
        self.put(n.to_string(), n.to_le_bytes());
    }

    fn size(&mut self, n: u64) {
        self.put(n.to_string(), n.to_le_bytes());
    }

    fn double(&mut self, x: f64) {
        self.put(format!("{x:?}"), x.to_le_bytes());
    }
}

fn code(kind: ElementKind) -> i32 {
    match kind {
        ElementKind::Tet4 => 4,
        ElementKind::Hex8 => 5,
        ElementKind::Wedge6 => 6,
        ElementKind::Pyramid5 => 7,
        ElementKind::Tet10 => 11,
        ElementKind::Hex20 => 17,
        ElementKind::Wedge15 => 18,
        ElementKind::Pyramid13 => 19,
    }
}

pub(crate) fn v10(Sample { mesh, regions }: &Sample) -> Vec<u8> {
    let mut text = format!("$NOD\n{}\n", mesh.nodes.len());
    for (i, p) in mesh.nodes.iter().enumerate() {
        text += &format!("{} {:?} {:?} {:?}\n", 10 * i + 3, p.x, p.y, p.z);
    }
    text += &format!("$ENDNOD\n$ELM\n{}\n", mesh.element_count());
    for (e, (kind, own)) in mesh.elements().enumerate() {
        let own = in_order(kind, own, Order::Gmsh);
        let nodes = joined(own.iter().map(|n| 10 * n + 3), " ");
        text += &format!("{} {} {} 1 {} {nodes}\n", e + 1, code(kind), regions[e], own.len());
    }
    (text + "$ENDELM\n").into_bytes()
}

/// The face of the sample as a triangle or quadrilateral of the group `top`.
fn face(sample: &Sample) -> (i32, Vec<u32>) {
    let face = sample.first_face();
    (if face.len() == 3 { 2 } else { 3 }, face)
}

const NAMES: &str = "$PhysicalNames\n1\n2 9 \"top\"\n$EndPhysicalNames\n";

pub(crate) fn v22(sample: &Sample, encoding: Encoding) -> Vec<u8> {
    let Sample { mesh, regions } = sample;
    let mut out = Out::new("2.2", encoding);
    out.text(NAMES);
    out.text(&format!("$Nodes\n{}\n", mesh.nodes.len()));
    for (i, p) in mesh.nodes.iter().enumerate() {
        out.int(i as i32 + 1);
        p.iter().for_each(|&x| out.double(x));
    }
    out.text(&format!("\n$EndNodes\n$Elements\n{}\n", mesh.element_count() + 1));
    let (type_code, corners) = face(sample);
    let solids = mesh
        .elements()
        .enumerate()
        .map(|(e, (kind, own))| (code(kind), regions[e] as i32, in_order(kind, own, Order::Gmsh)));
    for (e, (type_code, physical, own)) in solids.chain([(type_code, 9, corners)]).enumerate() {
        let number = e as i32 + 1;
        let head: &[i32] = match encoding {
            Encoding::Text => &[number, type_code, 2, physical, 1],
            _ => &[type_code, 1, 2, number, physical, 1],
        };
        head.iter().for_each(|&n| out.int(n));
        own.iter().for_each(|&n| out.int(n as i32 + 1));
    }
    out.text("\n$EndElements\n");
    data(&mut out, sample);
    out.bytes
}

fn data(out: &mut Out, sample: &Sample) {
    for (section, name, components, values) in
        [("NodeData", "u", 3, sample.vectors()), ("ElementData", "s", 1, sample.scalars())]
    {
        let rows = values.len() / components;
        out.text(&format!("${section}\n1\n\"{name}\"\n1\n0.0\n3\n0\n{components}\n{rows}\n"));
        for (i, row) in values.chunks(components).enumerate() {
            out.int(i as i32 + 1);
            row.iter().for_each(|&x| out.double(x));
        }
        out.text(&format!("\n$End{section}\n"));
    }
}

pub(crate) fn v41(sample: &Sample, encoding: Encoding) -> Vec<u8> {
    let Sample { mesh, regions } = sample;
    let mut out = Out::new("4.1", encoding);
    out.text(NAMES);
    out.text("$Entities\n");
    [0, 0, 1, 3].into_iter().for_each(|n| out.size(n));
    for (tag, physical) in [(5, 9), (1, 1), (2, 2), (3, 3)] {
        out.int(tag);
        (0..6).for_each(|_| out.double(0.0));
        out.size(1);
        out.int(physical);
        out.size(0);
    }
    out.text("\n$EndEntities\n$Nodes\n");
    let count = mesh.nodes.len() as u64;
    [1, count, 1, count].into_iter().for_each(|n| out.size(n));
    [3, 1, 0].into_iter().for_each(|n| out.int(n));
    out.size(count);
    (1..=count).for_each(|tag| out.size(tag));
    mesh.nodes.iter().for_each(|p| p.iter().for_each(|&x| out.double(x)));
    out.text("\n$EndNodes\n$Elements\n");
    let elements = mesh.element_count() as u64 + 1;
    [elements, elements, 1, elements].into_iter().for_each(|n| out.size(n));
    let (type_code, corners) = face(sample);
    let solids = mesh.elements().enumerate().map(|(e, (kind, own))| {
        ([3, regions[e] as i32, code(kind)], in_order(kind, own, Order::Gmsh))
    });
    for (e, (head, own)) in solids.chain([([2, 5, type_code], corners)]).enumerate() {
        head.into_iter().for_each(|n| out.int(n));
        out.size(1);
        out.size(e as u64 + 1);
        own.iter().for_each(|&n| out.size(u64::from(n) + 1));
    }
    out.text("\n$EndElements\n");
    data(&mut out, sample);
    out.bytes
}
