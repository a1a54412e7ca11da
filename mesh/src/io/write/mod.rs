//! Meshes out, in the format that the ending of the name tells: VTU, Gmsh 4.1, TetGen, Medit for
//! volumes; VTU, OBJ, STL, PLY for surfaces. Coordinates are written so that they read back to the
//! same numbers (STL holds single precision). What a format cannot hold is told, one sentence each.

mod gmsh;
mod medit;
mod notes;
pub(super) mod obj;
mod ply;
pub(super) mod pvd;
mod regions;
mod stl;
mod tetgen;
mod text;
mod vtu;
pub(super) mod vtu_surface;
pub(super) mod vtu_write;

use std::path::Path;

use crate::VolumeMesh;
use crate::io::SurfaceData;
use crate::io::write::notes::refused;
use crate::io::write::vtu_write::WriteError;

/// A format that meshes are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteFormat {
    /// VTK's XML grid, `.vtu`: volumes and surfaces.
    Vtu,
    /// Gmsh 4.1 as text, `.msh`: volumes.
    Gmsh,
    /// TetGen's pair `.node` and `.ele`: tetrahedra of four nodes.
    TetGen,
    /// Medit as text, `.mesh`: linear volumes.
    Medit,
    /// Wavefront OBJ, `.obj`: surfaces and lines.
    Obj,
    /// Binary STL, `.stl`: surfaces in single precision.
    Stl,
    /// Binary PLY, `.ply`: surfaces with fields.
    Ply,
}

impl WriteFormat {
    /// The format that the ending of `path` names.
    ///
    /// # Errors
    /// An ending of no format that is written.
    pub fn of(path: &Path) -> Result<Self, WriteError> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        Ok(match ending.to_ascii_lowercase().as_str() {
            "vtu" => Self::Vtu,
            "msh" => Self::Gmsh,
            "node" | "ele" => Self::TetGen,
            "mesh" => Self::Medit,
            "obj" => Self::Obj,
            "stl" => Self::Stl,
            "ply" => Self::Ply,
            _ => {
                let reason = "its ending is none of .vtu, .msh (Gmsh 4.1), .node or .ele (TetGen), \
                              .mesh (Medit), .obj, .stl, .ply";
                return Err(refused(path, reason.to_owned()));
            }
        })
    }

    /// True if it holds elements that fill space.
    pub fn holds_volumes(self) -> bool {
        matches!(self, Self::Vtu | Self::Gmsh | Self::TetGen | Self::Medit)
    }

    /// True if it holds triangles alone.
    pub fn holds_surfaces(self) -> bool {
        matches!(self, Self::Vtu | Self::Obj | Self::Stl | Self::Ply)
    }
}

/// Writes a volume mesh in the format that the ending of `path` names; what was left out or changed,
/// one sentence each. A file appears under its name only when it is complete.
///
/// # Errors
/// A format that does not hold the mesh, or a file that cannot be written.
pub fn write_mesh(path: &Path, mesh: &VolumeMesh) -> Result<Vec<String>, WriteError> {
    match WriteFormat::of(path)? {
        WriteFormat::Vtu => vtu::write_volume(path, mesh),
        WriteFormat::Gmsh => gmsh::write(path, mesh),
        WriteFormat::TetGen => tetgen::write(path, mesh),
        WriteFormat::Medit => medit::write(path, mesh),
        WriteFormat::Obj | WriteFormat::Stl | WriteFormat::Ply => Err(refused(
            path,
            "the format holds surfaces: write the boundary of the mesh".to_owned(),
        )),
    }
}

/// Writes a surface in the format that the ending of `path` names; what was left out or changed, one
/// sentence each. A file appears under its name only when it is complete.
///
/// # Errors
/// A format that does not hold surfaces, or a file that cannot be written.
pub fn write_surface(path: &Path, surface: &SurfaceData) -> Result<Vec<String>, WriteError> {
    match WriteFormat::of(path)? {
        WriteFormat::Vtu => vtu::write_surface(path, surface),
        WriteFormat::Obj => obj::write(path, surface),
        WriteFormat::Stl => stl::write(path, surface),
        WriteFormat::Ply => ply::write(path, surface),
        WriteFormat::Gmsh | WriteFormat::TetGen | WriteFormat::Medit => {
            let reason = "the format is written for volumes, and this is a surface: write .obj, \
                          .stl, .ply or .vtu, or mesh its inside first";
            Err(refused(path, reason.to_owned()))
        }
    }
}
