//! Properties: the contract that every line of every table keeps, errors word by word, inheritance,
//! what edits and simulations make of them, and the page docs/properties.md.

mod bodies;
mod contract;
mod editing;
mod errors;
mod fixture;
mod inheritance;
mod multibody;
mod simulation;
mod staleness;

#[test]
fn the_page_in_docs_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/properties.md");
    let new = sinew::property::markdown();
    if std::env::var_os("SINEW_BLESS").is_some() {
        std::fs::write(path, new).expect("docs/properties.md is written");
        return;
    }
    let printed = std::fs::read_to_string(path).expect("docs/properties.md is there");
    let differs = printed.lines().zip(new.lines()).find(|(old, new)| old != new);
    assert!(
        printed == new,
        "docs/properties.md is not what the tables say; SINEW_BLESS=1 rewrites it\n{differs:?}"
    );
}
