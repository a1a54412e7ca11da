//! From a tree to structs by serde, with the places of the values that do not fit; all errors of a
//! struct at once.

use std::rc::Rc;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::{Deserializer, forward_to_deserialize_any};

use crate::diagnostic::{Diagnostic, Findings};
use crate::tree::{Entry, Node, Span, Tree};

/// Reads a struct; `None` where something was wrong, which is kept. What is wrong with one key does not
/// hide what is wrong with others.
pub(crate) fn decode<T: DeserializeOwned>(node: &Node, findings: &mut Findings) -> Option<T> {
    let mut node = node.clone();
    let mut faulty = false;
    loop {
        let error = match T::deserialize(&node) {
            Ok(value) => return (!faulty).then_some(value),
            Err(error) => error,
        };
        let left = error.at.and_then(|span| without(&node, span));
        // A key that was taken away is not missing.
        if !(faulty && error.at.is_none()) {
            findings.error(|| error.diagnostic(node.span));
        }
        faulty = true;
        match left {
            Some(left) => node = left,
            None => return None,
        }
    }
}

/// The table without the entry that `span` lies in.
fn without(node: &Node, span: Span) -> Option<Node> {
    let table = node.table()?;
    let within = |outer: Span| outer.start <= span.start && span.end <= outer.end;
    let at = table.iter().position(|entry| within(entry.key_span) || within(entry.value.span))?;
    let mut left = table.to_vec();
    left.remove(at);
    Some(Node { span: node.span, value: Tree::Table(Rc::new(left)) })
}

/// An error of decoding, and its place.
#[derive(Debug)]
pub(crate) struct DecodeError {
    message: String,
    at: Option<Span>,
    /// A name that is not known, and those that are.
    unknown: Option<(String, &'static [&'static str])>,
}

impl DecodeError {
    fn at(mut self, span: Span) -> Self {
        self.at.get_or_insert(span);
        self
    }

    fn diagnostic(self, whole: Span) -> Diagnostic {
        let span = self.at.unwrap_or(whole);
        match self.unknown {
            Some((name, known)) => {
                Diagnostic::unknown(span, self.message, &name, known.iter().copied())
            }
            None => Diagnostic::error(span, self.message),
        }
    }
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

impl Error for DecodeError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), at: None, unknown: None }
    }

    fn invalid_type(given: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format!("{} is asked for, not {}", asked_for(expected), described(given)))
    }

    fn invalid_value(given: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(given, expected)
    }

    fn invalid_length(count: usize, expected: &dyn Expected) -> Self {
        Self::custom(format!("{} is asked for, not one of {count}", asked_for(expected)))
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        let unknown = Some((field.to_owned(), known));
        Self { unknown, ..Self::custom(format!("there is no key '{field}' here")) }
    }

    fn unknown_variant(variant: &str, known: &'static [&'static str]) -> Self {
        let unknown = Some((variant.to_owned(), known));
        Self { unknown, ..Self::custom(format!("'{variant}' is not one of the words for this")) }
    }
}

/// The type that serde asks for, in words of a model file.
fn asked_for(expected: &dyn Expected) -> String {
    let name = expected.to_string();
    let count = name.strip_prefix("an array of length ").or(name.strip_prefix("a tuple of size "));
    match name.as_str() {
        "f64" | "f32" => "a number".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        it if it.starts_with("struct ") => "a table".to_owned(),
        _ => count.map(|count| format!("a list of {count}")).unwrap_or(name),
    }
}

/// A value in words of a model file.
fn described(given: Unexpected<'_>) -> String {
    match given {
        Unexpected::Bool(it) => it.to_string(),
        Unexpected::Unsigned(it) => it.to_string(),
        Unexpected::Signed(it) => it.to_string(),
        Unexpected::Float(it) => it.to_string(),
        Unexpected::Str(text) => Tree::Text(text.into()).describe(),
        Unexpected::Unit => "nothing".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        other => other.to_string(),
    }
}

impl<'de> Deserializer<'de> for &Node {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.value {
            Tree::Null => visitor.visit_unit(),
            Tree::Bool(it) => visitor.visit_bool(*it),
            Tree::Int(it) => visitor.visit_i64(*it),
            Tree::Real(it) => visitor.visit_f64(*it),
            Tree::Text(text) => visitor.visit_str(text),
            Tree::List(list) => visitor.visit_seq(Items { rest: list.iter() }),
            Tree::Table(table) => visitor.visit_map(Entries { rest: table.iter(), value: None }),
        }
        .map_err(|error| error.at(self.span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            Tree::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let Some(word) = self.text() else {
            let message = format!("a word is asked for, not {}", self.value.describe());
            return Err(DecodeError::custom(message).at(self.span));
        };
        // Words of the command line have dashes between them.
        let word = word.replace('-', "_");
        visitor.visit_enum(Word { word: &word }).map_err(|error| error.at(self.span))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    // A table that lacks a key is told apart from one with a wrong key: its error has no place of its own.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match &self.value {
            Tree::Table(table) => visitor.visit_map(Entries { rest: table.iter(), value: None }),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'t> {
    rest: std::slice::Iter<'t, Node>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        let item = self.rest.next();
        item.map(|item| seed.deserialize(item).map_err(|error| error.at(item.span))).transpose()
    }
}

struct Entries<'t> {
    rest: std::slice::Iter<'t, Entry>,
    value: Option<&'t Node>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DecodeError> {
        let Some(entry) = self.rest.next() else { return Ok(None) };
        self.value = Some(&entry.value);
        let key: StrDeserializer<'_, DecodeError> = entry.key.as_str().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|error| error.at(entry.key_span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, DecodeError> {
        let node = self.value.take().ok_or_else(|| DecodeError::custom("a value without a key"))?;
        seed.deserialize(node).map_err(|error| error.at(node.span))
    }
}

struct Word<'t> {
    word: &'t str,
}

impl<'de> EnumAccess<'de> for Word<'_> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), DecodeError> {
        let word: StrDeserializer<'_, DecodeError> = self.word.into_deserializer();
        Ok((seed.deserialize(word)?, self))
    }
}

impl<'de> VariantAccess<'de> for Word<'_> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, DecodeError> {
        Err(DecodeError::custom("this word takes no value"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, DecodeError> {
        Err(DecodeError::custom("this word takes no values"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, DecodeError> {
        Err(DecodeError::custom("this word takes no values"))
    }
}
