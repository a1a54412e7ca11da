//! Meshes by their dimensions.

use std::f64::consts::PI;

use sinew::fem::VolumeMesh;
use sinew::geometry::{SurfaceMesh, volume_report};
use sinew::io::mesh_volume;
use sinew::model::RigidBody;

use crate::{errors_of, read};

/// A tissue of a mesh, in a file in millimetres.
fn tissue(mesh: &str) -> String {
    format!(
        "version = 1\n[units]\nlength = \"mm\"\n[[fem_model]]\nname = \"t\"\nmesh = {mesh}\ndensity = 1e-6\nmaterial = \"neohook\"\n"
    )
}

fn volume(mesh: &str) -> VolumeMesh {
    let file = read(&tissue(mesh)).unwrap_or_else(|report| panic!("{}", report.render(false)));
    let (_, fem) = file.model.fems().next().unwrap();
    fem.mesh.clone()
}

fn surface(mesh: &str) -> SurfaceMesh {
    let text = format!("version = 1\n[[rigid_body]]\nmass = 1.0\nmesh = {mesh}\n");
    let file = read(&text).unwrap_or_else(|report| panic!("{}", report.render(false)));
    let (_, body) = file.model.iter::<RigidBody>().next().unwrap();
    body.mesh.clone().unwrap()
}

#[test]
fn a_box_is_cut_into_cells_and_has_its_faces_as_sets() {
    for (element, count, nodes) in
        [("hex8", 24, 60), ("tet4", 144, 60), ("hex20", 24, 193), ("tet10", 144, 315)]
    {
        let mesh = volume(&format!(
            "{{ box = [10, 20, 30], cells = [2, 3, 4], element = \"{element}\", centre = [1, 0, 0] }}"
        ));
        assert_eq!((mesh.element_count(), mesh.nodes.len()), (count, nodes), "{element}");
        let found = mesh_volume(&mesh);
        assert!((found - 6e-6).abs() < 1e-18, "{element}: {found}");
        for (name, axis, at) in
            [("x_min", 0, -4e-3), ("x_max", 0, 6e-3), ("y_max", 1, 10e-3), ("z_min", 2, -15e-3)]
        {
            let on = |p: &sinew::Vec3| (p[axis] - at).abs() < 1e-12;
            let expected = mesh.nodes.iter().filter(|p| on(p)).count();
            let set = &mesh.node_sets[name];
            assert_eq!(set.len(), expected, "{element} {name}");
            assert!(set.iter().all(|&node| on(&mesh.nodes[node as usize])), "{element} {name}");
        }
    }
}

/// The polyhedron is within the solid; cells half as large miss a quarter as much.
#[test]
fn grids_of_round_solids_come_nearer_to_them_with_the_square_of_the_cells() {
    type Case = (&'static str, fn(u32) -> String, f64);
    let cases: [Case; 2] = [
        ("sphere", |n| format!("{{ sphere = 10, cells = {n} }}"), 4.0 / 3.0 * PI * 1e-6),
        ("cylinder", |n| format!("{{ cylinder = [10, 20], cells = [{n}, 3] }}"), PI * 2e-6),
    ];
    for (name, mesh, exact) in cases {
        let missing = |n: u32| {
            let mesh = volume(&mesh(n));
            let report = volume_report(&mesh);
            assert!(report.non_positive.is_empty(), "{name} of {n}");
            exact - mesh_volume(&mesh)
        };
        let [coarse, fine] = [missing(4), missing(8)];
        assert!(fine > 0.0 && (3.5..4.5).contains(&(coarse / fine)), "{name}: {coarse} {fine}");
    }
    let ball = volume("{ sphere = 10, cells = 4 }");
    let furthest = ball.node_sets["x_max"].iter().map(|&n| ball.nodes[n as usize].norm());
    assert!(furthest.into_iter().all(|r| (r - 0.01).abs() < 1e-15));
}

#[test]
fn bodies_are_solids_about_their_centre() {
    for (mesh, exact, part) in [
        ("{ box = [0.1, 0.2, 0.3], centre = [1, 2, 3] }", 6e-3, 1e-12),
        ("{ sphere = 0.1, centre = [1, 2, 3], facets = 100 }", 4.0 / 3.0 * PI * 1e-3, 0.01),
        ("{ cylinder = [0.1, 0.3], centre = [1, 2, 3] }", PI * 3e-3, 0.01),
        ("{ capsule = [0.1, 0.3], centre = [1, 2, 3] }", PI * 3e-3 + 4.0 / 3.0 * PI * 1e-3, 0.02),
    ] {
        let integrals = surface(mesh).solid_integrals().unwrap();
        let (volume, middle) = (integrals.volume, integrals.centroid);
        assert!(
            volume <= exact * (1.0 + 1e-12) && volume > exact * (1.0 - part),
            "{mesh}: {volume}"
        );
        assert!((middle - sinew::Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-9, "{mesh}: {middle}");
    }
}

#[test]
fn what_is_no_solid_is_told_at_its_place() {
    for (mesh, what) in [
        ("{ box = [1, 2], cells = [1, 1, 1] }", "a box has three edges"),
        ("{ box = [1, 2, -3], cells = [1, 1, 1] }", "each above 0"),
        ("{ box = [1, 2, 3] }", "'cells' is missing: 3 numbers, along x, y and z"),
        ("{ box = [1, 2, 3], cells = [1, 1, 0] }", "whole numbers from 1 on"),
        ("{ box = [1, 2, 3], cells = [1000, 1000, 1000] }", "1000000 cells at most"),
        ("{ sphere = 1, cells = 4294967295 }", "1000000 cells at most"),
        ("{ box = [1, 2, 3], cells = [1, 1, 1], element = \"hex9\" }", "did you mean 'hex8'"),
        ("{ box = [1, 2, 3], cells = [1, 1, 1], sphere = 1 }", "'sphere' does not go with 'box'"),
        ("{ file = \"a.vtk\", box = [1, 2, 3] }", "a mesh with a 'file' has no 'box'"),
    ] {
        let errors = errors_of(&tissue(mesh));
        assert!(errors.iter().any(|error| error.contains(what)), "{mesh}: {errors:?}");
        assert!(errors.iter().all(|error| error.starts_with("6:")), "{mesh}: {errors:?}");
    }
}

#[test]
fn the_surface_of_a_file_is_filled_with_tetrahedra() {
    // A box of 40, 30 and 20 mm, in millimetres.
    let cube = sinew::geometry::cuboid_mesh(&sinew::Vec3::new(40.0, 30.0, 20.0)).unwrap();
    let mut obj = String::new();
    cube.vertices().iter().for_each(|p| obj += &format!("v {} {} {}\n", p.x, p.y, p.z));
    let corners = |t: &[u32; 3]| t.map(|corner| corner + 1);
    cube.triangles().iter().map(corners).for_each(|[a, b, c]| obj += &format!("f {a} {b} {c}\n"));
    let with = |mesh: &str| {
        let folder = super::folder(&[("box.obj", &obj), ("model.toml", &tissue(mesh))]);
        let path = folder.path().join("model.toml");
        sinew_model_files::load(&path, &sinew_model_files::LoadOptions::default())
    };
    let file = with("{ file = \"box.obj\", fill = 4 }");
    let file = file.unwrap_or_else(|report| panic!("{}", report.render(false)));
    let mesh = &file.model.fems().next().unwrap().1.mesh;
    // Edges and corners are cut off, as deep as the lattice is fine.
    let share = mesh_volume(mesh) / 24e-6;
    assert!((0.93..1.0).contains(&share), "{share} of the box");
    assert!(mesh.element_count() > 1000, "{} elements", mesh.element_count());
    for (mesh, why) in [
        ("{ file = \"box.obj\", fill = 0 }", "one number above 0"),
        ("{ file = \"box.obj\", fill = 90 }", "no element of size 0.09 fits"),
        ("{ file = \"box.obj\", fill = 4, name = \"a\" }", "a mesh of a collection is not filled"),
        ("{ box = [1, 1, 1], cells = [1, 1, 1], fill = 4 }", "'fill' does not go with 'box'"),
    ] {
        let Err(report) = with(mesh) else { panic!("{mesh} was read") };
        let found = super::errors(&report).join("\n");
        assert!(found.contains(why), "{mesh}: {found}");
    }
}
