//! Paths of muscles, springs and ligaments: points on bodies, points that move or come and go, wrap objects.

use sinew::component::Handle;
use sinew::constraint::spatial::Function;
use sinew::model::{
    FrameMarker, JointCoordinate, PointMove, PointRef, WrapMethod, WrapShape, WrapSide,
    WrapSurface, WrapTurn, Wrapped,
};

use super::element::Element;
use super::{Writer, euler, function};

impl Writer<'_> {
    /// The path through some points; `None` where one of them is not on a body.
    pub(super) fn path(&mut self, points: &[PointRef], wraps: &[Wrapped]) -> Option<Element> {
        let points: Vec<Handle<FrameMarker>> = points
            .iter()
            .map(|point| match point {
                PointRef::Marker(marker) => Some(*marker),
                PointRef::Particle(_) | PointRef::FemNode(..) => None,
            })
            .collect::<Option<_>>()?;
        let made: Vec<Element> =
            points.iter().map(|point| self.path_point(*point)).collect::<Option<_>>()?;
        let last = points.len() - 1;
        let wraps: Vec<Element> = wraps.iter().map(|wrap| self.path_wrap(wrap, last)).collect();
        Some(
            Element::named("GeometryPath", "path")
                .with(Element::set("PathPointSet", "pathpointset", made))
                .with(Element::set("PathWrapSet", "pathwrapset", wraps)),
        )
    }

    fn path_point(&mut self, handle: Handle<FrameMarker>) -> Option<Element> {
        let marker = self.model.get(handle)?;
        let name = self.names.get(handle).to_owned();
        let frame = Element::text("socket_parent_frame", self.body_path(Some(marker.body)));
        let location = Element::vector("location", &marker.location);
        match (&marker.moves[..], &marker.active) {
            ([], None) => Some(Element::named("PathPoint", name).with([frame, location])),
            ([], Some(active)) => {
                let coordinate = self.names.coordinate_path(&active.of)?;
                Some(Element::named("ConditionalPathPoint", name).with([
                    frame,
                    location,
                    Element::text("socket_coordinate", coordinate),
                    Element::numbers("range", &active.range),
                ]))
            }
            (moves, active) => {
                if active.is_some() {
                    let path = self.model.path(handle);
                    self.told
                        .changed(format!("{path}: a point that moves does not come and go there"));
                }
                let point = Element::named("MovingPathPoint", name).with([frame]);
                Some(point.with(self.moves(moves, marker)?))
            }
        }
    }

    /// Sockets and functions of a point that moves; constants where an axis stays.
    fn moves(&self, moves: &[PointMove], marker: &FrameMarker) -> Option<Vec<Element>> {
        let axes = [
            ("socket_x_coordinate", "x_location"),
            ("socket_y_coordinate", "y_location"),
            ("socket_z_coordinate", "z_location"),
        ];
        let mut made = Vec::new();
        for (k, (socket, property)) in axes.into_iter().enumerate() {
            let moving = moves.iter().find(|it| it.axis.index() == k);
            let of: &JointCoordinate = &moving.or(moves.first())?.of;
            made.push(Element::text(socket, self.names.coordinate_path(of)?));
            let constant = Function::Constant(marker.location[k]);
            let function = moving.map_or(&constant, |it| &it.function);
            made.push(function::property(property, function));
        }
        Some(made)
    }

    fn path_wrap(&self, wrap: &Wrapped, last: usize) -> Element {
        let object = self.names.get(wrap.surface);
        let method = match self.model[wrap.surface].method {
            WrapMethod::Geodesic | WrapMethod::Hybrid => "hybrid",
            WrapMethod::Midpoint => "midpoint",
            WrapMethod::Axial => "axial",
        };
        // Points are counted from 1 there; -1 is either end.
        let range = match wrap.segment {
            None => [-1.0, -1.0],
            Some(first) => {
                let until = wrap.until.unwrap_or(first).min(last as u32);
                [f64::from(first + 1), f64::from(until + 2)]
            }
        };
        Element::named("PathWrap", format!("wrap_{object}")).with([
            Element::text("wrap_object", object),
            Element::text("method", method),
            Element::numbers("range", &range),
        ])
    }

    /// The wrap objects on a body, or on the ground.
    pub(super) fn wrap_objects(
        &mut self,
        on: Option<Handle<sinew::model::RigidBody>>,
    ) -> Vec<Element> {
        let model = self.model;
        let here = model.iter::<WrapSurface>().filter(|it| self.is_on(it.1.site.body, on));
        let here: Vec<_> = here.collect();
        here.into_iter().map(|(handle, surface)| self.wrap_object(handle, surface)).collect()
    }

    fn wrap_object(&mut self, handle: Handle<WrapSurface>, surface: &WrapSurface) -> Element {
        let name = self.names.get(handle).to_owned();
        let (tag, sizes) = sizes(surface);
        if surface.turn != WrapTurn::Shortest {
            let path = self.model.path(handle);
            self.told.changed(format!(
                "{path}: paths take the shorter way there, or that of the quadrant"
            ));
        }
        if surface.shape == WrapShape::Ellipsoid && surface.method == WrapMethod::Geodesic {
            let path = self.model.path(handle);
            self.told
                .changed(format!("{path}: paths over it are in planes there, not the shortest"));
        }
        let pose = surface.site.pose;
        Element::named(tag, name)
            .with([
                Element::text("active", surface.enabled),
                Element::vector("xyz_body_rotation", &euler(&pose.rotation)),
                Element::vector("translation", &pose.translation.vector),
                Element::text("quadrant", quadrant(surface)),
            ])
            .with(sizes)
    }
}

/// The class of a surface to wrap over, and its sizes.
fn sizes(surface: &WrapSurface) -> (&'static str, Vec<Element>) {
    let numbers = |tag: &'static str, value: f64| Element::text(tag, value);
    match surface.shape {
        WrapShape::Sphere => ("WrapSphere", vec![numbers("radius", surface.radius)]),
        WrapShape::Cylinder => {
            // One without end is as long as no path is.
            let half = if surface.half_length > 0.0 { surface.half_length } else { 500.0 };
            ("WrapCylinder", vec![numbers("radius", surface.radius), numbers("length", 2.0 * half)])
        }
        WrapShape::Ellipsoid => {
            ("WrapEllipsoid", vec![Element::vector("dimensions", &surface.radii)])
        }
        WrapShape::Torus => (
            "WrapTorus",
            vec![
                numbers("inner_radius", surface.radius),
                numbers("outer_radius", surface.ring_radius),
            ],
        ),
    }
}

/// The side of a surface that paths keep to.
fn quadrant(surface: &WrapSurface) -> &'static str {
    match (surface.shape, surface.side) {
        (WrapShape::Torus, _) | (_, WrapSide::Any) => "all",
        (_, WrapSide::PositiveX) => "x",
        (_, WrapSide::NegativeX) => "-x",
        (_, WrapSide::PositiveY) => "y",
        (_, WrapSide::NegativeY) => "-y",
        (_, WrapSide::PositiveZ) => "z",
        (_, WrapSide::NegativeZ) => "-z",
    }
}
