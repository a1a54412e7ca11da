//! Writes the assembled jaw with published surfaces and landmarks as a model file to standard output:
//! `cargo run -p sinew-datasets --example jaw_model_file -- FOLDER [key=value ...] > jaw.json`

use std::error::Error;
use std::path::Path;

use sinew_datasets::Params;
use sinew_datasets::jaw_tongue_hyoid::{JawParams, from_data};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: jaw_model_file FOLDER [key=value ...]")?;
    let params = JawParams::read(&mut Params::parse(arguments)?)?;
    serde_json::to_writer(std::io::stdout().lock(), &from_data(Path::new(&folder), &params)?)?;
    Ok(())
}
