//! The assembled model with published surfaces and landmarks, where their files are.

use std::path::PathBuf;

use sinew::model::{AxialSpring, FrameMarker, Model, PointRef, RigidBody};
use sinew_datasets::jaw::muscles::muscles;
use sinew_datasets::jaw_tongue_hyoid::{JawParams, from_data, jaw_tongue_hyoid};

fn folder() -> Option<PathBuf> {
    let shared = std::env::var("SINEW_SHARED")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared").to_owned());
    let folder = PathBuf::from(shared).join("datasets/jaw");
    if !folder.is_dir() {
        println!("no {}: published surfaces not tried", folder.display());
        return None;
    }
    Some(folder)
}

/// Bodies, springs, markers.
fn counts(model: &Model) -> [usize; 3] {
    [
        model.iter::<RigidBody>().count(),
        model.iter::<AxialSpring>().count(),
        model.iter::<FrameMarker>().count(),
    ]
}

#[test]
fn published_surfaces_and_landmarks_make_the_same_model() {
    let Some(folder) = folder() else { return };
    let params = JawParams::default();
    let (read, made) = (from_data(&folder, &params).unwrap(), jaw_tongue_hyoid(&params).unwrap());
    read.check().unwrap();
    assert_eq!(counts(&read), counts(&made));
    for (_, spring) in read.iter::<AxialSpring>() {
        let Some(record) = muscles().into_iter().find(|m| m.name == spring.name) else { continue };
        for (end, at) in spring.ends.iter().zip([record.origin, record.insertion]) {
            let PointRef::Marker(marker) = *end else { panic!("{} on no bone", spring.name) };
            let off = (read[marker].location - sinew::Vec3::from(at.point)).norm();
            // Rounding to whole millimetres moves a point by half a diagonal at most.
            assert!(off < 0.87e-3, "{}: {off} m", spring.name);
            assert_eq!(read[read[marker].body].name, at.body.name());
        }
    }
    // Both hyoid bones carry the same attachments: their boxes have the same middle but for some millimetres.
    let middle = |model: &Model| {
        let (_, hyoid) = model.iter::<RigidBody>().find(|(_, b)| b.name == "hyoid").unwrap();
        let [low, high] = hyoid.mesh.as_ref().unwrap().bounding_box().unwrap();
        0.5 * (low + high)
    };
    let off = (middle(&read) - middle(&made)).norm();
    assert!(off < 5e-3, "hyoid bone {off} m off");
}

#[test]
fn a_folder_without_the_files_is_refused_with_the_missing_name() {
    let error = from_data(&std::env::temp_dir().join("no-such-folder"), &JawParams::default());
    let text = error.unwrap_err().to_string();
    assert!(text.contains("cranium.obj"), "{text}");
}
