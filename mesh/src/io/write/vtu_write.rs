//! Writes one frame of results as VTU 1.0: zlib blocks appended as raw bytes, UInt64 headers,
//! positions in f64, fields in f32.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::Vec3;
use crate::VolumeMesh;
use crate::io::element_codes::{self, Codes};

/// Values at the nodes or elements of a mesh, in its order.
#[derive(Clone, Copy, Debug)]
pub enum FieldRef<'a> {
    /// One number each.
    Scalars(&'a [f64]),
    /// One vector each.
    Vectors(&'a [Vec3]),
    /// So many numbers each, one place behind the other; stored in full, as f64.
    Table {
        /// Numbers a node or element.
        components: usize,
        /// The numbers.
        values: &'a [f64],
    },
    /// 0 or 1 each: whether it is in a set; or a bit for each of its faces that is.
    Marks(&'a [u8]),
}

impl FieldRef<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Scalars(values) => values.len(),
            Self::Vectors(values) => values.len(),
            Self::Table { components, values } => values.len() / components.max(&1),
            Self::Marks(values) => values.len(),
        }
    }
}

/// Content that is written: a mesh where it is now, and named fields with it. Fields are stored as f32.
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
        /// Error of the system.
        source: io::Error,
    },
    /// An array does not fit the mesh.
    #[error("`{name}` has {given} values, the mesh has {expected} {of}")]
    Length {
        /// Name of the array.
        name: String,
        /// Nodes or elements.
        of: &'static str,
        /// Number that the mesh has.
        expected: usize,
        /// Number of values given.
        given: usize,
    },
    /// A corner that is no point.
    #[error("triangle {triangle} has the corner {corner}, and there are {points} points")]
    Corner {
        /// The triangle.
        triangle: usize,
        /// Its corner.
        corner: u32,
        /// Number of points.
        points: usize,
    },
    /// A mesh that the format of the file does not hold, or a name that tells no format.
    #[error("{}: not written, {reason}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Reason, and advice to the user.
        reason: String,
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
    let Frame { mesh, positions, point_data, cell_data } = *frame;
    check_length("positions", "nodes", mesh.nodes.len(), positions.len())?;
    let cells = volume_cells(mesh);
    write_grid(path, &Grid { cells, positions, point_data, cell_data, labels: &[] })
}

/// The elements of a mesh as cells.
pub(in crate::io) fn volume_cells(mesh: &VolumeMesh) -> Cells {
    Cells {
        count: mesh.element_count(),
        connectivity: connectivity(mesh),
        offsets: offsets(mesh),
        types: mesh.elements().map(|(kind, _)| Codes::of(kind).vtk).collect(),
    }
}

/// Cells as a file has them.
pub(in crate::io) struct Cells {
    pub(in crate::io) count: usize,
    pub(in crate::io) connectivity: Vec<u8>,
    pub(in crate::io) offsets: Vec<u8>,
    pub(in crate::io) types: Vec<u8>,
}

/// A file: cells, points and fields.
pub(in crate::io) struct Grid<'a> {
    pub(in crate::io) cells: Cells,
    pub(in crate::io) positions: &'a [Vec3],
    pub(in crate::io) point_data: &'a [(&'a str, FieldRef<'a>)],
    pub(in crate::io) cell_data: &'a [(&'a str, FieldRef<'a>)],
    /// Lists of texts that belong to the whole.
    pub(in crate::io) labels: &'a [(&'a str, &'a [String])],
}

/// # Errors
/// As [`write_vtu`].
pub(in crate::io) fn write_grid(path: &Path, grid: &Grid<'_>) -> Result<(), WriteError> {
    for (name, field) in grid.point_data {
        check_length(name, "nodes", grid.positions.len(), field.len())?;
    }
    for (name, field) in grid.cell_data {
        check_length(name, "elements", grid.cells.count, field.len())?;
    }
    let io_error = |source| WriteError::Io { path: path.to_owned(), source };
    let mut data = Vec::new();
    let xml = describe(grid, &mut data).map_err(io_error)?;
    replace_file(path, |out| {
        out.write_all(xml.as_bytes())?;
        out.write_all(b"  <AppendedData encoding=\"raw\">\n_")?;
        out.write_all(&data)?;
        out.write_all(b"\n  </AppendedData>\n</VTKFile>\n")
    })
}

fn check_length(
    name: &str,
    of: &'static str,
    expected: usize,
    given: usize,
) -> Result<(), WriteError> {
    if expected == given {
        return Ok(());
    }
    Err(WriteError::Length { name: name.to_owned(), of, expected, given })
}

/// The XML part; the arrays go behind each other into `data`.
fn describe(grid: &Grid<'_>, data: &mut Vec<u8>) -> io::Result<String> {
    let Cells { count, connectivity, offsets, types } = &grid.cells;
    let mut xml = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" \
         byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n  \
         <UnstructuredGrid>\n{}    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{count}\">\n",
        labels(grid.labels),
        grid.positions.len(),
    );
    let positions: Vec<u8> =
        grid.positions.iter().flat_map(|p| p.iter().flat_map(|x| x.to_le_bytes())).collect();
    xml += "      <Points>\n";
    xml += &array("Float64", "Points", 3, &positions, data)?;
    xml += "      </Points>\n      <Cells>\n";
    for (ty, name, bytes) in [
        ("Int64", "connectivity", connectivity),
        ("Int64", "offsets", offsets),
        ("UInt8", "types", types),
    ] {
        xml += &array(ty, name, 1, bytes, data)?;
    }
    xml += "      </Cells>\n";
    for (section, fields) in [("PointData", grid.point_data), ("CellData", grid.cell_data)] {
        xml += &format!("      <{section}>\n");
        for (name, field) in fields {
            let (ty, components, bytes) = field_bytes(field);
            xml += &array(ty, name, components, &bytes, data)?;
        }
        xml += &format!("      </{section}>\n");
    }
    xml += "    </Piece>\n  </UnstructuredGrid>\n";
    Ok(xml)
}

/// Lists of texts as VTK has them: the bytes of each as numbers, ended by a zero.
fn labels(lists: &[(&str, &[String])]) -> String {
    if lists.is_empty() {
        return String::new();
    }
    let mut xml = "    <FieldData>\n".to_owned();
    for (name, texts) in lists {
        xml += &format!(
            "      <DataArray type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"ascii\">\n",
            escaped(name),
            texts.len()
        );
        for text in *texts {
            let bytes: Vec<_> = text.bytes().chain([0]).map(|byte| byte.to_string()).collect();
            xml += &format!("        {}\n", bytes.join(" "));
        }
        xml += "      </DataArray>\n";
    }
    xml + "    </FieldData>\n"
}

fn connectivity(mesh: &VolumeMesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut in_file = [0; 20];
    for (kind, nodes) in mesh.elements() {
        for (&place, &node) in element_codes::vtk(kind).iter().zip(nodes) {
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

/// Type, components and bytes of a field.
fn field_bytes(field: &FieldRef<'_>) -> (&'static str, usize, Vec<u8>) {
    let narrow = |x: &f64| (*x as f32).to_le_bytes();
    match field {
        FieldRef::Scalars(values) => ("Float32", 1, values.iter().flat_map(narrow).collect()),
        FieldRef::Vectors(values) => {
            ("Float32", 3, values.iter().flat_map(|v| v.iter().flat_map(narrow)).collect())
        }
        FieldRef::Table { components, values } => {
            ("Float64", *components, values.iter().flat_map(|x| x.to_le_bytes()).collect())
        }
        FieldRef::Marks(values) => ("UInt8", 1, values.to_vec()),
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
pub(in crate::io) fn escaped(text: &str) -> String {
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
pub(in crate::io) fn replace_file(
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
