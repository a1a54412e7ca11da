//! The header of a PLY file: which elements follow, and of which numbers each consists.

use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Encoding, Endian, Scalar, Scanner, shorten};

/// A column of an element.
pub(super) struct Property {
    pub(super) name: String,
    /// Type of the number, or of the members of the list.
    pub(super) ty: Scalar,
    /// Type of the length, where it is a list.
    pub(super) length: Option<Scalar>,
}

/// A table of the file.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) declared: u64,
    pub(super) properties: Vec<Property>,
}

impl Element {
    /// Bytes that a row takes at the least in binary, numbers in text.
    fn smallest_row(&self) -> u64 {
        let size = |p: &Property| p.length.unwrap_or(p.ty).size() as u64;
        self.properties.iter().map(size).sum()
    }

    /// The number of rows, checked against what is left of the file.
    pub(super) fn count(&self, s: &Scanner<'_>) -> Parsed<usize> {
        let what = match self.name.as_str() {
            "vertex" => "vertices",
            "face" => "faces",
            _ => "rows of an element",
        };
        match s.encoding {
            Encoding::Ascii => {
                s.count(what, self.declared, self.properties.len() as u64, Scalar::F64)
            }
            Encoding::Binary(_) => s.count(what, self.declared, self.smallest_row(), Scalar::U8),
        }
    }

    /// The place of the first property of one of these names.
    pub(super) fn find(&self, names: &[&str]) -> Option<usize> {
        self.properties.iter().position(|p| names.contains(&p.name.as_str()))
    }
}

/// More properties than any file has; each takes memory before a row is read.
const MAX_PROPERTIES: usize = 1000;

/// Reads up to `end_header` and sets the encoding of what follows.
pub(super) fn read(s: &mut Scanner<'_>) -> Parsed<Vec<Element>> {
    s.expect("ply")?;
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        match s.word("a line of the header, or end_header")? {
            "format" => encoding = Some(format(s)?),
            "comment" | "obj_info" => drop(s.rest_of_line()),
            "element" => {
                let name = s.word("the name of an element")?.to_owned();
                let declared = s.text_u64("a number of rows")?;
                elements.push(Element { name, declared, properties: Vec::new() });
            }
            "property" => {
                let property = property(s)?;
                let missing = || s.fault(Problem::Missing("the element of a property"));
                let properties = &mut elements.last_mut().ok_or_else(missing)?.properties;
                properties.push(property);
                if properties.len() > MAX_PROPERTIES {
                    let what = "an element of more than 1000 properties".to_owned();
                    let remedy = "write positions and faces alone";
                    return Err(s.fault(Problem::Unsupported { what, remedy }));
                }
            }
            "end_header" => break,
            other => return Err(s.unexpected("a keyword of a PLY header", other.as_bytes())),
        }
    }
    s.rest_of_line();
    s.encoding = encoding.ok_or_else(|| s.fault(Problem::Missing("the format line")))?;
    Ok(elements)
}

fn format(s: &mut Scanner<'_>) -> Parsed<Encoding> {
    let name = s.word("ascii, binary_little_endian or binary_big_endian")?;
    let encoding = match name {
        "ascii" => Encoding::Ascii,
        "binary_little_endian" => Encoding::Binary(Endian::Little),
        "binary_big_endian" => Encoding::Binary(Endian::Big),
        other => return Err(s.unexpected("ascii or binary_..._endian", other.as_bytes())),
    };
    let version = s.word("a version")?;
    if version != "1.0" {
        let what = format!("version {} of PLY", shorten(version.as_bytes()));
        return Err(s.fault(Problem::Unsupported { what, remedy: "version 1.0 is read" }));
    }
    Ok(encoding)
}

fn property(s: &mut Scanner<'_>) -> Parsed<Property> {
    let first = s.word("a type, or list")?;
    let length = if first == "list" { Some(whole(s)?) } else { None };
    let ty = if length.is_some() { scalar(s)? } else { named(s, first)? };
    Ok(Property { name: s.word("the name of a property")?.to_owned(), ty, length })
}

/// The type of the length of a list.
fn whole(s: &mut Scanner<'_>) -> Parsed<Scalar> {
    let ty = scalar(s)?;
    if ty.is_float() { Err(s.unexpected("an integer type", b"float")) } else { Ok(ty) }
}

fn scalar(s: &mut Scanner<'_>) -> Parsed<Scalar> {
    let name = s.word("a type")?;
    named(s, name)
}

fn named(s: &Scanner<'_>, name: &str) -> Parsed<Scalar> {
    Ok(match name {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "int64" => Scalar::I64,
        "uint64" => Scalar::U64,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        other => return Err(s.unexpected("a type from char to double", other.as_bytes())),
    })
}
