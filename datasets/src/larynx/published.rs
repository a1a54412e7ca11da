//! The larynx with published cartilages, for those who have their files: `Thyroid.obj` and `Cricoid.obj`, and where they are there
//! arytenoids, epiglottis and hyoid bone, of ArtiSynth Models. The cartilages keep their size; joints, folds and muscles are
//! stretched to it.

use sinew::component::{Affine, Handle, ROOT};
use sinew::dynamics::SpatialInertia;
use sinew::geometry::SurfaceMesh;
use sinew::model::{Edit, Inertia, Model, RenderMesh, RigidBody};
use sinew::{Mat3, Vec3};

use super::cartilages::{Bodies, DENSITY};
use crate::ParamError;
use crate::published::{
    Folder, along, lateral_axis, mean, middle, read_surface, turn_from, unit_of_width,
};
use crate::skeleton::{dress, mesh_points};

/// Names of the files of each cartilage.
const THYROID: &[&str] = &["thyroid.obj", "thyroid_t.obj", "thyroid_cartilage.obj"];
const CRICOID: &[&str] = &["cricoid.obj", "cricoid_t.obj", "cricoid_cartilage.obj"];
const ARYTENOIDS: [&[&str]; 2] = [
    &["arytenoid_l.obj", "ltarytenoid.obj", "left_arytenoid.obj", "ltarytenoid_t.obj"],
    &["arytenoid_r.obj", "rtarytenoid.obj", "right_arytenoid.obj", "rtarytenoid_t.obj"],
];
/// Surfaces that are drawn beside them.
const DRAWN: [(&str, &[&str], bool); 2] =
    [("epiglottis", &["epiglottis.obj"], true), ("hyoid", &["hyoid.obj", "hyoid_t.obj"], false)];
/// Plausible width of a thyroid cartilage [m].
const WIDTH: [f64; 2] = [0.02, 0.09];
/// Plausible sizes over those of the generated cartilage [-].
const FACTORS: [f64; 2] = [0.4, 2.5];
/// Share of the width about the middle in which the front of the thyroid cartilage is looked for [-].
const MIDST: f64 = 0.12;

/// Share of its box that a cartilage fills [-].
const FILLED: f64 = 0.2;

/// From the axes and the unit of the files into the frame of the model.
struct Placement {
    linear: Mat3,
    shift: Vec3,
}

impl Placement {
    /// Turns by what both cartilages show: the sides are alike, the thyroid cartilage lies above the cricoid one and is closed in
    /// front.
    fn of(
        folder: &Folder,
        thyroid: &SurfaceMesh,
        cricoid: &SurfaceMesh,
    ) -> Result<Self, ParamError> {
        let points = thyroid.vertices();
        let lateral = lateral_axis(points);
        let mut rise = mean(points) - mean(cricoid.vertices());
        rise[lateral] = 0.0;
        let up = rise.iamax();
        let ahead = 3 - lateral - up;
        let centre = middle(points);
        let width = 2.0 * points.iter().map(|p| (p - centre)[lateral].abs()).fold(0.0, f64::max);
        let in_midst = |p: &&Vec3| (*p - centre)[lateral].abs() < MIDST * width;
        let midst: Vec<Vec3> = points.iter().filter(in_midst).copied().collect();
        let forward = along(ahead, mean(&midst)[ahead] - centre[ahead]);
        let unit = unit_of_width("the thyroid cartilage", width, WIDTH);
        let unit = unit.map_err(|it| folder.fault(it))?;
        Ok(Self { linear: turn_from(forward, along(up, rise[up])) * unit, shift: Vec3::zeros() })
    }

    fn apply(&self, surface: &SurfaceMesh) -> Result<SurfaceMesh, ParamError> {
        Ok(surface.transformed(&self.linear, &self.shift)?)
    }
}

/// Puts published cartilages in the place of the generated ones.
///
/// # Errors
/// Files that are missing, no surfaces, or of another size than cartilages.
pub(super) fn put(model: &mut Model, bodies: Bodies, folder: &Folder) -> Result<(), ParamError> {
    let [thyroid, cricoid] = folder.need([THYROID, CRICOID])?;
    let (thyroid, cricoid) = (read_surface(thyroid)?, read_surface(cricoid)?);
    let mut placement = Placement::of(folder, &thyroid, &cricoid)?;
    let own = mesh_points(model, bodies.thyroid);
    let turned = placement.apply(&thyroid)?;
    let (centre, given) = (middle(&own), middle(turned.vertices()));
    placement.shift = centre - given;
    let factors = extent(turned.vertices()).component_div(&extent(&own));
    let [least, most] = FACTORS;
    if factors.iter().any(|factor| !(least..=most).contains(factor)) {
        let [x, y, z]: [f64; 3] = factors.into();
        return Err(folder.fault(format!(
            "the thyroid cartilage is {x:.2}, {y:.2} and {z:.2} times as long, wide and high as the generated one; wanted {least} to {most}"
        )));
    }
    let stretch = Affine::about(centre, Mat3::from_diagonal(&factors));
    model.edit(Edit::transform(ROOT, stretch)).map_err(|error| folder.fault(error))?;
    dress_body(model, bodies.thyroid, placement.apply(&thyroid)?)?;
    dress_body(model, bodies.cricoid, placement.apply(&cricoid)?)?;
    put_arytenoids(model, bodies, (folder, &placement))?;
    for (name, names, soft) in DRAWN {
        if let Some(path) = folder.find(names) {
            let drawn = RenderMesh::new(name, placement.apply(&read_surface(path)?)?);
            let drawn = model.add(drawn).id();
            dress(model, drawn, soft);
        }
    }
    Ok(())
}

/// Puts both arytenoid cartilages where they are there; the one on the left is the left one, whatever its name.
fn put_arytenoids(
    model: &mut Model,
    bodies: Bodies,
    (folder, placement): (&Folder, &Placement),
) -> Result<(), ParamError> {
    let [Some(one), Some(other)] = ARYTENOIDS.map(|names| folder.find(names)) else {
        return Ok(());
    };
    let mut pair = [read_surface(one)?, read_surface(other)?];
    for surface in &mut pair {
        *surface = placement.apply(surface)?;
    }
    pair.sort_by(|a, b| mean(b.vertices()).y.total_cmp(&mean(a.vertices()).y));
    for (body, surface) in bodies.arytenoids.into_iter().zip(pair) {
        dress_body(model, body, surface)?;
    }
    Ok(())
}

fn extent(points: &[Vec3]) -> Vec3 {
    let centre = middle(points);
    points.iter().fold(Vec3::zeros(), |most, p| most.sup(&(p - centre).abs())) * 2.0
}

/// Gives a body a surface in the world, and its inertia: of the solid inside, or of the box around one that is open.
fn dress_body(
    model: &mut Model,
    body: Handle<RigidBody>,
    surface: SurfaceMesh,
) -> Result<(), ParamError> {
    let inverse = model[body].pose.inverse();
    let turn = inverse.rotation.to_rotation_matrix().into_inner();
    let own = surface.transformed(&turn, &inverse.translation.vector)?;
    let size = extent(own.vertices());
    model[body].inertia = match own.solid_integrals() {
        Ok(_) => Inertia::Density(DENSITY),
        Err(_) => {
            let mass = FILLED * DENSITY * size.product();
            let squares = size.component_mul(&size);
            let moments = (Vec3::repeat(squares.sum()) - squares) * (mass / 12.0);
            let moments = Mat3::from_diagonal(&moments);
            Inertia::Explicit(SpatialInertia::new(mass, middle(own.vertices()), moments)?)
        }
    };
    model[body].mesh = Some(own);
    Ok(())
}
