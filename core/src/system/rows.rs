//! The constraint rows of a model: their order, their compliance, and the component of each.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::check::CompileError;
use super::closed_volumes;
use super::drives::actuator_drives_of;
use super::flat::Flat;
use super::multibody::{BodyRows, CoordinatePath, JointSet};
use super::numbering::Numbering;
use super::time_course::TimeCourse;
use crate::component::{ComponentId, Handle};
use crate::constraint::{
    Compliance, ConstraintInput, ConstraintLaw, CoordinateReading, CoordinateSettings, JointNumber,
    JointTerm, PlacedJoint, PlacedLaw, PlaneChain, Pose, SeenBody, Site, SiteBase,
    UnilateralSettings, check_slopes,
};
use crate::force::{Actuator, Actuators, CoordinateSprings, SprungCoordinate};
use crate::model::{
    Anchor, AnyJoint, CoordinateActuator, FrameSite, JointCoordinateCoupling, Model, RigidBody,
};

/// A joint that holds.
pub(super) struct EnabledJoint<'m> {
    pub(super) id: ComponentId,
    pub(super) joint: AnyJoint<'m>,
}

/// An end of the range of a coordinate.
struct Limit {
    coordinate: usize,
    upper: bool,
    /// [m or rad].
    end: f64,
}

/// All joints that hold, in the order of their rows.
pub(super) fn joints<'m>(flat: &Flat<'m>) -> Vec<EnabledJoint<'m>> {
    let of_kinds = flat.places.joints.handles().iter().map(|handle| handle.id());
    let ids = of_kinds.chain(flat.custom_joints.iter().map(|(handle, _)| handle.id()));
    let joints = ids.filter_map(|id| Some(EnabledJoint { id, joint: flat.model.joint(id)? }));
    joints.filter(|it| it.joint.enabled).collect()
}

/// Couplings that hold, of joints that do.
fn couplings<'m>(
    flat: &Flat<'m>,
    joints: &[EnabledJoint<'_>],
) -> Vec<(ComponentId, &'m JointCoordinateCoupling)> {
    let holds = |id: ComponentId| joints.iter().any(|joint| joint.id == id);
    let whole = |it: &JointCoordinateCoupling| it.terms.iter().all(|term| holds(term.of.joint));
    let fixed = flat.couplings.iter().filter(|(_, it)| it.enabled && whole(it));
    fixed.map(|(handle, it)| (handle.id(), *it)).collect()
}

impl EnabledJoint<'_> {
    /// Coordinates at the start [m and rad]: of those that describe the same pose, the smallest.
    fn start(&self, model: &Model) -> Vec<f64> {
        self.joint.start(model).expect("references were checked")
    }

    /// Bilateral rows of its coordinates: the coordinate, and what it is fixed at; none is what the state
    /// says. A range without width holds at its ends.
    fn locks(&self) -> impl Iterator<Item = (usize, Option<f64>)> {
        self.joint.coordinates.iter().enumerate().filter_map(|(k, it)| match it.range.width() {
            _ if it.locked => Some((k, None)),
            Some(0.0) => Some((k, it.range.lower)),
            _ => None,
        })
    }

    fn limits(&self) -> impl Iterator<Item = Limit> {
        let open = |it: &CoordinateSettings| !it.locked && it.range.width() != Some(0.0);
        let coordinates = self.joint.coordinates.iter().enumerate().filter(move |(_, it)| open(it));
        coordinates.flat_map(|(coordinate, it)| {
            let ends = [(false, it.range.lower), (true, it.range.upper)];
            ends.into_iter()
                .filter_map(move |(upper, end)| Some(Limit { coordinate, upper, end: end? }))
        })
    }

    /// Compliance of all its rows: those of its kind, then those of its coordinates.
    fn compliance(&self) -> Vec<Compliance> {
        let locks = self.locks().map(|(k, _)| self.joint.coordinates[k].compliance);
        self.joint.rows.iter().copied().chain(locks).collect()
    }
}

/// Compliance of the bilateral rows of each component that has some, in the order of rows.
fn groups(flat: &Flat<'_>) -> Vec<(ComponentId, Vec<Compliance>)> {
    let joints = joints(flat);
    let mut groups: Vec<_> = joints.iter().map(|joint| (joint.id, joint.compliance())).collect();
    for (handle, fixed) in flat.places.constrainers.handles().iter().zip(&flat.constrainers) {
        if fixed.enabled {
            groups.push((handle.id(), vec![fixed.compliance; fixed.kind.row_count()]));
        }
    }
    let bilateral = flat.segmented_planes.iter().filter(|(_, it)| it.enabled && !it.unilateral);
    groups.extend(bilateral.map(|(handle, it)| (handle.id(), vec![it.compliance])));
    let custom = flat.custom_constrainers.iter().filter(|(_, it)| it.enabled);
    groups.extend(custom.map(|(handle, it)| (handle.id(), it.rows.clone())));
    // Their compliance is that of their contents (`closed_volumes.rs`).
    let volumes = closed_volumes::all(flat);
    groups.extend(volumes.map(|(handle, _)| (handle.id(), vec![Compliance::default()])));
    let couplings = couplings(flat, &joints);
    groups.extend(couplings.iter().map(|(id, it)| (*id, vec![it.compliance])));
    groups
}

/// Compliance of all bilateral rows.
pub(super) fn compliance_of(flat: &Flat<'_>) -> Vec<Compliance> {
    groups(flat).into_iter().flat_map(|(_, compliance)| compliance).collect()
}

/// Inertia of all bilateral rows [kg or kg m²].
pub(super) fn inertia_of(flat: &Flat<'_>) -> Vec<f64> {
    let joints = joints(flat);
    let of_couplings: Vec<f64> =
        couplings(flat, &joints).iter().map(|(_, it)| it.inertia).collect();
    // Couplings come last.
    let others = compliance_of(flat).len() - of_couplings.len();
    std::iter::repeat_n(0.0, others).chain(of_couplings).collect()
}

/// Compliance [m/N, N s/m or of angles] and restitution [-] of all unilateral rows.
pub(super) fn unilateral_compliance_of(flat: &Flat<'_>) -> Vec<(Compliance, f64)> {
    let joints = joints(flat);
    let of_joint = |joint: &EnabledJoint<'_>| -> Vec<(Compliance, f64)> {
        let settings = joint.limits().map(|limit| &joint.joint.coordinates[limit.coordinate]);
        settings.map(|it| (it.compliance, it.restitution)).collect()
    };
    let planes = flat.segmented_planes.iter().filter(|(_, it)| it.enabled && it.unilateral);
    let planes = planes.map(|(_, it)| (it.compliance, it.restitution));
    joints.iter().flat_map(of_joint).chain(planes).collect()
}

/// All actuators of joints that hold; `None` when there are none.
pub(super) fn actuators_of(
    flat: &Flat<'_>,
    JointSet { placed, places, .. }: &JointSet,
) -> Option<Actuators> {
    let actuator = |(place, it): (usize, &&CoordinateActuator)| {
        let joint = &placed[*places.get(&it.of.joint)?];
        let number = JointNumber::Coordinate(it.of.index(flat.model)? as u8);
        let coordinate = JointTerm::of(joint, number);
        let (max_force, excitation) = (it.max_force, it.excitation);
        Some(Actuator { coordinate, max_force, excitation, schedule: it.schedule.clone(), place })
    };
    let enabled = flat.actuators.iter().enumerate().filter(|(_, it)| it.enabled);
    let actuators: Vec<Actuator> = enabled.filter_map(actuator).collect();
    let drives = || actuator_drives_of(flat);
    (!actuators.is_empty()).then(|| Actuators { actuators, drives: drives() })
}

/// Springs and stops of coordinates of joints that hold; `None` when there are none.
pub(super) fn coordinate_springs_of(
    flat: &Flat<'_>,
    JointSet { placed, places, .. }: &JointSet,
) -> Option<CoordinateSprings> {
    let spring = |it: &&CoordinateActuator| {
        let joint = &placed[*places.get(&it.of.joint)?];
        let index = it.of.index(flat.model)?;
        let coordinate = JointTerm::of(joint, JointNumber::Coordinate(index as u8));
        let spring = it.spring;
        let near = spring.stops.map_or(spring.rest, |stops| 0.5 * (stops.ends[0] + stops.ends[1]));
        let reading = CoordinateReading::new(joint, index, Some(near));
        Some(SprungCoordinate { spring, coordinate, reading })
    };
    let sprung = flat.actuators.iter().filter(|it| it.enabled && !it.spring.is_void());
    let springs: Vec<SprungCoordinate> = sprung.filter_map(spring).collect();
    (!springs.is_empty()).then(|| CoordinateSprings::new(springs))
}

/// Ranges of the bilateral rows of each component.
#[derive(Clone, Debug, Default)]
pub(super) struct RowOwners {
    rows: BTreeMap<ComponentId, Range<usize>>,
}

impl RowOwners {
    pub(super) fn of(flat: &Flat<'_>) -> Self {
        let (mut rows, mut first) = (BTreeMap::new(), 0);
        for (id, compliance) in groups(flat) {
            rows.insert(id, first..first + compliance.len());
            first += compliance.len();
        }
        Self { rows }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (ComponentId, Range<usize>)> {
        self.rows.iter().map(|(id, rows)| (*id, rows.clone()))
    }

    /// Those of a component; `None` when it has none.
    pub(super) fn get(&self, id: ComponentId) -> Option<Range<usize>> {
        self.rows.get(&id).cloned()
    }
}

/// Path, coordinate and side of a limit.
fn limit_settings(path: &str, joint: &EnabledJoint<'_>, limit: &Limit) -> UnilateralSettings {
    let settings = &joint.joint.coordinates[limit.coordinate];
    let coordinate = &joint.joint.law.coordinate_specs()[limit.coordinate].name;
    let side = if limit.upper { "upper" } else { "lower" };
    UnilateralSettings {
        name: format!("{path} {coordinate} {side}"),
        compliance: settings.compliance,
        restitution: settings.restitution,
    }
}

/// All rows of a model whose bodies are known.
pub(super) fn compile(
    flat: &Flat<'_>,
    points: &Numbering,
    bodies: &[BodyRows],
) -> Result<JointSet, CompileError> {
    let mut builder = Builder { flat, points, bodies, set: JointSet::default() };
    let joints = joints(flat);
    joints.iter().for_each(|joint| builder.add_joint(joint));
    builder.check_functions()?;
    builder.add_constrainers();
    builder.add_planes();
    builder.add_laws()?;
    builder.add_volumes();
    builder.add_couplings(&joints);
    let (compliance, inertia) = (compliance_of(flat), inertia_of(flat));
    let mut set = JointSet { compliance, inertia, ..builder.set };
    closed_volumes::update(flat, &mut set);
    Ok(set)
}

/// Model that rows are made from, and the rows made so far.
struct Builder<'a> {
    flat: &'a Flat<'a>,
    points: &'a Numbering,
    bodies: &'a [BodyRows],
    set: JointSet,
}

impl Builder<'_> {
    /// Points in frames, or on other points.
    fn add_constrainers(&mut self) {
        let Self { flat, points, .. } = *self;
        for (k, fixed) in flat.constrainers.iter().enumerate().filter(|(_, fixed)| fixed.enabled) {
            let point = |point| point_site(points.row(flat, point));
            let d = match &fixed.anchor {
                Anchor::Frame(site) => self.site(site),
                Anchor::Point(other) => point(*other),
            };
            self.set.rows.push_point(fixed.kind, &point(fixed.point), &d);
            self.name_rows(&flat.model.path(flat.places.constrainers.handles()[k]));
        }
    }

    /// Equations between coordinates of joints.
    fn add_couplings(&mut self, joints: &[EnabledJoint<'_>]) {
        let flat = self.flat;
        for (id, coupling) in couplings(flat, joints) {
            let terms = coupling.terms.iter().map(|term| {
                let joint = &self.set.placed[self.set.places[&term.of.joint]];
                let index = term.of.index(flat.model).expect("references were checked");
                let number = JointNumber::Coordinate(index as u8);
                let curve = term.curve.clone().map(Arc::new);
                let polynomial = term.polynomial.clone();
                JointTerm { polynomial, curve, ..JointTerm::of(joint, number) }
            });
            let terms: Vec<JointTerm> = terms.collect();
            // The first term is that of the coordinate which follows the others.
            if let Some(JointTerm { joint, number: JointNumber::Coordinate(k), .. }) = terms.first()
            {
                self.set.dependent.push(joint.first as usize + usize::from(*k));
            }
            self.set.rows.push_terms(terms);
            self.name_rows(&flat.model.path(id));
        }
    }

    /// Compares the functions of custom joints with each other at the start, and those that are code with differences:
    /// what data makes has its derivatives from the library, and kinks where differences say nothing.
    fn check_functions(&self) -> Result<(), CompileError> {
        let flat = self.flat;
        for (handle, joint) in flat.custom_joints.iter().filter(|(_, joint)| joint.enabled) {
            let placed = &self.set.placed[self.set.places[&handle.id()]];
            let functions = flat.model.functions_of(*handle).and_then(Result::ok);
            let functions = functions.expect("code was checked");
            let checked = match joint.is_code() {
                true => functions.check_jacobian(&placed.start),
                false => functions.check_values(&placed.start),
            };
            checked.map_err(|error| {
                let path = flat.model.path(*handle);
                CompileError::CustomJoint { path, error: Box::new(error) }
            })?;
        }
        Ok(())
    }

    /// Points on chains of planes.
    fn add_planes(&mut self) {
        let Self { flat, points, .. } = *self;
        for (handle, it) in flat.segmented_planes.iter().filter(|(_, it)| it.enabled) {
            let path = flat.model.path(*handle);
            let planes = it.planes().expect("chains were checked");
            let bodies: Vec<SeenBody> = it.frame.body.iter().map(|&body| self.seen(body)).collect();
            let law = PlacedLaw {
                law: plane_law(planes, it.frame.pose),
                points: vec![points.row(flat, it.point)],
                bodies,
                rows: 1,
            };
            if it.unilateral {
                let (name, compliance, restitution) = (path, it.compliance, it.restitution);
                let settings = UnilateralSettings { name, compliance, restitution };
                self.set.unilateral.push_law(settings, law);
            } else {
                self.set.rows.push_law(law);
                self.name_rows(&path);
            }
        }
    }

    /// Laws of the user, each compared with differences at the start.
    fn add_laws(&mut self) -> Result<(), CompileError> {
        let Self { flat, points, .. } = *self;
        for (handle, it) in flat.custom_constrainers.iter().filter(|(_, it)| it.enabled) {
            let path = flat.model.path(*handle);
            let law = flat.model.constraint_law(handle.id(), it);
            let law = PlacedLaw {
                law: law.map_err(|fault| flat.code_fault(handle.id(), &fault))?,
                points: it.points.iter().map(|&point| points.row(flat, point)).collect(),
                bodies: it.bodies.iter().map(|&body| self.seen(body)).collect(),
                rows: it.rows.len(),
            };
            let positions: Vec<_> =
                law.points.iter().map(|&row| points.rest[row as usize]).collect();
            let poses: Vec<Pose> = it.bodies.iter().map(|&body| flat.model[body].pose).collect();
            let place = ConstraintInput { positions: &positions, poses: &poses };
            check_slopes(&*law.law, law.rows, place).map_err(|error| {
                CompileError::CustomConstrainer { path: path.clone(), error: Box::new(error) }
            })?;
            self.set.rows.push_law(law);
            self.name_rows(&path);
        }
        Ok(())
    }

    /// Closed surfaces with their contents.
    fn add_volumes(&mut self) {
        let Self { flat, points, .. } = *self;
        for (handle, it) in closed_volumes::all(flat) {
            let fem = flat.places.fems.place(it.fem).expect("references were checked");
            let surface = it.closed_surface(&flat.fems[fem].mesh).expect("surfaces were checked");
            let (contents, rows) = (it.contents(&surface), &points.fem_rows[fem]);
            let surface = surface.with_rows(|node| rows[node as usize]);
            self.set.rows.push_volume(surface, contents);
            self.name_rows(&flat.model.path(handle));
        }
    }

    fn seen(&self, body: Handle<RigidBody>) -> SeenBody {
        let Self { flat, points, .. } = *self;
        let place = flat.places.bodies.place(body).expect("references were checked");
        let center = self.bodies[place].inertia.center_of_mass();
        SeenBody { body: place as u32, row: points.body_rows[place], center }
    }

    /// A joint, its rows, locks and limits.
    fn add_joint(&mut self, joint: &EnabledJoint<'_>) {
        let flat = self.flat;
        let path = flat.model.path(joint.id);
        let [c, d] = joint.joint.sides.map(|site| self.site(site));
        let (law, start) = (joint.joint.law.clone(), joint.start(flat.model));
        let coordinates = &joint.joint.coordinates;
        let first = self.set.locked.len() as u32;
        self.set.locked.extend(coordinates.iter().map(|it| it.locked));
        let placed = Arc::new(PlacedJoint { law, c, d, first, start });
        self.set.rows.push_joint(&placed);
        self.set.lock_rows.resize(self.set.rows.count(), false);
        let coordinate = |k: usize| JointTerm::of(&placed, JointNumber::Coordinate(k as u8));
        for (k, at) in joint.locks() {
            let term = coordinate(k);
            let settings = &coordinates[k];
            if settings.locked && !settings.keyframes.is_empty() {
                let (row, coordinate) = (self.set.rows.count(), first as usize + k);
                let course = TimeCourse::of_coordinate(settings);
                self.set.paths.push(CoordinatePath { coordinate, row, course });
            }
            self.set.rows.push_terms([match at {
                None => JointTerm { from_locked: true, ..term },
                Some(end) => JointTerm { polynomial: vec![-end, 1.0], ..term },
            }]);
        }
        self.set.lock_rows.resize(self.set.rows.count(), true);
        self.name_rows(&path);
        for limit in joint.limits() {
            let inward = if limit.upper { -1.0 } else { 1.0 };
            let polynomial = vec![-inward * limit.end, inward];
            let term = JointTerm { polynomial, ..coordinate(limit.coordinate) };
            self.set.unilateral.push(limit_settings(&path, joint, &limit), [term]);
        }
        self.set.places.insert(joint.id, self.set.placed.len());
        self.set.placed.push(placed);
    }

    /// Calls all rows that have no name yet.
    fn name_rows(&mut self, path: &str) {
        self.set.names.resize(self.set.rows.count(), path.to_owned());
        self.set.lock_rows.resize(self.set.rows.count(), false);
    }

    /// A frame seen from the centre of mass of its body.
    fn site(&self, site: &FrameSite) -> Site {
        let Self { flat, points, .. } = *self;
        let Some(body) = site.body else {
            return Site { base: SiteBase::Ground, pose: site.pose };
        };
        let body = flat.places.bodies.place(body).expect("references were checked");
        let center = self.bodies[body].inertia.center_of_mass();
        let mut pose = site.pose;
        pose.translation.vector -= center;
        Site { base: SiteBase::Body(body as u32, points.body_rows[body]), pose }
    }
}

/// The distance of a point from planes in a frame of a body, or of the ground.
fn plane_law(planes: PlaneChain, frame: Pose) -> Arc<ConstraintLaw> {
    Arc::new(move |place, sheet| {
        let body = place.poses.first();
        let pose = body.map_or(frame, |body| body * frame);
        let point = place.positions[0];
        let (distance, normal) =
            planes.distance(&pose.inverse_transform_point(&point.into()).coords);
        let normal = pose.rotation * normal;
        sheet.set_value(0, distance);
        sheet.set_point(0, 0, normal);
        if let Some(body) = body {
            let arm = point - body.translation.vector;
            sheet.set_body(0, 0, -normal, -arm.cross(&normal));
        }
    })
}

fn point_site(row: u32) -> Site {
    Site { base: SiteBase::Point(row), pose: Pose::identity() }
}
