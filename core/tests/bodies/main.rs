//! Rigid bodies, joints, attachments: models as a user builds them, against analytic and published values.

mod attached;
mod carried;
mod carried_momentum;
mod chains;
mod coordinates;
mod free;
mod kinds;
mod led;
mod led_points;
mod mechanisms;
mod momentum;
mod muscles;
mod own_code;
mod points;
mod refused;
mod repeat;
mod rows;
mod rules;
mod scenes;
