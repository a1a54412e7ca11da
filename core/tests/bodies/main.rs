//! Rigid bodies, joints, attachments: models as a user builds them, against analytic and published values.

mod attached;
mod chains;
mod coordinates;
mod fitted;
mod fitted_momentum;
mod free;
mod kinds;
mod mechanisms;
mod momentum;
mod moving_points;
mod muscles;
mod own_code;
mod points;
mod prescribed;
mod prescribed_points;
mod refused;
mod repeat;
mod rows;
mod rules;
mod scenes;
mod wrapping;
