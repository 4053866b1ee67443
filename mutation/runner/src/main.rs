//! Hunts mutants of the golden model in lock-step with the sound Verilog. `powar-mutation` compiles this beside a mutated golden model and
//! calls it; in the workspace itself the golden model has no mutants, and every hunt ends with a survivor.
//!
//! ```text
//! powar-mutation-runner pairs                                    every block with the networks that it is tried in
//! powar-mutation-runner reach BLOCK NETWORK CYCLES               mutants whose places a sound run reaches
//! powar-mutation-runner hunt BLOCK NETWORK CYCLES PATIENCE N...  a line for each mutant: begun, then what came of it
//! ```
//!
//! Everything is printed as JSON, a line a thing. CYCLES are those of each stimulus, PATIENCE values of signals as of `hunt::hunt`.

mod pair;

use anyhow::{Context, Result, bail};
use pair::Pair;
use serde::Serialize;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is said of a mutant.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Said {
    Begun {
        number: usize,
    },
    /// What showed it: a signal in a cycle of a scenario, a panic, or an error.
    Killed {
        number: usize,
        by: String,
    },
    Survived {
        number: usize,
    },
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["pairs"] => Pair::all()?.iter().try_for_each(say),
        ["reach", block, network, cycles] => say(&Pair::of(block, network)?.reach(count("CYCLES", cycles)?)?),
        ["hunt", block, network, cycles, patience, ref numbers @ ..] => {
            let pair = Pair::of(block, network)?;
            let effort = (count("CYCLES", cycles)?, count("PATIENCE", patience)?);
            let numbers = numbers.iter().map(|number| Ok(count("N", number)? as usize));
            hunt(&pair, effort, numbers.collect::<Result<Vec<usize>>>()?)
        }
        _ => bail!(
            "arguments: they must be `pairs`, `reach BLOCK NETWORK CYCLES` or `hunt BLOCK NETWORK CYCLES PATIENCE N...`"
        ),
    }
}

fn count(what: &str, text: &str) -> Result<u64> {
    text.parse().with_context(|| format!("{what}: `{text}` must be a whole number from 0 on"))
}

fn say(what: &impl Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, what)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

fn hunt(pair: &Pair, effort: (u64, u64), numbers: Vec<usize>) -> Result<()> {
    let hunter = pair.hunter()?;
    // What a mutant panics with is in the report.
    std::panic::set_hook(Box::new(|_| ()));
    for number in numbers {
        say(&Said::Begun { number })?;
        powar_mutant::choose(number);
        let caught = catch_unwind(AssertUnwindSafe(|| hunter.hunt(effort)));
        powar_mutant::choose(0);
        if let (Ok(Ok(Some(caught))), 1..) = (&caught, effort.1) {
            hunter.check_sound(caught)?;
        }
        let by = match caught {
            Ok(Ok(None)) => None,
            Ok(Ok(Some(caught))) => {
                Some(format!("scenario {}, cycle {}, {}", caught.scenario, caught.cycle, caught.signal))
            }
            Ok(Err(error)) => Some(format!("error: {error}")),
            Err(_) => Some("panic".to_owned()),
        };
        match by {
            Some(by) => say(&Said::Killed { number, by })?,
            None => say(&Said::Survived { number })?,
        }
    }
    Ok(())
}
