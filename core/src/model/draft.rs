//! A model that is put together from a description: blank components first, whose references lead
//! nowhere, then their properties. What comes out is checked as a document is.

use std::sync::Arc;

use super::document::{UnsavedError, document_of, model_of};
use crate::axial::AxialLaw;
use crate::component::{Address, Affine, ComponentId, Handle, Kind};
use crate::constraint::{JointKind, PointConstraint};
use crate::dynamics::SpatialInertia;
use crate::fem::VolumeMesh;
use crate::geometry::SurfaceMesh;
use crate::kinds::{
    Anchor, Attachment, AxialSpring, BodyLoad, ClosedVolume, Collider, ColliderShape,
    CollisionBehavior, ComponentList, ControlPanel, CoordinateActuator, CustomConstrainer,
    CustomForce, CustomJoint, Event, FemModel, FrameAttachment, FrameLoad, FrameMarker, FrameSite,
    FrameSpring, Inertia, InputProbe, Joint, JointCoordinate, JointCoordinateCoupling, Master,
    MechModel, MultiPointSpring, MuscleBundle, MuscleExciter, OutputProbe, Particle,
    PointConstrainer, PointLoad, PointRef, PropertyController, ReferenceList, RenderMesh,
    RigidBody, SegmentedPlane, Sensor, Shell, SurfaceLoad, Waypoint, WrapSurface,
};
use crate::material::MaterialSpec;
use crate::model::{
    CodeRegistry, Component, DocumentError, Edit, EditError, Model, Store, Stored, for_kind,
};
use crate::property::{CheckError, Declaration, Pose, PropertyError, PropertyRef, Setting};
use crate::{Mat3, Vec3};

/// Errors of drafts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// A reference leads nowhere.
    #[error("{0}: set the reference first")]
    Dangling(String),
    /// Its tree is none.
    #[error(transparent)]
    Tree(#[from] DocumentError),
}

/// A model in the making (see [`Draft::finish`]).
#[derive(Debug)]
pub struct Draft {
    model: Model,
}

/// The frame of the ground.
fn ground() -> FrameSite {
    FrameSite::ground(Pose::identity())
}

/// A point that is nowhere.
fn point() -> PointRef {
    PointRef::Particle(nowhere())
}

/// The id that references of blank components have: nobody is ever there.
fn nowhere<T: Stored>() -> Handle<T> {
    Handle::new(u32::MAX, u32::MAX)
}

impl Draft {
    /// An empty one.
    pub fn new(name: impl Into<String>) -> Self {
        Self { model: Model::new(name) }
    }

    /// One that goes on from a model.
    pub fn of(model: Model) -> Self {
        Self { model }
    }

    /// Registered code that its components may name.
    pub fn set_code(&mut self, code: impl Into<Arc<CodeRegistry>>) {
        self.model.set_code(code);
    }

    /// The model so far, to find paths and to read.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Adds a component to the list of its kind in a mechanical model or the root, or to a container,
    /// under a number among its siblings, or the next one. References may lead nowhere; of two siblings
    /// of one name the later one goes by its number.
    ///
    /// # Errors
    /// [`EditError`]: a parent that does not take the kind, or too deep a tree;
    /// [`EditError::NameTaken`] for a number that is taken.
    pub fn add(
        &mut self,
        parent: impl Into<ComponentId>,
        component: impl Into<Component>,
        number: Option<u32>,
    ) -> Result<ComponentId, EditError> {
        let (parent, component) = (parent.into(), component.into());
        let kind = component.kind();
        let home = self.model.place_for(parent, kind)?;
        self.model.room_below(home, usize::from(kind == Kind::MechModel))?;
        let id = self.model.put_in(home, component);
        match number {
            Some(number) if !renumber(&mut self.model.store, id, home, number) => {
                let (parent, name) = (self.model.path(home), format!("number {number}"));
                self.model.edit(Edit::delete(id))?;
                Err(EditError::NameTaken { parent, name })
            }
            _ => Ok(id),
        }
    }

    /// Sets a property, or lets it be inherited. Type and range are looked at; what only the whole
    /// component can tell is left to the draft.
    ///
    /// # Errors
    /// [`PropertyError`]; nothing is changed then.
    pub fn set(&mut self, property: &PropertyRef, setting: &Setting) -> Result<(), PropertyError> {
        self.model.plan_setting(property, setting)?;
        self.model.write(property, setting)
    }

    /// Declares a property on a component.
    ///
    /// # Errors
    /// [`EditError::Declaration`].
    pub fn declare(
        &mut self,
        id: ComponentId,
        declaration: Declaration,
    ) -> Result<PropertyRef, EditError> {
        let name = declaration.name.clone();
        self.model.edit(Edit::declare(id, declaration))?;
        Ok(self.model.property_of(id, &name)?)
    }

    /// A component, to fill the parts that no property holds: meshes, terms.
    pub fn get_mut<T: Stored>(&mut self, handle: Handle<T>) -> Option<&mut T> {
        self.model.data_mut(handle)
    }

    /// Moves a component and all below it.
    ///
    /// # Errors
    /// [`EditError::Transform`] where the map has no meaning for a component.
    pub fn transform(&mut self, id: ComponentId, map: Affine) -> Result<(), EditError> {
        self.model.edit(Edit::transform(id, map)).map(|_| ())
    }

    /// True if a reference still leads nowhere.
    pub fn lacks(&self, property: &PropertyRef) -> bool {
        self.model.lacks(property)
    }

    /// Fault of a component, if it has one.
    pub fn fault(&self, id: ComponentId) -> Option<CheckError> {
        self.model.check_component(id).err()
    }

    /// The model.
    ///
    /// # Errors
    /// [`DraftError::Dangling`] where a reference leads nowhere.
    pub fn finish(mut self) -> Result<Model, DraftError> {
        self.link();
        let dangling = |why: UnsavedError| DraftError::Dangling(why.to_string());
        let document = document_of(&self.model).map_err(dangling)?;
        Ok(Model { code: self.model.code, ..model_of(document)? })
    }
}

impl Draft {
    /// Finds what texts lead to that came before it.
    fn link(&mut self) {
        let mut ids = Vec::new();
        self.model.store.for_each_id(&mut |id| ids.push(id));
        ids.retain(|id| matches!(id.kind(), Kind::Event | Kind::PropertyController));
        for id in ids {
            let Some(mut component) = self.model.store.cloned(id) else { continue };
            component.link(&|path| self.model.find(path).ok());
            self.model.store.swap(id, &mut component);
        }
    }
}

/// Gives a component another number; `false` when it is taken or too large.
fn renumber(store: &mut Store, id: ComponentId, parent: ComponentId, number: u32) -> bool {
    if store.child_by_number(parent, number) == Some(id) {
        return true;
    }
    if number > super::document::MAX_NUMBER || store.child_by_number(parent, number).is_some() {
        return false;
    }
    store.detach(id);
    store.attach(id, parent, number)
}

/// A rigid body of 1 kg with the moments 1 kg m².
fn blank_body() -> RigidBody {
    let inertia = SpatialInertia::new(1.0, Vec3::zeros(), Mat3::identity());
    RigidBody::new("", inertia.map_or(Inertia::Density(1000.0), Inertia::Explicit))
}

impl Component {
    /// A component of a kind with the defaults of its properties, whose references lead nowhere;
    /// `None` for the root.
    pub fn blank(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::ComponentList => ComponentList::new("").into(),
            Kind::Particle => Particle::default().into(),
            Kind::RigidBody => blank_body().into(),
            Kind::FrameMarker => FrameMarker::new(nowhere(), Vec3::zeros()).into(),
            Kind::AxialSpring => {
                AxialSpring::with_law([point(), point()], AxialLaw::from_name("linear")?).into()
            }
            Kind::MultiPointSpring => {
                MultiPointSpring::new(Vec::new(), AxialLaw::from_name("linear")?).into()
            }
            Kind::FrameSpring => FrameSpring::new(ground(), ground()).into(),
            Kind::Joint => Joint::new(JointKind::from_name("solid")?, ground(), ground()).into(),
            Kind::PointConstrainer => {
                PointConstrainer::new(PointConstraint::AtPoint, point(), Anchor::Frame(ground()))
                    .into()
            }
            Kind::Attachment => Attachment::new(Vec::new(), Master::Body(nowhere())).into(),
            Kind::Collider => {
                Collider::new(ColliderShape::Sphere { radius: 0.01 }, ground()).into()
            }
            Kind::CollisionBehavior => CollisionBehavior::default().into(),
            Kind::FrameAttachment => FrameAttachment::to_points(nowhere(), Vec::new()).into(),
            Kind::FemModel => {
                FemModel::new("", VolumeMesh::default(), 1e3, MaterialSpec::from_name("linear")?)
                    .into()
            }
            Kind::PointLoad => PointLoad::new(point(), Vec3::zeros()).into(),
            Kind::BodyLoad => BodyLoad::new(nowhere(), Vec3::zeros()).into(),
            Kind::ClosedVolume => ClosedVolume::new(nowhere(), "").into(),
            Kind::SurfaceLoad => SurfaceLoad::pressure(nowhere(), "", 0.0).into(),
            Kind::Shell => {
                Shell::on_surface(nowhere(), "", MaterialSpec::from_name("linear")?).into()
            }
            Kind::FrameLoad => FrameLoad::new(nowhere(), Vec3::zeros(), Vec3::zeros()).into(),
            Kind::MuscleExciter => MuscleExciter::new("", std::iter::empty::<ComponentId>()).into(),
            Kind::RenderMesh => {
                RenderMesh::new("", SurfaceMesh::new(Vec::new(), Vec::new()).ok()?).into()
            }
            Kind::MechModel => MechModel::default().into(),
            Kind::ReferenceList => ReferenceList::new("", Vec::new()).into(),
            Kind::JointCoordinateCoupling => JointCoordinateCoupling::linear([]).into(),
            Kind::CoordinateActuator => {
                CoordinateActuator::new(JointCoordinate::new(nowhere::<Joint>(), ""), 0.0).into()
            }
            Kind::SegmentedPlane => SegmentedPlane::new(point(), ground(), Vec::new()).into(),
            Kind::MuscleBundle => {
                MuscleBundle::new(nowhere(), MaterialSpec::from_name("simple_muscle")?).into()
            }
            Kind::WrapSurface => WrapSurface::default().into(),
            Kind::CustomJoint => CustomJoint::blank(ground()).into(),
            Kind::Sensor => Sensor::default().into(),
            Kind::PropertyController => PropertyController::new("", nowhere::<Joint>(), "").into(),
            Kind::Event => Event::new("", 0.0, "").into(),
            Kind::CustomForce => CustomForce::registered("", Vec::new()).into(),
            Kind::CustomConstrainer => {
                CustomConstrainer::registered("", Vec::new(), Vec::new(), 1).into()
            }
            Kind::InputProbe => InputProbe::default().into(),
            Kind::OutputProbe => OutputProbe::default().into(),
            Kind::Waypoint => Waypoint::default().into(),
            Kind::ControlPanel => ControlPanel::default().into(),
            Kind::RootModel => return None,
        })
    }

    /// The same under this name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        *self.name_mut() = name.into();
        self
    }
}

impl Model {
    /// True if a reference leads nowhere.
    pub(crate) fn lacks(&self, property: &PropertyRef) -> bool {
        self.referred(property).iter().any(|at| !self.contains(at.component()))
    }

    /// Addresses that a property refers to; none for other properties.
    pub(crate) fn referred(&self, property: &PropertyRef) -> Vec<Address> {
        let Address::Component(id) = property.host() else { return Vec::new() };
        for_kind!(id.kind(), T => {
            let data = id.typed::<T>().and_then(|handle| self.get(handle));
            data.map_or_else(Vec::new, |data| property.referred_by(data))
        })
    }
}
