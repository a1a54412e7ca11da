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
any ([validation.md](../theory/validation.md)). The stress of each may relax by a Prony series
([viscoelastic tissue](../theory/viscoelastic.md)).

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
    page + OWN_LAWS
}

/// Laws of users.
const OWN_LAWS: &str = "
## Laws of your own
In Rust a law is an energy, written once over any numbers: a type that implements `sinew::material::UserEnergy`. Stress and tangent follow by
automatic differentiation, exact to rounding; `MaterialSpec::user::<Law>()` is then a material like any other, of tissues, regions and
shells, in statics and dynamics, with its constants by name.

```rust
use sinew::formula::Scalar;
use sinew::material::{Constant, LawKind, MaterialSpec, Stretch, UserEnergy};

struct Gent;

impl UserEnergy for Gent {
    const KIND: LawKind = LawKind::of_user(\"gent\", &[
        Constant::positive(\"mu\", \"Pa\", 1e4, \"Shear modulus at rest\"),
        Constant::positive(\"jm\", \"-\", 30.0, \"Limit of the first invariant\"),
        Constant::positive(\"bulk_modulus\", \"Pa\", 1e6, \"Bulk modulus kappa\"),
    ]).with_bulk_modulus(2);

    fn energy<S: Scalar>(constants: &[f64], at: &Stretch<S>) -> S {
        let [mu, jm, kappa] = [0, 1, 2].map(|k| S::constant(constants[k]));
        let one = S::constant(1.0);
        let change = at.volume_ratio() - one;
        let stretched = (at.isochoric_invariants()[0] - S::constant(3.0)) / jm;
        kappa * change * change * S::constant(0.5) - mu * jm * S::constant(0.5) * (one - stretched).ln()
    }
}

let law = MaterialSpec::user::<Gent>();
```

The energy sees strain along fibres, sheets and their normal (`at.strain`), invariants, stretches along axes and the activation of the
tissue, never the rotation. `with_bulk_modulus` says which constant is kappa of a term kappa/2 (J - 1)², so that nearly incompressible tissue
gets pressures of its own. Such a law stands in no model file: saving its model is refused. No device computes it: a backend that holds all of a model
refuses it by name (`tissue of a law by the user's own code`), and with `--backend gpu` the CPU computes its forces. Second derivatives by six strains cost some ten times the stress of a law of the library.
";

fn add_law(page: &mut String, kind: &LawKind) {
    let _ = writeln!(page, "\n## {}\n{}\n", kind.name, kind.doc);
    *page += "| constant | default | unit | range | |\n|---|---|---|---|---|\n";
    for c in kind.constants {
        let range = if c.words.is_empty() { c.range.to_string() } else { c.words.join(", ") };
        let _ =
            writeln!(page, "| `{}` | {} | {} | {range} | {} |", c.name, c.default, c.unit, c.doc);
    }
}
