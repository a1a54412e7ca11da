//! Text of XML files as users have them. What is not strict is mended, byte for byte, so that places stay: colons
//! in names, dashes in comments, blanks ahead of the declaration.

/// Byte of a row and column of characters, both from 1.
pub(crate) fn offset(text: &str, row: u32, column: u32) -> u32 {
    let before: usize = text.split_inclusive('\n').take(row as usize - 1).map(str::len).sum();
    let line = text.get(before..).unwrap_or("");
    let within = line.char_indices().nth(column as usize - 1).map_or(line.len(), |(at, _)| at);
    (before + within) as u32
}

/// The text with the same length, as strict XML says it.
pub(crate) fn mended(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(open) = find(&bytes, b"<", at) {
        let rest = &bytes[open..];
        at = if rest.starts_with(b"<!--") {
            let end = find(&bytes, b"-->", open + 4).unwrap_or(bytes.len());
            bytes[open + 4..end].iter_mut().filter(|b| **b == b'-').for_each(|b| *b = b' ');
            end
        } else if rest.starts_with(b"<?xml") {
            let end = find(&bytes, b"?>", open).map_or(bytes.len(), |end| end + 2);
            bytes[open..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
            end
        } else if rest.starts_with(b"<![CDATA[") {
            find(&bytes, b"]]>", open).unwrap_or(bytes.len())
        } else {
            let name = |b: &u8| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'>');
            let end = open + 1 + bytes[open + 1..].iter().take_while(|b| name(b)).count();
            bytes[open..end].iter_mut().filter(|b| **b == b':').for_each(|b| *b = b'_');
            end
        };
    }
    // Bytes of ASCII stood for bytes of ASCII.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn find(bytes: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(pattern.len()).position(|window| window == pattern).map(|at| from + at)
}
