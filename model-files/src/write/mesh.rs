//! Meshes, in place or in a collection beside.

use serde_json::{Map, Value as Json, json};
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::fem::{ElementFace, Field, VolumeMesh};
use sinew::geometry::SurfaceMesh;

use super::Writer;
use super::value;

impl Writer<'_> {
    pub(super) fn surface(&mut self, id: ComponentId, mesh: &SurfaceMesh) -> Json {
        let triangles: Vec<Json> = mesh.triangles().iter().map(|t| json!(t)).collect();
        self.mesh(id, json!({ "vertices": points(mesh.vertices()), "triangles": triangles }))
    }

    pub(super) fn volume(&mut self, id: ComponentId, mesh: &VolumeMesh) -> Json {
        let mut table = Map::new();
        table.insert("nodes".into(), points(&mesh.nodes));
        table.insert("elements".into(), elements(mesh));
        for (key, sets) in [("node_sets", &mesh.node_sets), ("element_sets", &mesh.element_sets)] {
            if !sets.is_empty() {
                table.insert(key.into(), json!(sets));
            }
        }
        if !mesh.face_sets.is_empty() {
            let pairs = |faces: &Vec<ElementFace>| {
                faces.iter().map(|it| json!([it.element, it.face])).collect::<Vec<_>>()
            };
            let sets =
                mesh.face_sets.iter().map(|(name, faces)| (name.clone(), json!(pairs(faces))));
            table.insert("face_sets".into(), Json::Object(sets.collect()));
        }
        if !mesh.triangle_sets.is_empty() {
            table.insert("triangle_sets".into(), json!(mesh.triangle_sets));
        }
        for (key, fields) in
            [("node_fields", &mesh.node_fields), ("element_fields", &mesh.element_fields)]
        {
            if !fields.is_empty() {
                let of = |field: &Field| {
                    let values = value::list(field.values.iter().copied());
                    json!({ "components": field.components, "values": values })
                };
                let fields = fields.iter().map(|(name, field)| (name.clone(), of(field)));
                table.insert(key.into(), Json::Object(fields.collect()));
            }
        }
        self.mesh(id, Json::Object(table))
    }

    /// The mesh, or the name under which it stands beside.
    fn mesh(&mut self, id: ComponentId, mesh: Json) -> Json {
        let Some(file) = &self.beside else { return mesh };
        let path = self.model.path(id);
        let name = path.trim_start_matches('/').to_owned();
        let reference = json!({ "file": file, "name": name });
        self.meshes.insert(name, mesh);
        reference
    }
}

fn points(points: &[Vec3]) -> Json {
    Json::Array(points.iter().map(|x| value::list(x.iter().copied())).collect())
}

/// Elements of a mesh, by their kinds.
fn elements(mesh: &VolumeMesh) -> Json {
    // Elements of one kind in a row are one list.
    let mut runs: Vec<(&str, Vec<Json>)> = Vec::new();
    for (kind, nodes) in mesh.elements() {
        match runs.last_mut() {
            Some((name, run)) if *name == kind.name() => run.push(json!(nodes)),
            _ => runs.push((kind.name(), vec![json!(nodes)])),
        }
    }
    let mut runs: Vec<Json> = runs.into_iter().map(|(name, run)| json!({ name: run })).collect();
    if runs.len() == 1 { runs.remove(0) } else { Json::Array(runs) }
}
