//! Named faces of tissues: sets that loads and shells take by their names, made, changed and taken away.

use super::change_set::Op;
use crate::component::{Handle, Invalidates};
use crate::fem::{ElementFace, VolumeMesh};
use crate::model::{EditError, FemModel, Model};

impl Model {
    /// Works out another set of faces of a tissue.
    pub(super) fn plan_faces(
        &self,
        fem: Handle<FemModel>,
        name: &str,
        faces: &[[u32; 2]],
    ) -> Result<Vec<Op>, EditError> {
        self.present(fem.id())?;
        let Some(mut other) = self.get(fem).cloned() else { return Ok(Vec::new()) };
        if name.is_empty() {
            return Err(EditError::UnnamedFaces(self.path(fem)));
        }
        let faces = faces.iter().map(|&face| self.face_of(fem, &other.mesh, face));
        let mut faces = faces.collect::<Result<Vec<_>, _>>()?;
        faces.sort_unstable();
        faces.dedup();
        let sets = &mut other.mesh.face_sets;
        let before = match faces.is_empty() {
            true => sets.remove(name),
            false => sets.insert(name.to_owned(), faces),
        };
        let invalidates = match before {
            // Somebody may take it.
            Some(_) => Invalidates::STRUCTURE | Invalidates::RENDER,
            None if sets.contains_key(name) => Invalidates::RENDER,
            None => {
                let (path, name) = (self.path(fem), name.to_owned());
                return Err(EditError::NoFaceSet { path, name });
            }
        };
        let (id, other) = (fem.id(), Box::new(other.into()));
        Ok(vec![Op::Swap { id, other, invalidates, map: None }])
    }

    fn face_of(
        &self,
        fem: Handle<FemModel>,
        mesh: &VolumeMesh,
        [element, face]: [u32; 2],
    ) -> Result<ElementFace, EditError> {
        let elements = mesh.element_count();
        let known = (element as usize) < elements;
        let faces = known.then(|| mesh.element(element as usize).0.faces().len());
        match u8::try_from(face) {
            Ok(number) if faces.is_some_and(|count| usize::from(number) < count) => {
                Ok(ElementFace { element, face: number })
            }
            _ => Err(EditError::NoFace { path: self.path(fem), element, face, elements, faces }),
        }
    }
}
