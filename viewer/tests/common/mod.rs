//! A scene made by hand, and comparison of pictures.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{FemModel, Model};
use sinew::snapshot::{
    Contact, Fibres, Field, Frame, Item, Lines, Quantity, Scene, Shape, Snapshot, Style, Tetrahedra,
};
use sinew_viewer::color::{lab, to_linear};
use sinew_viewer::{Camera, Image, Studio, View, bounds_of};

/// Size of the pictures that are kept [pixel].
pub(crate) const SIZE: [u32; 2] = [320, 240];

/// The one device of all tests of a file.
pub(crate) fn studio() -> MutexGuard<'static, Studio> {
    static STUDIO: OnceLock<Mutex<Studio>> = OnceLock::new();
    let studio = STUDIO.get_or_init(|| Mutex::new(Studio::open().expect("an adapter")));
    studio.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A view from a named direction with all in it.
pub(crate) fn view_of(snapshot: &Snapshot, direction: &str) -> View {
    let mut view = View {
        camera: Camera::seen_from(Camera::direction(direction).expect("a known direction")),
        ..View::default()
    };
    view.options.pixel_scale = 0.6;
    view.camera.fit(bounds_of(snapshot), SIZE);
    view
}

pub(crate) fn drawn(snapshot: &Snapshot, view: &View) -> Image {
    studio().picture(snapshot, view, SIZE).expect("a picture")
}

/// Mean distance in CIELAB of two pictures after a blur over 3 x 3 pixels, which hides on which side
/// of an edge a sample falls.
pub(crate) fn difference(a: &Image, b: &Image) -> f32 {
    assert_eq!(a.size, b.size);
    let (a, b) = (blurred(a), blurred(b));
    let sum: f32 = a.iter().zip(&b).map(|(p, q)| lab::difference(*p, *q)).sum();
    sum / a.len() as f32
}

fn blurred(image: &Image) -> Vec<[f32; 3]> {
    let [w, h] = image.size;
    let light = |x: u32, y: u32| {
        let [r, g, b, _] = image.at(x.min(w - 1), y.min(h - 1));
        [r, g, b].map(|c| to_linear(f32::from(c) / 255.0))
    };
    let mut colors = Vec::with_capacity((w * h) as usize);
    for y in 0..h {
        for x in 0..w {
            let mut sum = [0.0; 3];
            for k in 0..9 {
                let near = light((x + k % 3).saturating_sub(1), (y + k / 3).saturating_sub(1));
                (0..3).for_each(|c| sum[c] += near[c] / 9.0);
            }
            colors.push(lab::of_linear(sum));
        }
    }
    colors
}

/// Mean distance in CIELAB up to which two pictures are the same: drivers round differently, and fill
/// the edges of triangles by other rules.
pub(crate) const TOLERANCE: f32 = 0.5;

/// Compares with the picture that is kept, or keeps it where `SINEW_BLESS` is 1.
pub(crate) fn golden(name: &str, snapshot: &Snapshot, view: &View) {
    let image = drawn(snapshot, view);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.png"));
    if std::env::var("SINEW_BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, image.to_png().expect("PNG")).expect("golden/ can be written");
    }
    let kept = read(&path);
    let apart = difference(&image, &kept);
    if apart > TOLERANCE {
        let seen = std::env::temp_dir().join(format!("sinew-{name}.png"));
        std::fs::write(&seen, image.to_png().expect("PNG")).expect("the new picture is kept");
        panic!("{name} differs by {apart} from {}: see {}", path.display(), seen.display());
    }
}

fn read(path: &std::path::Path) -> Image {
    let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it fits")];
    let info = reader.next_frame(&mut bytes).expect("a whole picture");
    let count = info.color_type.samples();
    let pixel = |p: &[u8]| [p[0], p[1], p[2], if count == 4 { p[3] } else { 255 }];
    let pixels = bytes.chunks_exact(count).map(pixel).collect();
    Image { size: [info.width, info.height], pixels }
}

/// Ids of components: those of as many tissues of a model.
pub(crate) fn owners(count: usize) -> Vec<sinew::component::ComponentId> {
    let mut model = Model::new("owners");
    let add = |k: usize| {
        let mut mesh = VolumeMesh::new(vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()]);
        mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 3]).expect("a tetrahedron");
        let law = MaterialSpec::NeoHookean(Isotropic { youngs_modulus: 1e3, poissons_ratio: 0.4 });
        model.add(FemModel::new(format!("part {k}"), mesh, 1000.0, law)).id()
    };
    (0..count).map(add).collect()
}

/// The style of whatever says nothing of its own but a colour, or nothing at all.
pub(crate) fn style(color: Option<[f32; 3]>) -> Style {
    let model = Model::new("style");
    Style { face_color: color, line_color: color, ..Style::of(&model, sinew::component::ROOT) }
}

/// A bent beam of tissue of 24 x 6 x 6 cells beside a bone, with a muscle between them, a spring, a
/// marker, a frame and a contact; coloured by a made stress.
pub(crate) fn beam() -> Snapshot {
    const N: [u32; 3] = [24, 6, 6];
    let (mut points, mut values) = bent_nodes(N);
    let rest = Arc::new(points.iter().map(|p| straight(*p)).collect());
    let tissue = grid_tissue(N);
    let nodes = points.len() as u32;
    points.extend([[0.1, -0.35, 0.2], [0.5, -0.12, 0.38], [0.1, -0.35, 0.45], [0.9, -0.3, 0.2]]);
    values.extend([f32::NAN; 4]);
    let greatest = values.iter().copied().filter(|x| x.is_finite()).fold(0.0, f32::max);
    let shapes = shapes(tissue, nodes);
    let owners = owners(shapes.len());
    let item = |((shape, color), owner)| Item { owner, style: style(color), shape };
    let scene = Scene {
        serial: 1,
        origin: Vec3::new(0.5, 0.0, 0.0),
        bounds: [[-0.5, -0.5, 0.0], [0.5, 0.2, 0.6]],
        rest,
        items: Arc::new(shapes.into_iter().zip(owners).map(item).collect()),
        ..Scene::default()
    };
    // Points are relative to the origin of the scene.
    points.iter_mut().for_each(|p: &mut [f32; 3]| p[0] -= 0.5);
    Snapshot {
        scene: Arc::new(scene),
        serial: 1,
        points,
        frames: vec![
            Frame { position: [-0.4, -0.35, 0.3], rotation: [0.0, 0.0, 0.382_683_4, 0.923_879_5] },
            Frame { position: [0.1, -0.35, 0.25], ..Frame::default() },
        ],
        lines: vec![[0.8, 12.0], [0.0, 3.0]],
        field: Field { quantity: Quantity::VonMises, values, range: [0.0, greatest] },
        contacts: vec![contact([0.3, 0.0, 0.45])],
        ..Snapshot::default()
    }
}

/// A push upwards at a point.
fn contact(point: [f32; 3]) -> Contact {
    Contact { point, normal: [0.0, 0.0, 1.0], force: [0.0, 0.0, 5.0], gap: 0.0 }
}

/// Nodes of a bent grid of so many cells, and a stress in it that grows to its upper and lower side.
fn bent_nodes(n: [u32; 3]) -> (Vec<[f32; 3]>, Vec<f32>) {
    let mut nodes = Vec::new();
    for k in 0..=n[2] {
        for j in 0..=n[1] {
            for i in 0..=n[0] {
                let [x, y, z] = [(i, n[0]), (j, n[1]), (k, n[2])].map(|(a, n)| a as f32 / n as f32);
                let (y, z) = (0.25 * (y - 0.5), 0.25 * (z - 0.5));
                let stress = 1000.0 * (1.0 - x) * z.abs() * 8.0;
                nodes.push(([x, y, z + 0.5 - 0.35 * x * x], stress));
            }
        }
    }
    nodes.into_iter().unzip()
}

/// Shapes of the picture with their colours; the ends of its lines follow the nodes of the tissue.
fn shapes(tissue: Shape, nodes: u32) -> [(Shape, Option<[f32; 3]>); 7] {
    let line = |points: [u32; 2], value, muscle| {
        Shape::Lines(Lines { points: points.to_vec(), value, muscle })
    };
    [
        (tissue, Some([0.85, 0.45, 0.42])),
        (bone(), Some([0.93, 0.90, 0.80])),
        (line([nodes, nodes + 1], 0, true), None),
        (line([nodes + 2, nodes + 3], 1, false), Some([0.2, 0.5, 0.6])),
        (Shape::Points(Arc::new(vec![nodes + 3])), Some([0.1, 0.2, 0.9])),
        (Shape::Frame { frame: 1, axes: Vec::new() }, None),
        (Shape::Frame { frame: 1, axes: vec![[0.0, 0.0, 1.0]] }, None),
    ]
}

/// Position of a point of the beam before it was bent, relative to the origin of the scene.
fn straight([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x - 0.5, y, z + 0.35 * x * x]
}

/// A fibre in every cell of a grid, along x at rest.
fn grid_fibres(n: [u32; 3]) -> Fibres {
    let mut fibres = Fibres { offsets: vec![0], ..Fibres::default() };
    let slope = n[0] as f32 / 4.0;
    for cell in 0..n[0] * n[1] * n[2] {
        let base = [cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]];
        for corner in 0..8 {
            let at: [u32; 3] = std::array::from_fn(|k| base[k] + (corner >> k & 1));
            fibres.points.push((at[2] * (n[1] + 1) + at[1]) * (n[0] + 1) + at[0]);
            fibres.weights.push([0.125, if corner & 1 == 1 { slope } else { -slope }]);
        }
        fibres.offsets.push(fibres.points.len() as u32);
        fibres.lengths.push(1.0 / n[0] as f32);
    }
    fibres
}

/// A grid of cells, each of six tetrahedra about its diagonal, with its surface.
fn grid_tissue(n: [u32; 3]) -> Shape {
    let (triangles, edges) = grid_surface(n);
    let count = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    Shape::Tissue {
        nodes: Arc::new((0..count).collect()),
        triangles: Arc::new(triangles),
        faces: Arc::default(),
        face_sets: Arc::default(),
        edges: Arc::new(edges),
        inside: Arc::new(grid_tetrahedra(n)),
        fibres: Arc::new(grid_fibres(n)),
        threaded: true,
        faulty: Arc::default(),
    }
}

/// Number of a node of a grid of so many cells.
fn number(n: [u32; 3], p: [u32; 3]) -> u32 {
    (p[2] * (n[1] + 1) + p[1]) * (n[0] + 1) + p[0]
}

fn grid_tetrahedra(n: [u32; 3]) -> Tetrahedra {
    let mut inside = Tetrahedra::default();
    for cell in 0..n[0] * n[1] * n[2] {
        let base = [cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]];
        for (turned, order) in
            [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]].iter().enumerate()
        {
            let mut at = base;
            let mut corners = [number(n, at); 4];
            for (step, axis) in order.iter().enumerate() {
                at[*axis] += 1;
                corners[step + 1] = number(n, at);
            }
            if turned > 2 {
                corners.swap(2, 3);
            }
            inside.corners.push(corners);
            inside.elements.push(cell);
        }
    }
    inside
}

/// Triangles and edges of the sides of a grid.
fn grid_surface(n: [u32; 3]) -> (Vec<[u32; 3]>, Vec<[u32; 2]>) {
    let mut triangles = Vec::new();
    let mut edges = Vec::new();
    for axis in 0..3 {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        for side in [0, n[axis]] {
            for cell in 0..n[u] * n[v] {
                let corner = |du: u32, dv: u32| {
                    let mut at = [0; 3];
                    (at[axis], at[u], at[v]) = (side, cell % n[u] + du, cell / n[u] + dv);
                    number(n, at)
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                let faces = [[a, b, c], [a, c, d]];
                let outward = faces.map(|[a, b, c]| if side == 0 { [a, c, b] } else { [a, b, c] });
                triangles.extend(outward);
                edges.extend([[a, b], [a, d], [b, c], [c, d]].map(|[a, b]| [a.min(b), a.max(b)]));
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    (triangles, edges)
}

/// A ball of latitudes and longitudes, drawn out along z, in frame 0.
fn bone() -> Shape {
    const ROWS: u32 = 16;
    const COLUMNS: u32 = 24;
    let mut vertices = Vec::new();
    for row in 0..=ROWS {
        let polar = std::f32::consts::PI * row as f32 / ROWS as f32;
        for column in 0..COLUMNS {
            let turn = std::f32::consts::TAU * column as f32 / COLUMNS as f32;
            let r = 0.1 * polar.sin();
            vertices.push([r * turn.cos(), r * turn.sin(), 0.25 * polar.cos()]);
        }
    }
    let mut triangles = Vec::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let at = |r: u32, c: u32| (row + r) * COLUMNS + (column + c) % COLUMNS;
            triangles.extend([[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]]);
        }
    }
    Shape::Rigid { frame: 0, vertices: Arc::new(vertices), triangles: Arc::new(triangles) }
}
