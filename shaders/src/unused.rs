//! Removal of the functions that an entry point does not call: pieces are shared by kernels that
//! need parts of them, and a driver need not compile the rest.

/// The text without functions that nothing calls. Functions start with `fn` at the start of a line and
/// end with a brace alone there; comments right above them go with them.
pub(crate) fn without_unused(text: &str) -> String {
    let mut items = items_of(text);
    loop {
        let called: Vec<bool> = items.iter().map(|item| is_called(item, &items)).collect();
        if called.iter().all(|&c| c) {
            return items.into_iter().map(|item| item.text).collect();
        }
        let mut called = called.into_iter();
        items.retain(|_| called.next() == Some(true));
    }
}

/// A function with the comments above it, or what stands between functions.
struct Item<'a> {
    name: Option<&'a str>,
    text: String,
}

fn items_of(text: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let (mut plain, mut comments, mut body) = (String::new(), String::new(), None);
    for line in text.split_inclusive('\n') {
        if let Some((name, function)) = &mut body {
            *function += line;
            if line.trim_end() == "}" {
                items.push(Item { name: Some(*name), text: std::mem::take(function) });
                body = None;
            }
        } else if let Some(rest) = line.strip_prefix("fn ") {
            items.push(Item { name: None, text: std::mem::take(&mut plain) });
            let name = rest.split('(').next().unwrap_or(rest);
            body = Some((name, std::mem::take(&mut comments) + line));
        } else if line.starts_with("//") {
            comments += line;
        } else {
            plain += &std::mem::take(&mut comments);
            plain += line;
        }
    }
    items.push(Item { name: None, text: plain + &comments });
    items
}

/// True if an item is no function, an entry point, or called by another item.
fn is_called(item: &Item, items: &[Item]) -> bool {
    let Some(name) = item.name else { return true };
    let calls = |other: &Item| {
        other.text.match_indices(name).any(|(place, _)| {
            let before = other.text[..place].chars().next_back().unwrap_or(' ');
            let after = &other.text[place + name.len()..];
            !(before.is_alphanumeric() || before == '_') && after.starts_with('(')
        })
    };
    let entry = item.text.contains("@builtin");
    entry || items.iter().any(|other| other.name != Some(name) && calls(other))
}

#[cfg(test)]
mod tests {
    use super::without_unused;

    #[test]
    fn functions_that_nothing_calls_go_with_their_comments_and_nothing_else_goes() {
        let text = "const A = 1;\n\n// Kept.\nfn kept(x: u32) -> u32 {\n    return x;\n}\n\n\
                    // Called by what goes.\nfn inner() {\n    if true {\n    }\n}\n\n\
                    // Goes.\nfn goes() {\n    inner();\n}\n\n// Head.\nvar<private> v: u32;\n\n\
                    @compute\nfn main(@builtin(x) x: u32) {\n    v = kept(x);\n}\n";
        let expected = "const A = 1;\n\n// Kept.\nfn kept(x: u32) -> u32 {\n    return x;\n}\n\n\
                        \n\n// Head.\nvar<private> v: u32;\n\n\
                        @compute\nfn main(@builtin(x) x: u32) {\n    v = kept(x);\n}\n";
        assert_eq!(without_unused(text), expected);
        assert_eq!(without_unused(expected), expected);
    }
}
