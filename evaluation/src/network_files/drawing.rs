//! A network as a picture.

use super::{Network, layout};
use powar_config::topology::wiring::End;
use powar_drawing::font::width as text_width;
use powar_drawing::{Anchor, BLACK, Canvas, GREY, Rgb, WHITE};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Nodes around a switch, if there is one with more, are a number.
const MOST_NODES_AROUND: usize = 24;
/// Pixels between switches that are closest to each other, the most that a drawing may be wide for that, and the least that it is.
const APART: f64 = 64.0;
const WIDEST: f64 = 2200.0;
const NARROWEST: f64 = 420.0;
const MARGIN: f64 = 60.0;
const SWITCH: Rgb = Rgb(0x1f, 0x5f, 0x99);
const ROOT: Rgb = Rgb(0xb0, 0x3a, 0x2e);
const NODE: Rgb = Rgb(0x8a, 0x9a, 0xa8);

/// Switches as discs with their names, nodes as dots around them, cables as lines, parallel ones with their number. The root of the escape is red.
pub(super) fn drawing(network: &Network) -> Canvas {
    let wiring = network.tables.wiring();
    let places = scaled(layout::layout(network.tables));
    let extent = |of: fn(&(f64, f64)) -> f64| {
        let values = places.iter().map(of);
        (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max))
    };
    let ((left, right), (top, bottom)) = (extent(|place| place.0), extent(|place| place.1));
    let head = 26.0;
    let mut canvas = Canvas::new(right - left + 2.0 * MARGIN, bottom - top + 2.0 * MARGIN + head);
    let at = |switch: usize| (places[switch].0 - left + MARGIN, places[switch].1 - top + MARGIN + head);
    let (switches, nodes) = (wiring.ends.len(), wiring.nodes.len());
    let title = format!("{}: {switches} switches, {nodes} nodes", network.config.name);
    canvas.text(12.0, 22.0, 13.0, Anchor::Start, BLACK, title);

    let mut cables: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (switch, ends) in wiring.ends.iter().enumerate() {
        for end in ends {
            if let End::Switch { switch: other, .. } = *end
                && switch < other as usize
            {
                *cables.entry((switch, other as usize)).or_default() += 1;
            }
        }
    }
    for &(one, other) in cables.keys() {
        let count = cables[&(one, other)];
        let width = (0.9 + 0.5 * (count as f64 - 1.0)).min(4.0);
        canvas.line(vec![at(one), at(other)], GREY, width, false);
    }
    // The numbers of parallel cables above all lines.
    for ((one, other), count) in cables.into_iter().filter(|(_, count)| *count > 1) {
        let ((x, y), (there_x, there_y)) = (at(one), at(other));
        label(&mut canvas, ((x + there_x) / 2.0, (y + there_y) / 2.0), &format!("{count}\u{d7}"));
    }
    let radius = (APART * 0.24).min(closest(&places) * 0.3);
    let around: Vec<usize> = (0..switches).map(|switch| network.nodes_at(switch)).collect();
    let as_dots = around.iter().all(|&nodes| nodes <= MOST_NODES_AROUND);
    for (switch, &nodes) in around.iter().enumerate() {
        let (x, y) = at(switch);
        if as_dots {
            for node in 0..nodes {
                let (sine, cosine) = (TAU * (node as f64 + 0.5) / nodes as f64 - TAU / 4.0).sin_cos();
                let (far, size) = (radius * 1.45, radius * 0.17);
                disc(&mut canvas, (x + far * cosine, y + far * sine), size, NODE);
            }
        }
        let is_root = network.tables.rank(switch) == 0;
        disc(&mut canvas, (x, y), radius, if is_root { ROOT } else { SWITCH });
        let name = network.switch(switch);
        let size = (radius * 0.95).min(1.7 * radius * 12.0 / text_width(&name, 12.0).max(1.0));
        if size >= 4.0 {
            canvas.text(x, y + size * 0.36, size, Anchor::Middle, WHITE, name);
        } else {
            canvas.text(x, y + radius * 0.3, radius * 0.8, Anchor::Middle, WHITE, switch.to_string());
        }
        if !as_dots && nodes > 0 {
            label(&mut canvas, (x, y + radius + 8.0), &format!("{nodes} nodes"));
        }
    }
    canvas
}

/// Text on a white ground.
fn label(canvas: &mut Canvas, (x, y): (f64, f64), text: &str) {
    let width = text_width(text, 9.0) + 2.0;
    canvas.rectangle(x - width / 2.0, y - 5.5, width, 11.0, WHITE);
    canvas.text(x, y + 3.3, 9.0, Anchor::Middle, BLACK, text);
}

fn disc(canvas: &mut Canvas, (x, y): (f64, f64), radius: f64, colour: Rgb) {
    let corner = |step: u32| (f64::from(step) * TAU / 32.0).sin_cos();
    canvas.area((0..32).map(|step| (x + radius * corner(step).1, y + radius * corner(step).0)).collect(), colour);
}

/// The smallest distance between two switches.
fn closest(places: &[(f64, f64)]) -> f64 {
    layout::nearest(places).into_iter().fold(f64::MAX, f64::min)
}

/// In pixels.
fn scaled(places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let width = places.iter().map(|place| place.0).fold(f64::MIN, f64::max)
        - places.iter().map(|place| place.0).fold(f64::MAX, f64::min);
    if places.len() < 2 {
        return places;
    }
    let scale = (APART / closest(&places).max(1e-6)).max(NARROWEST / width.max(1e-6)).min(WIDEST / width.max(1e-6));
    places.into_iter().map(|(x, y)| (scale * x, scale * y)).collect()
}
