//! The report as Markdown, and the words that all its forms share.

use crate::manifest::Engine;
use crate::proof::{Outcome, Verdict};
use crate::report::{BlockReport, PromiseReport, Report};
use crate::section::cell;

/// The report as Markdown.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = format!("# {}\n\n{}\n\n", title(report), summary(report));
    if !report.command.is_empty() {
        text += &format!("Made by `{}`, powar {}.\n\n", report.command, report.version);
    }
    if !report.blocks.is_empty() {
        text += "| block | configuration | properties | how far | covers | engine | s |\n";
        text += "| --- | --- | --- | --- | --- | --- | --- |\n";
    }
    for outcome in report.outcomes() {
        let Outcome { module, configuration, seconds, .. } = outcome;
        let (count, far, covers) = (outcome.properties.len(), how_far(outcome), covers(outcome));
        let engine = outcome.engine.name();
        text += &format!("| `{module}` | {configuration} | {count} | {far} | {covers} | {engine} | {seconds:.1} |\n");
    }
    for (blocks, why) in report.left_out() {
        text += &format!("\nLeft out, {why}: `{}`.\n", blocks.join("`, `"));
    }
    for wave in &report.waves {
        text += &format!(
            "\n**{} fails** in step {} of `{}` at {}: {} (`gtkwave {}`)\n",
            wave.property,
            wave.step,
            wave.block,
            wave.configuration,
            wave.file,
            wave.file.replace(".vcd", ".gtkw")
        );
    }
    report.sections.iter().for_each(|section| text += &section.markdown());
    report.blocks.iter().for_each(|block| text += &of_block(block));
    text
}

/// Names the configuration if there is only one.
pub(crate) fn title(report: &Report) -> String {
    let mut configurations: Vec<&str> = report.outcomes().map(|outcome| outcome.configuration.as_str()).collect();
    configurations.sort_unstable();
    configurations.dedup();
    match configurations[..] {
        [only] => format!("Properties of the blocks of {only}"),
        _ => "Properties of the blocks".into(),
    }
}

fn of_block(block: &BlockReport) -> String {
    let mut text = format!("\n## {}\n\n", block.block);
    text += &format!("What docs/microarchitecture/{} promises:\n\n", block.page);
    text += "| promise | properties |\n| --- | --- |\n";
    for promise in &block.promises {
        text += &format!("| {} | {} |\n", cell(&promise.promise), cell(&said(promise)));
    }
    if !block.reason.is_empty() {
        text += &format!("\nBounded: {}\n", block.reason);
    }
    text
}

/// The properties that say a promise, or why there is none.
pub(crate) fn said(promise: &PromiseReport) -> String {
    match (&promise.missing, promise.properties.is_empty()) {
        (Some(why), true) => format!("not covered: {why}"),
        (Some(why), false) => format!("{}; not covered: {why}", promise.properties.join(", ")),
        (None, _) => promise.properties.join(", "),
    }
}

/// All of it in a sentence or two.
pub fn summary(report: &Report) -> String {
    let tools: Vec<String> =
        report.tools.iter().map(|tool| format!("{} {}", tool.name, tool.version.as_deref().unwrap_or("?"))).collect();
    let proofs = report.outcomes().count();
    if proofs == 0 {
        return format!("No proofs were asked for; run with {}.", tools.join(", "));
    }
    let cut_short = report.outcomes().filter(|outcome| outcome.is_cut_short()).count();
    let found = match (report.holds, report.waves.len()) {
        (true, _) if cut_short > 0 => {
            format!("none fails, {cut_short} proofs are of the first cycles alone or have covers that were not reached")
        }
        (true, _) => "all hold, all covers are reached".to_owned(),
        (false, 0) => "not all are known to hold".to_owned(),
        (false, failed) => format!("{failed} fail"),
    };
    format!(
        "{} properties in {proofs} proofs of {} blocks: {found}. {:.1} s with {}.",
        report.properties(),
        report.blocks.len(),
        report.seconds,
        tools.join(", ")
    )
}

/// How far the properties of a proof are proved.
pub fn how_far(outcome: &Outcome) -> String {
    let count = |is: &dyn Fn(&Verdict) -> bool| outcome.properties.iter().filter(|one| is(&one.verdict)).count();
    let failed = outcome.properties.iter().filter(|one| matches!(one.verdict, Verdict::Failed { .. }));
    let failed: Vec<&str> = failed.map(|one| one.name.as_str()).collect();
    let why = outcome.properties.iter().find_map(|one| match &one.verdict {
        Verdict::Undecided { why, depth } => Some((why, depth)),
        _ => None,
    });
    let absent = count(&|verdict| *verdict == Verdict::Absent);
    let rest = if absent > 0 { format!(", {absent} not at this size") } else { String::new() };
    let depth = outcome.properties.iter().find_map(|one| match one.verdict {
        Verdict::Bounded { depth } => Some(depth),
        _ => None,
    });
    match (failed.is_empty(), why, depth) {
        (false, ..) => format!("FAILS: {}", failed.join(", ")),
        (true, Some((why, 0)), _) => format!("NOT DECIDED: {why}"),
        (true, Some((why, cycles)), _) if outcome.ends_here => {
            format!("NOT DECIDED: {why}; they hold in the first {cycles} cycles")
        }
        (true, Some((why, cycles)), _) => format!("first {cycles} cycles{rest} ({why})"),
        (true, None, Some(depth)) => format!("first {depth} cycles{rest}"),
        (true, None, None) => format!("unbounded{rest}"),
    }
}

/// A proof in a line: what of what, how far, how long.
pub fn outcome_line(outcome: &Outcome) -> String {
    let Outcome { module, configuration, properties, seconds, .. } = outcome;
    let (far, covers) = (how_far(outcome), covers(outcome));
    format!("{module} of {configuration}: {} properties, {far}; covers: {covers} ({seconds:.1} s)", properties.len())
}

/// How many covers were reached, and which were not.
pub(crate) fn covers(outcome: &Outcome) -> String {
    let present = outcome.covers.iter().filter(|cover| cover.present).count();
    let unreached: Vec<&str> = outcome.unreached().map(|cover| cover.name.as_str()).collect();
    match unreached.is_empty() {
        true => format!("{present} reached"),
        false => {
            let why = if outcome.covers_given_up { ", all that time allowed" } else { "" };
            format!("NOT REACHED in {} cycles{why}: {}", outcome.cover_depth, unreached.join(", "))
        }
    }
}

/// The engine in words.
pub(crate) fn engine_text(engine: Engine) -> &'static str {
    match engine {
        Engine::Pdr => "ABC, property-directed reachability",
        Engine::Induction => "z3, k-induction",
        Engine::Bounded => "z3, from reset on",
    }
}
