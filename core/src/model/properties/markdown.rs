//! The tables of properties as a page of documentation.

use super::parts;
use crate::component::Kind;
use crate::model::for_kind;
use crate::property::{ModelComponent, NAME, PropertyInfo, PropertyType, RenderProps};

const HEAD: &str = "# Properties

Everything that can be read or set by name: in code by `Model::property`, on the command line by
`sinew inspect` and `--set`. This page is printed from the tables in `core/src/model/` and
`core/src/property/`; after a change there, `cargo xtask bless` prints it anew, or

    SINEW_BLESS=1 cargo test -p sinew --test properties the_page

A property stands after the colon of a path (`/models/jaw/axial_springs/lad:material.stiffness`).
*inh*: it can be inherited from an ancestor; *ro*: it can only be read; *sim*: it needs a state of a
simulation. The last column says what is computed anew when it is set. The numbers of a vector,
matrix (row by row), pose (position, then the quaternion i j k w), colour or list are written with
blanks or commas between them; so are paths.

An inheritable property is explicit, or it has the value of the nearest ancestor with an explicit
property of that name, or else the default. Setting it makes it explicit; the value `inherited` lets
it be inherited again.

What is refused leaves the model as it was: a value of another type or out of range, and one with
which the component could not be simulated (a list of the wrong length, a schedule whose times fall,
constants of a law that do not resist deformation together, a joint between a body and itself). A path
that is empty leads to nothing; where a body is asked for, that may be the ground.
";

/// Properties of ArtiSynth's components that are absent here, and why.
const TAIL: &str = "
## Not here, and why
| in ArtiSynth | here |
|---|---|
| `integrator`, `maxStepSize`, `minStepSize`, `adaptiveStepping`, `matrixSolver`, `staticIncrements`, `staticTikhonovFactor`, `updateForcesAtStepEnd` of models | settings of the run, not of a model: `SolverSettings` in code, options of `sinew run`; the same model can be run in several ways |
| `stabilization`, `rotaryLimitTol`, `useImplicitFriction` of models | every step ends on its constraints, and friction is solved for with the contacts |
| `penetrationTol`, `penetrationLimit` of models | `tolerance` and `penetration_limit` of collision behaviours |
| `collisionManager` | `collision_behaviors`: the first may speak of everything, later ones override it |
| `collidable` | a body without colliders, and what no behaviour speaks of, touches nothing |
| `method`, `colliderType`, `rigidRegionTol`, `rigidPointTol`, `vertexPenetrations`, `bilateralVertexContact`, `smoothVertexContacts`, `reduceConstraints` of collision behaviours | of contours between surfaces: shapes are convex, or points |
| `stictionCreep`, `stictionCompliance`, `stictionDamping`, `acceleration` of collision behaviours | friction holds without creep; compliance is not chosen from an acceleration |
| `forceBehavior` of collision behaviours | `law`: of ArtiSynth's own `elastic_foundation` and `logarithmic_foundation` |
| `reportNegContactForces`, `draw...`, `colorMap...`, `contactNormalLen`, `contactForceLenScale`, `renderingCollidable` of collision behaviours | of a viewer |
| `profiling` | `sinew run --profile`; `StepStats` in code |
| `dynamicsEnabled` | a particle is fixed or prescribed by `dynamic`, a node by a support |
| `orientation` of bodies, to set | their `pose`; `orientation` is read as direction times angle |
| `grounded` of bodies | a joint without a body on one side holds to the ground |
| `linearCompliance`, `rotaryCompliance`, `maxRotation`, `maxTilt` of joints | `compliance` of each row; `coordinate.*.lower` and `.upper` of each coordinate |
| `theta` and the like of joints | `coordinate.theta.value`, which a running simulation sets; of a model, the `pose` of a body |
| `shaftLength`, `shaftRadius`, `jointRadius`, `planeSize`, `drawFrameC`, `drawFrameD` of joints and constraints | of a viewer |
| `material`, `initialT21`, `useTransformDC` of frame springs | one linear law, with four stiffness and damping vectors; its rest pose is frame D |
| `wrapStiffness`, `contactStiffness` and the like of multi-point springs, `wrapKnotDensity` | strings are geodesics of smooth surfaces, without knots |
| `excitationColor`, `maxColoredExcitation` | `render.*` of the muscle |
| `navpanelVisibility`, `navpanelDisplay`, `shortName`, `selectable` | of ArtiSynth's windows |
| `modelTitle`, `viewerCenter`, `viewerEye`, `defaultViewOrientation`, `axisLength`, `axisDrawStyle` | `name` of the root is its title; the others belong to a viewer, not to a model |
| `targetPose`, `targetPosition`, `targetVelocity`, `targetActivity`, `targetDisplacement` | prescribed motion is the `displacement` and `schedule` of a support, and the `keyframes` of a body |
| `externalForce` | a load on a point or a body, which has a time course and can be undone |
| `direction`, `magnitude` and `forceScaling` of a point force | `force` |
| `dynamic` and `mass` of a node, to set | supports of the tissue hold it; `density` gives the mass |
| `backPosition`, `backRestPosition`, `frameRelative`, `grounded` of tissues | of tissues in a moving frame |
| `index` | the number in the path |
| `stress`, `strain`, `energyDensity` of nodes, and `compute...` | of elements, always there: stress is discontinuous between elements and is not smoothed here |
| `incompressible`, `softIncompMethod`, `incompCompliance`, `bulkPotential` | `incompressible` of a tissue and the laws' own volume terms; pressures are eliminated, never rows |
| `useConsistentMass` | masses are lumped |
| `surfaceRendering`, `stressPlotRange`, `colorMap`, `elementWidgetSize`, `directorRenderLen` | frames carry the fields, and the viewer of the results has the colours |
| `zOrder`, `colorMap`, `normalMap`, `bumpMap` of `renderProps` | surfaces have no textures, and nothing is drawn out of order |
| `material.corotated` of a linear law | two laws: `linear` and `corot` |
";

/// The page docs/reference/properties.md.
pub fn markdown() -> String {
    let mut text = HEAD.to_owned();
    for kind in Kind::ALL {
        for_kind!(kind, T => {
            section(&mut text, kind.name(), T::properties().iter().map(|p| &p.info));
        });
    }
    for (title, table) in parts::tables() {
        section(&mut text, title, table.iter().map(|p| &p.info));
    }
    let shared = RenderProps::table().iter().map(|p| &p.info);
    section(&mut text, "Every component", std::iter::once(&*NAME).chain(shared));
    text + TAIL
}

fn section<'p>(text: &mut String, title: &str, lines: impl Iterator<Item = &'p PropertyInfo>) {
    let lines: String = lines.map(line).collect();
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!(
        "\n## {title}\n| name | type | unit | range | default | | meaning | stale |\n"
    ));
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    text.push_str(&lines);
}

fn line(info: &PropertyInfo) -> String {
    let ty = match info.value_type {
        PropertyType::Choice(words) => words.join(", "),
        other => other.name().to_owned(),
    };
    let range = if info.read_only { String::new() } else { info.range.describe(info.value_type) };
    let default = if info.read_only { String::new() } else { info.default.to_string() };
    let marks = [(info.inheritable, "inh"), (info.read_only, "ro"), (info.simulated, "sim")];
    let marks: Vec<&str> = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    let stale = if info.read_only { String::new() } else { info.invalidates.describe() };
    format!(
        "| `{}` | {ty} | {} | {range} | {default} | {} | {} | {stale} |\n",
        info.name,
        info.unit,
        marks.join(" "),
        info.doc
    )
}
