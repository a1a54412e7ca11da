//! From a model to the items that are drawn of it.

use crate::model::Stored;
use std::collections::HashMap;
use std::sync::Arc;

use super::styles::Styles;
use super::tissue::{self, Extra};
use super::{Item, Lines, Outline, Scene, Shape, rests, solids};
use crate::Vec3;
use crate::component::{ComponentId, Handle, Kind};
use crate::constraint::Pose;
use crate::geometry::{SurfaceMesh, recentring};
use crate::model::{
    AxialSpring, Collider, FemModel, FrameSite, Joint, Model, MultiPointSpring, MuscleBundle,
    PointRef, RenderMesh, RigidBody, WrapSurface,
};
use crate::system::{CompiledModel, State};

/// A scene, and where its frames and lines get their numbers from.
#[derive(Default)]
pub(super) struct Built {
    pub(super) scene: Scene,
    pub(super) frames: Vec<FrameSite>,
    pub(super) lines: Vec<Line>,
    /// Lines over surfaces, whose points follow those of the state.
    pub(super) wrapped: Vec<Handle<MultiPointSpring>>,
}

/// Muscles as drawn: they have an excitation and a tension.
#[derive(Clone, Copy)]
pub(super) enum Line {
    Straight(Handle<AxialSpring>),
    Bent(Handle<MultiPointSpring>),
    Bundle(Handle<MuscleBundle>),
}

/// Half the width of the ground, in extents of everything else.
const GROUND: f64 = 1.5;

impl Built {
    pub(super) fn new(model: &Model, compiled: &CompiledModel, state: &State) -> Self {
        let mut styles = Styles::new(model);
        let mut outline = Outline::with_styles(model, &mut styles);
        let mut builder = Builder {
            model,
            compiled,
            built: Self::default(),
            items: Vec::new(),
            styles,
            state,
            body_frames: HashMap::new(),
            half_width: 1.0,
            next_point: state.q.len() as u32,
        };
        builder.measure(state);
        for row in &outline.rows {
            builder.add(row.id);
        }
        let Builder { mut built, items, .. } = builder;
        outline.mark_drawn(items.iter().map(|item| item.owner));
        built.scene.items = Arc::new(items);
        built.scene.outline = Arc::new(outline);
        built.scene.rest = Arc::new(rests::of_tissues(model, compiled, built.scene.origin));
        built
    }
}

struct Builder<'m> {
    model: &'m Model,
    compiled: &'m CompiledModel,
    built: Built,
    items: Vec<Item>,
    styles: Styles<'m>,
    body_frames: HashMap<Handle<RigidBody>, u32>,
    state: &'m State,
    /// Half the width of grounds [m].
    half_width: f64,
    /// Number of the next point that is no row of the state.
    next_point: u32,
}

impl Builder<'_> {
    /// Origin and bounds, from the points and the surfaces that are not moved yet.
    fn measure(&mut self, state: &State) {
        let mut low = Vec3::repeat(f64::INFINITY);
        let mut high = -low;
        let mut include = |p: Vec3| (low, high) = (low.inf(&p), high.sup(&p));
        for row in point_rows(self.model, self.compiled) {
            include(state.q[row]);
        }
        let sites = self.model.iter::<RigidBody>().filter_map(|(body, data)| {
            let (pose, ..) = self.compiled.body_motion(body, state)?;
            Some((pose, data.mesh.as_ref()))
        });
        let drawn = self.model.iter::<RenderMesh>().filter_map(|(_, it)| {
            let pose = match it.site.body {
                Some(body) => self.compiled.body_motion(body, state)?.0 * it.site.pose,
                None => it.site.pose,
            };
            Some((pose, Some(&it.mesh)))
        });
        let solids = self.model.iter::<Collider>().filter_map(|(_, collider)| {
            let body = collider.site.body?;
            let (pose, ..) = self.compiled.body_motion(body, state)?;
            Some((pose * collider.site.pose, solids::surface_of(&collider.shape, 0.0)?))
        });
        for (pose, mesh) in sites.chain(drawn) {
            include(pose.translation.vector);
            let vertices = mesh.map_or(&[][..], SurfaceMesh::vertices);
            vertices.iter().for_each(|&v| include(pose * v + pose.translation.vector));
        }
        for (pose, mesh) in solids {
            mesh.vertices().iter().for_each(|&v| include(pose * v + pose.translation.vector));
        }
        self.set_bounds(low, high);
    }

    /// Origin and bounds of what reaches from one corner to another [m]; nothing has corners that change places.
    fn set_bounds(&mut self, mut low: Vec3, mut high: Vec3) {
        if low.x > high.x {
            (low, high) = (Vec3::repeat(-0.5), Vec3::repeat(0.5));
        }
        let origin = recentring(&low, &high).unwrap_or_default();
        let extent = (high - low).amax();
        self.half_width = GROUND * if extent > 0.0 { extent } else { 1.0 };
        self.built.scene.origin = origin;
        self.built.scene.bounds = [low, high].map(|p| single(&(p - origin)));
    }

    fn add(&mut self, id: ComponentId) {
        match id.kind() {
            Kind::RigidBody => self.typed(id, Self::add_body),
            Kind::RenderMesh => self.typed(id, Self::add_surface),
            Kind::Collider => self.typed(id, Self::add_collider),
            Kind::WrapSurface => self.typed(id, Self::add_wrap_surface),
            Kind::Joint => self.typed(id, Self::add_joint),
            Kind::FemModel => self.typed(id, Self::add_tissue),
            Kind::AxialSpring => self.typed(id, Self::add_spring),
            Kind::MultiPointSpring => self.typed(id, Self::add_line),
            Kind::MuscleBundle => self.typed(id, Self::add_bundle),
            Kind::Particle | Kind::FrameMarker => self.add_point(id),
            // Groups, and what has no place of its own.
            Kind::RootModel
            | Kind::MechModel
            | Kind::ComponentList
            | Kind::ReferenceList
            | Kind::FrameSpring
            | Kind::PointConstrainer
            | Kind::Attachment
            | Kind::FrameAttachment
            | Kind::CollisionBehavior
            | Kind::PointLoad
            | Kind::BodyLoad
            | Kind::Shell
            | Kind::SurfaceLoad
            | Kind::ClosedVolume
            | Kind::FrameLoad
            | Kind::MuscleExciter
            | Kind::CustomForce
            | Kind::CustomJoint
            | Kind::CustomConstrainer
            | Kind::JointCoordinateCoupling
            | Kind::CoordinateActuator
            | Kind::SegmentedPlane
            | Kind::Sensor
            | Kind::PropertyController
            | Kind::InputProbe
            | Kind::OutputProbe
            | Kind::Waypoint
            | Kind::ControlPanel
            | Kind::Event => {}
        }
    }

    fn typed<T: Stored>(&mut self, id: ComponentId, add: fn(&mut Self, Handle<T>)) {
        if let Some(handle) = id.typed() {
            add(self, handle);
        }
    }

    fn push(&mut self, owner: impl Into<ComponentId>, shape: Shape) {
        let owner = owner.into();
        let style = self.styles.of(owner);
        self.items.push(Item { owner, style, shape });
    }

    fn frame(&mut self, site: FrameSite) -> u32 {
        let own = site.body.filter(|_| site.pose == Pose::identity());
        if let Some(&frame) = own.and_then(|body| self.body_frames.get(&body)) {
            return frame;
        }
        let frame = self.built.frames.len() as u32;
        self.built.frames.push(site);
        if let Some(body) = own {
            self.body_frames.insert(body, frame);
        }
        frame
    }

    fn push_surface(&mut self, owner: ComponentId, site: FrameSite, mesh: &SurfaceMesh) {
        let frame = self.frame(site);
        let vertices = Arc::new(mesh.vertices().iter().map(single).collect());
        let triangles = Arc::new(mesh.triangles().to_vec());
        self.push(owner, Shape::Rigid { frame, vertices, triangles });
    }

    fn add_body(&mut self, body: Handle<RigidBody>) {
        let site = FrameSite::on(body, Pose::identity());
        let frame = self.frame(site);
        let model = self.model;
        if let Some(mesh) = &model[body].mesh {
            self.push_surface(body.id(), site, mesh);
        }
        self.push(body, Shape::Frame { frame, axes: Vec::new() });
    }

    fn add_surface(&mut self, surface: Handle<RenderMesh>) {
        let data = &self.model[surface];
        self.push_surface(surface.id(), data.site, &data.mesh);
    }

    fn add_collider(&mut self, collider: Handle<Collider>) {
        let Collider { shape, site, .. } = &self.model[collider];
        let drawn = site.body.is_some_and(|body| self.model[body].mesh.is_some());
        if !drawn && let Some(mesh) = solids::surface_of(shape, self.half_width) {
            self.push_surface(collider.id(), *site, &mesh);
        }
    }

    fn add_wrap_surface(&mut self, surface: Handle<WrapSurface>) {
        let data = &self.model[surface];
        if let Some(mesh) = solids::wrap_surface(data) {
            self.push_surface(surface.id(), data.site, &mesh);
        }
    }

    fn add_joint(&mut self, joint: Handle<Joint>) {
        let data = &self.model[joint];
        let axes = data.settings.kind.axes().to_vec();
        let frame = self.frame(data.d);
        self.push(joint, Shape::Frame { frame, axes });
    }

    /// Points of the nodes of a tissue.
    fn nodes_of(&self, tissue: Handle<FemModel>) -> Vec<u32> {
        let count = self.model[tissue].mesh.nodes.len();
        (0..count).map(|node| self.compiled.block_of_node(tissue, node) as u32).collect()
    }

    fn add_tissue(&mut self, tissue: Handle<FemModel>) {
        let extra = Extra::of(self.model, tissue);
        let shape = tissue::shape_of(&self.model[tissue], self.nodes_of(tissue), extra);
        self.push(tissue, shape);
    }

    fn add_bundle(&mut self, bundle: Handle<MuscleBundle>) {
        let data = &self.model[bundle];
        let fibres = tissue::fibres_of(data, &self.model[data.fem], &self.nodes_of(data.fem));
        let value = self.built.lines.len() as u32;
        self.built.lines.push(Line::Bundle(bundle));
        self.push(bundle, Shape::Fibres { fibres: Arc::new(fibres), value });
    }

    fn add_spring(&mut self, spring: Handle<AxialSpring>) {
        let AxialSpring { ends, material, .. } = &self.model[spring];
        let muscle = material.is_muscle();
        self.push_line(spring.id(), Line::Straight(spring), ends, muscle);
    }

    fn add_line(&mut self, line: Handle<MultiPointSpring>) {
        let MultiPointSpring { points, material, .. } = &self.model[line];
        let muscle = material.is_muscle();
        if self.compiled.is_wrapped(line) {
            self.push_wrapped(line, muscle);
        } else {
            self.push_line(line.id(), Line::Bent(line), points, muscle);
        }
    }

    fn push_wrapped(&mut self, line: Handle<MultiPointSpring>, muscle: bool) {
        let first = self.next_point;
        let count = |_| self.next_point += 1;
        if self.compiled.visit_polyline(line, self.state, count).is_none() {
            return;
        }
        let value = self.built.lines.len() as u32;
        self.built.lines.push(Line::Bent(line));
        self.built.wrapped.push(line);
        let points = (first..self.next_point).collect();
        self.push(line, Shape::Lines(Lines { points, value, muscle }));
    }

    fn push_line(&mut self, owner: ComponentId, line: Line, points: &[PointRef], muscle: bool) {
        let row = |&point: &PointRef| self.compiled.find_row(point).map(|row| row as u32);
        let Some(points) = points.iter().map(row).collect() else { return };
        let value = self.built.lines.len() as u32;
        self.built.lines.push(line);
        self.push(owner, Shape::Lines(Lines { points, value, muscle }));
    }

    fn add_point(&mut self, id: ComponentId) {
        let point = PointRef::at(id.into()).and_then(|point| self.compiled.find_row(point));
        if let Some(row) = point {
            self.push(id, Shape::Points(Arc::new(vec![row as u32])));
        }
    }
}

/// Rows of the state that are points in space.
fn point_rows(model: &Model, compiled: &CompiledModel) -> impl Iterator<Item = usize> {
    let nodes = compiled.fems().iter().flat_map(move |&fem| {
        (0..model[fem].mesh.nodes.len()).map(move |node| compiled.block_of_node(fem, node))
    });
    let particles = compiled.particles().iter().map(move |&p| compiled.block_of_particle(p));
    let marker = move |&m| compiled.find_row(PointRef::Marker(m));
    nodes.chain(particles).chain(compiled.markers().iter().filter_map(marker))
}

pub(super) fn single(p: &Vec3) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}
