//! Texts of kernels with one mistake each.

/// A text with one mistake, and the line of it.
pub struct Mutant {
    /// The whole text.
    pub text: String,
    /// The line as it was, without comment and indentation.
    pub before: String,
    /// The line as it is.
    pub after: String,
}

/// Operators and their replacements. A comparison is exchanged for its contrary: on generic numbers
/// `<` and `<=` are the same.
const OPERATORS: [(&str, &str); 11] = [
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" += ", " -= "),
    (" -= ", " += "),
    (" < ", " >= "),
    (" <= ", " > "),
    (" > ", " <= "),
    (" >= ", " < "),
    (" == ", " != "),
    (" != ", " == "),
];

/// All mutants of a text below the constants that are injected into it, in functions that its entry
/// point comes to. Lines that hold the head of a loop are left alone, as a wrong one may not end; so are
/// declarations.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let injected = text.find("\n\n").unwrap_or(0);
    let idle = idle_functions(text);
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or("").trim_end();
        let is_idle = idle.iter().any(|range| range.contains(&start));
        if start > injected && !is_idle && !is_left_alone(code.trim_start()) {
            for (range, new) in changes(code) {
                let after = [&code[..range.start], &new, &code[range.end..]].concat();
                let end = start + code.len();
                found.push(Mutant {
                    text: [&text[..start], &after, &text[end..]].concat(),
                    before: code.trim().to_owned(),
                    after: after.trim().to_owned(),
                });
            }
        }
        start += line.len();
    }
    found
}

/// Places of the functions that the entry point does not reach by calls. A function starts with
/// `fn` and ends with a brace at the beginning of a line, as rustfmt and its like leave them.
fn idle_functions(text: &str) -> Vec<std::ops::Range<usize>> {
    let starts = text.match_indices("\nfn ").map(|(place, _)| place + 1);
    let functions: Vec<_> = starts
        .map(|start| {
            let end = text[start..].find("\n}").map_or(text.len(), |length| start + length + 2);
            let name = text[start + 3..].split('(').next().unwrap_or("").trim();
            (name, start..end)
        })
        .collect();
    let line_before = |start: usize| text[..start].trim_end().lines().next_back().unwrap_or("");
    let is_entry = |start: usize| line_before(start).starts_with("@compute");
    let mut called: Vec<bool> = functions.iter().map(|(_, range)| is_entry(range.start)).collect();
    let mut waiting: Vec<usize> = (0..functions.len()).filter(|&k| called[k]).collect();
    while let Some(caller) = waiting.pop() {
        let body = &text[functions[caller].1.clone()];
        for (k, (name, _)) in functions.iter().enumerate() {
            if !called[k] && calls(body, name) {
                called[k] = true;
                waiting.push(k);
            }
        }
    }
    functions.into_iter().zip(called).filter(|(_, called)| !called).map(|(f, _)| f.1).collect()
}

/// True if `body` calls `name`.
fn calls(body: &str, name: &str) -> bool {
    body.match_indices(&format!("{name}(")).any(|(place, _)| {
        let before = body[..place].chars().next_back().unwrap_or(' ');
        !before.is_ascii_alphanumeric() && before != '_'
    })
}

fn is_left_alone(code: &str) -> bool {
    let starts = ["@", "struct", "alias", "var<", "fn ", "for ", "while ", "loop", "//"];
    starts.iter().any(|start| code.starts_with(start)) || code.contains("@builtin")
}

/// The changes of one line: what is replaced, by what.
fn changes(code: &str) -> Vec<(std::ops::Range<usize>, String)> {
    let mut found = Vec::new();
    for (old, new) in OPERATORS {
        for (place, _) in code.match_indices(old) {
            found.push((place..place + old.len(), new.to_owned()));
        }
    }
    let bytes = code.as_bytes();
    let mut place = 0;
    while place < bytes.len() {
        let inside = place > 0
            && (bytes[place - 1].is_ascii_alphanumeric() || b"_.".contains(&bytes[place - 1]));
        if inside || !bytes[place].is_ascii_digit() {
            place += 1;
            continue;
        }
        let length = number_length(&bytes[place..]);
        let end = place + length;
        let compared =
            ["< ", "<= ", "> ", ">= ", "== ", "!= "].iter().any(|op| code[..place].ends_with(op));
        if let Some(new) = perturbed(&code[place..end], compared) {
            found.push((place..end, new));
        }
        place = end;
    }
    found.sort_by_key(|(range, _)| range.start);
    found
}

/// Length of a literal: digits, point, exponent, suffix.
fn number_length(bytes: &[u8]) -> usize {
    let is_part = |k: usize| {
        let sign = b"+-".contains(&bytes[k]) && k > 0 && bytes[k - 1] == b'e';
        sign || bytes[k].is_ascii_alphanumeric() || bytes[k] == b'.'
    };
    (0..bytes.len()).find(|&k| !is_part(k)).unwrap_or(bytes.len())
}

/// A float by one in a hundred more, a whole number by one. Zero in a comparison asks for a sign, and
/// no number of a sample is near enough to tell it from another.
fn perturbed(literal: &str, compared: bool) -> Option<String> {
    if let Some(digits) = literal.strip_suffix('u') {
        return Some(format!("{}u", digits.parse::<u32>().ok()?.checked_add(1)?));
    }
    if literal.contains(['.', 'e']) {
        let value: f64 = literal.parse().ok()?;
        return match value == 0.0 {
            true => (!compared).then(|| "0.01".to_owned()),
            false => Some(format!("{:?}", 1.01 * value)),
        };
    }
    // An index of a vector or matrix stays within it.
    match literal {
        "0" => Some("1".to_owned()),
        "1" | "2" => Some("0".to_owned()),
        _ => None,
    }
}
