//! Gmsh's .msh files: version 1.0, and 2.x and 4.1 as text and binary in both byte orders. The header
//! is read here.

mod data;
mod entries;
mod groups;
mod v10;
mod v22;
mod v41;

use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Encoding, Endian, Scanner, shorten};
use crate::io::volume::builder::Builder;

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<(Builder, &'static str)> {
    let mut s = Scanner::new(bytes);
    // Comments may precede the header.
    while s.peek().is_some_and(|word| word != b"$MeshFormat" && word != b"$NOD") {
        if s.peek() != Some(b"$Comments") || !s.skip_past(b"$EndComments") {
            let found = s.peek().unwrap_or_default();
            return Err(s.unexpected("$MeshFormat", found));
        }
    }
    if s.peek() == Some(b"$NOD") {
        return Ok((v10::parse(&mut s)?, "Gmsh 1.0"));
    }
    s.expect("$MeshFormat")?;
    let version = s.word("a version")?;
    let is_4 = match version {
        "2" | "2.0" | "2.1" | "2.2" => false,
        "4.1" => true,
        _ => {
            let version = shorten(version.as_bytes());
            return Err(unsupported(&s, format!("version {version} of the Gmsh format")));
        }
    };
    let binary = s.text_u64("0 for text or 1 for binary")?;
    let size = s.text_u64("the size of a number")?;
    if binary > 1 || size != 8 {
        let what = format!("Gmsh file type {binary} with numbers of {size} bytes");
        return Err(unsupported(&s, what));
    }
    if binary == 1 {
        s.rest_of_line();
        s.encoding = Encoding::Binary(endian(&mut s)?);
    }
    s.expect("$EndMeshFormat")?;
    if is_4 { Ok((v41::parse(&mut s)?, "Gmsh 4.1")) } else { Ok((v22::parse(&mut s)?, "Gmsh 2.2")) }
}

fn unsupported(s: &Scanner<'_>, what: String) -> crate::io::error::Fault {
    let remedy =
        "save it as version 2.2 or 4.1 with 8-byte numbers (gmsh in.msh -save -format msh41)";
    s.fault(Problem::Unsupported { what, remedy })
}

/// The integer one behind the header tells the byte order.
fn endian(s: &mut Scanner<'_>) -> Parsed<Endian> {
    match s.take(4, "the integer one")? {
        [1, 0, 0, 0] => Ok(Endian::Little),
        [0, 0, 0, 1] => Ok(Endian::Big),
        other => {
            let found = format!("{other:?}");
            Err(s.fault(Problem::Expected { expected: "the integer one in 4 bytes", found }))
        }
    }
}
