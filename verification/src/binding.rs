//! A block's Verilog with an instance of its properties in it, which is what `bind` would make of both.

use crate::inside::inside;
use crate::library::Properties;
use crate::source::signals;
use crate::values::{WIDTH_OF, value_of};
use anyhow::{Context, Result, bail, ensure};
use powar_config::Config;
use powar_hdl::verilog::Design;
use std::collections::BTreeMap;

/// Name of the instance; what stands in it is called `properties.NAME`.
pub(crate) const INSTANCE: &str = "properties";
/// A block with its properties, for the tools.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// The block's module.
    pub(crate) top: String,
    /// Names and texts of all sources, the properties' first.
    pub(crate) sources: Vec<(String, String)>,
}

/// Why properties can't be bound to a block: a signal that it does not have, or a parameter without a value.
#[derive(Debug, thiserror::Error)]
#[error("{what}, expected one {}", among(.of))]
pub(crate) struct DoesNotFit {
    pub(crate) what: String,
    /// The signals of the block; none of a parameter's value.
    of: Vec<String>,
}

fn among(signals: &[String]) -> String {
    if signals.is_empty() { "in [parameters]".into() } else { format!("of {}", signals.join(", ")) }
}

/// Binds a block's properties to its Verilog. `name` is the configuration's in [`Manifest::designs`](crate::Manifest::designs).
///
/// # Errors
/// [`DoesNotFit`]: an input of the properties that is no signal of the block and not optional, a parameter that has no value in this configuration;
/// as of [`inside`].
pub(crate) fn bind(properties: &Properties, design: &Design, config: &Config, name: &str) -> Result<Bound> {
    let top = &design.description.top;
    let block = design.modules.iter().find(|module| module.name == *top).context("a design without its top module")?;
    let instance = instance(properties, &block.text, design, config, name)
        .with_context(|| format!("{}.sv at {name}", properties.block))?;
    let end = block.text.rfind("endmodule").context("a module without an end")?;
    let (before, after) = block.text.split_at(end);
    let text = format!("{before}{instance}{after}");
    let own = properties.modules.iter().map(|module| (module.file.clone(), module.text.clone()));
    let others = design.modules.iter().filter(|module| module.name != *top);
    let others = others.map(|module| (format!("{}.v", module.name), module.text.clone()));
    let sources = own.chain([(format!("{top}.v"), text)]).chain(others).collect();
    Ok(Bound { top: top.clone(), sources })
}

/// The instance of the properties in a module with this text, behind what it needs of the blocks within.
fn instance(properties: &Properties, text: &str, blocks: &Design, config: &Config, design: &str) -> Result<String> {
    let known = signals(text);
    let all = || known.iter().cloned().collect();
    let interface = properties.interface();
    let looked_up = |(input, path): (&String, &String)| Ok((input.clone(), inside(path, blocks, config)?));
    let within = properties.manifest.inside.iter().map(looked_up).collect::<Result<BTreeMap<_, _>>>()?;
    // What the block has in some configurations only.
    let is_absent = |input: &String| !known.contains(input) && properties.manifest.optional.contains(input);
    for input in interface.inputs.iter().filter(|input| !is_absent(input) && !within.contains_key(*input)) {
        let what = || format!("input `{input}` is no signal of the block");
        ensure!(known.contains(input), DoesNotFit { what: what(), of: all() });
    }
    let mut values = vec![];
    for parameter in &interface.parameters {
        let value = match (value_of(properties, parameter, design, config), parameter.strip_prefix(WIDTH_OF)) {
            (Some(value), _) => value.to_string(),
            (None, Some(signal)) if known.contains(signal) => format!("$bits({signal})"),
            (None, Some(signal)) => {
                let what = format!("parameter {parameter}: `{signal}` is no signal of the block");
                bail!(DoesNotFit { what, of: all() })
            }
            (None, None) => {
                bail!(DoesNotFit { what: format!("parameter {parameter} has no value"), of: vec![] })
            }
        };
        values.push(format!(".{parameter}({value})"));
    }
    let parameters = if values.is_empty() { String::new() } else { format!("#({}) ", values.join(", ")) };
    let joined = |input: &String| match within.get(input) {
        Some(signal) => format!(".{input}({})", signal.joined),
        None if is_absent(input) => format!(".{input}(1'b0)"),
        None => format!(".{input}({input})"),
    };
    let declared: String = within.values().map(|signal| signal.declared.as_str()).collect();
    let ports: Vec<String> = interface.inputs.iter().map(joined).collect();
    Ok(format!("{declared}    {}_properties {parameters}{INSTANCE} ({});\n", properties.block, ports.join(", ")))
}

impl Bound {
    /// The same with a fault: `wrong` stands for `right`, which must occur once in the block's module, or else once in those below it.
    ///
    /// # Errors
    /// `right` occurs more often, or not at all.
    pub(crate) fn spoilt(mut self, right: &str, wrong: &str) -> Result<Bound> {
        let own = format!("{}.v", self.top);
        let count = |text: &str| text.matches(right).count();
        let in_own = self.sources.iter().any(|(name, text)| *name == own && count(text) > 0);
        let all = || self.sources.iter().filter(|(name, _)| if in_own { *name == own } else { name.ends_with(".v") });
        let found: usize = all().map(|(_, text)| count(text)).sum();
        ensure!(found == 1, "broken: `{right}` occurs {found} times in the Verilog of {}, expected once", self.top);
        let file = all().find(|(_, text)| count(text) > 0).map(|(name, _)| name.clone());
        let (_, text) = self.sources.iter_mut().find(|(name, _)| Some(name) == file.as_ref()).expect("it was found");
        *text = text.replacen(right, wrong, 1);
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_put_in_where_its_expression_is_once() {
        let sources = [("p.sv", "once"), ("top.v", "once twice twice"), ("below.v", "once only"), ("more.v", "twice")];
        let sources = sources.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let bound = Bound { top: "top".into(), sources };
        let texts = |bound: Bound| bound.sources.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        let spoilt = |right: &str| bound.clone().spoilt(right, "wrong").map(texts);
        assert_eq!(spoilt("once").unwrap(), ["once", "wrong twice twice", "once only", "twice"]);
        assert_eq!(spoilt("only").unwrap(), ["once", "once twice twice", "once wrong", "twice"]);
        for (right, times) in [("twice", 2), ("never", 0)] {
            let error = spoilt(right).unwrap_err().to_string();
            assert!(error.contains(&format!("`{right}` occurs {times} times")), "{error}");
        }
    }
}
