//! A mesh file as one JSON object. docs/reference/meshes.md has the keys.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use sinew::Vec3;
use sinew::fem::{Field, Histogram, VolumeMesh};
use sinew::geometry::{
    SolidIntegrals, SurfaceMesh, SurfaceReport, VolumeReport, guess_unit, recentring,
};
use sinew::io::{LengthUnit, MeshFile, SurfaceFile};

/// A volume.
pub(super) fn volume(
    path: &Path,
    unit: LengthUnit,
    file: &MeshFile,
    report: &VolumeReport,
    warnings: &[String],
) -> Value {
    let surface = &report.surface;
    let mut all = Map::new();
    head(&mut all, path, file.format, "volume", unit);
    all.insert("nodes".into(), report.nodes.into());
    all.insert("elements".into(), report.elements.into());
    all.insert("element_counts".into(), json!(report.element_counts));
    all.insert("polylines".into(), 0.into());
    size(&mut all, report.bounding_box);
    all.insert("volume".into(), json!(report.solid.as_ref().map(|s| s.volume)));
    solid(&mut all, report.solid.as_ref());
    shape(&mut all, surface);
    all.insert("components".into(), report.components.into());
    all.insert("unused_nodes".into(), report.unused_nodes.into());
    all.insert("duplicate_nodes".into(), report.duplicate_nodes.into());
    all.insert("duplicate_elements".into(), report.duplicate_elements.into());
    all.insert("crowded_faces".into(), report.crowded_faces.into());
    all.insert("non_positive_elements".into(), json!(report.non_positive));
    all.insert("quality".into(), quality(report));
    all.insert("sets".into(), volume_sets(&file.mesh));
    let fields = json!({
        "nodes": components(&file.mesh.node_fields),
        "elements": components(&file.mesh.element_fields),
    });
    all.insert("fields".into(), fields);
    all.insert("warnings".into(), json!(warnings));
    Value::Object(all)
}

/// A surface.
pub(super) fn surface(
    path: &Path,
    unit: LengthUnit,
    file: &SurfaceFile,
    report: &SurfaceReport,
    warnings: &[String],
) -> Value {
    let data = &file.surface;
    let mut all = Map::new();
    head(&mut all, path, file.format, "surface", unit);
    all.insert("nodes".into(), report.vertices.into());
    all.insert("elements".into(), 0.into());
    all.insert("element_counts".into(), json!({}));
    all.insert("polylines".into(), data.polylines.len().into());
    size(&mut all, data.bounding_box());
    all.insert("volume".into(), json!(report.volume));
    solid(&mut all, report.solid.as_ref());
    shape(&mut all, report);
    all.insert("components".into(), report.components.into());
    all.insert("unused_nodes".into(), unused(file).into());
    all.insert("duplicate_nodes".into(), report.duplicate_vertices.into());
    let sets =
        json!({ "triangles": sizes(&data.triangle_sets), "polylines": sizes(&data.polyline_sets) });
    all.insert("sets".into(), sets);
    let fields = json!({
        "nodes": components(&data.point_fields),
        "triangles": components(&data.triangle_fields),
    });
    all.insert("fields".into(), fields);
    all.insert("warnings".into(), json!(warnings));
    Value::Object(all)
}

fn head(all: &mut Map<String, Value>, path: &Path, format: &str, kind: &str, unit: LengthUnit) {
    all.insert("file".into(), json!(path.display().to_string()));
    all.insert("format".into(), format.into());
    all.insert("kind".into(), kind.into());
    all.insert("metres_per_unit".into(), json!(unit.factor()));
}

fn size(all: &mut Map<String, Value>, bounds: Option<[Vec3; 2]>) {
    let corners = bounds.map(|[low, high]| json!({ "low": vector(&low), "high": vector(&high) }));
    let extent = bounds.map(|[low, high]| (high - low).amax());
    let guess = extent
        .and_then(guess_unit)
        .map(|guess| json!({ "unit": guess.unit, "factor": guess.factor }));
    let centre =
        bounds.and_then(|[low, high]| recentring(&low, &high)).map(|centre| vector(&centre));
    all.insert("bounding_box".into(), json!(corners));
    all.insert("extent".into(), json!(extent));
    all.insert("unit_guess".into(), json!(guess));
    all.insert("recentre".into(), json!(centre));
}

fn solid(all: &mut Map<String, Value>, solid: Option<&SolidIntegrals>) {
    all.insert("centroid".into(), json!(solid.map(|s| vector(&s.centroid))));
    let rows = |s: &SolidIntegrals| {
        let inertia = s.volume_inertia();
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| inertia[(i, j)]))
    };
    all.insert("inertia".into(), json!(solid.map(rows)));
}

fn shape(all: &mut Map<String, Value>, report: &SurfaceReport) {
    let values = json!({
        "triangles": report.triangles,
        "surface_triangles": report.triangles,
        "area": report.shell.area,
        "closed": report.closed,
        "manifold": report.manifold,
        "inside_out": report.inside_out,
        "boundary_edges": report.boundary_edges,
        "non_manifold_edges": report.non_manifold_edges,
        "non_manifold_vertices": report.non_manifold_vertices,
        "inconsistent_edges": report.inconsistent_edges,
        "surface_components": report.components,
        "duplicate_triangles": report.duplicate_triangles,
        "degenerate_triangles": report.degenerate_triangles,
        "self_intersections": report.self_intersections,
        "self_intersections_limited": report.self_intersections_limited,
    });
    if let Value::Object(values) = values {
        all.extend(values);
    }
}

fn vector(v: &Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

fn quality(report: &VolumeReport) -> Value {
    json!({
        "mean_ratio": histogram(report.mean_ratio.as_ref()),
        "scaled_jacobian": histogram(report.scaled_jacobian.as_ref()),
        "min_dihedral": histogram(report.min_dihedral.as_ref()),
        "max_dihedral": histogram(report.max_dihedral.as_ref()),
    })
}

fn histogram(of: Option<&Histogram>) -> Value {
    json!(of.map(|h| json!({
        "min": h.min, "mean": h.mean, "max": h.max, "min_at": h.min_at,
        "range": h.range, "counts": h.counts,
    })))
}

fn sizes<T>(sets: &BTreeMap<String, Vec<T>>) -> BTreeMap<&str, usize> {
    sets.iter().map(|(name, members)| (name.as_str(), members.len())).collect()
}

fn volume_sets(mesh: &VolumeMesh) -> Value {
    json!({
        "nodes": sizes(&mesh.node_sets),
        "elements": sizes(&mesh.element_sets),
        "faces": sizes(&mesh.face_sets),
    })
}

fn components(fields: &BTreeMap<String, Field>) -> BTreeMap<&str, usize> {
    fields.iter().map(|(name, field)| (name.as_str(), field.components)).collect()
}

/// The area of each patch of a surface, falling.
pub(super) fn patches(surface: &SurfaceMesh, angle: f64) -> Value {
    let patches = surface.patches(angle);
    let mut areas = vec![0.0; patches.count];
    for (t, &patch) in patches.of_triangle.iter().enumerate() {
        areas[patch as usize] += surface.area_normal(t).norm() / 2.0;
    }
    json!({ "count": patches.count, "areas": areas })
}

/// Points that neither a triangle nor a line uses.
pub(super) fn unused(file: &SurfaceFile) -> usize {
    let data = &file.surface;
    let mut used = vec![false; data.points.len()];
    let named = data.triangles.as_flattened().iter().chain(data.polylines.iter().flatten());
    named.for_each(|&v| used[v as usize] = true);
    used.iter().filter(|&&u| !u).count()
}
