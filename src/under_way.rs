//! What was under way at the end of a simulation, as text; and the option for how long it is left alone at its beginning.

use crate::commands::grouped;
use crate::selection::whole;
use powar_evaluation::network::{AUTO_WARM_UP, Outcome};
use powar_traffic::synthetic::timeline::LAST_CYCLE;

/// Parses the cycles of a warm-up, or auto.
pub fn warm_up(text: &str) -> Result<u64, String> {
    match text {
        "auto" => Ok(AUTO_WARM_UP),
        // At least one cycle is measured behind it.
        _ => whole(0..=LAST_CYCLE - 1)(text).map_err(|expected| format!("{expected}, or auto")),
    }
}

/// What was accepted may be this share of what was offered, and the oldest message so much of all cycles old, before there is doubt whether
/// the network keeps up: the verdict is sure of an overload, or says nothing.
const ACCEPTED: f64 = 0.97;
const OLD: f64 = 0.05;

/// The oldest message, and what latencies are if there are more and more of them.
pub fn report(outcome: &Outcome) -> String {
    let mut text = String::new();
    if outcome.oldest > 0 {
        let oldest = grouped(outcome.oldest);
        text += &format!("oldest           {oldest:>14} cycles, the age of the oldest message not yet in\n");
    }
    if outcome.saturated {
        text += &format!(
            "saturated: the network takes {:.4} of the {:.4} flits that nodes give, so what waits\n\
             grows without end. Latencies are of the packets that came in, and grow with the run.\n",
            outcome.accepted, outcome.offered
        );
    }
    let cycles = (outcome.warm_up + outcome.cycles) as f64;
    if !outcome.saturated && outcome.accepted < ACCEPTED * outcome.offered && outcome.oldest as f64 > OLD * cycles {
        text += &format!(
            "perhaps saturated: {:.1} % less came in than nodes gave; a longer run tells whether that goes on.\n",
            100.0 * (1.0 - outcome.accepted / outcome.offered)
        );
    }
    if outcome.unfinished > 0 {
        text += &format!(
            "{} messages had not come in when the simulation gave up; latencies are of the others.\n",
            grouped(outcome.unfinished)
        );
    }
    text
}
