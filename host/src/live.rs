//! A sample on a terminal, drawn anew with each one.

use crate::table::{NODE_HEAD, PORT_HEAD, node_row, port_row, summary};
use crate::watch::Sample;
use anyhow::{Context, Result};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Row, Table};
use ratatui::{DefaultTerminal, Frame};
use std::time::{Duration, Instant};

/// The screen, which is as it was before when this is dropped.
pub struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// Standard output is no terminal.
    pub fn open() -> Result<Self> {
        Ok(Screen { terminal: ratatui::try_init().context("terminal: can't be used")? })
    }

    /// Draws a sample.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn draw(&mut self, sample: &Sample) -> Result<()> {
        self.terminal.draw(|frame| show(frame, sample)).context("terminal: can't draw")?;
        Ok(())
    }

    /// Waits; whether the user wants to leave (q, Esc, Ctrl-C).
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn wait(&self, time: Duration) -> Result<bool> {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if !event::poll(left).context("terminal: can't read")? {
                return Ok(false);
            }
            if let Event::Key(key) = event::read().context("terminal: can't read")? {
                let interrupt = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
                if interrupt || matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
                    return Ok(true);
                }
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Draws a sample on a frame.
pub fn show(frame: &mut Frame, sample: &Sample) {
    let tall = |rows: usize| Constraint::Length(rows as u16 + 3);
    let areas = Layout::vertical([Constraint::Length(1), tall(sample.ports.len()), tall(sample.nodes.len())]);
    let [top, ports, nodes] = areas.areas(frame.area());
    frame.render_widget(Line::from(summary(sample) + "    q: leave"), top);
    let port_rows = sample.ports.iter().map(|port| {
        let color = match port.phase {
            "On" => Color::Green,
            "Off" => Color::DarkGray,
            _ => Color::Yellow,
        };
        Row::new(port_row(port)).style(if port.errors > 0 { alarm() } else { Style::new().fg(color) })
    });
    let node_rows = sample
        .nodes
        .iter()
        .map(|node| Row::new(node_row(node)).style(if node.errors > 0 { alarm() } else { Style::new() }));
    let head = |names: &[&'static str]| Row::new(names.to_vec()).style(Style::new().add_modifier(Modifier::BOLD));
    let columns = |count: usize| vec![Constraint::Fill(1); count];
    let table = Table::new(port_rows, columns(PORT_HEAD.len())).header(head(&PORT_HEAD));
    frame.render_widget(table.block(Block::bordered().title("ports of the switch")), ports);
    let table = Table::new(node_rows, columns(NODE_HEAD.len())).header(head(&NODE_HEAD));
    frame.render_widget(table.block(Block::bordered().title("nodes")), nodes);
}

fn alarm() -> Style {
    Style::new().fg(Color::Red).add_modifier(Modifier::BOLD)
}
