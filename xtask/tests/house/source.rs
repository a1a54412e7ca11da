//! Files of the repository, and Rust sources as tokens: what a file defines, imports and names. Comments and texts are
//! left out, and tests where not asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A token, groups flattened into their brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    Sign(char),
}

impl Token {
    pub(crate) fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own == word)
    }

    fn is_sign(&self, sign: char) -> bool {
        *self == Self::Sign(sign)
    }
}

/// A file: its module, its tokens, and how deep in brackets each of them stands.
pub(crate) struct File {
    pub(crate) module: Vec<String>,
    pub(crate) tokens: Vec<Token>,
    depths: Vec<usize>,
}

/// An import: the path, the name that it gets here, and whether it is handed on.
pub(crate) struct Import {
    pub(crate) path: Vec<String>,
    pub(crate) name: String,
    pub(crate) public: bool,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Folders that hold nothing of the project's own.
const FOREIGN: [&str; 3] = ["target", "results", "node_modules"];

/// All files below a folder whose names end so, in order; hidden folders and those of others are left out.
pub(crate) fn below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder that can be read") {
        let path = entry.expect("an entry that can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && !FOREIGN.contains(&name.as_str()) {
            found.extend(below(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// All Rust files below a folder of the repository that are no tests, by their paths from there.
pub(crate) fn files(folder: &str) -> BTreeMap<String, File> {
    let (root, mut found) = (root().join(folder), BTreeMap::new());
    for path in below(&root, ".rs") {
        let place = path.strip_prefix(&root).expect("it lies below").to_string_lossy().into_owned();
        let is_test = |(k, part): (usize, &str)| match k {
            0 => part.contains("tests"),
            _ => part == "tests",
        };
        if !place.rsplit('/').enumerate().any(is_test) {
            let text = std::fs::read_to_string(&path).expect("a source in UTF-8");
            found.insert(place, File::read(&path, &root, &text, Tests::LeftOut));
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

/// Packages of the repository: its folders that have sources.
pub(crate) fn packages() -> Vec<String> {
    let entries = std::fs::read_dir(root()).expect("a folder that can be read");
    let paths = entries.map(|entry| entry.expect("an entry that can be read").path());
    let folders = paths.filter(|path| path.join("src").is_dir());
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut packages: Vec<String> = folders.map(name).collect();
    packages.sort();
    packages
}

/// Treatment of modules of tests inside a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tests {
    Kept,
    LeftOut,
}

impl File {
    /// A file of this text at a path from the root of its package, `/solve/step.rs`.
    pub(crate) fn of(path: &Path, text: &str) -> Self {
        Self::read(path, Path::new("/"), text, Tests::LeftOut)
    }

    /// A file of this text with its tests, at a path below the root of the repository.
    pub(crate) fn whole(path: &Path, text: &str) -> Self {
        Self::read(path, &root(), text, Tests::Kept)
    }

    fn read(path: &Path, root: &Path, text: &str, tests: Tests) -> Self {
        let place = path.strip_prefix(root).expect("it lies below").with_extension("");
        let mut module: Vec<String> =
            place.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let is_root = |last: &String| ["mod", "lib", "main"].contains(&last.as_str());
        if module.last().is_some_and(is_root) {
            module.pop();
        }
        let stream = TokenStream::from_str(text).expect("a source that can be read");
        let mut file = Self { module, tokens: Vec::new(), depths: Vec::new() };
        file.flatten(stream, 0, tests);
        file
    }

    /// Its words, of the language and of its own.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match token {
            Token::Word(word) => Some(word.as_str()),
            Token::Sign(_) => None,
        })
    }

    fn push(&mut self, token: Token, depth: usize) {
        self.tokens.push(token);
        self.depths.push(depth);
    }

    fn flatten(&mut self, stream: TokenStream, depth: usize, tests: Tests) {
        let mut test = false;
        for tree in stream {
            match tree {
                TokenTree::Group(group) => {
                    let inside = group.stream();
                    let own = self.tokens.len();
                    if tests == Tests::LeftOut
                        && group.delimiter() == Delimiter::Bracket
                        && inside.to_string().starts_with("cfg (test")
                    {
                        test = true;
                        continue;
                    }
                    if test && group.delimiter() == Delimiter::Brace {
                        // What only tests see.
                        test = false;
                        continue;
                    }
                    // Documentation is text in an attribute.
                    let is_attribute = own > 0 && self.tokens[own - 1].is_sign('#');
                    if is_attribute && inside.to_string().starts_with("doc") {
                        continue;
                    }
                    let [open, close] = signs(group.delimiter());
                    self.push(Token::Sign(open), depth);
                    self.flatten(inside, depth + 1, tests);
                    self.push(Token::Sign(close), depth);
                }
                TokenTree::Ident(word) => self.push(Token::Word(word.to_string()), depth),
                TokenTree::Punct(sign) => {
                    test &= sign.as_char() != ';';
                    self.push(Token::Sign(sign.as_char()), depth);
                }
                TokenTree::Literal(_) => {}
            }
        }
    }

    /// Names of the items that stand in it.
    pub(crate) fn definitions(&self) -> BTreeSet<&str> {
        const ITEMS: [&str; 8] =
            ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
        let mut names = BTreeSet::new();
        for k in 0..self.tokens.len().saturating_sub(2) {
            let [at, next, third] = [0, 1, 2].map(|i| &self.tokens[k + i]);
            // `'static` is a lifetime.
            let is_lifetime = k > 0 && self.tokens[k - 1].is_sign('\'');
            let is_item =
                self.depths[k] == 0 && !is_lifetime && ITEMS.iter().any(|item| at.is(item));
            match (next, third) {
                (Token::Word(name), _) if is_item => names.insert(name.as_str()),
                (Token::Sign('!'), Token::Word(name)) if at.is("macro_rules") => {
                    names.insert(name.as_str())
                }
                _ => false,
            };
        }
        names
    }

    /// Types that it gives methods to, traits left out.
    pub(crate) fn types_with_methods(&self) -> BTreeSet<&str> {
        let mut types = BTreeSet::new();
        for k in (0..self.tokens.len()).filter(|&k| self.depths[k] == 0) {
            if !self.tokens[k].is("impl") {
                continue;
            }
            let at = self.after_angles(k + 1);
            let Some(Token::Word(name)) = self.tokens.get(at) else { continue };
            if self.tokens.get(self.after_angles(at + 1)).is_some_and(|it| it.is_sign('{')) {
                types.insert(name.as_str());
            }
        }
        types
    }

    /// Place after a list in angle brackets that begins at `at`, or `at` where none does.
    fn after_angles(&self, at: usize) -> usize {
        let mut open = 0;
        for (k, token) in self.tokens.iter().enumerate().skip(at) {
            match token {
                Token::Sign('<') => open += 1,
                Token::Sign('>') => open -= 1,
                _ => {}
            }
            if open == 0 {
                return if k == at { at } else { k + 1 };
            }
        }
        self.tokens.len()
    }

    /// Numbers of the fields of its structs with names.
    pub(crate) fn field_counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for k in (0..self.tokens.len()).filter(|&k| self.tokens[k].is("struct")) {
            let Some(Token::Word(name)) = self.tokens.get(k + 1) else { continue };
            let ends = |at: &usize| {
                self.depths[*at] == self.depths[k]
                    && ['{', ';', '('].iter().any(|sign| self.tokens[*at].is_sign(*sign))
            };
            let Some(open) = (k..self.tokens.len()).find(ends) else { continue };
            if !self.tokens[open].is_sign('{') {
                continue;
            }
            let inside = self.depths[open] + 1;
            let close = |at: &usize| self.tokens[*at].is_sign('}') && self.depths[*at] < inside;
            let close = (open..self.tokens.len()).find(close).unwrap_or(open);
            // `name:` and not `::` of a path.
            let is_field = |at: &usize| {
                self.depths[*at] == inside
                    && self.tokens[*at].is_sign(':')
                    && !self.tokens[at - 1].is_sign(':')
                    && !self.tokens[at + 1].is_sign(':')
            };
            counts.insert(name.as_str(), (open..close).filter(is_field).count());
        }
        counts
    }

    /// Its imports.
    pub(crate) fn imports(&self) -> Vec<Import> {
        let mut imports = Vec::new();
        for k in (0..self.tokens.len()).filter(|&k| self.tokens[k].is("use")) {
            let before = self.tokens[..k].last();
            let public = before.is_some_and(|token| token.is("pub") || token.is_sign(')'));
            let mut at = k + 1;
            self.tree(&mut at, &mut Vec::new(), public, &mut imports);
        }
        imports
    }

    /// Reads one tree of an import from `at` on.
    fn tree(
        &self,
        at: &mut usize,
        prefix: &mut Vec<String>,
        public: bool,
        imports: &mut Vec<Import>,
    ) {
        let length = prefix.len();
        let mut name = None;
        while let Some(token) = self.tokens.get(*at) {
            match token {
                Token::Word(word) if word == "as" => {
                    *at += 1;
                    if let Some(Token::Word(alias)) = self.tokens.get(*at) {
                        name = Some(alias.clone());
                    }
                }
                Token::Word(word) => prefix.push(word.clone()),
                Token::Sign('*') => prefix.push("*".to_owned()),
                Token::Sign('{') => {
                    self.trees(at, prefix, public, imports);
                    prefix.truncate(length);
                    return;
                }
                Token::Sign(':') => {}
                Token::Sign(_) => break,
            }
            *at += 1;
        }
        if prefix.last().is_some_and(|last| last == "self") && prefix.len() > 1 {
            prefix.pop();
        }
        let name = name.or_else(|| prefix.last().cloned()).unwrap_or_default();
        imports.push(Import { path: prefix.clone(), name, public });
        prefix.truncate(length);
    }

    /// Reads the trees between the braces at `at`.
    fn trees(
        &self,
        at: &mut usize,
        prefix: &mut Vec<String>,
        public: bool,
        imports: &mut Vec<Import>,
    ) {
        *at += 1;
        while self.tokens.get(*at).is_some_and(|token| !token.is_sign('}')) {
            self.tree(at, prefix, public, imports);
            *at += usize::from(self.tokens.get(*at).is_some_and(|token| token.is_sign(',')));
        }
        *at += 1;
    }

    /// True if a path at `k` says who sees a thing: `pub(in path)`.
    fn is_visibility(&self, k: usize) -> bool {
        k > 2 && self.tokens[k - 1].is("in") && self.tokens[k - 3].is("pub")
    }

    /// Paths of two words and more in its code; imports and the reach of `pub(in path)` are left out.
    pub(crate) fn paths(&self) -> Vec<Vec<String>> {
        let mut paths = Vec::new();
        let (mut k, mut importing) = (0, false);
        while k < self.tokens.len() {
            importing |= self.tokens[k].is("use");
            importing &= !self.tokens[k].is_sign(';');
            let (mut path, begin) = (Vec::new(), k);
            while let Some(Token::Word(word)) = self.tokens.get(k) {
                path.push(word.clone());
                let colons = [1, 2].map(|i| self.tokens.get(k + i).is_some_and(|t| t.is_sign(':')));
                if colons != [true, true] {
                    break;
                }
                k += 3;
            }
            if path.len() > 1 && !importing && !self.is_visibility(begin) {
                paths.push(path);
            }
            k += 1;
        }
        paths
    }
}

/// Signs at both ends of a group.
fn signs(delimiter: Delimiter) -> [char; 2] {
    match delimiter {
        Delimiter::Parenthesis => ['(', ')'],
        Delimiter::Brace => ['{', '}'],
        Delimiter::Bracket => ['[', ']'],
        Delimiter::None => [' ', ' '],
    }
}
