//! Parts of models that rules of variable step do not take, refused by name.

use crate::ode::Method;
use crate::solve::failure::Failure;
use crate::solve::settings::VariableStep;
use crate::system::MechSystem;

/// Most rows of a system whose dense matrices Radau factors: 1.3 GB of Jacobian and factors.
const MOST_ROWS: usize = 1000;

/// Name of a rule in messages.
fn rule_name(method: Method) -> &'static str {
    match method {
        Method::RungeKuttaFehlberg => "runge-kutta-fehlberg",
        Method::DormandPrince => "dormand-prince",
        Method::Adams => "adams",
        Method::Radau => "radau",
    }
}

/// Refuses what the rule cannot take.
pub(in crate::solve) fn ensure_supported(
    system: &dyn MechSystem,
    settings: VariableStep,
) -> Result<(), Failure> {
    let VariableStep { method, relative, absolute, coordinates: _ } = settings;
    let rule = rule_name(method);
    let refuse = |part: String| Err(Failure::Unsupported { rule, part });
    if !(relative > 0.0 && relative < 1.0) {
        return refuse(format!("a tolerance of {relative}: it must be > 0 and < 1"));
    }
    if !(absolute > 0.0 && absolute.is_finite()) {
        return refuse(format!("an absolute tolerance of {absolute}: it must be > 0"));
    }
    let rows = system.pattern().size();
    if method == Method::Radau && rows > MOST_ROWS {
        return refuse(format!("{rows} rows, as it factors dense matrices: {MOST_ROWS} at most"));
    }
    if let (Method::Radau, Some(name)) = (method, system.viscoelastic_tissue()) {
        let what = "as it would factor a dense matrix of all stresses that are remembered";
        return refuse(format!("the viscoelastic tissue '{name}', {what}"));
    }
    let Some(multibody) = system.multibody() else { return Ok(()) };
    let (contacts, ranges) = (&multibody.contacts, &multibody.joints.unilateral);
    if !contacts.surfaces.is_empty() {
        return refuse("contact of the surfaces of tissues".to_owned());
    }
    let soft = contacts.behaviors.iter().position(|it| !it.law.is_rigid());
    if let Some(names) = soft.and_then(|pair| contacts.names.get(pair)) {
        return refuse(format!("the compliant contact of {}", names.join(" against ")));
    }
    let sticky = contacts.behaviors.iter().position(|it| it.law.adhesion.pulls());
    if let Some(names) = sticky.and_then(|pair| contacts.names.get(pair)) {
        return refuse(format!("the adhesion of {}", names.join(" against ")));
    }
    match (0..ranges.count()).find(|&row| ranges.compliance(row).compliance > 0.0) {
        Some(row) => refuse(format!("the compliant range {}", ranges.name(row))),
        None => Ok(()),
    }
}
