//! Prints what one switch sees of a trace, port by port.
//!
//! ```text
//! cargo run --release -p powar-traffic --example trace-summary -- \
//!     testbenches/traces/hpl-64.tar.xz 8-ary-2-tree
//! ```
//!
//! The last arguments, if any, are the observed switch (default 0) and the gap scale (default 1).

use anyhow::{Context, Result, bail};
use powar_traffic::{Arrivals, Trace, TrafficOptions, view};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, network, rest @ ..] = arguments.as_slice() else {
        bail!("usage: trace-summary TRACE NETWORK [SWITCH [GAP_SCALE]]");
    };
    let mut switch = 0;
    let mut options = TrafficOptions::default();
    if let Some(number) = rest.first() {
        switch = number.parse().context("SWITCH is no number")?;
    }
    if let Some(scale) = rest.get(1) {
        options.replay.gap_scale = scale.parse().context("GAP_SCALE is no number")?;
    }
    let trace = Trace::open(path.as_ref())?;
    let view = view::view(network, switch)?;
    let ports = view.ports();
    let seen = Arrivals::new(&trace, view, &options)?.into_summary()?;
    println!("ranks              {:>12}", trace.ranks());
    println!("messages           {:>12}", seen.messages);
    println!("bytes              {:>12}", seen.bytes);
    println!("packets            {:>12}", seen.packets);
    println!("packets seen       {:>12}", seen.seen_packets);
    println!("  adaptive         {:>12}", seen.adaptive_packets());
    println!("first cycle        {:>12}", seen.first_cycle);
    println!("cycles             {:>12}", seen.span_cycles());
    println!("port   packets in   load in   packets for it alone");
    let cycles = seen.span_cycles().max(1) as f64;
    let flits = seen.seen_flits as f64 / seen.seen_packets.max(1) as f64;
    for port in 0..ports {
        let packets = seen.input_packets[usize::from(port)];
        let load = packets as f64 * flits / cycles;
        let alone = seen.only_for(port);
        println!("{port:>4} {packets:>12} {load:>9.4} {alone:>12}");
    }
    Ok(())
}
