//! Writes one frame of results as VTU 1.0: zlib blocks appended as raw bytes, UInt64 headers,
//! positions in f64, fields in f32.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::{node_order, vtk_cells};
use crate::Vec3;
use crate::fem::VolumeMesh;

/// Values at the nodes or elements of a mesh, in its order.
#[derive(Clone, Copy, Debug)]
pub enum FieldRef<'a> {
    /// One number each.
    Scalars(&'a [f64]),
    /// One vector each.
    Vectors(&'a [Vec3]),
}

impl FieldRef<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Scalars(values) => values.len(),
            Self::Vectors(values) => values.len(),
        }
    }
}

/// What is written: a mesh where it is now, and named fields with it. Fields are stored as f32.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Elements; its own node positions (the rest shape) are not written.
    pub mesh: &'a VolumeMesh,
    /// Positions of the nodes [m].
    pub positions: &'a [Vec3],
    /// Fields by node.
    pub point_data: &'a [(&'a str, FieldRef<'a>)],
    /// Fields by element.
    pub cell_data: &'a [(&'a str, FieldRef<'a>)],
}

/// A result that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system could not write the file.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An array does not fit the mesh.
    #[error("`{name}` has {given} values, the mesh has {expected} {of}")]
    Length {
        /// Name of the array.
        name: String,
        /// Nodes or elements.
        of: &'static str,
        /// How many the mesh has.
        expected: usize,
        /// How many values there are.
        given: usize,
    },
    /// A time that no series can hold.
    #[error("the time {time} s is not finite")]
    Time {
        /// The time [s].
        time: f64,
    },
}

/// Writes a frame; the file appears under its name only when it is complete.
///
/// # Errors
/// An array whose length does not fit the mesh, or a file that cannot be written.
pub fn write_vtu(path: &Path, frame: &Frame<'_>) -> Result<(), WriteError> {
    check(frame)?;
    let io_error = |source| WriteError::Io { path: path.to_owned(), source };
    let mut data = Vec::new();
    let xml = describe(frame, &mut data).map_err(io_error)?;
    replace_file(path, |out| {
        out.write_all(xml.as_bytes())?;
        out.write_all(b"  <AppendedData encoding=\"raw\">\n_")?;
        out.write_all(&data)?;
        out.write_all(b"\n  </AppendedData>\n</VTKFile>\n")
    })
}

fn check(frame: &Frame<'_>) -> Result<(), WriteError> {
    let nodes = frame.mesh.nodes.len();
    let elements = frame.mesh.element_count();
    let fits = |name: &str, of, expected, given| {
        if expected == given {
            return Ok(());
        }
        Err(WriteError::Length { name: name.to_owned(), of, expected, given })
    };
    fits("positions", "nodes", nodes, frame.positions.len())?;
    for (name, field) in frame.point_data {
        fits(name, "nodes", nodes, field.len())?;
    }
    for (name, field) in frame.cell_data {
        fits(name, "elements", elements, field.len())?;
    }
    Ok(())
}

/// The XML part; the arrays go behind each other into `data`.
fn describe(frame: &Frame<'_>, data: &mut Vec<u8>) -> io::Result<String> {
    let mut xml = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" \
         byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n  \
         <UnstructuredGrid>\n    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
        frame.mesh.nodes.len(),
        frame.mesh.element_count()
    );
    let positions: Vec<u8> =
        frame.positions.iter().flat_map(|p| p.iter().flat_map(|x| x.to_le_bytes())).collect();
    let cells = [
        ("Int64", "connectivity", connectivity(frame.mesh)),
        ("Int64", "offsets", offsets(frame.mesh)),
        ("UInt8", "types", frame.mesh.elements().map(|(kind, _)| vtk_cells::code(kind)).collect()),
    ];
    xml += "      <Points>\n";
    xml += &array("Float64", "Points", 3, &positions, data)?;
    xml += "      </Points>\n      <Cells>\n";
    for (ty, name, bytes) in cells {
        xml += &array(ty, name, 1, &bytes, data)?;
    }
    xml += "      </Cells>\n";
    for (section, fields) in [("PointData", frame.point_data), ("CellData", frame.cell_data)] {
        xml += &format!("      <{section}>\n");
        for (name, field) in fields {
            let (components, bytes) = field_bytes(field);
            xml += &array("Float32", name, components, &bytes, data)?;
        }
        xml += &format!("      </{section}>\n");
    }
    xml += "    </Piece>\n  </UnstructuredGrid>\n";
    Ok(xml)
}

fn connectivity(mesh: &VolumeMesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut in_file = [0; 20];
    for (kind, nodes) in mesh.elements() {
        for (&place, &node) in node_order::vtk(kind).iter().zip(nodes) {
            in_file[place as usize] = node;
        }
        bytes.extend(in_file[..nodes.len()].iter().flat_map(|&n| i64::from(n).to_le_bytes()));
    }
    bytes
}

fn offsets(mesh: &VolumeMesh) -> Vec<u8> {
    let mut end = 0_i64;
    let ends = mesh.elements().map(|(_, nodes)| {
        end += nodes.len() as i64;
        end
    });
    ends.flat_map(i64::to_le_bytes).collect()
}

fn field_bytes(field: &FieldRef<'_>) -> (usize, Vec<u8>) {
    let narrow = |x: &f64| (*x as f32).to_le_bytes();
    match field {
        FieldRef::Scalars(values) => (1, values.iter().flat_map(narrow).collect()),
        FieldRef::Vectors(values) => {
            (3, values.iter().flat_map(|v| v.iter().flat_map(narrow)).collect())
        }
    }
}

/// Appends the compressed array and gives its description.
fn array(
    ty: &str,
    name: &str,
    components: usize,
    bytes: &[u8],
    data: &mut Vec<u8>,
) -> io::Result<String> {
    // VTK's own block size; larger ones compress no better.
    const BLOCK: usize = 32768;
    let xml = format!(
        "        <DataArray type=\"{ty}\" Name=\"{}\" NumberOfComponents=\"{components}\" \
         format=\"appended\" offset=\"{}\"/>\n",
        escaped(name),
        data.len()
    );
    let blocks = bytes.chunks(BLOCK).map(|block| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(block)?;
        encoder.finish()
    });
    let blocks = blocks.collect::<io::Result<Vec<Vec<u8>>>>()?;
    let partial = bytes.len() % BLOCK;
    let sizes = [blocks.len(), BLOCK, partial];
    let lengths = sizes.into_iter().chain(blocks.iter().map(Vec::len));
    data.extend(lengths.flat_map(|n| (n as u64).to_le_bytes()));
    blocks.iter().for_each(|block| data.extend_from_slice(block));
    Ok(xml)
}

/// Text as the value of an XML attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push('_'),
            c => out.push(c),
        }
    }
    out
}

/// Writes beside `path` and renames, so that the name never holds half a file.
pub(super) fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), WriteError> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let finish = || {
        let mut out = BufWriter::new(File::create(&part)?);
        write(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?;
        fs::rename(&part, path)
    };
    finish().map_err(|source| {
        // A part that cannot be removed does no harm; the first error is the one to tell.
        let _ = fs::remove_file(&part);
        WriteError::Io { path: path.to_owned(), source }
    })
}
