//! Parts of worlds as texts, as they stand in files but for the state of an object: a window shows them to be edited.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sinew::interactive::{PartList, WorldDescription, WorldFiles, WorldPart};

use crate::interactive::{read_world, write_world};
use crate::toml_depth::too_deep;
use crate::world_images::read_images;

/// Readers and writers of worlds for a window, with errors in words.
pub fn world_files() -> WorldFiles {
    WorldFiles { read, write, read_part, write_part }
}

fn read(path: &Path) -> Result<WorldDescription, String> {
    let read = read_world(path);
    read.map(|(description, _)| description).map_err(|error| error.to_string())
}

fn write(world: &WorldDescription, path: &Path) -> Result<(), String> {
    write_world(world, path).map_err(|error| error.to_string())
}

fn read_part(list: PartList, text: &str, folder: &Path) -> Result<WorldPart, String> {
    match list {
        PartList::Object => parse(text).map(WorldPart::Object),
        PartList::Image => {
            let mut image = parse(text)?;
            read_images(&mut image, folder).map_err(|error| error.to_string())?;
            Ok(WorldPart::Image(image))
        }
        PartList::Block => parse(text).map(WorldPart::Block),
        PartList::Constraint => parse(text).map(WorldPart::Constraint),
        PartList::Behaviour => parse(text).map(WorldPart::Behaviour),
        PartList::Settings => parse(text).map(WorldPart::Settings),
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    match too_deep(text) {
        Some(_) => Err("tables within tables beyond any use".to_owned()),
        None => toml::from_str(text).map_err(|fault| fault.to_string()),
    }
}

fn write_part(part: &WorldPart) -> Result<String, String> {
    match part {
        WorldPart::Object(object) => {
            let mut object = object.clone();
            (object.state, object.velocity) = (Vec::new(), Vec::new());
            text(&object)
        }
        WorldPart::Image(image) => text(image),
        WorldPart::Block(block) => text(block),
        WorldPart::Constraint(constraint) => text(constraint),
        WorldPart::Behaviour(behaviour) => text(behaviour),
        WorldPart::Settings(settings) => text(settings),
    }
}

fn text<T: Serialize>(part: &T) -> Result<String, String> {
    toml::to_string(part).map_err(|fault| fault.to_string())
}
