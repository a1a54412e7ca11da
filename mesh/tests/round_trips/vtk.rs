//! VTK's legacy format and its XML, in all their encodings.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sinew_mesh::ElementKind;

use super::meshes::{Order, Sample, in_order, joined};

fn code(kind: ElementKind) -> u8 {
    match kind {
        ElementKind::Tet4 => 10,
        ElementKind::Hex8 => 12,
        ElementKind::Wedge6 => 13,
        ElementKind::Pyramid5 => 14,
        ElementKind::Tet10 => 24,
        ElementKind::Hex20 => 25,
        ElementKind::Wedge15 => 26,
        ElementKind::Pyramid13 => 27,
    }
}

/// Connectivity, ends of the cells in it, types, regions.
fn cells(Sample { mesh, regions }: &Sample) -> [Vec<i64>; 4] {
    let mut connectivity = Vec::new();
    let mut ends = Vec::new();
    for (kind, own) in mesh.elements() {
        connectivity.extend(in_order(kind, own, Order::Vtk).iter().map(|&n| i64::from(n)));
        ends.push(connectivity.len() as i64);
    }
    let types = mesh.elements().map(|(kind, _)| i64::from(code(kind))).collect();
    [connectivity, ends, types, regions.iter().map(|&r| r as i64).collect()]
}

/// The sections of the legacy format.
struct Legacy {
    bytes: Vec<u8>,
    binary: bool,
}

impl Legacy {
    fn text(&mut self, text: &str) {
        self.bytes.extend(text.bytes());
    }

    fn doubles(&mut self, values: &[f64]) {
        match self.binary {
            true => self.bytes.extend(values.iter().flat_map(|x| x.to_be_bytes())),
            false => self.text(&values.iter().map(|x| format!("{x:?} ")).collect::<String>()),
        }
        self.text("\n");
    }

    fn ints(&mut self, values: &[i64], is_long: bool) {
        match (self.binary, is_long) {
            (true, true) => self.bytes.extend(values.iter().flat_map(|n| n.to_be_bytes())),
            (true, false) => {
                self.bytes.extend(values.iter().flat_map(|&n| (n as i32).to_be_bytes()))
            }
            _ => self.text(&joined(values, " ")),
        }
        self.text("\n");
    }
}

pub(crate) fn legacy(sample: &Sample, version: &str, binary: bool) -> Vec<u8> {
    let mesh = &sample.mesh;
    let encoding = if binary { "BINARY" } else { "ASCII" };
    let mut out = Legacy { bytes: Vec::new(), binary };
    out.text(&format!(
        "# vtk DataFile Version {version}\nrandom\n{encoding}\nDATASET UNSTRUCTURED_GRID\n"
    ));
    out.text(&format!("POINTS {} double\n", mesh.nodes.len()));
    out.doubles(&mesh.nodes.iter().flat_map(|p| [p.x, p.y, p.z]).collect::<Vec<_>>());
    let [connectivity, ends, types, regions] = cells(sample);
    let count = ends.len();
    if version == "5.1" {
        out.text(&format!("CELLS {} {}\nOFFSETS vtktypeint64\n", count + 1, connectivity.len()));
        out.ints(&[&[0], &ends[..]].concat(), true);
        out.text("CONNECTIVITY vtktypeint64\n");
        out.ints(&connectivity, true);
    } else {
        let mut counted = Vec::new();
        let mut start = 0;
        for &end in &ends {
            counted.push(end - start);
            counted.extend(&connectivity[start as usize..end as usize]);
            start = end;
        }
        out.text(&format!("CELLS {count} {}\n", counted.len()));
        out.ints(&counted, false);
    }
    out.text(&format!("CELL_TYPES {count}\n"));
    out.ints(&types, false);
    out.text(&format!("POINT_DATA {}\nVECTORS u double\n", mesh.nodes.len()));
    out.doubles(&sample.vectors());
    out.text(&format!("CELL_DATA {count}\nSCALARS region int 1\nLOOKUP_TABLE default\n"));
    out.ints(&regions, false);
    out.text(&format!("FIELD FieldData 1\ns 1 {count} double\n"));
    out.doubles(&sample.scalars());
    out.bytes
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Ascii,
    Inline,
    AppendedRaw,
    AppendedBase64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compressor {
    None,
    Zlib,
    Lz4,
}

/// Format, compressor, big endian, 8-byte lengths.
pub(crate) const ENCODINGS: [(Format, Compressor, bool, bool); 10] = [
    (Format::Ascii, Compressor::None, false, false),
    (Format::Inline, Compressor::None, false, false),
    (Format::Inline, Compressor::Zlib, true, true),
    (Format::Inline, Compressor::Lz4, false, true),
    (Format::AppendedRaw, Compressor::None, true, false),
    (Format::AppendedRaw, Compressor::Zlib, false, true),
    (Format::AppendedRaw, Compressor::Lz4, false, false),
    (Format::AppendedBase64, Compressor::None, false, true),
    (Format::AppendedBase64, Compressor::Zlib, false, false),
    (Format::AppendedBase64, Compressor::Lz4, true, true),
];

struct Xml {
    encoding: (Format, Compressor, bool, bool),
    text: String,
    appended: Vec<u8>,
}

/// Small, so that arrays have several blocks and a shorter one at the end.
const BLOCK: usize = 64;

impl Xml {
    fn lengths(&self, lengths: &[usize]) -> Vec<u8> {
        let (_, _, big, long) = self.encoding;
        let number = |&n: &usize| match (big, long) {
            (false, false) => (n as u32).to_le_bytes().to_vec(),
            (true, false) => (n as u32).to_be_bytes().to_vec(),
            (false, true) => (n as u64).to_le_bytes().to_vec(),
            (true, true) => (n as u64).to_be_bytes().to_vec(),
        };
        lengths.iter().flat_map(number).collect()
    }

    /// The table of lengths and the data, which base64 encodes one by one.
    fn encode(&self, bytes: &[u8]) -> [Vec<u8>; 2] {
        let (_, compressor, ..) = self.encoding;
        let compress = |block: &[u8]| match compressor {
            Compressor::Zlib => {
                use std::io::Write;
                let mut out =
                    flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
                out.write_all(block).unwrap();
                out.finish().unwrap()
            }
            _ => lz4_flex::block::compress(block),
        };
        if compressor == Compressor::None {
            return [self.lengths(&[bytes.len()]), bytes.to_vec()];
        }
        let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(compress).collect();
        let mut table = vec![blocks.len(), BLOCK, bytes.len() % BLOCK];
        table.extend(blocks.iter().map(Vec::len));
        [self.lengths(&table), blocks.concat()]
    }

    fn array(&mut self, head: &str, text: String, bytes: Vec<u8>) {
        let (format, compressor, ..) = self.encoding;
        if format == Format::Ascii {
            self.text += &format!("<DataArray {head} format=\"ascii\">{text}</DataArray>\n");
            return;
        }
        let parts = self.encode(&bytes);
        // Without compression length and data are encoded as one.
        let base64 = match compressor {
            Compressor::None => STANDARD.encode(parts.concat()),
            _ => parts.iter().map(|part| STANDARD.encode(part)).collect(),
        };
        if format == Format::Inline {
            self.text += &format!("<DataArray {head} format=\"binary\">\n{base64}\n</DataArray>\n");
            return;
        }
        let offset = self.appended.len();
        self.text += &format!("<DataArray {head} format=\"appended\" offset=\"{offset}\"/>\n");
        match format {
            Format::AppendedRaw => self.appended.extend(parts.concat()),
            _ => self.appended.extend(base64.bytes()),
        }
    }

    fn doubles(&mut self, name: &str, components: usize, values: &[f64]) {
        let (_, _, big, _) = self.encoding;
        let bytes = values.iter().flat_map(|x| if big { x.to_be_bytes() } else { x.to_le_bytes() });
        let head = format!("type=\"Float64\" Name=\"{name}\" NumberOfComponents=\"{components}\"");
        let text = values.iter().map(|x| format!("{x:?} ")).collect();
        self.array(&head, text, bytes.collect());
    }

    fn ints(&mut self, name: &str, values: &[i64]) {
        let (_, _, big, _) = self.encoding;
        let bytes = values.iter().flat_map(|n| if big { n.to_be_bytes() } else { n.to_le_bytes() });
        self.array(
            &format!("type=\"Int64\" Name=\"{name}\""),
            joined(values, " "),
            bytes.collect(),
        );
    }
}

fn attribute(compressor: Compressor) -> &'static str {
    match compressor {
        Compressor::None => "",
        Compressor::Zlib => "compressor=\"vtkZLibDataCompressor\"",
        Compressor::Lz4 => "compressor=\"vtkLZ4DataCompressor\"",
    }
}

pub(crate) fn vtu(sample: &Sample, encoding: (Format, Compressor, bool, bool)) -> Vec<u8> {
    let (format, compressor, big, long) = encoding;
    let mut xml = Xml { encoding, text: String::new(), appended: Vec::new() };
    let order = if big { "BigEndian" } else { "LittleEndian" };
    let header = if long { "UInt64" } else { "UInt32" };
    let compressor = attribute(compressor);
    xml.text = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" byte_order=\"{order}\" \
         header_type=\"{header}\" {compressor}>\n<UnstructuredGrid><Piece NumberOfPoints=\"{}\" \
         NumberOfCells=\"{}\">\n<PointData>\n",
        sample.mesh.nodes.len(),
        sample.mesh.element_count()
    );
    let [connectivity, ends, types, regions] = cells(sample);
    xml.doubles("u", 3, &sample.vectors());
    xml.text += "</PointData><CellData>\n";
    xml.ints("region", &regions);
    xml.doubles("s", 1, &sample.scalars());
    xml.text += "</CellData><Points>\n";
    let points: Vec<f64> = sample.mesh.nodes.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    xml.doubles("Points", 3, &points);
    xml.text += "</Points><Cells>\n";
    xml.ints("connectivity", &connectivity);
    xml.ints("offsets", &ends);
    xml.ints("types", &types);
    xml.text += "</Cells></Piece></UnstructuredGrid>\n";
    let mut bytes = xml.text.into_bytes();
    if !xml.appended.is_empty() {
        let raw = if format == Format::AppendedRaw { "raw" } else { "base64" };
        bytes.extend(format!("<AppendedData encoding=\"{raw}\">\n_").bytes());
        bytes.extend(xml.appended);
        bytes.extend(b"\n</AppendedData>\n");
    }
    bytes.extend(b"</VTKFile>\n");
    bytes
}
