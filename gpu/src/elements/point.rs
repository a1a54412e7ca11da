//! A quadrature point on the CPU, from the laws of the core in the precision of a kernel: its deformation, its law, and
//! what is left there of stresses of earlier steps.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use sinew::material::{AnyLaw, Deformation, KernelPoint, VOIGT, from_voigt, polar_rotation};
use sinew::{Real as CoreReal, lit};
use sinew_shaders::cpu::Real;
use sinew_shaders::source::{Axes, Constants, ElementVariant, Pressures, Relaxing, Rest};
use sinew_shaders::table::LAW_CONSTANTS;

/// Input from a batch, with buffers in `T` and arithmetic in `A`.
pub(super) struct Shape<'a, T> {
    pub(super) variant: ElementVariant,
    pub(super) count: usize,
    pub(super) rows: &'a [u32],
    pub(super) geometry: &'a [T],
    pub(super) table: &'a [T],
    /// Activation of the fibres.
    pub(super) activation: T,
}

fn convert<T: Real, A: CoreReal>(x: T) -> A {
    lit(x.to_f64())
}

fn vector<T: Real, A: CoreReal>(at: &[T]) -> Vector3<A> {
    Vector3::new(convert(at[0]), convert(at[1]), convert(at[2]))
}

impl<T: Real> Shape<'_, T> {
    fn nodes(&self) -> usize {
        self.variant.node_count as usize
    }

    pub(super) fn points(&self) -> usize {
        self.variant.point_count as usize
    }

    fn slope<A: CoreReal>(&self, slot: usize, a: usize) -> Vector3<A> {
        vector(&self.table[LAW_CONSTANTS + 3 * (slot * self.nodes() + a)..])
    }

    fn to_reference<A: CoreReal>(&self, first: usize, stride: usize) -> Matrix3<A> {
        Matrix3::from_fn(|r, c| convert(self.geometry[first + (3 * c + r) * stride]))
    }

    /// Gradient of a field by reference coordinates, from differences in `T`.
    pub(super) fn field_slope<A: CoreReal>(
        &self,
        field: &[T],
        slot: usize,
        e: usize,
    ) -> Matrix3<A> {
        let at = |a: usize| {
            let row = 3 * self.rows[a * self.count + e] as usize;
            [field[row], field[row + 1], field[row + 2]]
        };
        let (origin, mut sum) = (at(0), Matrix3::zeros());
        for a in 1..self.nodes() {
            let x = at(a);
            let difference = [x[0] - origin[0], x[1] - origin[1], x[2] - origin[2]];
            sum += vector::<T, A>(&difference) * self.slope::<A>(slot, a).transpose();
        }
        sum
    }

    /// Constants of the law of an element, whose first own one is at `own`.
    fn constants(&self, own: usize) -> [f64; LAW_CONSTANTS] {
        std::array::from_fn(|k| match self.variant.constants {
            Constants::OfBatch => self.table[k].to_f64(),
            Constants::OfElements => self.geometry[own + k * self.count].to_f64(),
        })
    }

    /// A matrix of element `e` that stands at a place of the geometry.
    fn of_element<A: CoreReal>(&self, place: u32, e: usize) -> Matrix3<A> {
        self.to_reference(place as usize * self.count + e, self.count)
    }

    /// A matrix of point `i` that stands at a place of the geometry.
    fn of_point<A: CoreReal>(&self, place: u32, i: usize) -> Matrix3<A> {
        self.to_reference(place as usize * self.count + i, self.count * self.points())
    }

    /// Displacement gradients from the shape without stress at point `i` and, where the law asks for it, the centre.
    fn gradients<A: CoreReal>(&self, displacement: &[T], i: usize) -> [Matrix3<A>; 2] {
        let (e, places) = (i / self.points(), self.variant.geometry_places());
        let strained = self.variant.rest == Rest::Strained;
        let inverse = self.of_point::<A>(0, i);
        let mut h = self.field_slope::<A>(displacement, 1 + i % self.points(), e) * inverse;
        if strained {
            h += self.of_point::<A>(places.offsets, i);
        }
        if self.points() == 1 || !self.variant.law.has_centre() {
            return [h, h];
        }
        let inverse = self.of_element::<A>(places.centre, e);
        let mut centre = self.field_slope::<A>(displacement, 0, e) * inverse;
        if strained {
            centre += self.of_element::<A>(places.centre_offset, e);
        }
        [h, centre]
    }

    /// The law at point `i`. Where it has no value, the state without stress times no volume.
    pub(super) fn evaluate<A: CoreReal>(&self, displacement: &[T], i: usize) -> LawPoint<A> {
        let (e, law, places) =
            (i / self.points(), self.variant.law, self.variant.geometry_places());
        let [mut h, centre] = self.gradients::<A>(displacement, i);
        let known = !(law.needs_volume() && Deformation::new(h).volume_change() <= -A::one());
        if !known {
            h = Matrix3::zeros();
        }
        let mut d = Deformation::new(h).with_activation(convert(self.activation));
        if law.has_axes() {
            d = d.with_axes(match self.variant.axes {
                Axes::OfElements => self.of_element(places.axes, e),
                Axes::OfPoints => self.of_point(places.axes, i),
            });
        }
        let own = places.constants as usize * self.count + e;
        let Some(core_law) = AnyLaw::of_kernel(law.name(), &self.constants(own)) else {
            panic!("no law computes what '{}' does", law.name());
        };
        let at = core_law.at_point(&d, &centre);
        let volume = if known {
            convert(self.geometry[9 * self.count * self.points() + i])
        } else {
            A::zero()
        };
        let to_space = at.frame * self.of_point::<A>(0, i).transpose();
        LawPoint { volume: at.volume_ratio * volume, at, to_space, f: d.f, known }
    }

    /// Volume of point `i` at rest.
    pub(super) fn rest_volume<A: CoreReal>(&self, i: usize) -> A {
        convert(self.geometry[9 * self.count * self.points() + i])
    }

    /// Change of the volume at point `i` with a displacement, and its rate with a field; at rest where the law has no value.
    pub(super) fn dilatation<A: CoreReal>(
        &self,
        (displacement, field): (&[T], &[T]),
        i: usize,
    ) -> [A; 2] {
        let ([h, centre], law) = (self.gradients::<A>(displacement, i), self.variant.law);
        let (e, slot) = (i / self.points(), 1 + i % self.points());
        let slope = self.field_slope::<A>(field, slot, e) * self.of_point::<A>(0, i);
        let at = Deformation::new(h);
        if law.has_stress_in_tangent() {
            let change = at.volume_change();
            if law.needs_volume() && change <= -A::one() {
                return [A::zero(), slope.trace()];
            }
            let f = |c: usize| at.f.column(c % 3).into_owned();
            let columns = [0, 1, 2].map(|c| f(c + 1).cross(&f(c + 2)));
            return [change, Matrix3::from_columns(&columns).dot(&slope)];
        }
        if !law.has_centre() {
            return [h.trace(), slope.trace()];
        }
        let (half, r) = (lit::<A>(0.5), polar_rotation(&(centre + Matrix3::identity())));
        let turned = r.transpose() * at.f;
        let strain = (turned + turned.transpose()) * half - Matrix3::identity();
        let turn = (turned - turned.transpose()) * half;
        let squares = strain.dot(&strain) + turn.dot(&turn);
        [at.green_strain().trace() - squares * half, r.dot(&slope)]
    }

    /// Energies of the volume of element `e`, as laws and points have them packed.
    pub(super) fn bulk(&self, e: usize) -> [f64; 4] {
        let first = self.variant.geometry_places().bulk as usize;
        std::array::from_fn(|k| self.geometry[(first + k) * self.count + e].to_f64())
    }

    /// Scalar `k` of point `i` from a place of the geometry on that has some of each point.
    fn scalar(&self, place: u32, k: u32, i: usize) -> T {
        let points = self.variant.point_count;
        self.geometry[(place + k * points) as usize * self.count + i]
    }

    /// Pressure at point `i`, what a field changes it by, and what the point alone resists with; zeros where
    /// volumes count at points.
    pub(super) fn pressures<A: CoreReal>(&self, i: usize) -> [A; 3] {
        let place = self.variant.geometry_places().pressures;
        let own = |k| convert::<T, A>(self.scalar(place, k, i));
        match self.variant.pressures {
            Pressures::Nothing => [A::zero(); 3],
            Pressures::Modes(_) => [0, 1, 2].map(own),
            Pressures::Nodes => {
                let [pressure, change] = [0, 1].map(|k| self.nodal_pressure::<A>(k, i));
                [own(0) + pressure, own(1) + change, own(2)]
            }
        }
    }

    /// Shape function of node `a` at point `p` of an element.
    pub(super) fn shape_function<A: CoreReal>(&self, p: usize, a: usize) -> A {
        convert(self.table[self.variant.shape_place() as usize + p * self.nodes() + a])
    }

    /// Pressure of the nodes of an element at its point `i` (`k` = 0), or what a field changes it by (1).
    fn nodal_pressure<A: CoreReal>(&self, k: usize, i: usize) -> A {
        let (e, p) = (i / self.points(), i % self.points());
        let first = self.variant.geometry_places().nodal as usize + k * self.nodes();
        let mut sum = A::zero();
        for a in 0..self.nodes() {
            let of_node: A = convert(self.geometry[(first + a) * self.count + e]);
            sum += self.shape_function::<A>(p, a) * of_node;
        }
        sum
    }

    /// Value of mode `k` at point `i`, and the sum of moduli times modes there.
    pub(super) fn mode<A: CoreReal>(&self, k: u32, i: usize) -> [A; 2] {
        let places = self.variant.geometry_places();
        let scalars = [self.scalar(places.modes, k, i), self.scalar(places.pressures, 3 + k, i)];
        scalars.map(convert)
    }

    /// Stress that earlier steps left at point `i`, as it is remembered; zero in elastic tissue.
    fn left<A: CoreReal>(&self, i: usize) -> Matrix3<A> {
        if self.variant.relaxing == Relaxing::Nothing {
            return Matrix3::zeros();
        }
        let first = self.variant.geometry_places().left as usize * self.count + i;
        let scalar = |k| convert(self.geometry[first + k * self.count * self.points()]);
        from_voigt(&Vector6::from_fn(|k, _| scalar(k)))
    }

    /// The same in space, at a point with that law.
    pub(super) fn left_in_space<A: CoreReal>(&self, at: &LawPoint<A>, i: usize) -> Matrix3<A> {
        let left = self.left::<A>(i);
        match self.variant.relaxing {
            Relaxing::Nothing => left,
            Relaxing::Rotated => {
                let turn = polar_rotation(&at.f);
                turn * left * turn.transpose()
            }
            // F^-T, or a rotation; a point without volume has none.
            Relaxing::PulledBack => match at.at.frame.try_inverse() {
                Some(inverse) => inverse.transpose() * left * inverse / at.at.volume_ratio,
                None => Matrix3::zeros(),
            },
        }
    }
}

/// The stress of a law as a point remembers it.
pub(super) fn as_remembered<A: CoreReal>(relaxing: Relaxing, at: &LawPoint<A>) -> Matrix3<A> {
    let KernelPoint { frame, stress, volume_ratio, .. } = &at.at;
    match relaxing {
        Relaxing::Nothing => *stress,
        Relaxing::PulledBack => frame.transpose() * stress * frame * *volume_ratio,
        Relaxing::Rotated => {
            let turn = polar_rotation(&at.f);
            turn.transpose() * stress * turn
        }
    }
}

/// Change of a stress that is left of earlier steps with a symmetric gradient `e` in space.
pub(super) fn left_tangent_times<A: CoreReal>(
    relaxing: Relaxing,
    left: &Matrix3<A>,
    e: &Matrix3<A>,
) -> Matrix3<A> {
    if relaxing != Relaxing::Rotated {
        return Matrix3::zeros();
    }
    let sizes = left * e.trace() + Matrix3::identity() * left.dot(e);
    sizes * lit::<A>(0.5) - (e * left + left * e)
}

/// Values of a law at a point.
pub(super) struct LawPoint<A: CoreReal> {
    pub(super) at: KernelPoint<A>,
    /// Takes derivatives by reference coordinates to space.
    pub(super) to_space: Matrix3<A>,
    /// Deformation from the shape without stress.
    f: Matrix3<A>,
    pub(super) volume: A,
    /// True if the law has a value.
    pub(super) known: bool,
}

/// The same as moduli, for strains with whole shears.
pub(super) fn left_tangent(relaxing: Relaxing, left: &Matrix3<f32>) -> Matrix6<f32> {
    if relaxing != Relaxing::Rotated {
        return Matrix6::zeros();
    }
    Matrix6::from_fn(|row, column| {
        let (r, c) = VOIGT[column];
        let mut unit = Matrix3::zeros();
        unit[(r, c)] += 0.5;
        unit[(c, r)] += 0.5;
        left_tangent_times(relaxing, left, &unit)[VOIGT[row]]
    })
}

/// Spatial gradient of node `a` at point `p` of an element from the words of the point and the table.
pub(super) fn point_slope(
    variant: ElementVariant,
    (words, table): (&[f32], &[f32]),
    p: usize,
    a: usize,
) -> Vector3<f32> {
    let place = LAW_CONSTANTS + 3 * ((1 + p) * variant.node_count as usize + a);
    Matrix3::from_column_slice(&words[..9]) * Vector3::from_column_slice(&table[place..place + 3])
}
