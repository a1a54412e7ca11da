//! Values of options that are words of model files too: one list of words, with one description of each.

use std::ffi::OsStr;
use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sinew::component::similar;

/// Reads a word of `T`, whose words and descriptions are those of its schema. Dashes stand for underscores, and whatever
/// else a file may say is understood.
pub(crate) struct Words<T>(PhantomData<fn() -> T>);

impl<T> Clone for Words<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Words<T> {}

/// The parser of the words of `T`.
pub(crate) fn words<T>() -> Words<T> {
    Words(PhantomData)
}

impl<T: JsonSchema> Words<T> {
    /// Each word as it is shown, with its description.
    fn all() -> Vec<PossibleValue> {
        let schema = schema_for!(T).to_value();
        let list = schema["oneOf"].as_array().into_iter().flatten();
        list.filter_map(|word| {
            let name = word["const"].as_str()?.replace('_', "-");
            let help = word["description"].as_str().unwrap_or_default().to_owned();
            Some(PossibleValue::new(name).help(help))
        })
        .collect()
    }

    /// The error with the word that was meant, as a model file would be told it; clap's suggestion where there is none.
    fn suggesting(mut error: Error, given: &OsStr) -> Error {
        let words: Vec<String> =
            Self::all().iter().map(|word| word.get_name().replace('-', "_")).collect();
        let given = given.to_string_lossy().replace('-', "_");
        if let Some(near) = similar(&given, words.iter().map(String::as_str)).first() {
            let near = ContextValue::String(near.replace('_', "-"));
            error.insert(ContextKind::SuggestedValue, near);
        }
        error
    }
}

impl<T> TypedValueParser for Words<T>
where
    T: JsonSchema + DeserializeOwned + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let word = value.to_string_lossy().replace('-', "_");
        let known = serde_json::from_value(Value::String(word));
        known.map_err(|_| {
            let error = PossibleValuesParser::new(Self::all()).parse_ref(command, arg, value).err();
            let none = || Error::new(ErrorKind::InvalidValue).with_cmd(command);
            Self::suggesting(error.unwrap_or_else(none), value)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::all().into_iter()))
    }
}
