//! Abaqus's input files (CalculiX's too): nodes, solids, sets, surfaces, parts and instances. All
//! else (materials, steps, loads) is passed over; included files are refused.

mod assembly;
mod keyword;
mod part;
mod sets;
mod surfaces;

use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::shorten;
use crate::io::volume::builder::Builder;
use assembly::Assembly;
use keyword::{Keyword, Reader};
use part::Part;

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Builder> {
    let mut reader = Reader::new(bytes);
    let mut assembly = Assembly::default();
    // The assembly itself, and a file without parts.
    let mut parts = vec![Part::default()];
    let mut current = 0;
    while let Some(keyword) = reader.keyword() {
        let part = &mut parts[current];
        match keyword.name.as_str() {
            "NODE" => part.read_nodes(&keyword, &mut reader)?,
            "ELEMENT" => part.read_elements(&keyword, &mut reader)?,
            "NSET" | "ELSET" => part.sets.read(&keyword, &mut reader)?,
            "SURFACE" => part.sets.read_surface(&keyword, &mut reader),
            "PART" => {
                current = parts.len();
                parts.push(Part::new(keyword.text("NAME")));
            }
            "END PART" => current = 0,
            "INSTANCE" => assembly.read_instance(&keyword, &mut reader, &parts)?,
            "INCLUDE" => return Err(include(&keyword)),
            "NGEN" | "NFILL" | "NCOPY" | "ELGEN" | "ELCOPY" | "NMAP" => {
                let what = format!("*{}", keyword.name);
                let remedy = "write all nodes and elements out (mesh it and export again)";
                return Err(Problem::Unsupported { what, remedy }.at(keyword.place));
            }
            _ => {}
        }
    }
    assembly.build(&parts)
}

/// Included files are refused; one outside the folder of the file would be in any case.
fn include(keyword: &Keyword) -> crate::io::error::Fault {
    let file = keyword.text("INPUT");
    let leaves = file.starts_with(['/', '\\']) || file.contains("..") || file.contains(':');
    let remedy = if leaves {
        "this one lies outside the folder of the model, which would be refused in any case; put its lines in the place of *INCLUDE"
    } else {
        "put its lines in the place of *INCLUDE"
    };
    Problem::Include { file: shorten(file.as_bytes()), remedy }.at(keyword.place)
}
