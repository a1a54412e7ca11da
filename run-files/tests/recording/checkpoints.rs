//! Checkpoints read back as they were; what is not whole is refused.

use sinew::Vec3;
use sinew::property::{Setting, Value};
use sinew::schedule::Waypoint;
use sinew::system::{ContactForce, PrescribedMomentum, State};
use sinew_datasets::{Params, find};
use sinew_run_files::checkpoint::{Checkpoint, CheckpointFault, VERSION, model_hash};

fn state() -> State {
    let contact = ContactForce {
        pair: 3,
        a: u32::MAX,
        key: 0x0123_4567_89ab_cdef,
        point: Vec3::new(1.0, 2.0, 3.0),
        normal: Vec3::z(),
        gap: -1e-6,
        force: Vec3::new(0.0, -0.0, 9.8),
    };
    let momentum = PrescribedMomentum { row: 5, momentum: Vec3::y(), force: Vec3::z() * -0.1 };
    State {
        time: 0.1 + 0.2,
        q: vec![Vec3::new(1.0 / 3.0, -1e-300, 5e-324); 7],
        u: vec![Vec3::zeros(); 7],
        memory: vec![0.5],
        multipliers: vec![1.0, 2.0],
        contacts: vec![contact; 2],
        range_forces: vec![],
        coordinates: vec![0.7; 3],
        prescribed: vec![momentum; 2],
    }
}

fn checkpoint() -> Checkpoint {
    let pose = sinew::property::Pose::new(Vec3::x(), Vec3::new(0.1, 0.2, 0.3));
    let settings = [
        Setting::Inherited,
        Setting::Explicit(Value::Real(0.1)),
        Setting::Explicit(Value::Vector(Vec3::y())),
        Setting::Explicit(Value::Bool(true)),
        Setting::Explicit(Value::Pose(pose)),
        Setting::Explicit(Value::Text("inherited".into())),
        Setting::Explicit(Value::List(vec![])),
        Setting::Explicit(Value::Paths(vec!["/models/a b".into(), "/models/c".into()])),
    ];
    let settings = settings.into_iter().enumerate();
    let settings = settings.map(|(k, setting)| (format!("/models/m:p{k}"), setting)).collect();
    let waypoint = Waypoint {
        state: state(),
        steps: 42,
        settings,
        memories: vec![vec![], vec![1.0]],
        inputs: vec![vec![f64::NEG_INFINITY]],
        outputs: vec![vec![1.0, 2.0]],
    };
    Checkpoint { model: [7; 32], waypoint, extra: b"more".to_vec() }
}

#[test]
fn a_checkpoint_reads_back_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("c.sinew");
    let written = checkpoint();
    written.save(&path).unwrap();
    let read = Checkpoint::load(&path).unwrap();
    assert_eq!(read, written);
    assert_eq!(read.to_bytes(), written.to_bytes(), "also the signs of zeros");
    let names: Vec<_> = std::fs::read_dir(directory.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing is left beside it");
}

#[test]
fn a_checkpoint_that_is_cut_off_or_changed_anywhere_is_refused() {
    let whole = checkpoint().to_bytes();
    for length in 0..whole.len() {
        assert!(Checkpoint::from_bytes(&whole[..length]).is_err(), "cut off at {length}");
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        assert!(Checkpoint::from_bytes(&changed).is_err(), "changed at {at}");
    }
    let longer = [&whole[..], &[0]].concat();
    assert!(Checkpoint::from_bytes(&longer).is_err());
    let mut newer = whole.clone();
    newer[8..12].copy_from_slice(&(VERSION + 1).to_le_bytes());
    let error = Checkpoint::from_bytes(&newer).unwrap_err();
    assert_eq!(error, CheckpointFault::Version(VERSION + 1));
}

#[test]
fn models_and_options_that_differ_have_other_hashes() {
    let built = |name: &str, arguments: &[&str]| {
        let mut params = Params::parse(arguments).unwrap();
        (find(name).unwrap().build)(&mut params).unwrap()
    };
    let beam = model_hash(&built("beam", &[]), &[]);
    assert_eq!(beam, model_hash(&built("beam", &[]), &[]));
    assert_ne!(beam, model_hash(&built("beam", &["E=1.0001e5"]), &[]));
    assert_ne!(beam, model_hash(&built("boxes", &[]), &[]));
    let words = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    let of = |words: &[String]| model_hash(&built("beam", &[]), words);
    assert_ne!(of(&words("ab", "c")), of(&words("a", "bc")));
}
