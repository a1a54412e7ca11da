//! Writes the surface of a built-in of hexahedra as Wavefront OBJ [m] to standard output:
//! `cargo run -p sinew-datasets --example surface_obj -- tongue resolution=3 > tongue.obj`

use std::collections::BTreeMap;
use std::error::Error;

use sinew_datasets::{Params, find};

/// Faces of a hexahedron, counterclockwise from outside.
const FACES: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [4, 7, 6, 5], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("usage: surface_obj NAME [key=value ...]")?;
    let builtin = find(&name).ok_or("no built-in of this name")?;
    let model = (builtin.build)(&mut Params::parse(arguments)?)?;
    let (_, fem) = model.fems().next().ok_or("this model has no tissue")?;
    let mesh = &fem.mesh;
    let mut outer = BTreeMap::new();
    for (_, nodes) in mesh.elements().filter(|(_, nodes)| nodes.len() == 8) {
        for face in FACES.map(|face| face.map(|corner| nodes[corner])) {
            let mut key = face;
            key.sort_unstable();
            // A face that comes a second time lies inside.
            if outer.remove(&key).is_none() {
                outer.insert(key, face);
            }
        }
    }
    for p in &mesh.nodes {
        println!("v {} {} {}", p.x, p.y, p.z);
    }
    for [a, b, c, d] in outer.values().map(|face| face.map(|node| node + 1)) {
        println!("f {a} {b} {c} {d}");
    }
    Ok(())
}
