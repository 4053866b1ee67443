//! What is said of a run beside its figures.

use super::simulation::{IDEAL, Simulation};
use super::traffic::Traffic;
use anyhow::Result;
use powar_config::Config;
use powar_config::units::Nanoseconds;
use powar_golden::network::NetworkParameters;

/// There is doubt whether the network keeps up, and the verdict says nothing (`docs/networks.md`, *Beyond saturation*).
pub(super) const PERHAPS_SATURATED: &str = "perhaps saturated: more than 3 % less came in than nodes gave, and messages are old; a longer run tells whether that goes on";

/// No message was given at all, or no packet has come in while it was measured: the figures are of a network without traffic.
pub(super) fn note_of_no_packets(given: u64, delivered: u64, cycles: u64) -> Option<String> {
    let what = match (given, delivered) {
        (0, _) => "no node had a message to send to another",
        (_, 0) => "no packet came in",
        _ => return None,
    };
    Some(format!("{what} in these {cycles} cycles: power and energy are those of a network without traffic"))
}

/// Nodes were to tell of messages before they give them, and nobody listens.
///
/// # Errors
/// An unknown policy.
pub(super) fn note_of_lead(simulation: &Simulation) -> Result<Option<String>> {
    let (lead, foresight) = match &simulation.traffic {
        Traffic::Trace(options) => (options.replay.lead, options.replay.foresight),
        Traffic::Jobs(options) => (options.lead, 0),
        Traffic::Synthetic(_) => return Ok(None),
    };
    let in_vain = match (lead.0 > 0.0, foresight > 0) {
        _ if simulation.hears_words()? => return Ok(None),
        (true, true) => format!("lead: {lead} and foresight: {foresight} make"),
        (true, false) => format!("lead: {lead} makes"),
        (false, true) => format!("foresight: {foresight} makes"),
        (false, false) => return Ok(None),
    };
    Ok(Some(format!("{in_vain} no difference: {} reads no words about messages", simulation.policy)))
}

/// A policy that saves power let no port draw less than all in so many cycles, in which ports woke so many times; by switch, what ports with a cable
/// drew in them.
pub(super) fn note_of_power(
    simulation: &Simulation,
    parameters: &NetworkParameters,
    u_port: &[Vec<f64>],
    wake_ups: u64,
    cycles: u64,
) -> Option<String> {
    let saved = u_port.iter().flatten().any(|&share| share < 1.0);
    let policy = &simulation.policy;
    match saved || policy == IDEAL {
        true => None,
        false if wake_ups > 0 => Some(format!(
            "{policy} saved nothing: ports woke {wake_ups} times in these {cycles} cycles, and were never asleep for a whole cycle: on the way to sleep \
             and back they draw full power"
        )),
        false => note_of_nothing_saved(&parameters.config, policy, cycles),
    }
}

/// A policy let no port draw less than all in so many cycles, and what would have had to happen; none of a policy that
/// saves nothing whatever happens.
pub(crate) fn note_of_nothing_saved(config: &Config, policy: &str, cycles: u64) -> Option<String> {
    let when = config.mechanism.0.saves_when()?;
    let time = Nanoseconds((cycles as f64 * config.cycle_ns).round());
    Some(format!("{policy} saved nothing: no port drew less than full power in these {cycles} cycles ({time}); {when}"))
}
