//! The laws as a page of documentation.

use std::fmt::Write;

use super::{Axes, KINDS, LawKind};

const HEAD: &str = "# Materials

The constitutive laws of tissue. In a model file `material = { type = \"NAME\", CONSTANT = value }`,
on the command line `--set TISSUE:material=NAME` and `--set TISSUE:material.CONSTANT=value`, in code
`MaterialSpec`. This page is printed from the laws in `core/src/material/`; after a change there

    SINEW_BLESS=1 cargo test -p sinew --test properties the_page_of_materials

prints it anew. Sources are keys of [references.md](references.md). Ī1, Ī2 are the invariants of the
isochoric C̄ = J^(-2/3) C; U(J) is kappa/2 (J - 1)² (`bulk_potential = \"quadratic\"`) or
kappa/2 (ln J)² (`\"logarithmic\"`). Every law computes on the CPU and on a device; energy, stress
and tangent are checked against each other by differences, and with published values where there are
any ([validation.md](../theory/validation.md)).

";

/// The page.
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    page += "| name | also called | needs J > 0 | axes | source |\n|---|---|---|---|---|\n";
    for kind in &KINDS {
        let aliases: Vec<String> = kind.aliases.iter().map(|name| format!("`{name}`")).collect();
        let volume = if kind.needs_positive_volume { "yes" } else { "no" };
        let axes = match kind.axes {
            Axes::None => "",
            Axes::Fibre => "fibres",
            Axes::All => "fibres, sheets",
        };
        let (name, source) = (kind.name, kind.source);
        let _ =
            writeln!(page, "| `{name}` | {} | {volume} | {axes} | {source} |", aliases.join(", "));
    }
    KINDS.iter().for_each(|kind| add_law(&mut page, kind));
    page
}

fn add_law(page: &mut String, kind: &LawKind) {
    let _ = writeln!(page, "\n## {}\n{}\n", kind.name, kind.doc);
    *page += "| constant | default | unit | range | |\n|---|---|---|---|---|\n";
    for c in kind.constants {
        let range = if c.words.is_empty() { c.range.to_string() } else { c.words.join(", ") };
        let _ =
            writeln!(page, "| `{}` | {} | {} | {range} | {} |", c.name, c.default, c.unit, c.doc);
    }
}
