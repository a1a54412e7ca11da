//! The structure of a scene for POV-Ray.

/// Parts of a text between a word and the brace that closes what it opens.
fn blocks<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let after = |(at, found): (usize, &str)| &text[at + found.len()..];
    text.match_indices(word).map(after).map(|rest| &rest[..closing(rest)]).collect()
}

/// Index of the brace that closes one that was open before.
fn closing(text: &str) -> usize {
    let mut depth = 1;
    for (at, sign) in text.char_indices() {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        if depth == 0 {
            return at;
        }
    }
    panic!("a brace is not closed");
}

/// Vectors in a text, numbers all; whatever else is in pointed brackets fails.
fn vectors(text: &str) -> Vec<Vec<f64>> {
    let number = |x: &str| x.trim().parse().unwrap_or_else(|_| panic!("'{x}' is no number"));
    let inner = text.split('<').skip(1).map(|it| it.split_once('>').expect("a closed vector").0);
    inner.map(|it| it.split(',').map(number).collect()).collect()
}

/// The only list of a name in a mesh: how long it says to be, and the vectors in it.
fn list(mesh: &str, name: &str) -> (usize, Vec<Vec<f64>>) {
    let found = blocks(mesh, &format!("{name} {{"));
    let [text] = found[..] else { panic!("{} of {name}", found.len()) };
    let count = text.split([',', '\n']).next().expect("a length").trim();
    (count.parse().unwrap_or_else(|_| panic!("'{count}' of {name}")), vectors(text))
}

/// Places of the vertices of all meshes.
pub(crate) fn vertices(text: &str) -> Vec<Vec<f64>> {
    blocks(text, "mesh2 {").iter().flat_map(|mesh| list(mesh, "vertex_vectors").1).collect()
}

/// Checks a scene; the number of its meshes.
///
/// # Panics
/// At what POV-Ray would refuse or draw wrongly.
pub(crate) fn check(text: &str) -> usize {
    assert_eq!(text.matches('{').count(), text.matches('}').count(), "braces");
    assert!(vectors(text).iter().flatten().all(|x| x.is_finite()));
    for word in ["camera {", "light_source {", "background {"] {
        assert!(!blocks(text, word).is_empty(), "no {word}");
    }
    let camera = blocks(text, "camera {")[0].trim_start();
    // What comes before it makes it a camera of perspective, which no later word can change.
    assert!(camera.starts_with("perspective ") || camera.starts_with("orthographic "), "{camera}");
    let meshes = blocks(text, "mesh2 {");
    for mesh in &meshes {
        let (vertex_count, vertices) = list(mesh, "vertex_vectors");
        let (normal_count, normals) = list(mesh, "normal_vectors");
        assert_eq!([vertex_count, normal_count], [vertices.len(), normals.len()]);
        assert_eq!(vertex_count, normal_count);
        // A normal of no length ends the program's run.
        assert!(normals.iter().all(|n| n.iter().map(|x| x * x).sum::<f64>() > 0.5));
        let texture_count = list(mesh, "texture_list").0;
        assert_eq!(texture_count, blocks(mesh, "texture {").len());
        let (face_count, faces) = list(mesh, "face_indices");
        assert_eq!(face_count, faces.len());
        assert!(faces.iter().flatten().all(|&v| (v as usize) < vertex_count));
        check_textures(mesh, texture_count);
    }
    meshes.len()
}

/// Three numbers of textures follow the corners of each triangle.
fn check_textures(mesh: &str, texture_count: usize) {
    let faces = blocks(mesh, "face_indices {")[0];
    for face in faces.lines().filter(|line| line.starts_with('<')) {
        let after = face.split_once('>').expect("corners").1;
        let numbers = after.split(',').filter(|x| !x.trim().is_empty());
        let numbers: Vec<usize> = numbers.map(|x| x.trim().parse().expect("a number")).collect();
        assert_eq!(numbers.len(), 3, "{face}");
        assert!(numbers.iter().all(|&n| n < texture_count), "{face}");
    }
}
