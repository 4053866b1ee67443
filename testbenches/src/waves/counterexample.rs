//! Waves of a run that violates a property, as a solver dumps it.

use super::timebase::TimeBase;
use super::variables::{Content, Variable, Variables, WaveSource};
use super::view::{Group, Item, Marker, Radix, Tone, Trace, View};
use super::{gtkwave, surfer};
use anyhow::{Context, Result};
use powar_config::{Meaning, Owner};
use vcd::{Command, IdCode, ReferenceIndex, TimescaleUnit, VarType};

/// Ticks of a cycle in smtbmc's dumps, whose clock rises at its beginning.
const TIME: TimeBase = TimeBase { unit: TimescaleUnit::NS, ticks: 10 };
/// The scope of the properties in the block's.
const PROPERTIES: &str = "properties";
/// What Yosys adds to each property: whether it is looked at.
const ENABLE: &str = "_EN";
/// Traces up to which the block's group is open.
const OPEN_TRACES: usize = 40;

/// A property that a run violates.
#[derive(Clone, Copy, Debug)]
pub struct ViolatedProperty<'a> {
    pub name: &'a str,
    /// File and line of the property.
    pub place: &'a str,
    /// The cycle in which it fails, from 0 on.
    pub step: u64,
}

/// The run for viewers.
#[derive(Clone, Debug)]
pub struct CounterexampleFiles {
    /// The dump, with one more signal: `NAME_holds`, 0 in the cycle in which the property fails.
    pub vcd: String,
    /// GTKWave's save file, which opens on that cycle: the signal, a marker, what the properties see, the block's own signals.
    pub gtkw: String,
    /// Surfer's command file with the same.
    pub sucl: String,
}

/// Makes the files of a dump of smtbmc's, all of whose variables stand in the block's scope. `name` is what the dump will be called.
///
/// # Errors
/// A text that is no dump, or has no module.
pub fn counterexample(dump: &str, violated: &ViolatedProperty, name: &str) -> Result<CounterexampleFiles> {
    let commands = vcd::Parser::new(dump.as_bytes()).collect::<Result<Vec<Command>, _>>();
    let commands = commands.with_context(|| format!("{name}: the solver's dump can't be read"))?;
    let is_scope = |command: &Command| matches!(command, Command::ScopeDef(..));
    let place = commands.iter().position(is_scope).with_context(|| format!("{name}: a dump without a module"))?;
    let holds = format!("{}_holds", violated.name);
    let marked = marked(&commands, place, violated, &holds);
    let mut vcd = vec![];
    let mut writer = vcd::Writer::new(&mut vcd);
    marked.iter().try_for_each(|command| writer.command(command))?;
    let variables = variables(&marked);
    let Command::ScopeDef(_, block) = &commands[place] else { unreachable!("it is a scope") };
    let view = view(&variables, block, violated, &holds);
    Ok(CounterexampleFiles {
        vcd: String::from_utf8(vcd)?,
        gtkw: gtkwave::save_file(&view, &variables, TIME, name),
        sucl: surfer::command_file(&view, &variables, TIME, name),
    })
}

/// The dump with the signal that says whether the property holds, as the first of the scope at `place`, and with ranges behind vectors,
/// by which viewers know them.
fn marked(commands: &[Command], place: usize, violated: &ViolatedProperty, holds: &str) -> Vec<Command> {
    let code = |command: &Command| if let Command::VarDef(_, _, code, ..) = command { Some(*code) } else { None };
    let own = commands.iter().filter_map(code).max().map_or(IdCode::FIRST, |last| last.next());
    let (fails, over) = (TIME.start_of(violated.step), TIME.start_of(violated.step + 1));
    let mut marked = vec![];
    for (at, command) in commands.iter().enumerate() {
        marked.push(match command {
            Command::VarDef(kind @ VarType::Wire, width, code, name, None) if *width > 1 => {
                let range = ReferenceIndex::Range(*width as i32 - 1, 0);
                Command::VarDef(*kind, *width, *code, name.clone(), Some(range))
            }
            other => other.clone(),
        });
        match command {
            _ if at == place => marked.push(Command::VarDef(VarType::Wire, 1, own, holds.to_owned(), None)),
            Command::Timestamp(time) if *time == fails => marked.push(Command::ChangeScalar(own, vcd::Value::V0)),
            Command::Timestamp(time) if *time == 0 || *time == over => {
                marked.push(Command::ChangeScalar(own, vcd::Value::V1));
            }
            _ => (),
        }
    }
    marked
}

/// The variables of a dump below its block.
fn variables(commands: &[Command]) -> Variables {
    let mut variables = Variables { list: vec![], mismatch_scopes: vec![], watches: vec![] };
    let mut scopes: Vec<String> = vec![];
    for command in commands {
        match command {
            Command::ScopeDef(_, name) => scopes.push(name.clone()),
            Command::Upscope => _ = scopes.pop(),
            Command::VarDef(VarType::Wire, width, _, name, _) if !scopes.is_empty() => {
                let place = variables.list.len();
                variables.list.push(Variable {
                    scope: scopes[1..].to_vec(),
                    name: name.clone(),
                    width: *width as usize,
                    owner: Owner::Block,
                    meaning: Meaning::Number,
                    content: Content::Bits { frame: WaveSource::Rtl, slot: place, shift: 0 },
                    golden: None,
                });
            }
            _ => (),
        }
    }
    variables
}

fn view(variables: &Variables, block: &str, violated: &ViolatedProperty, holds: &str) -> View {
    let trace = |place: usize, tone: Tone| {
        let variable = &variables.list[place];
        let radix = if variable.width == 1 { Radix::Binary } else { Radix::Hexadecimal };
        Item::Trace(Trace { variable: place, label: variable.path().replace('.', " "), radix, tone })
    };
    let all_of = |wanted: &dyn Fn(&Variable) -> bool, tone: Tone| -> Vec<Item> {
        let places = variables.list.iter().enumerate().filter(|(_, variable)| wanted(variable));
        places.map(|(place, _)| trace(place, tone)).collect()
    };
    let seen = |variable: &Variable| variable.scope == [PROPERTIES] && !variable.name.ends_with(ENABLE);
    let own = |variable: &Variable| variable.scope.is_empty() && variable.name != holds;
    let of_block = all_of(&own, Tone::Normal);
    let violation = format!("{} fails: {} in step {}", violated.place, violated.name, violated.step);
    let groups = [
        (violation, true, all_of(&|variable| variable.scope.is_empty() && variable.name == holds, Tone::Mismatch)),
        ("what the properties see".into(), true, all_of(&seen, Tone::Normal)),
        (block.to_owned(), of_block.len() <= OPEN_TRACES, of_block),
    ];
    View {
        block: block.to_owned(),
        groups: groups.map(|(name, open, items)| Group { name, open, items }).into(),
        markers: vec![Marker { name: format!("{} fails", violated.name).into(), cycle: violated.step }],
        cycles: (violated.step.saturating_sub(24), violated.step + 1),
        cursor: Some(violated.step),
    }
}
