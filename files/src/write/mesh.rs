//! Meshes, in place or in a collection beside.

use serde_json::{Map, Value as Json, json};
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::fem::VolumeMesh;
use sinew::geometry::SurfaceMesh;

use super::Writer;
use super::value;

impl Writer<'_> {
    pub(super) fn surface(&mut self, id: ComponentId, mesh: &SurfaceMesh) -> Json {
        let triangles: Vec<Json> = mesh.triangles().iter().map(|t| json!(t)).collect();
        self.mesh(id, json!({ "vertices": points(mesh.vertices()), "triangles": triangles }))
    }

    pub(super) fn volume(&mut self, id: ComponentId, mesh: &VolumeMesh) -> Json {
        // Elements of one kind in a row are one list.
        let mut runs: Vec<(&str, Vec<Json>)> = Vec::new();
        for (kind, nodes) in mesh.elements() {
            match runs.last_mut() {
                Some((name, run)) if *name == kind.name() => run.push(json!(nodes)),
                _ => runs.push((kind.name(), vec![json!(nodes)])),
            }
        }
        let mut runs: Vec<Json> =
            runs.into_iter().map(|(name, run)| json!({ name: run })).collect();
        let elements = if runs.len() == 1 { runs.remove(0) } else { Json::Array(runs) };
        let mut table = Map::new();
        table.insert("nodes".into(), points(&mesh.nodes));
        table.insert("elements".into(), elements);
        for (key, sets) in [("node_sets", &mesh.node_sets), ("element_sets", &mesh.element_sets)] {
            if !sets.is_empty() {
                table.insert(key.into(), json!(sets));
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
