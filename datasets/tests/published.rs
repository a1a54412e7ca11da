//! Published data in the place of generated parts: files made here in other units and axes, and real ones where they are.

use std::path::{Path, PathBuf};

use sinew::Vec3;
use sinew::geometry::SurfaceMesh;
use sinew::model::{AxialSpring, FemModel, Model, MuscleBundle, RigidBody};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew_datasets::larynx::{LarynxParams, larynx};
use sinew_datasets::{Params, find};

use crate::common::public_data;

/// A folder that is deleted with its content.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sinew-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn built(name: &str, folder: &Path, others: &[&str]) -> Result<Model, String> {
    let data = format!("data={}", folder.display());
    let mut params = Params::parse([data.as_str()].iter().chain(others)).unwrap();
    (find(name).unwrap().build)(&mut params).map_err(|error| error.to_string())
}

/// Takes some steps of 10 ms.
fn step(model: Model, count: u64) {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    for k in 0..count {
        solver
            .step(&compiled, &mut state, 0.01)
            .unwrap_or_else(|error| panic!("step {k}: {error}"));
    }
}

fn mesh_of<'m>(model: &'m Model, name: &str) -> &'m SurfaceMesh {
    let (_, body) = model.iter::<RigidBody>().find(|(_, body)| body.name == name).unwrap();
    body.mesh.as_ref().unwrap()
}

/// Text of a surface in millimetres, with y rearward, x to the right and z up, far from the origin.
fn obj(mesh: &SurfaceMesh) -> String {
    let mut text = String::new();
    for p in mesh.vertices() {
        let [x, y, z] = [-p.y, -p.x, p.z].map(|x| 1e3 * x + 150.0);
        text += &format!("v {x} {y} {z}\n");
    }
    for [a, b, c] in mesh.triangles() {
        text += &format!("f {} {} {}\n", a + 1, c + 1, b + 1);
    }
    text
}

/// Corners of the box around a body in the world.
fn bounds(model: &Model, name: &str) -> [Vec3; 2] {
    let (_, body) = model.iter::<RigidBody>().find(|(_, body)| body.name == name).unwrap();
    let points = mesh_of(model, name).vertices().iter();
    let world = points.map(|p| body.pose.transform_point(&(*p).into()).coords);
    world.fold([Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)], |[low, high], p| {
        [low.inf(&p), high.sup(&p)]
    })
}

#[test]
fn cartilages_are_turned_into_the_frame_and_the_larynx_is_stretched_to_them() {
    let own = larynx(&LarynxParams::default()).unwrap();
    let folder = Folder::new("cartilages");
    // A quarter wider than the generated ones.
    for (name, file) in [("thyroid", "Thyroid.obj"), ("cricoid", "Cricoid.obj")] {
        let wide = sinew::Mat3::from_diagonal(&Vec3::new(1.0, 1.25, 1.0));
        folder.write(file, &obj(&mesh_of(&own, name).transformed(&wide, &Vec3::zeros()).unwrap()));
    }
    let read = built("larynx", &folder.0, &["task=rest"]).unwrap();
    read.check().unwrap();
    for name in ["thyroid", "cricoid"] {
        let ([low, high], [own_low, own_high]) = (bounds(&read, name), bounds(&own, name));
        let (size, own_size) = (high - low, own_high - own_low);
        // The text has 15 digits.
        assert!((size.y / own_size.y - 1.25).abs() < 1e-9, "{name}: {size} {own_size}");
        assert!((size.x / own_size.x - 1.0).abs() < 1e-9 && (low.x - own_low.x).abs() < 1e-9);
        assert!(low.z < high.z && (low.z - own_low.z).abs() < 1e-9, "{name} is upside down");
    }
    let width = |model: &Model| {
        let (_, fold) = model.iter::<FemModel>().next().unwrap();
        let [low, high] = fold.mesh.bounding_box().unwrap();
        high.y - low.y
    };
    assert!((width(&read) / width(&own) - 1.25).abs() < 1e-9, "folds are stretched too");
    step(read, 3);
}

#[test]
fn a_folder_without_cartilages_is_told_what_is_wanted() {
    let folder = Folder::new("nothing");
    folder.write("readme.txt", "none");
    let refused = built("larynx", &folder.0, &[]).unwrap_err();
    assert!(refused.contains("thyroid.obj") && refused.contains("cricoid.obj"), "{refused}");
    let refused = built("airway", &folder.0, &[]).unwrap_err();
    assert!(refused.contains("softPalate"), "{refused}");
    let refused = built("face", &folder.0, &[]).unwrap_err();
    assert!(refused.contains(".elem") && refused.contains("topology"), "{refused}");
    let refused = built("jaw-tongue-hyoid", &folder.0, &[]).unwrap_err();
    assert!(refused.contains("cranium.obj"), "{refused}");
    let refused = built("larynx", Path::new("/no/such/folder"), &[]).unwrap_err();
    assert!(refused.contains("/no/such/folder"), "{refused}");
}

/// A block of hexahedra as ANSYS files: counts of cells and the place of a node [unit of the file].
fn ansys(cells: [usize; 3], place: impl Fn([f64; 3]) -> [f64; 3]) -> [String; 2] {
    let [ni, nj, nk] = cells;
    let number = |i: usize, j: usize, k: usize| 1 + (i * (nj + 1) + j) * (nk + 1) + k;
    let (mut nodes, mut elements, mut count) = (String::new(), String::new(), 0);
    for i in 0..=ni {
        for j in 0..=nj {
            for k in 0..=nk {
                let [x, y, z] =
                    place([i as f64 / ni as f64, j as f64 / nj as f64, k as f64 / nk as f64]);
                nodes += &format!("{:8} {x:19.10} {y:19.10} {z:19.10}\n", number(i, j, k));
            }
        }
    }
    for i in 0..ni {
        for j in 0..nj {
            for k in 0..nk {
                count += 1;
                let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]];
                for up in 0..2 {
                    for [a, b, _] in corners {
                        elements += &format!("{:6}", number(i + a, j + b, k + up));
                    }
                }
                elements += &format!("{:6}{:6}{:6}{:6}{:6}{count:6}\n", 1, 1, 1, 1, 0);
            }
        }
    }
    [nodes, elements]
}

#[test]
fn a_soft_palate_hangs_on_the_hard_palate_and_is_pulled_at() {
    let folder = Folder::new("palate");
    // Millimetres, x rearward, y to the left, z up; it falls rearward by 30 degrees.
    let [nodes, elements] = ansys([8, 6, 2], |[along, across, up]| {
        let (along, up) = (36.0 * along, 6.0 * up);
        let (sin, cos) = 30f64.to_radians().sin_cos();
        let x = 120.0 + along * cos + up * sin;
        [x, 30.0 * (across - 0.5) * (1.0 - 0.01 * along), 90.0 - along * sin + up * cos]
    });
    folder.write("softPalate_v1.node", &nodes);
    folder.write("softPalate_v1.elem", &elements);
    for task in ["task=raise", "task=obstruct"] {
        let model = built("airway", &folder.0, &[task]).unwrap();
        model.check().unwrap();
        let (_, palate) = model.iter::<FemModel>().next().unwrap();
        let [low, high] = palate.mesh.bounding_box().unwrap();
        assert!((high.y - low.y - 0.03).abs() < 1e-6, "{low} {high}");
        assert!(high.x < 0.0 && low.x < -0.03 && low.z < 0.055, "rearward and down: {low} {high}");
        // Of 48 faces above and 12 behind, the rear one and the upper ones look to the airway.
        assert!(palate.mesh.face_sets["airway"].len() >= 48, "{:?}", palate.mesh.face_sets);
        assert_eq!(model.iter::<AxialSpring>().count(), 2);
        step(model, 2);
    }
}

#[test]
fn a_face_has_its_muscles_on_both_sides_where_their_fibres_are() {
    let folder = Folder::new("face");
    // Metres, x rearward, z up: a shell that bends back at its sides.
    let [nodes, elements] = ansys([2, 16, 10], |[deep, across, up]| {
        let y = 0.14 * (across - 0.5);
        [0.02 + 0.008 * deep + 9.0 * y * y, y, 0.12 * up]
    });
    folder.write("badinface_adjusted.node", &nodes);
    folder.write("badinface_adjusted.elem", &elements);
    folder.write("face_muscles_flynn.node", "11 0.030 -0.020 0.03\n12 0.040 -0.035 0.06\n");
    folder.write(
        "face_muscles_topology.mac",
        "ACTIV(1) = ZYG ! x\nFIBER(1,1,1)= 11\nFIBER(1,1,2)= 12\n",
    );
    let model = built("face", &folder.0, &["task=smile"]).unwrap();
    model.check().unwrap();
    let (_, face) = model.iter::<FemModel>().next().unwrap();
    let bundles: Vec<_> = model.iter::<MuscleBundle>().map(|(_, bundle)| bundle.clone()).collect();
    assert_eq!(bundles.len(), 2);
    let centre = |element: u32| {
        let (_, nodes) = face.mesh.element(element as usize);
        nodes.iter().map(|&n| face.mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len() as f64
    };
    for (bundle, side) in bundles.iter().zip([1.0, -1.0]) {
        assert!(bundle.elements.len() > 2, "{}: {:?}", bundle.name, bundle.elements);
        for &element in &bundle.elements {
            let y = side * centre(element).y;
            assert!((0.01..0.045).contains(&y), "{}: {y}", bundle.name);
        }
    }
    step(model, 2);
}

#[test]
fn real_cartilages_and_a_real_palate_are_taken_and_stepped() {
    if let Some(folder) = public_data("bones/head_neck") {
        let model = built("larynx", &folder, &["task=rest"]).unwrap();
        let [low, high] = bounds(&model, "thyroid");
        // Human cartilages: some 4 cm wide and high, the notch in front.
        assert!((0.025..0.06).contains(&(high.y - low.y)), "{low} {high}");
        let [cricoid_low, _] = bounds(&model, "cricoid");
        assert!(cricoid_low.z < low.z + 0.01, "the cricoid lies below");
        step(model, 2);
    }
    if let Some(folder) = public_data("palate") {
        let model = built("airway", &folder, &["task=rest"]).unwrap();
        let (_, palate) = model.iter::<FemModel>().next().unwrap();
        let [low, high] = palate.mesh.bounding_box().unwrap();
        assert!((0.015..0.08).contains(&(high.y - low.y)), "{low} {high}");
        step(model, 1);
        // Of three meshes one has a sliver, whose steps under load have no end.
        step(built("airway", &folder, &["task=raise"]).unwrap(), 14);
    }
}
