//! Tasks of the application that concern several of its parts, an area a file. Those of every frame are put in order in
//! `frame.rs`.

mod files;
mod films;
mod menus;
mod perform;
mod pictures;
mod preferences;
mod requests;
mod shortcuts;
mod views;
mod waypoint_film;
