//! A scene for POV-Ray 3.7: `mesh2` objects, the camera of the view, two lights with soft shadows.

use std::collections::HashMap;
use std::fmt::Write;

use sinew::snapshot::Snapshot;

use super::pieces::{ExportMesh, pieces};
use crate::camera::aspect;
use crate::scene_view::Background;
use crate::{Projection, View};

/// Steps of a channel that are told apart: more textures than these fill the memory of the program.
const COLOR_STEPS: f32 = 63.0;

/// Scene that a view shows of a snapshot, for a picture of this size [pixel].
pub fn to_pov(snapshot: &Snapshot, view: &View, size: [u32; 2]) -> String {
    let mut text = String::from("#version 3.7;\nglobal_settings { assumed_gamma 1.0 }\n");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "// {} x {} pixels, time {} s", size[0], size[1], snapshot.time);
    camera(&mut text, snapshot, view, size);
    lights(&mut text, snapshot, view);
    for piece in pieces(snapshot, view).iter().filter(|piece| !piece.triangles.is_empty()) {
        mesh(&mut text, piece);
    }
    text
}

fn vector(v: impl IntoIterator<Item = f64>) -> String {
    let numbers: Vec<String> = v.into_iter().map(|x| format!("{x:.7}")).collect();
    format!("<{}>", numbers.join(","))
}

/// The program's axes are left-handed; a negative `right` makes them right-handed. It wants the projection
/// first, and what is looked at last.
fn camera(text: &mut String, snapshot: &Snapshot, view: &View, size: [u32; 2]) {
    let camera = &view.camera;
    let origin = snapshot.scene.origin;
    let [eye, target, sky] = [camera.eye() - origin, camera.target - origin, camera.up()]
        .map(|v| vector(v.iter().copied()));
    let wide = aspect(size);
    let (projection, lens) = match camera.projection {
        Projection::Perspective => {
            let angle = 2.0 * ((0.5 * camera.fov).tan() * wide).atan();
            let right = vector([-wide, 0.0, 0.0]);
            ("perspective", format!("right {right} up y angle {:.6}", angle.to_degrees()))
        }
        Projection::Orthographic => {
            let height = 2.0 * camera.half_height();
            let (right, up) = ([-wide * height, 0.0, 0.0], [0.0, height, 0.0]);
            ("orthographic", format!("right {} up {}", vector(right), vector(up)))
        }
    };
    let _ = writeln!(
        text,
        "camera {{ {projection} location {eye} sky {sky} {lens} look_at {target} }}"
    );
}

fn lights(text: &mut String, snapshot: &Snapshot, view: &View) {
    let camera = &view.camera;
    let target = camera.target - snapshot.scene.origin;
    let d = 4.0 * camera.distance;
    let lit = [
        (-0.45 * camera.right() + 0.6 * camera.up() + 0.8 * camera.back(), 0.9),
        (0.9 * camera.right() + 0.1 * camera.up() + 0.5 * camera.back(), 0.25),
    ];
    for (direction, strength) in lit {
        let place = target + d * direction;
        let [u, v] =
            [0.15 * d * camera.right(), 0.15 * d * camera.up()].map(|e| vector(e.iter().copied()));
        let soft = format!("area_light {u}, {v}, 5, 5 adaptive 1 jitter");
        let _ = writeln!(
            text,
            "light_source {{ {} rgb {strength} {soft} }}",
            vector(place.iter().copied())
        );
    }
    let behind = if view.options.background == Background::Dark { 0.02 } else { 1.0 };
    let _ = writeln!(text, "background {{ rgb {behind} }}");
}

fn mesh(text: &mut String, piece: &ExportMesh) {
    let mut numbers: HashMap<[u8; 3], usize> = HashMap::new();
    let mut textures = Vec::new();
    let rounded = |color: &[f32; 3]| color.map(|c| (COLOR_STEPS * c.clamp(0.0, 1.0)).round() as u8);
    let of_vertex: Vec<usize> = piece
        .colors
        .iter()
        .map(|color| {
            let key = rounded(color);
            *numbers.entry(key).or_insert_with(|| {
                textures.push(key);
                textures.len() - 1
            })
        })
        .collect();
    let _ = writeln!(text, "// {}\nmesh2 {{", piece.name);
    list(text, "vertex_vectors", piece.positions.iter().map(three));
    list(text, "normal_vectors", piece.normals.iter().map(three));
    let finish = "finish { ambient 0.25 diffuse 0.7 specular 0.1 roughness 0.03 }";
    let transmit = 1.0 - piece.alpha;
    list(
        text,
        "texture_list",
        textures.iter().map(|key| {
            let color = vector(key.map(|c| f64::from(c) / f64::from(COLOR_STEPS)));
            format!("texture {{ pigment {{ rgb {color} transmit {transmit} }} {finish} }}")
        }),
    );
    list(
        text,
        "face_indices",
        piece.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| of_vertex[v as usize]);
            format!("<{},{},{}>,{a},{b},{c}", t[0], t[1], t[2])
        }),
    );
    text.push_str("}\n");
}

fn three(v: &[f32; 3]) -> String {
    vector(v.map(f64::from))
}

fn list(text: &mut String, name: &str, entries: impl ExactSizeIterator<Item = String>) {
    let separator = if name == "texture_list" { "\n" } else { ",\n" };
    let _ = write!(text, "{name} {{ {}", entries.len());
    text.push_str(if name == "texture_list" { "\n" } else { ",\n" });
    let entries: Vec<String> = entries.collect();
    text.push_str(&entries.join(separator));
    text.push_str("\n}\n");
}
