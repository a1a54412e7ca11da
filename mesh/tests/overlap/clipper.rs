//! A convex polyhedron, cut by half-spaces: an independent way to the overlap of two of them.

use sinew_mesh::Vec3;
use sinew_mesh::geometry::SurfaceMesh;

/// A face in order around its normal, and whether it was cut by a half-space.
#[derive(Clone)]
struct Face {
    corners: Vec<Vec3>,
    is_cut: bool,
}

/// A convex polyhedron by its faces.
pub(crate) struct Polyhedron {
    faces: Vec<Face>,
}

impl Polyhedron {
    pub(crate) fn of(mesh: &SurfaceMesh) -> Self {
        let face = |t: usize| Face { corners: mesh.corners(t).to_vec(), is_cut: false };
        Self { faces: (0..mesh.triangles().len()).map(face).collect() }
    }

    /// Cuts all that another convex polyhedron leaves outside.
    pub(crate) fn cut_by_all(mut self, other: &SurfaceMesh) -> Self {
        for t in 0..other.triangles().len() {
            if let Some(normal) = other.area_normal(t).try_normalize(0.0) {
                self.cut(&normal, normal.dot(&other.corners(t)[0]));
            }
        }
        self
    }

    /// Cuts what lies beyond a plane.
    fn cut(&mut self, normal: &Vec3, offset: f64) {
        let mut rim = Vec::new();
        let faces = std::mem::take(&mut self.faces);
        for face in faces {
            let mut kept = Vec::new();
            for (k, a) in face.corners.iter().enumerate() {
                let b = face.corners[(k + 1) % face.corners.len()];
                let (at_a, at_b) = (normal.dot(a) - offset, normal.dot(&b) - offset);
                if at_a <= 0.0 {
                    kept.push(*a);
                }
                if (at_a <= 0.0) != (at_b <= 0.0) {
                    let point = a + (b - a) * (at_a / (at_a - at_b));
                    kept.push(point);
                    rim.push(point);
                }
            }
            if kept.len() > 2 {
                self.faces.push(Face { corners: kept, is_cut: face.is_cut });
            }
        }
        if rim.len() > 2 {
            let middle = rim.iter().sum::<Vec3>() / rim.len() as f64;
            let u = normal.cross(&Vec3::ith(normal.iamin(), 1.0)).normalize();
            let v = normal.cross(&u);
            let angle = |p: &Vec3| (p - middle).dot(&v).atan2((p - middle).dot(&u));
            rim.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
            self.faces.push(Face { corners: rim, is_cut: true });
        }
    }

    /// Areas of what is left of the own faces and of what was cut.
    pub(crate) fn areas(&self) -> [f64; 2] {
        let area = |is_cut: bool| {
            let own = self.faces.iter().filter(|face| face.is_cut == is_cut);
            own.map(|face| area_vector(face).norm()).sum()
        };
        [area(false), area(true)]
    }

    pub(crate) fn volume(&self) -> f64 {
        let Some(apex) = self.faces.first().map(|face| face.corners[0]) else { return 0.0 };
        self.faces.iter().map(|face| area_vector(face).dot(&(face.corners[0] - apex)) / 3.0).sum()
    }

    /// Mean position.
    pub(crate) fn centroid(&self) -> Vec3 {
        let apex = self.faces[0].corners[0];
        let mut moment = Vec3::zeros();
        for Face { corners, .. } in &self.faces {
            for k in 2..corners.len() {
                let [a, b, c] = [corners[0], corners[k - 1], corners[k]].map(|p| p - apex);
                moment += (a + b + c) * (a.dot(&b.cross(&c)) / 24.0);
            }
        }
        apex + moment / self.volume()
    }
}

fn area_vector(face: &Face) -> Vec3 {
    let corners = &face.corners;
    (2..corners.len())
        .map(|k| 0.5 * (corners[k - 1] - corners[0]).cross(&(corners[k] - corners[0])))
        .sum()
}
