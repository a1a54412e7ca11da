//! Published data in a folder of the user's: its files by their names, surfaces, the unit of length and the axes of what is read. What
//! is made of it stands with each model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sinew::geometry::SurfaceMesh;
use sinew::{Mat3, Vec3};

use crate::obj::read_obj;
use crate::{ParamError, Params};

/// Most files of a folder, with those below it: many times what a published model has.
const MOST_FILES: usize = 20_000;
/// Folders below the folder that are looked into.
const DEEPEST: usize = 3;
/// Most bytes of a file of text.
const LONGEST: u64 = 256 << 20;
/// Points of a surface that are compared with their mirror images.
const COMPARED: usize = 160;

/// The folder of the parameter `data`; `none` stands for no folder, as it does where the parameter is not given.
pub(crate) fn folder_of(params: &mut Params) -> Option<String> {
    params.get("data").filter(|folder| *folder != "none").map(str::to_owned)
}

/// The error of a file or a folder of published data.
pub(crate) fn fault(path: &Path, problem: impl ToString) -> ParamError {
    ParamError::Data { path: path.display().to_string(), problem: problem.to_string() }
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, ParamError> {
    let length = std::fs::metadata(path).map_err(|error| fault(path, error))?.len();
    if length > LONGEST {
        return Err(fault(
            path,
            format!("{length} bytes; files of more than {LONGEST} are not read"),
        ));
    }
    let bytes = std::fs::read(path).map_err(|error| fault(path, error))?;
    // Comments in other encodings than UTF-8 do no harm.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A surface, in the unit of its file.
pub(crate) fn read_surface(path: &Path) -> Result<SurfaceMesh, ParamError> {
    read_obj(&read_text(path)?, 1.0).map_err(|error| fault(path, error))
}

/// Files of published data.
pub(crate) struct Folder {
    path: PathBuf,
    /// By name in lower case; of two of a name, the one in the higher folder.
    files: BTreeMap<String, PathBuf>,
}

impl Folder {
    /// The files in a folder and below it.
    ///
    /// # Errors
    /// A folder that cannot be read, or holds very many files.
    pub(crate) fn open(path: &str) -> Result<Self, ParamError> {
        let path = PathBuf::from(path);
        let mut folder = Self { path: path.clone(), files: BTreeMap::new() };
        let mut level = vec![path];
        for _ in 0..=DEEPEST {
            let mut below = Vec::new();
            for path in level {
                folder.add(&path, &mut below)?;
            }
            below.sort();
            level = below;
        }
        Ok(folder)
    }

    fn add(&mut self, path: &Path, below: &mut Vec<PathBuf>) -> Result<(), ParamError> {
        let entries = std::fs::read_dir(path).map_err(|error| fault(path, error))?;
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| fault(path, error))?;
            let kind = entry.file_type().map_err(|error| fault(path, error))?;
            // Links below the folder may lead anywhere.
            if kind.is_dir() {
                below.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
            if self.files.len() + found.len() + below.len() > MOST_FILES {
                return Err(fault(
                    &self.path,
                    format!("more than {MOST_FILES} files; name the folder of the model"),
                ));
            }
        }
        found.sort();
        for file in found {
            let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            self.files.entry(name).or_insert(file);
        }
        Ok(())
    }

    /// The first of some names of which there is a file; upper and lower case are the same.
    pub(crate) fn find(&self, names: &[&str]) -> Option<&Path> {
        names.iter().find_map(|name| self.files.get(&name.to_lowercase())).map(PathBuf::as_path)
    }

    /// Files whose names begin and end so, in lower case.
    pub(crate) fn like(&self, begin: &str, end: &str) -> impl Iterator<Item = &Path> {
        let is_like = move |name: &str| name.starts_with(begin) && name.ends_with(end);
        self.files.iter().filter(move |(name, _)| is_like(name)).map(|(_, path)| path.as_path())
    }

    /// A file for each of some lists of names.
    ///
    /// # Errors
    /// One that says all that is wanted and not there.
    pub(crate) fn need<const N: usize>(
        &self,
        wanted: [&[&str]; N],
    ) -> Result<[&Path; N], ParamError> {
        let lacking: Vec<_> = wanted
            .iter()
            .filter(|names| self.find(names).is_none())
            .map(|it| it.join(" or "))
            .collect();
        if !lacking.is_empty() {
            return Err(self.lacks(&lacking));
        }
        Ok(wanted.map(|names| self.find(names).unwrap_or(&self.path)))
    }

    /// The error of a folder without some files.
    pub(crate) fn lacks(&self, wanted: &[String]) -> ParamError {
        let count = self.files.len();
        fault(&self.path, format!("wanted and not among its {count} files: {}", wanted.join("; ")))
    }

    /// The error of what is read from it.
    pub(crate) fn fault(&self, problem: impl ToString) -> ParamError {
        fault(&self.path, problem)
    }
}

/// The unit in which a length is plausible [m]: metres, centimetres or millimetres; `None` where it is in none.
fn unit_of(length: f64, [least, most]: [f64; 2]) -> Option<f64> {
    [1.0, 1e-2, 1e-3].into_iter().find(|unit| (least..=most).contains(&(length * unit)))
}

/// A width that is plausible in no unit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "{what} is {width} wide; wanted {least} to {most} m, in metres, centimetres or millimetres"
)]
pub(crate) struct WidthError {
    what: &'static str,
    width: f64,
    least: f64,
    most: f64,
}

/// The same of the width of something.
pub(crate) fn unit_of_width(
    what: &'static str,
    width: f64,
    plausible: [f64; 2],
) -> Result<f64, WidthError> {
    let [least, most] = plausible;
    unit_of(width, plausible).ok_or(WidthError { what, width, least, most })
}

/// Middle of the box around points.
pub(crate) fn middle(points: &[Vec3]) -> Vec3 {
    let first = points.first().copied().unwrap_or_default();
    let (low, high) =
        points.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    0.5 * (low + high)
}

/// Mean of points.
pub(crate) fn mean(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len().max(1) as f64
}

/// The axis from side to side: that along which points have the nearest mirror images.
pub(crate) fn lateral_axis(points: &[Vec3]) -> usize {
    let centre = middle(points);
    let stride = points.len().div_ceil(COMPARED).max(1);
    let off = |axis: usize| {
        let far = |p: &Vec3| {
            let mut image = *p;
            image[axis] = 2.0 * centre[axis] - image[axis];
            points.iter().map(|q| (q - image).norm_squared()).fold(f64::INFINITY, f64::min)
        };
        points.iter().step_by(stride).map(far).sum::<f64>()
    };
    (0..3).min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(1)
}

/// Turn into the frame of docs/theory/anatomy.md from two directions in the axes of the data: forward and up.
pub(crate) fn turn_from(forward: Vec3, up: Vec3) -> Mat3 {
    let left = up.cross(&forward);
    Mat3::from_rows(&[forward.transpose(), left.transpose(), up.transpose()])
}

/// Unit vector along an axis, with the sign of a number.
pub(crate) fn along(axis: usize, sign: f64) -> Vec3 {
    Vec3::from_fn(|k, _| if k == axis { 1f64.copysign(sign) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_told_by_the_size_of_what_is_measured() {
        let head = [0.1, 0.4];
        assert_eq!(unit_of(0.2, head), Some(1.0));
        assert_eq!(unit_of(20.0, head), Some(1e-2));
        assert_eq!(unit_of(200.0, head), Some(1e-3));
        assert_eq!(unit_of(5.0, head), None);
    }

    #[test]
    fn the_lateral_axis_is_the_one_with_mirror_images() {
        // A wedge, symmetric about y = 2 alone.
        let points: Vec<_> = (0..300)
            .map(|k| {
                let [a, b] = [f64::from(k % 20) / 19.0, f64::from(k / 20) / 14.0];
                Vec3::new(a * a, 2.0 + (b - 0.5) * (1.2 - a), a.sqrt() * 3.0)
            })
            .collect();
        assert_eq!(lateral_axis(&points), 1);
        let turned: Vec<_> = points.iter().map(|p| Vec3::new(p.y, p.z, p.x)).collect();
        assert_eq!(lateral_axis(&turned), 0);
        let turn = turn_from(along(2, -1.0), along(1, 1.0));
        assert!((turn.determinant() - 1.0).abs() < 1e-15);
        assert_eq!(turn * Vec3::new(0.0, 0.0, -2.0), Vec3::new(2.0, 0.0, 0.0));
    }

    #[test]
    fn a_folder_says_all_that_it_lacks_and_finds_files_below_it_in_any_case() {
        let folder = std::env::temp_dir().join(format!("sinew-published-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("meshes")).unwrap();
        std::fs::write(folder.join("meshes/Thyroid.OBJ"), "v 0 0 0\n").unwrap();
        let opened = Folder::open(&folder.display().to_string()).unwrap();
        assert!(opened.find(&["thyroid.obj"]).is_some());
        let refused = opened.need([&["thyroid.obj"], &["a.node", "b.node"], &["c.mac"]]);
        let text = refused.unwrap_err().to_string();
        assert!(text.contains("a.node or b.node; c.mac"), "{text}");
        std::fs::remove_dir_all(&folder).unwrap();
        let gone = Folder::open(&folder.display().to_string()).err().unwrap().to_string();
        assert!(gone.contains(&folder.display().to_string()), "{gone}");
    }
}
