//! Writes the assembled jaw with published surfaces and landmarks as a model file to standard output:
//! `cargo run -p sinew-datasets --example jaw_model_file -- FOLDER [TONGUE] [key=value ...] > jaw.json`,
//! with TONGUE a mesh file in the place of the parametric tongue.

use std::error::Error;
use std::path::Path;

use sinew_datasets::Params;
use sinew_datasets::jaw_tongue_hyoid::{JawParams, from_data, from_data_with_tongue};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let folder = arguments.next().ok_or("usage: jaw_model_file FOLDER [TONGUE] [key=value ...]")?;
    let tongue = arguments.next_if(|argument| !argument.contains('='));
    let (folder, params) = (Path::new(&folder), JawParams::read(&mut Params::parse(arguments)?)?);
    let model = match tongue {
        Some(tongue) => from_data_with_tongue(folder, Path::new(&tongue), &params)?,
        None => from_data(folder, &params)?,
    };
    serde_json::to_writer(std::io::stdout().lock(), &model)?;
    Ok(())
}
