//! Writes the bones of the jaw model, one Wavefront OBJ [m] each, and the muscles as lines:
//! `cargo run -p sinew-datasets --example jaw_obj -- DIRECTORY`

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use sinew_datasets::jaw::{Body, muscles::muscles};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: jaw_obj DIRECTORY")?;
    let directory = Path::new(&directory);
    for body in Body::SOLID {
        let surface = body.surface(body.default_cell())?;
        let mut text = String::new();
        for [x, y, z] in &surface.vertices {
            writeln!(text, "v {x} {y} {z}")?;
        }
        for [a, b, c] in surface.triangles.iter().map(|corners| corners.map(|corner| corner + 1)) {
            writeln!(text, "f {a} {b} {c}")?;
        }
        std::fs::write(directory.join(format!("{}.obj", body.name())), text)?;
    }
    let mut text = String::new();
    for (k, muscle) in muscles().iter().enumerate() {
        for [x, y, z] in [muscle.origin.point, muscle.insertion.point] {
            writeln!(text, "v {x} {y} {z}")?;
        }
        writeln!(text, "g {}\nl {} {}", muscle.name, 2 * k + 1, 2 * k + 2)?;
    }
    std::fs::write(directory.join("muscles.obj"), text)?;
    Ok(())
}
