//! A membrane or a thin shell between nodes of a tissue: skin, aponeurosis, fascia on a solid, or a sheet of its own.

use serde::{Deserialize, Serialize};

use super::checks::{check_indices, check_schedule, read_index};
use super::fem_model::{check_directions, flat, put_directions};
use super::field_formula::{FieldFormula, FieldPoint};
use super::law_properties::{LawName, constant, law_constants, put_constant};
use super::rest_state::{RestState, rest_items};
use super::tissue_reference::put_tissue;
use crate::component::{ComponentId, Handle, Invalidates, Reference, TransformRefusal};
use crate::fem::ElementFace;
use crate::kinds::{FemModel, Schedule};
use crate::material::{Axes, Deformation, Material, MaterialSpec, Value};
use crate::property::{
    CheckError, Components, ItemAccess, ModelComponent, OnePath, Problem, Put, Range, Refusal,
    Transformation, choices, composite, properties, put_schedule,
};
use crate::{Mat3, Vec3};

/// Kind of sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bending {
    /// A membrane: it resists stretch alone.
    Free,
    /// A shell: it resists bending, too.
    #[default]
    Stiff,
}

choices!(Bending { Free => "free", Stiff => "stiff" });

/// A sheet of triangles between nodes of a tissue, which it shares with the solid elements there; it has a law of the solid
/// in plane stress, and mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shell {
    /// Name in paths; may be empty.
    #[serde(default)]
    pub name: String,
    /// The tissue whose nodes it is between.
    pub fem: Handle<FemModel>,
    /// Name of a face set or a triangle set of its mesh that it covers; quadrilaterals count as the mean of
    /// the two ways to cut them into triangles. Empty for none.
    #[serde(default)]
    pub surface: String,
    /// Nodes of further triangles, counterclockwise seen from where its normal points to.
    #[serde(default)]
    pub triangles: Vec<[u32; 3]>,
    /// Thickness [m]: a number, or a formula of the rest position and of fields of the mesh, taken at the middle of each
    /// triangle.
    pub thickness: String,
    /// Mass density [kg/m³].
    pub density: f64,
    /// Its law, taken in plane stress.
    pub material: MaterialSpec,
    /// Direction of the fibres at rest, of any length, of which the part in the sheet counts: empty for x, one for all
    /// triangles, or one for each, those of the face set first.
    #[serde(default)]
    pub fibres: Vec<Vec3>,
    /// Growth and prestrain, along fibres, across them in the sheet, and across the sheet.
    #[serde(default)]
    pub rest: RestState,
    /// Resistance to bending.
    #[serde(default)]
    pub bending: Bending,
    /// Name of a set of nodes of the mesh: sides of the border between two of them keep their direction, at a clamp or a
    /// plane of symmetry. Empty for none: the border is free to turn.
    #[serde(default)]
    pub clamped: String,
    /// Pressure at a schedule value of 1 [Pa], along the normal as it moves.
    #[serde(default)]
    pub pressure: f64,
    /// Time course of the pressure.
    #[serde(default)]
    pub schedule: Schedule,
}

impl Shell {
    /// A shell of 1 mm and 1000 kg/m³ on a named surface.
    pub fn on_surface(
        fem: Handle<FemModel>,
        surface: impl Into<String>,
        material: MaterialSpec,
    ) -> Self {
        Self {
            name: String::new(),
            fem,
            surface: surface.into(),
            triangles: Vec::new(),
            thickness: "0.001".to_owned(),
            density: 1000.0,
            material,
            fibres: Vec::new(),
            rest: RestState::default(),
            bending: Bending::default(),
            clamped: String::new(),
            pressure: 0.0,
            schedule: Schedule::default(),
        }
    }

    /// The same between these nodes.
    pub fn of_triangles(
        fem: Handle<FemModel>,
        triangles: Vec<[u32; 3]>,
        material: MaterialSpec,
    ) -> Self {
        Self { triangles, ..Self::on_surface(fem, "", material) }
    }

    /// Its triangles, by nodes of the tissue, each with the element whose face it is a part of. Quadrilaterals are cut along
    /// the shorter diagonal, in one direction where both are about as long; of faces with nodes between the corners, all are used.
    pub(crate) fn triangles_in(&self, fem: &FemModel) -> Vec<([u32; 3], Option<u32>)> {
        self.cut(fem, false)
    }

    /// The same with quadrilaterals cut along their other diagonals; `None` without any.
    pub(crate) fn crossed_in(&self, fem: &FemModel) -> Option<Vec<([u32; 3], Option<u32>)>> {
        let faces = fem.mesh.face_sets.get(&self.surface)?;
        let corners = |at: &ElementFace| {
            fem.mesh.element(at.element as usize).0.faces()[usize::from(at.face)].len()
        };
        let any = faces.iter().any(|at| matches!(corners(at), 4 | 8));
        any.then(|| self.cut(fem, true))
    }

    fn cut(&self, fem: &FemModel, crossed: bool) -> Vec<([u32; 3], Option<u32>)> {
        let mesh = &fem.mesh;
        let mut triangles = Vec::new();
        for at in mesh.face_sets.get(&self.surface).into_iter().flatten() {
            let (kind, nodes) = mesh.element(at.element as usize);
            let face = kind.faces()[usize::from(at.face)];
            let n: Vec<u32> = face.iter().map(|&k| nodes[usize::from(k)]).collect();
            let long = |a: u32, b: u32| (mesh.nodes[a as usize] - mesh.nodes[b as usize]).norm();
            let quad = |[a, b, c, d]: [u32; 4]| {
                // About as long: all in one direction.
                if (long(a, c) <= 1.01 * long(b, d)) != crossed {
                    [[a, b, c], [a, c, d]]
                } else {
                    [[a, b, d], [b, c, d]]
                }
            };
            let own: Vec<[u32; 3]> = match *n.as_slice() {
                [a, b, c] => vec![[a, b, c]],
                [a, b, c, d] => quad([a, b, c, d]).to_vec(),
                [a, b, c, ab, bc, ca] => vec![[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]],
                [a, b, c, d, ab, bc, cd, da] => {
                    let corners = [[a, ab, da], [b, bc, ab], [c, cd, bc], [d, da, cd]];
                    corners.into_iter().chain(quad([ab, bc, cd, da])).collect()
                }
                _ => Vec::new(),
            };
            triangles.extend(own.into_iter().map(|triangle| (triangle, Some(at.element))));
        }
        let named = mesh.triangle_sets.get(&self.surface).into_iter().flatten();
        triangles.extend(named.map(|triangle| (*triangle, None)));
        triangles.extend(self.triangles.iter().map(|triangle| (*triangle, None)));
        triangles
    }

    /// Its triangles that are no faces of elements.
    pub(crate) fn sheets_in(&self, fem: &FemModel) -> Vec<[u32; 3]> {
        let count = fem.mesh.nodes.len();
        let sound = |t: &[u32; 3]| t.iter().all(|&node| (node as usize) < count);
        let all = self.triangles_in(fem).into_iter().filter(|(_, element)| element.is_none());
        all.map(|(triangle, _)| triangle).filter(sound).collect()
    }

    /// Thickness of each of these triangles [m]; 0 where the formula has no value.
    pub(crate) fn thicknesses(
        &self,
        fem: &FemModel,
        triangles: &[([u32; 3], Option<u32>)],
    ) -> Vec<f64> {
        let formula = FieldFormula::parse(&fem.mesh, &self.thickness).ok();
        let at = |(nodes, element): &([u32; 3], Option<u32>)| {
            let element = element.map(|e| e as usize);
            formula.as_ref().map_or(0.0, |it| it.at(FieldPoint { nodes, shares: &[], element }))
        };
        triangles.iter().map(at).collect()
    }

    /// Direction of the fibres of a triangle.
    pub(crate) fn fibre(&self, triangle: usize) -> Vec3 {
        self.fibres.get(triangle).or(self.fibres.first()).copied().unwrap_or_else(Vec3::x)
    }

    fn check_surface(&self, model: &dyn Components) -> Result<(), CheckError> {
        let fem = model.checked_fem("tissue", self.fem)?;
        let known = |names: Vec<&String>| {
            let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        let (faces, sheets) = (&fem.mesh.face_sets, &fem.mesh.triangle_sets);
        let is_there = faces.contains_key(&self.surface) || sheets.contains_key(&self.surface);
        if !self.surface.is_empty() && !is_there {
            let known = known(faces.keys().chain(sheets.keys()).collect());
            return Err(Problem::NoSet { surface: self.surface.clone(), known }.at("surface"));
        }
        if !self.clamped.is_empty() && !fem.mesh.node_sets.contains_key(&self.clamped) {
            let known = known(fem.mesh.node_sets.keys().collect());
            return Err(Problem::NoNodes { set: self.clamped.clone(), known }.at("clamped"));
        }
        check_indices(self.triangles.as_flattened(), fem.mesh.nodes.len())
            .map_err(|problem| problem.at("triangles"))?;
        let named = sheets.get(&self.surface).map_or(&[][..], |triangles| triangles.as_flattened());
        check_indices(named, fem.mesh.nodes.len()).map_err(|problem| problem.at("surface"))?;
        if let Some([a, ..]) = self.triangles.iter().find(|[a, b, c]| a == b || b == c || c == a) {
            let (what, must) = ("node twice in a triangle", "three different ones");
            return Err(Problem::Entry { what, value: f64::from(*a), must }.at("triangles"));
        }
        let triangles = self.triangles_in(fem);
        if triangles.is_empty() {
            return Err(Problem::Few { given: 0, least: 1 }.at("triangles"));
        }
        check_directions(&self.fibres, triangles.len()).map_err(|problem| problem.at("fibres"))?;
        self.check_thickness(fem, &triangles)?;
        self.crossed_in(fem).map_or(Ok(()), |triangles| self.check_thickness(fem, &triangles))
    }

    fn check_thickness(
        &self,
        fem: &FemModel,
        triangles: &[([u32; 3], Option<u32>)],
    ) -> Result<(), CheckError> {
        FieldFormula::parse(&fem.mesh, &self.thickness)
            .map_err(|error| Problem::from(error).at("thickness"))?;
        for (element, &value) in self.thicknesses(fem, triangles).iter().enumerate() {
            let range = Range::POSITIVE;
            if !range.contains(value) {
                return Err(Problem::InElement { value, element, range }.at("thickness"));
            }
        }
        Ok(())
    }

    /// Checks that the shape without stress has an area, and no shears across the sheet.
    fn check_rest(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.rest.check()?;
        let across = [(0, 2), (1, 2), (2, 0), (2, 1)].map(|place| self.rest.prestrain[place]);
        match across.into_iter().find(|shear| *shear != 0.0) {
            None => Ok(()),
            Some(value) => {
                let (what, must) = ("shear across the sheet", "0: a sheet has none");
                Err(Problem::Entry { what, value, must }.at("rest.prestrain"))
            }
        }
    }

    fn check_law(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.material.check().map_err(|error| Problem::from(error).at("material"))?;
        let kind = self.material.kind();
        let must = if kind.muscle {
            "the law of a tissue; that of a muscle belongs to a bundle (muscle_bundles)"
        } else if shears_across(&self.material) {
            "a law whose stretches in the sheet make no shears across it"
        } else if is_rigid(&self.material) && self.material.bulk().is_none() {
            "a Poisson's ratio below 0.5, or a law whose energy has a part of the volume alone"
        } else {
            return Ok(());
        };
        Err(Problem::Unfit { target: kind.name.to_owned(), must }.at("material"))
    }

    fn check_schedule(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_schedule(&self.schedule).map_err(|problem| problem.at("schedule"))
    }

    fn put_triangles(&mut self, list: &[f64]) -> Put {
        let wrong = Refusal::Value("it must be three indices of nodes a triangle");
        let corners: Option<Vec<u32>> = list.iter().map(|&x| read_index(x)).collect();
        let corners = corners.ok_or(wrong)?;
        let (rows, rest) = corners.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(wrong);
        }
        self.triangles = rows.to_vec();
        Ok(())
    }
}

/// True if a stretch in the plane of the first two axes makes shears across it, at rest.
fn shears_across(law: &MaterialSpec) -> bool {
    if law.kind().axes != Axes::All {
        return false;
    }
    let (_, c) = law.without_bulk().stress_and_tangent(&Deformation::new(Mat3::zeros()));
    let largest = c.amax();
    [0, 1, 2, 3].into_iter().any(|i| [4, 5].into_iter().any(|j| c[(i, j)].abs() > 1e-9 * largest))
}

/// True if the law keeps its volume by its Poisson's ratio.
fn is_rigid(law: &MaterialSpec) -> bool {
    law.get("poissons_ratio") == Some(Value::Number(0.5))
}

const LAW: ItemAccess<Shell> = ItemAccess {
    get: |it, name| constant(&it.material, name),
    set: Some(|it, name, value| put_constant(&mut it.material, name, value)),
    check: Some(Shell::check_law),
};

const REST: ItemAccess<Shell> = ItemAccess {
    get: |it, name| it.rest.value(name),
    set: Some(|it, name, value| it.rest.put(name, value)),
    check: Some(Shell::check_rest),
};

impl ModelComponent for Shell {
    const HOME: Option<&'static str> = Some("shells");
    const MOVED: Invalidates = Invalidates::STRUCTURE;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.fem));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.fem.redirect(map);
    }

    /// Its fibres turn and stretch with the tissue.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        self.deform(transformation)
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_surface(model)?;
        self.check_schedule(model)?;
        self.check_rest(model)?;
        self.check_law(model)
    }

    properties! { Shell {
        "tissue": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The tissue whose nodes it is between",
            reference (|it| vec![it.fem.id().into()], |it, to| put_tissue(&mut it.fem, to)), check Shell::check_surface;
        "surface": String = String::new(), "", FINITE, STRUCTURE, "Name of a face set or a triangle set of the mesh that it covers, which of a file of triangles is surface; none where empty", own (surface);
        "triangles": Vec<f64> = Vec::new(), "", NOT_NEGATIVE, STRUCTURE, "Nodes of further triangles, three each, counterclockwise seen from where the normal points to",
            via (|it: &Shell| Some(it.triangles.iter().flatten().map(|&n| f64::from(n)).collect()), |it: &mut Shell, list: Vec<f64>| it.put_triangles(&list));
        "thickness": String = "0.001".to_owned(), "m", FINITE, STRUCTURE, "Thickness: a number, or a formula of the rest position x, y, z and of fields of the mesh", own (thickness);
        "density": f64 = 1000.0, "kg/m³", NOT_NEGATIVE, STRUCTURE, "Mass per volume at rest", own (density);
        "material": LawName = LawName::DEFAULT, "", FINITE, PARAMETER, "Law, taken in plane stress; setting it takes the law's default constants",
            replacing (|it: &Shell| Some(LawName::of(&it.material)), |it: &mut Shell, law: LawName| law.put(&mut it.material)), check Shell::check_law;
        ..composite("material", Invalidates::PARAMETER, law_constants(false), &LAW);
        "fibres": Vec<f64> = Vec::new(), "-", FINITE, STRUCTURE, "Direction of its fibres at rest, of which the part in the sheet counts: none for x, x y z for all triangles, or x y z of each",
            via (|it: &Shell| Some(flat(&it.fibres)), |it: &mut Shell, list: Vec<f64>| put_directions(&mut it.fibres, &list));
        ..composite("rest", Invalidates::PARAMETER, rest_items(), &REST);
        "bending": Bending = Bending::Stiff, "", FINITE, STRUCTURE, "Resistance to bending: stiff for a shell, free for a membrane", own (bending);
        "clamped": String = String::new(), "", FINITE, STRUCTURE, "Name of a set of nodes of the mesh: sides of the border between two of them keep their direction; none where empty", own (clamped);
        "pressure": f64 = 0.0, "Pa", FINITE, PARAMETER, "Pressure at a schedule value of 1, along the normal of the sheet as it moves", own (pressure);
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course of the pressure: one factor, or times and factors in turn",
            via (|it: &Shell| Some(it.schedule.to_list()), |it: &mut Shell, list: Vec<f64>| put_schedule(&mut it.schedule, &list)), check Shell::check_schedule;
        "strain_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy of its deformation", simulated ();
    } }
}
