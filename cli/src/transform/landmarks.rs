//! Files of landmarks: a line a point, three numbers or a name before them; a first line without numbers is a heading.

use std::path::Path;

/// Errors of files of landmarks.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LandmarkFileError {
    /// A file that cannot be read.
    #[error("cannot read {file}: {why}")]
    Read {
        /// Its path.
        file: String,
        /// The reason.
        why: String,
    },
    /// A file without a point.
    #[error("{0} has no landmark: give a line each, x, y, z or a name and x, y, z")]
    Empty(String),
    /// A line that is no point.
    #[error("{file}, line {line}: expected x, y, z or a name and x, y, z, got '{given}'")]
    Line {
        /// Path of the file.
        file: String,
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        given: String,
    },
    /// Names that do not agree.
    #[error(
        "landmark {number} is '{from}' in the first file and '{to}' in the second: give both in the same order"
    )]
    Name {
        /// Number of the landmark, from 1.
        number: usize,
        /// Its name in the first file.
        from: String,
        /// Its name in the second.
        to: String,
    },
}

/// Points with their names, empty for none.
type Named = Vec<(String, [f64; 3])>;

/// The landmarks of a file, and those of another, each times a factor [-].
///
/// # Errors
/// [`LandmarkFileError`].
pub(super) fn pairs(
    files: [&Path; 2],
    factor: f64,
) -> Result<[Vec<[f64; 3]>; 2], LandmarkFileError> {
    let [from, to] = [read(files[0])?, read(files[1])?];
    for (k, (a, b)) in from.iter().zip(&to).enumerate() {
        if !a.0.is_empty() && !b.0.is_empty() && a.0 != b.0 {
            let (number, from, to) = (k + 1, a.0.clone(), b.0.clone());
            return Err(LandmarkFileError::Name { number, from, to });
        }
    }
    Ok([from, to].map(|list| list.into_iter().map(|(_, x)| x.map(|x| x * factor)).collect()))
}

fn read(path: &Path) -> Result<Named, LandmarkFileError> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| LandmarkFileError::Read { file: file.clone(), why: error.to_string() })?;
    let mut points = Named::new();
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    for (nth, (k, line)) in lines.enumerate() {
        match point(line) {
            Some(point) => points.push(point),
            None if nth == 0 && line.parse::<f64>().is_err() => {}
            None => {
                let (line, given) = (k + 1, line.to_owned());
                return Err(LandmarkFileError::Line { file, line, given });
            }
        }
    }
    if points.is_empty() {
        return Err(LandmarkFileError::Empty(file));
    }
    Ok(points)
}

fn point(line: &str) -> Option<(String, [f64; 3])> {
    let words: Vec<&str> = line.split([',', ';', '\t']).map(str::trim).collect();
    let (name, numbers) = match words.as_slice() {
        [_, _, _] => ("", words.as_slice()),
        [name, rest @ ..] => (*name, rest),
        [] => return None,
    };
    let numbers: Option<Vec<f64>> = numbers.iter().map(|word| word.parse().ok()).collect();
    Some((name.trim_matches('"').to_owned(), numbers?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn points_are_read_with_and_without_names_and_headings() {
        let named = file("name,x,y,z\n# condyle\nleft, 1, 2, 3\n\nright,-1,2e0,3\n");
        let plain = file("1;2;3\n4;5;6\n");
        let [from, to] = pairs([named.path(), plain.path()], 0.001).unwrap();
        assert_eq!(from, [[0.001, 0.002, 0.003], [-0.001, 0.002, 0.003]]);
        assert_eq!(to.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let good = file("left,1,2,3\n");
        for (text, part) in [
            ("x,y,z\n1,2,3\n1,2\n", "line 3"),
            ("right,1,2,3\n", "'left' in the first file and 'right'"),
            ("1,2,3\nleft,x,y,z\n", "line 2"),
            ("x,y,z\n# none\n", "has no landmark"),
            ("", "has no landmark"),
        ] {
            let bad = file(text);
            let error = pairs([good.path(), bad.path()], 1.0).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let missing = pairs([good.path(), Path::new("/nowhere.csv")], 1.0).unwrap_err();
        assert!(missing.to_string().contains("/nowhere.csv"));
    }
}
