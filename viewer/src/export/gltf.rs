//! glTF 2.0 [Khronos2021]: one node a piece, colours at the vertices. A root turns z up to y up, as the
//! format wants.

use base64::Engine;
use serde_json::{Value, json};
use sinew::Vec3;
use sinew::snapshot::Snapshot;

use super::pieces::{ExportMesh, pieces};
use crate::View;

/// Numbers of the format: of floats, of unsigned integers, of vertex data and of indices.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Marks of the binary form: its name, its version, its two chunks.
const MAGIC: u32 = 0x4654_6C67;
const VERSION: u32 = 2;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// Picture of a snapshot as one binary file (.glb).
pub fn to_glb(snapshot: &Snapshot, view: &View) -> Vec<u8> {
    let (mut document, binary) = document(snapshot, view);
    if !binary.is_empty() {
        document["buffers"] = json!([{ "byteLength": binary.len() }]);
    }
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    // A buffer of no bytes has no chunk.
    let chunks = [(JSON_CHUNK, text), (BINARY_CHUNK, binary)];
    let chunks = chunks.into_iter().filter(|(_, bytes)| !bytes.is_empty());
    let mut bytes: Vec<u8> = [MAGIC, VERSION, 0].map(u32::to_le_bytes).concat();
    for (kind, data) in chunks {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(data);
    }
    let total = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&total.to_le_bytes());
    bytes
}

/// The same as one text file (.gltf).
pub fn to_gltf(snapshot: &Snapshot, view: &View) -> String {
    let (mut document, binary) = document(snapshot, view);
    if !binary.is_empty() {
        let data = base64::engine::general_purpose::STANDARD.encode(&binary);
        let uri = format!("data:application/octet-stream;base64,{data}");
        document["buffers"] = json!([{ "byteLength": binary.len(), "uri": uri }]);
    }
    document.to_string()
}

/// A document under way without its buffer, and the buffer.
#[derive(Default)]
struct Writer {
    binary: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Writer {
    /// Adds an array; its number as an accessor.
    fn add<const N: usize>(&mut self, data: &[[f32; N]], bounded: bool) -> usize {
        let mut accessor = json!({
            "bufferView": self.views.len(),
            "componentType": FLOAT,
            "count": data.len(),
            "type": format!("VEC{N}"),
        });
        if bounded {
            let along = |k: usize, pick: fn(f32, f32) -> f32, from: f32| {
                data.iter().map(|v| v[k]).fold(from, pick)
            };
            let low: Vec<f32> = (0..N).map(|k| along(k, f32::min, f32::INFINITY)).collect();
            let high: Vec<f32> = (0..N).map(|k| along(k, f32::max, f32::NEG_INFINITY)).collect();
            (accessor["min"], accessor["max"]) = (json!(low), json!(high));
        }
        self.accessors.push(accessor);
        self.add_bytes(data.as_flattened().iter().flat_map(|x| x.to_le_bytes()), VERTICES);
        self.accessors.len() - 1
    }

    fn add_indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        self.accessors.push(json!({
            "bufferView": self.views.len(),
            "componentType": UNSIGNED,
            "count": 3 * triangles.len(),
            "type": "SCALAR",
        }));
        self.add_bytes(triangles.as_flattened().iter().flat_map(|x| x.to_le_bytes()), INDICES);
        self.accessors.len() - 1
    }

    fn add_bytes(&mut self, bytes: impl Iterator<Item = u8>, target: u32) {
        let begin = self.binary.len();
        self.binary.extend(bytes);
        self.views.push(json!({
            "buffer": 0,
            "byteOffset": begin,
            "byteLength": self.binary.len() - begin,
            "target": target,
        }));
    }
}

fn material(piece: &ExportMesh) -> Value {
    let mut material = json!({
        "pbrMetallicRoughness": {
            "baseColorFactor": [1.0, 1.0, 1.0, piece.alpha],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.6,
        },
        "doubleSided": true,
    });
    if piece.alpha < 1.0 {
        material["alphaMode"] = json!("BLEND");
    }
    material
}

/// The node that turns those before it.
fn root(origin: &Vec3, children: usize) -> Value {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut root = json!({
        "name": "scene",
        "rotation": [-half, 0.0, 0.0, half],
        // Turned as the vertices are.
        "translation": [origin.x, origin.z, -origin.y],
    });
    if children > 0 {
        root["children"] = json!((0..children).collect::<Vec<_>>());
    }
    root
}

fn document(snapshot: &Snapshot, view: &View) -> (Value, Vec<u8>) {
    let mut writer = Writer::default();
    let (mut nodes, mut meshes, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    for piece in pieces(snapshot, view).iter().filter(|piece| !piece.triangles.is_empty()) {
        let position = writer.add(&piece.positions, true);
        let normal = writer.add(&piece.normals, false);
        let color = writer.add(&piece.colors, false);
        let indices = writer.add_indices(&piece.triangles);
        let attributes = json!({ "POSITION": position, "NORMAL": normal, "COLOR_0": color });
        let primitive =
            json!({ "attributes": attributes, "indices": indices, "material": materials.len() });
        nodes.push(json!({ "name": piece.name, "mesh": meshes.len() }));
        meshes.push(json!({ "name": piece.name, "primitives": [primitive] }));
        materials.push(material(piece));
    }
    nodes.push(root(&snapshot.scene.origin, nodes.len()));
    let mut document = json!({
        "asset": { "version": "2.0", "generator": "Sinew" },
        "scene": 0,
        "scenes": [{ "nodes": [nodes.len() - 1] }],
        "nodes": nodes,
    });
    // The format allows no empty lists.
    if !meshes.is_empty() {
        document["meshes"] = json!(meshes);
        document["materials"] = json!(materials);
        document["accessors"] = json!(writer.accessors);
        document["bufferViews"] = json!(writer.views);
    }
    (document, writer.binary)
}
