//! The report as one web page that needs no server.

use crate::proof::Verdict;
use crate::report::{BlockReport, Report, Wave};
use crate::report_markdown::{covers, engine_text, how_far, said, summary, title};
use crate::section::Section;

const PAGE: &str = include_str!("page.html");
/// Where the content goes.
const PLACE: &str = "@BODY@";
const TITLE: &str = "@TITLE@";

/// The report as a page.
pub(crate) fn page(report: &Report) -> String {
    let class = if report.holds { "" } else { " class=\"bad\"" };
    let mut body = format!("<p{class}>{}</p>\n", escaped(&summary(report)));
    if !report.command.is_empty() {
        body += &format!("<p>Made by <code>{}</code>, powar {}.</p>\n", escaped(&report.command), report.version);
    }
    report.waves.iter().for_each(|wave| body += &wave_line(wave));
    body += "<table>\n<tr><th>block<th>configuration<th class=\"number\">properties<th>how far<th>covers<th class=\"number\">s</tr>\n";
    for outcome in report.outcomes() {
        let class = if outcome.holds() { "" } else { " class=\"bad\"" };
        body += &format!(
            "<tr><td><a href=\"#{0}\"><code>{1}</code></a><td>{2}<td class=\"number\">{3}<td{class}>{4}<td>{5}<td class=\"number\">{6:.1}</tr>\n",
            escaped(&outcome.block),
            escaped(&outcome.module),
            escaped(&outcome.configuration),
            outcome.properties.len(),
            escaped(&how_far(outcome)),
            escaped(&covers(outcome)),
            outcome.seconds
        );
    }
    body += "</table>\n";
    for (blocks, why) in report.left_out() {
        let blocks = escaped(&blocks.join(", "));
        body += &format!("<p>Left out, {}: <code>{blocks}</code>.</p>\n", escaped(why));
    }
    report.sections.iter().for_each(|section| body += &of_section(section));
    report.blocks.iter().for_each(|block| body += &of_block(block));
    PAGE.replace(TITLE, &escaped(&title(report))).replace(PLACE, &body)
}

fn wave_line(wave: &Wave) -> String {
    let [property, block, configuration, file] =
        [&wave.property, &wave.block, &wave.configuration, &wave.file].map(|text| escaped(text));
    let save = file.replace(".vcd", ".gtkw");
    format!(
        "<p class=\"bad\">{property} fails in step {} of {block} at {configuration}: <a href=\"{file}\">{file}</a>, \
         <code>gtkwave {save}</code></p>\n",
        wave.step
    )
}

fn of_section(section: &Section) -> String {
    let class = if section.holds { "" } else { " class=\"bad\"" };
    let mut text = format!(
        "<h2 id=\"{}\">{}</h2>\n<p{class}>{}</p>\n",
        section.name,
        escaped(&section.title),
        escaped(&section.summary)
    );
    for table in section.tables.iter().filter(|table| !table.rows.is_empty()) {
        if !table.caption.is_empty() {
            text += &format!("<p>{}:</p>\n", escaped(&table.caption));
        }
        let cells =
            |cells: &[String], tag: &str| cells.iter().map(|text| format!("<{tag}>{}", code(text))).collect::<String>();
        text += &format!("<table>\n<tr>{}</tr>\n", cells(&table.head, "th"));
        table.rows.iter().for_each(|row| text += &format!("<tr>{}</tr>\n", cells(row, "td")));
        text += "</table>\n";
    }
    text
}

/// Escaped, with what stands in backquotes as code.
fn code(text: &str) -> String {
    let parts = escaped(text);
    let marked = parts.split('`').enumerate().map(|(place, part)| match place % 2 {
        0 => part.to_owned(),
        _ => format!("<code>{part}</code>"),
    });
    marked.collect()
}

fn of_block(block: &BlockReport) -> String {
    let name = escaped(&block.block);
    let mut text = format!("<h2 id=\"{name}\">{name}</h2>\n<p>What {} promises:</p>\n<table>\n", escaped(&block.page));
    for promise in &block.promises {
        let class = if promise.missing.is_some() { " class=\"bad\"" } else { "" };
        text += &format!("<tr><td>{}<td{class}>{}</tr>\n", escaped(&promise.promise), escaped(&said(promise)));
    }
    text += "</table>\n";
    if !block.reason.is_empty() {
        text += &format!("<p>Bounded: {}</p>\n", escaped(&block.reason));
    }
    for outcome in &block.outcomes {
        text += &format!(
            "<details><summary>{} at {}: {}</summary>\n<table>\n",
            escaped(&outcome.module),
            escaped(&outcome.configuration),
            engine_text(outcome.engine)
        );
        for property in &outcome.properties {
            let verdict = escaped(&verdict_text(&property.verdict));
            text += &format!("<tr><td><code>{}</code><td>{verdict}</tr>\n", escaped(&property.name));
        }
        for cover in outcome.covers.iter().filter(|cover| cover.present) {
            let reached = cover.step.map_or("not reached".into(), |step| format!("reached in step {step}"));
            text += &format!("<tr><td><code>{}</code><td>{reached}</tr>\n", escaped(&cover.name));
        }
        text += "</table></details>\n";
    }
    text
}

fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proved => "proved, unbounded".into(),
        Verdict::Bounded { depth } => format!("holds in the first {depth} cycles"),
        Verdict::Failed { step } => format!("fails in step {step}"),
        Verdict::Undecided { why, depth: 0 } => format!("not decided: {why}"),
        Verdict::Undecided { why, depth } => format!("first {depth} cycles ({why})"),
        Verdict::Absent => "not at this size".into(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
