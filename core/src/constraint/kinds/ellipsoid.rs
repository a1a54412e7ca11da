//! The origin of C slides on an ellipsoid of D (the scapula on the ribs, Seth2016): with two turns,
//! theta about the normal and phi about a tangent, or with theta alone.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion};

use super::{Kinematics, Products};
use crate::Vec3;
use crate::constraint::Quantity::{Angle, Length};
use crate::constraint::scalar::half_angle_over_sine;
use crate::constraint::{
    CoordinateSpec, EllipsoidNormal, Pose, Quantity, Range, RelativePose, Scalar,
};

/// The surface and the direction of the second turn.
#[derive(Clone, Copy)]
pub(crate) struct Ellipsoid {
    /// Semi-axes along x, y, z of D [m].
    pub semi_axes: [f64; 3],
    /// Angle of the axis of phi from the x axis of C about z [rad].
    pub wing: f64,
    /// Direction that the z axis follows.
    pub normal: EllipsoidNormal,
}

const LONGITUDE: CoordinateSpec = CoordinateSpec::angle("longitude", Range::FREE);
const LATITUDE: CoordinateSpec = CoordinateSpec::angle("latitude", Range::FREE);
const THETA: CoordinateSpec = CoordinateSpec::angle("theta", Range::FREE);
const PHI: CoordinateSpec = CoordinateSpec::angle("phi", Range::FREE);

/// Point of the ellipsoid under the origin of C.
struct SurfacePoint<S> {
    longitude: S,
    latitude: S,
    /// Axes of the surface frame in D: x along growing latitude, z along the normal.
    axes: [[S; 3]; 3],
}

impl Ellipsoid {
    /// Position scaled to the unit sphere.
    fn scaled<S: Scalar>(&self, t: &RelativePose<S>) -> [S; 3] {
        std::array::from_fn(|i| t.position[i] * (1.0 / self.semi_axes[i]))
    }

    /// Distance to the surface [m]: F (F - 1) / |M p| with F = |p| in the metric M = diag(1 / a²).
    /// It is exact for a sphere and to first order else; its zeros are the surface and the centre.
    fn distance<S: Scalar>(&self, t: &RelativePose<S>) -> S {
        let f = length(self.scaled(t), 1.0);
        let scale = self.least_gradient();
        f * f.offset(-1.0) * length(self.gradient(t), scale).bounded_reciprocal(scale)
    }

    /// The direction that the z axis of C leans against; smooth at the poles too. It fades out at
    /// the centre, where there is none.
    fn normal<S: Scalar>(&self, t: &RelativePose<S>) -> [S; 3] {
        match self.normal {
            EllipsoidNormal::Surface => unit(self.gradient(t), self.least_gradient()),
            EllipsoidNormal::Scaled => unit(self.scaled(t), 1.0),
        }
    }

    /// M p with M = diag(1 / a²) [1/m], along the normal of the surface through p.
    fn gradient<S: Scalar>(&self, t: &RelativePose<S>) -> [S; 3] {
        let n = self.scaled(t);
        std::array::from_fn(|i| n[i] * (1.0 / self.semi_axes[i]))
    }

    /// The shortest gradient on the surface [1/m].
    fn least_gradient(&self) -> f64 {
        1.0 / self.semi_axes.iter().fold(0.0_f64, |a, &b| a.max(b))
    }

    fn place<S: Scalar>(&self, t: &RelativePose<S>) -> SurfacePoint<S> {
        let [x, y, z] = self.scaled(t);
        let latitude = S::angle_of(x, (y.squared() + z.squared()).root(1.0));
        let longitude = S::angle_of(-y, z);
        SurfacePoint { longitude, latitude, axes: self.axes(longitude, latitude) }
    }

    /// Unit vectors of the surface frame at longitude and latitude.
    fn axes<S: Scalar>(&self, longitude: S, latitude: S) -> [[S; 3]; 3] {
        let (s1, c1) = (longitude.sin(), longitude.cos());
        let (s2, c2) = (latitude.sin(), latitude.cos());
        let mut x = [c2, s1 * s2, -(c1 * s2)];
        let mut z = [s2, -(s1 * c2), c1 * c2];
        if self.normal == EllipsoidNormal::Surface {
            let a = self.semi_axes;
            let least = a.iter().fold(f64::INFINITY, |a, &b| a.min(b));
            x = unit(std::array::from_fn(|i| x[i] * a[i]), least);
            z = unit(std::array::from_fn(|i| z[i] * (1.0 / a[i])), self.least_gradient());
        }
        [x, cross(z, x), z]
    }

    /// The axis of phi, and the one across it and z, in D.
    fn wing_axes<S: Scalar>(&self, t: &RelativePose<S>) -> [[S; 3]; 2] {
        let (s, c) = self.wing.sin_cos();
        let r = t.matrix();
        [r.map(|row| row[0] * c + row[1] * s), r.map(|row| row[1] * c - row[0] * s)]
    }

    fn surface_pose(&self, longitude: f64, latitude: f64, theta: f64) -> Pose {
        let (s1, c1) = longitude.sin_cos();
        let (s2, c2) = latitude.sin_cos();
        let a = self.semi_axes;
        let position = Vec3::new(a[0] * s2, -a[1] * s1 * c2, a[2] * c1 * c2);
        let columns = self.axes(longitude, latitude).map(Vec3::from);
        let frame = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&columns));
        let turn = UnitQuaternion::new(Vec3::z() * theta);
        Pose::from_parts(position.into(), UnitQuaternion::from_rotation_matrix(&frame) * turn)
    }
}

impl Kinematics for Ellipsoid {
    const COORDINATES: &'static [CoordinateSpec] = &[LONGITUDE, LATITUDE, THETA, PHI];
    const ROWS: &'static [Quantity] = &[Length, Angle];

    fn products(&self) -> Option<Products> {
        None
    }

    fn pose(&self, q: &[f64]) -> Pose {
        let wing = Vec3::new(self.wing.cos(), self.wing.sin(), 0.0);
        self.surface_pose(q[0], q[1], q[2]) * UnitQuaternion::new(wing * q[3])
    }

    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        let sine = dot(self.normal(t), self.wing_axes(t)[0]);
        g[0] = self.distance(t);
        g[1] = S::angle_of(sine, (-sine.squared()).offset(1.0).root(1.0));
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        let place = self.place(t);
        let [x, y, z] = place.axes;
        let [wing, side] = self.wing_axes(t);
        let normal = t.matrix().map(|row| row[2]);
        q[0] = place.longitude;
        q[1] = place.latitude;
        q[2] = S::angle_of(dot(y, wing), dot(x, wing)).offset(-self.wing);
        q[3] = S::angle_of(dot(z, side), dot(z, normal));
    }
}

/// [`Ellipsoid`] without phi: the z axis of C stays on the normal.
#[derive(Clone, Copy)]
pub(crate) struct Ellipsoid3d(pub Ellipsoid);

impl Kinematics for Ellipsoid3d {
    const COORDINATES: &'static [CoordinateSpec] = &[LONGITUDE, LATITUDE, THETA];
    const ROWS: &'static [Quantity] = &[Length, Angle, Angle];

    fn products(&self) -> Option<Products> {
        None
    }

    fn pose(&self, q: &[f64]) -> Pose {
        self.0.surface_pose(q[0], q[1], q[2])
    }

    /// The tilt of the z axis of C against the normal, along x and y of C.
    fn errors<S: Scalar>(&self, t: &RelativePose<S>, g: &mut [S]) {
        let normal = self.0.normal(t);
        let r = t.matrix();
        let in_c = |j: usize| dot(normal, r.map(|row| row[j]));
        let cosine = in_c(2);
        // tilt / sin(tilt), by half the tilt, which keeps it smooth up to pi.
        let half = (cosine.offset(1.0) * 0.5).root(1.0);
        let sine = (0.5 * (1.0 - cosine.value())).max(0.0).sqrt();
        let factor = half_angle_over_sine(half, sine) * half.bounded_reciprocal(1.0);
        g[0] = self.0.distance(t);
        g[1] = factor * in_c(1);
        g[2] = -(factor * in_c(0));
    }

    fn coordinates<S: Scalar>(&self, t: &RelativePose<S>, _previous: &[f64], q: &mut [S]) {
        let place = self.0.place(t);
        let [x, y, _] = place.axes;
        // The turn left without the tilt: twice the half angle of the quaternion, by its matrix.
        let r = t.matrix();
        let column = |j: usize| [r[0][j], r[1][j], r[2][j]];
        let sine = dot(y, column(0)) - dot(x, column(1));
        let cosine = dot(x, column(0)) + dot(y, column(1));
        q[0] = place.longitude;
        q[1] = place.latitude;
        q[2] = S::angle_of(sine, cosine);
    }
}

fn dot<S: Scalar>(a: [S; 3], b: [S; 3]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length of a vector, bounded in its slope below 1e-4 of `scale`.
fn length<S: Scalar>(v: [S; 3], scale: f64) -> S {
    dot(v, v).root(scale)
}

/// The vector over its length, and over 1e-4 of `scale` if it is shorter.
fn unit<S: Scalar>(v: [S; 3], scale: f64) -> [S; 3] {
    let inverse = length(v, scale).bounded_reciprocal(scale);
    v.map(|x| x * inverse)
}
