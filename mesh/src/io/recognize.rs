//! Recognition of a file's format from its content: endings lie (`.inp` is Abaqus or AVS UCD,
//! `.msh` any Gmsh, `.vtk` may be XML, `.node` is TetGen or ANSYS).

use crate::io::text::lines::{Line, Lines, without_mark};
use crate::io::text::number::int;

/// A format of volume meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VolumeFormat {
    /// TetGen's pair of .node and .ele.
    TetGen,
    /// ANSYS's pair of .node and .elem.
    Ansys,
    /// ANSYS's archive, .cdb.
    AnsysArchive,
    /// Gmsh's .msh, versions 1.0, 2.x and 4.1.
    Gmsh,
    /// Abaqus's .inp (CalculiX's too).
    Abaqus,
    /// AVS UCD's .inp.
    Ucd,
    /// Medit's .mesh.
    Medit,
    /// Nastran's bulk data.
    Nastran,
    /// FEBio's .feb.
    Febio,
    /// Vega's .veg.
    Vega,
    /// VTK's legacy format with an unstructured grid.
    VtkLegacy,
    /// VTK's XML unstructured grid, .vtu.
    Vtu,
}

/// A format of surface meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SurfaceFormat {
    /// Wavefront OBJ.
    Obj,
    /// STL as text.
    StlAscii,
    /// STL in binary, whatever its first bytes say.
    StlBinary,
    /// PLY in any encoding.
    Ply,
    /// VTK's XML polygons, .vtp.
    Vtp,
    /// VTK's legacy format with polygons.
    VtkPolyData,
}

/// Format that a file was recognized as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognized {
    /// A format of volume meshes; Gmsh's, Medit's and some others may hold surfaces alone.
    Volume(VolumeFormat),
    /// A format of surface meshes.
    Surface(SurfaceFormat),
    /// XML of another kind.
    OtherXml,
    /// None that is known.
    Unknown,
}

/// Lines in which a text must show what it is; comments of many lines come first in some files.
const LINES: usize = 10_000;

/// Recognizes the format of a file from its content; of a pair, either file will do.
pub fn recognize(bytes: &[u8]) -> Recognized {
    use Recognized::{OtherXml, Surface, Unknown, Volume};
    let text = without_mark(bytes);
    let start = text.trim_ascii_start();
    let begins = |word: &[u8]| {
        start.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word))
            && start.get(word.len()).is_none_or(u8::is_ascii_whitespace)
    };
    let is_gmsh = |section: &&str| start.starts_with(section.as_bytes());
    if start.starts_with(b"<") {
        xml(start).unwrap_or(OtherXml)
    } else if start.starts_with(b"# vtk DataFile") {
        legacy(start)
    } else if ["$MeshFormat", "$NOD", "$Comments", "$PhysicalNames"].iter().any(is_gmsh) {
        Volume(VolumeFormat::Gmsh)
    } else if begins(b"ply") {
        Surface(SurfaceFormat::Ply)
    } else if is_meshb(bytes) {
        Volume(VolumeFormat::Medit)
    } else if is_binary_stl(bytes) {
        Surface(SurfaceFormat::StlBinary)
    } else if begins(b"solid") {
        Surface(SurfaceFormat::StlAscii)
    } else if text.first() == Some(&BINARY_UCD) {
        Volume(VolumeFormat::Ucd)
    } else {
        by_lines(text).unwrap_or(Unknown)
    }
}

/// The first byte of AVS UCD's binary files.
const BINARY_UCD: u8 = 7;

/// An 80-byte header, a count of triangles, and 50 bytes for each.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let Some(count) = bytes.get(80..84).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes)
    else {
        return false;
    };
    let exact = u64::from(count) * 50 + 84 == bytes.len() as u64;
    // A wrong count is no reason to take it for text, in which no zeros stand.
    exact || (bytes[..84].contains(&0) && bytes[0] != BINARY_UCD)
}

/// Medit's binary files begin with the integer one, in either byte order, and a version from 1 to 4.
pub(super) fn is_meshb(bytes: &[u8]) -> bool {
    let Some(head) = bytes.first_chunk::<8>() else { return false };
    let [one, version] = [&head[..4], &head[4..]];
    (one == [1, 0, 0, 0] && matches!(version, [1..=4, 0, 0, 0]))
        || (one == [0, 0, 0, 1] && matches!(version, [0, 0, 0, 1..=4]))
}

/// By the first element of a document.
fn xml(text: &[u8]) -> Option<Recognized> {
    let mut rest = text;
    loop {
        let open = rest.iter().position(|&b| b == b'<')?;
        rest = &rest[open + 1..];
        let end: &[u8] = match rest {
            [b'!', b'-', b'-', ..] => b"-->",
            [b'?' | b'!', ..] => b">",
            _ => break,
        };
        rest = &rest[rest.windows(end.len()).position(|w| w == end)?..];
    }
    let tag = &rest[..rest.iter().position(|&b| b == b'>').unwrap_or(rest.len())];
    let holds = |word: &[u8]| tag.windows(word.len()).any(|w| w == word);
    if tag.starts_with(b"febio_spec") {
        Some(Recognized::Volume(VolumeFormat::Febio))
    } else if tag.starts_with(b"VTKFile") && holds(b"PolyData") {
        Some(Recognized::Surface(SurfaceFormat::Vtp))
    } else if tag.starts_with(b"VTKFile") {
        Some(Recognized::Volume(VolumeFormat::Vtu))
    } else {
        None
    }
}

/// By the kind of data set, on the fourth line.
fn legacy(text: &[u8]) -> Recognized {
    let mut words = Lines::new(text).take(8).filter_map(|mut line| {
        let is_set = line.word().eq_ignore_ascii_case(b"DATASET");
        is_set.then(|| line.word())
    });
    match words.next() {
        Some(set) if set.eq_ignore_ascii_case(b"POLYDATA") => {
            Recognized::Surface(SurfaceFormat::VtkPolyData)
        }
        _ => Recognized::Volume(VolumeFormat::VtkLegacy),
    }
}

/// The words that a line of Wavefront OBJ begins with.
const OBJ: [&[u8]; 15] = [
    b"v", b"vn", b"vt", b"vp", b"f", b"l", b"p", b"o", b"g", b"s", b"usemtl", b"mtllib", b"usemap",
    b"cstype", b"deg",
];
/// The words that Nastran's lines begin with before and in the bulk data.
const NASTRAN: [&[u8]; 9] =
    [b"BEGIN", b"SOL", b"CEND", b"GRID", b"CTETRA", b"CHEXA", b"CPENTA", b"NASTRAN", b"ENDDATA"];
/// The commands that ANSYS's archives begin with.
const ANSYS: [&[u8]; 7] =
    [b"/COM", b"/PREP7", b"/BATCH", b"/NOPR", b"/TITLE", b"NBLOCK", b"ETBLOCK"];
/// The keywords of Vega, which Abaqus does not have.
const VEGA: [&[u8]; 4] = [b"*VERTICES", b"*ELEMENTS", b"*REGION", b"*SET"];

/// By the first line that can stand in one format only.
fn by_lines(text: &[u8]) -> Option<Recognized> {
    use Recognized::{Surface, Volume};
    let mut abaqus = None;
    for line in Lines::new(text).take(LINES) {
        let mut rest = line;
        let first = rest.word();
        // Up to a comma, and up to the columns of what follows without a blank.
        let word = first.split(|b| matches!(b, b',' | b'*')).next().unwrap_or_default();
        let is = |list: &[&[u8]], word: &[u8]| list.iter().any(|w| w.eq_ignore_ascii_case(word));
        if first.starts_with(b"**") || first.is_empty() {
            continue;
        }
        if first.starts_with(b"*") {
            if is(&VEGA, first) {
                return Some(Volume(VolumeFormat::Vega));
            }
            // Vega may begin with a material, as Abaqus may.
            abaqus = Some(Volume(VolumeFormat::Abaqus));
            if !first.to_ascii_uppercase().starts_with(b"*MATERIAL") {
                return abaqus;
            }
        } else if abaqus.is_some() || first.starts_with(b"#") {
            continue;
        } else if first.eq_ignore_ascii_case(b"MeshVersionFormatted") {
            return Some(Volume(VolumeFormat::Medit));
        } else if OBJ.contains(&word) {
            return Some(Surface(SurfaceFormat::Obj));
        } else if is(&ANSYS, word) {
            return Some(Volume(VolumeFormat::AnsysArchive));
        } else if is(&NASTRAN, word) {
            return Some(Volume(VolumeFormat::Nastran));
        } else if let Some(found) = by_numbers(&line) {
            return Some(found);
        }
    }
    abaqus
}

/// Recognition by the number and the kind of the numbers on the first line.
fn by_numbers(line: &Line<'_>) -> Option<Recognized> {
    let words: Vec<&[u8]> =
        line.words().take_while(|word| !word.starts_with(b"#")).take(15).collect();
    let whole = words.iter().filter(|word| int(word).is_some()).count();
    let all = whole == words.len();
    let starts_as_number =
        words.first()?.iter().all(|b| b.is_ascii_digit() || b"+-.eE".contains(b));
    let format = match words.len() {
        5 if all => VolumeFormat::Ucd,
        // Count, dimension, attributes, markers; or count, nodes an element, attributes.
        2..=4 if all => VolumeFormat::TetGen,
        _ if starts_as_number => VolumeFormat::Ansys,
        _ => return None,
    };
    Some(Recognized::Volume(format))
}

/// True if the two files of a pair are TetGen's, and not ANSYS's.
pub(super) fn is_tetgen_pair(nodes: &[u8], elements: &[u8]) -> bool {
    let words = |bytes| {
        let line = Lines::new(bytes).next_data()?;
        Some((line.words().count(), line.words().all(|word| int(word).is_some())))
    };
    let header = |bytes| matches!(words(bytes), Some((1..=4, true)));
    match words(elements) {
        // ANSYS has 14 columns, which may run together.
        Some((1..=3, true)) => header(nodes),
        Some((6.., _)) => false,
        _ => recognize(nodes) == Recognized::Volume(VolumeFormat::TetGen),
    }
}
