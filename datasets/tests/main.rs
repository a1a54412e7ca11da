//! The generated models: one binary, so that what it stands on is linked once.

mod beam;
mod body;
mod chain;
mod common;
mod coupled;
mod face_airway;
mod jaw_bolus;
mod jaw_bones;
mod jaw_contact;
mod jaw_data;
mod jaw_excitations;
mod jaw_fossa;
mod jaw_model;
mod jaw_published;
mod knee;
mod larynx;
mod liver;
mod manifest;
mod obj;
mod params;
mod published;
mod resection;
mod tasks;
mod tongue;
mod tongue_muscles;
