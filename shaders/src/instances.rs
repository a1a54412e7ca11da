//! Texts of kernels that work for several instances of a program at once: workgroups have the number of an instance as
//! their third coordinate, and places in buffers that each instance has for itself begin where its own part does.

/// Most instances of a program: as many numbers as a uniform buffer of every device holds beside other things.
pub const MOST_INSTANCES: usize = 4_096;

/// Bytes of a set of instances as [`instance_set`] writes it.
pub const SET_BYTES: usize = 16 + 4 * MOST_INSTANCES;

/// Bindings of a kernel whose buffers each instance has for itself, the others being shared: bit k is binding k.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Apart(u16);

impl Apart {
    /// These bindings.
    pub fn of(bindings: impl IntoIterator<Item = usize>) -> Self {
        Self(bindings.into_iter().fold(0, |bits, binding| bits | 1 << binding))
    }

    /// True if each instance has a buffer of its own at `binding`.
    pub fn has(self, binding: usize) -> bool {
        self.0 >> binding & 1 == 1
    }
}

/// The instances that a call is for, as kernels read them: of how many, then the number of each.
///
/// # Panics
/// Where there are more than [`MOST_INSTANCES`].
pub fn instance_set(count: u32, chosen: &[u32]) -> Vec<u32> {
    assert!(chosen.len() <= MOST_INSTANCES, "{} instances", chosen.len());
    let mut words = vec![count, 0, 0, 0];
    words.extend_from_slice(chosen);
    words.resize(SET_BYTES / 4, 0);
    words
}

/// The text of the kernel `entry` for instances that have the buffers `own` for themselves.
pub(crate) fn for_instances(text: &str, entry: &str, own: &[&str]) -> String {
    let mut heads = format!(
        "struct InstanceSet {{\n    count: vec4<u32>,\n    chosen: array<vec4<u32>, {}>,\n}}\n\
         @group(1) @binding(0) var<uniform> instance_set: InstanceSet;\n",
        MOST_INSTANCES / 4
    );
    let mut begin =
        String::from("\n    let instance = instance_set.chosen[group.z / 4u][group.z % 4u];");
    for name in own {
        heads += &format!("var<private> own_{name}: u32;\n");
        begin += &format!(
            "\n    own_{name} = instance * (arrayLength(&{name}) / instance_set.count.x);"
        );
    }
    let text = with_own_places(&without_comments(text), own);
    let entry = text.find(&format!("fn {entry}(")).expect("its entry point");
    let body = entry + text[entry..].find(") {").expect("its body") + ") {".len();
    // Structs may be used before they are declared, and aliases come first.
    [&heads, &text[..body], &begin, &text[body..]].concat()
}

fn without_comments(text: &str) -> String {
    let code = |line| str::split_once(line, "//").map_or(line, |(code, _)| code);
    text.lines().flat_map(|line| [code(line), "\n"]).collect()
}

/// `name[place]` becomes `name[own_name + (place)]` for each of the names.
fn with_own_places(text: &str, names: &[&str]) -> String {
    let mut out = String::with_capacity(2 * text.len());
    // Brackets that are open: true where another parenthesis closes with them.
    let (mut open, mut word) = (Vec::new(), 0);
    for (at, symbol) in text.char_indices() {
        match symbol {
            '[' => {
                let name = &text[word..at];
                let own = names.contains(&name) && !text[..word].ends_with('.');
                open.push(own);
                out.push('[');
                if own {
                    out += &format!("own_{name} + (");
                }
            }
            ']' => out += if open.pop() == Some(true) { ")]" } else { "]" },
            _ => out.push(symbol),
        }
        if !(symbol.is_alphanumeric() || symbol == '_') {
            word = at + symbol.len_utf8();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_buffers_of_one_instance_begin_where_its_part_does() {
        let text =
            "let a = x[3u * y[i] + 1u] + at.x[2] + max_x[1] + x.z;\natomicMin(&y[k], z[x[0]]);";
        let expected = "let a = x[own_x + (3u * y[i] + 1u)] + at.x[2] + max_x[1] + x.z;\n\
                        atomicMin(&y[k], z[x[own_x + (0)]]);";
        assert_eq!(with_own_places(text, &["x"]), expected);
        let both = "let a = x[own_x + (3u * y[own_y + (i)] + 1u)];";
        assert_eq!(with_own_places("let a = x[3u * y[i] + 1u];", &["x", "y"]), both);
        assert_eq!(with_own_places(text, &[]), text);
    }

    #[test]
    fn a_set_names_its_instances_behind_their_number() {
        let words = instance_set(7, &[2, 5]);
        assert_eq!(words[..6], [7, 0, 0, 0, 2, 5]);
        assert_eq!(4 * words.len(), SET_BYTES);
        assert!(Apart::of([1, 3]).has(3) && !Apart::of([1, 3]).has(2));
    }
}
