//! The number of threads decides how long a run takes, and nothing else.

use crate::common::{Workshop, energies, names};

/// The table without wall times, and the bytes of the frames.
type Results = (Vec<Vec<String>>, Vec<Vec<u8>>);

fn results(shop: &Workshop, solver: &str, threads: &str) -> Results {
    let model = ["beam", "--param", "elem=tet,mat=neohook", "--time", "0.1", "--every", "0.05"];
    shop.run_json(&[&model[..], &["--solver", solver, "--threads", threads]].concat());
    let directory = shop.path("results/beam");
    let (heading, mut rows) = energies(&directory);
    let wall = heading.iter().position(|name| name == "step_ms").expect("a column of wall times");
    rows.iter_mut().for_each(|row| drop(row.remove(wall)));
    let frames = names(&directory).into_iter().filter(|name| name.starts_with("frame_"));
    (rows, frames.map(|name| std::fs::read(directory.join(name)).unwrap()).collect())
}

#[test]
fn one_and_two_threads_give_the_same_bits() {
    for solver in ["direct", "cg"] {
        let shop = Workshop::new();
        let one = results(&shop, solver, "1");
        let two = results(&shop, solver, "2");
        assert_eq!(one.1.len(), 3);
        assert!(one.0 == two.0, "{solver}: the tables differ");
        assert!(one.1 == two.1, "{solver}: the frames differ");
    }
}
