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
    if outcome.unfinished > 0 {
        text += &format!(
            "{} messages had not come in when the simulation gave up; latencies are of the others.\n",
            grouped(outcome.unfinished)
        );
    }
    text
}
