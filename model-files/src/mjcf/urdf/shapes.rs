//! Shapes of URDF: solids that touch or are drawn, files of meshes in packages.

use super::super::view::View;
use super::super::xml::{Attribute, Element};
use super::{Robot, placed};
use crate::diagnostic::Diagnostic;

/// Kinds of shapes.
const SHAPES: [&str; 5] = ["box", "cylinder", "sphere", "capsule", "mesh"];

impl<'d> Robot<'d> {
    /// The geom of a `visual`, which touches nothing and weighs nothing, or of a `collision`.
    pub(super) fn geom(&mut self, at: &'d Element) -> Result<Element, Diagnostic> {
        at.attribute("name");
        let made = placed(Element::made("geom", at.span), at);
        let shape = at.child("geometry").and_then(|it| it.children.first());
        let shape = shape.ok_or_else(|| at.refused(format!("{} has no <geometry>", at.label())))?;
        let made = self.shaped(made, shape.mark())?;
        let zero = |made: Element, name: &str| made.with(name, "0", at.span);
        Ok(match at.tag.as_str() {
            "visual" => ["contype", "conaffinity", "mass"].into_iter().fold(made, zero),
            _ => made,
        })
    }

    fn shaped(&mut self, made: Element, at: &'d Element) -> Result<Element, Diagnostic> {
        let view = View::plain(at);
        let missing = |name: &str| at.refused(format!("{} has no {name}", at.label()));
        let number = |name: &str| view.number(name)?.ok_or_else(|| missing(name));
        let size = match at.tag.as_str() {
            "box" => {
                let sides = view.vector("size")?.ok_or_else(|| missing("size"))? * 0.5;
                format!("{} {} {}", sides.x, sides.y, sides.z)
            }
            "sphere" => format!("{}", number("radius")?),
            "cylinder" | "capsule" => format!("{} {}", number("radius")?, 0.5 * number("length")?),
            "mesh" => {
                let file = at.attribute("filename").ok_or_else(|| missing("filename"))?;
                let name = self.mesh(at, file);
                return Ok(made.with("type", "mesh", at.span).with("mesh", name, file.span));
            }
            other => {
                let message = format!("<{other}> is no shape");
                return Err(Diagnostic::unknown(at.span, message, other, SHAPES.into_iter()));
            }
        };
        Ok(made.with("type", &at.tag, at.span).with("size", size, at.span))
    }

    /// The name of the mesh of a file and a scale among the assets.
    fn mesh(&mut self, at: &Element, file: &Attribute) -> String {
        let scale = at.attribute("scale").map_or("1 1 1", |it| &it.value);
        let key = [file.value.clone(), scale.to_owned()];
        if let Some(known) = self.meshes.get(&key) {
            return known.clone();
        }
        let name = format!("mesh_{}", self.meshes.len() + 1);
        let mesh = Element::made("mesh", at.span).with("name", &name, at.span);
        let mesh = mesh.with("file", self.path(&file.value), file.span);
        self.asset.children.push(mesh.with("scale", scale, at.span));
        self.meshes.insert(key, name.clone());
        name
    }

    /// The name of a file from the folder of the document: `package://NAME/..` is the folder of that name around it or beside it.
    fn path(&self, name: &str) -> String {
        let name = name.strip_prefix("file://").unwrap_or(name);
        let Some(rest) = name.strip_prefix("package://") else { return name.to_owned() };
        let within = rest.split_once('/').map_or(rest, |(_, within)| within);
        let up = ["", "../", "../../", "../../../"];
        let tries = up.iter().flat_map(|up| [format!("{up}{rest}"), format!("{up}{within}")]);
        let found = tries.into_iter().find(|it| self.files.folder.join(it).is_file());
        found.unwrap_or_else(|| rest.to_owned())
    }
}
