//! An experiment as it is written in a file.

use super::confidence::Spread;
use super::overlay;
use super::sweep::Sweep;
use crate::network::Simulation;
use crate::schema::Settings;
use anyhow::{Context, Result, anyhow, bail, ensure};
use powar_config::document;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The file of an experiment.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// What the experiment is about, in a line.
    pub title: String,
    /// What all simulations have in common; a [`Simulation`] once sweeps have set the rest.
    #[serde(default = "overlay::empty")]
    #[schemars(with = "Simulation")]
    pub simulation: Value,
    #[serde(default, rename = "sweep")]
    pub sweeps: Vec<Sweep>,
    #[serde(default, rename = "extra")]
    pub extras: Vec<Extra>,
    /// Values over which every point is simulated again: what comes out are means, and how far the runs are around them.
    pub repeat: Option<Repeat>,
    /// Values that make a point the one it is normalised to.
    #[schemars(with = "Option<Settings>")]
    pub baseline: Option<Value>,
    /// Columns of the table for readers behind the sweeps; what the figures show if none is given.
    #[serde(default)]
    pub columns: Vec<String>,
    #[serde(default, rename = "figure")]
    pub figures: Vec<Figure>,
}

/// Values that make a point another run: seeds, or what its figures are to be averaged over.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// Path of what it sets, like `traffic.seed`.
    pub key: String,
    /// At least two, none twice.
    pub values: Vec<Value>,
}

impl Repeat {
    /// What stands behind a mean.
    pub fn spread(&self) -> Spread {
        // Runs that differ in a seed alone are samples of the same thing.
        if self.key.rsplit('.').next() == Some("seed") { Spread::Confidence } else { Spread::Deviation }
    }
}

/// Points beside the product of the sweeps.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extra {
    /// What they are called, in the columns of the sweeps whose keys they set.
    pub label: String,
    #[schemars(with = "Settings")]
    pub set: Value,
}

/// A figure: panels one below the other over the same axis.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Of its files.
    pub name: String,
    pub title: String,
    pub kind: FigureKind,
    /// Bars: the sweeps that group them, the outermost first; one or two. All others: the sweep of which every value has a plot of its own, if any.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Bars: the sweep of which every value is a bar in each group.
    pub bars: Option<String>,
    /// Lines: the sweep along the axis. Series: the column of intervals along it, such as `cycle`. Scatter: the column of the results along it.
    pub x: Option<String>,
    pub x_label: Option<String>,
    /// Scatter: what values along the axis are multiplied by.
    pub x_factor: Option<f64>,
    /// Scatter: where the axis ends; points beyond are written at the plot's upper edge.
    pub x_max: Option<f64>,
    /// Lines, series and profiles: the sweeps of which every combination is a line. Scatter: one or two; the first gives points their colour, the other their mark.
    #[serde(default)]
    pub series: Vec<String>,
    /// Lines and scatter: how values lie along the axis.
    pub x_scale: Option<ScaleKind>,
    pub panels: Vec<Panel>,
    /// Bars and lines: values that somebody else has published for them.
    #[serde(default)]
    pub published: Vec<Published>,
}

/// A value that somebody else has published: a hollow mark.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The column of its panel.
    pub y: String,
    /// Its place: for each sweep that the figure shows, the label. Along an axis of numbers there need be no point of ours.
    pub at: BTreeMap<String, String>,
    /// In the panel's unit.
    pub value: f64,
}

/// How values lie along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleKind {
    /// Equal distances are equal differences.
    Linear,
    /// Equal distances are equal ratios.
    Log,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    Bars,
    Lines,
    /// What happens over time, of simulations with an `interval`.
    Series,
    /// A column of the results against another, with the Pareto front of both.
    Scatter,
    /// Columns whose names end in numbers, over these numbers, such as those of `idle.oracle`.
    Profile,
}

impl Panel {
    /// A value of its column as it is shown.
    pub fn shown(&self, value: f64) -> f64 {
        let percent = if self.percent { 100.0 } else { 1.0 };
        percent * self.factor.unwrap_or(1.0) * value
    }
}

impl Figure {
    /// The published values of a panel, with their places.
    pub fn published_in<'a>(&'a self, panel: &'a Panel) -> impl Iterator<Item = (&'a BTreeMap<String, String>, f64)> {
        let here = self.published.iter().filter(move |one| one.y == panel.y);
        here.map(|one| (&one.at, one.value))
    }

    /// Files from before the median had a name like other quantiles have the columns' names of then.
    fn rename_columns(&mut self) {
        let columns = self.panels.iter_mut().map(|panel| &mut panel.y).chain(&mut self.x);
        for column in columns {
            if let Some(latency) = column.strip_suffix("_latency.median") {
                *column = format!("{latency}_latency.p50");
            }
        }
    }
}

impl FigureKind {
    /// Along the x axis is a sweep, not a column.
    pub(super) fn x_is_a_sweep(self) -> bool {
        matches!(self, FigureKind::Bars | FigureKind::Lines)
    }
}

/// A plot of one figure of the results.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// A column of the results; of series, one of intervals; of a profile, what the names of its columns have before their numbers.
    pub y: String,
    /// What stands at the axis, with its unit.
    pub label: String,
    /// Hundredfold values.
    #[serde(default)]
    pub percent: bool,
    /// What values are multiplied by, for another unit: 1e-6 makes ms of ns.
    pub factor: Option<f64>,
    /// Where the axis begins; 0 if not given. Of a bar that ends below it the value is written.
    pub min: Option<f64>,
    /// Where it ends; what is higher is cut off and its value written at it.
    pub max: Option<f64>,
    /// All but bars: how values lie along the axis.
    pub scale: Option<ScaleKind>,
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// It can't be read, is no TOML, or has a field that is unknown, missing or of the wrong type; the error names it.
    pub fn read(path: &Path) -> Result<File> {
        let text = document::text_of(path)?;
        File::parse(&text).with_context(|| path.display().to_string())
    }

    /// The same of a file's text.
    ///
    /// # Errors
    /// As of [`File::read`].
    pub fn parse(text: &str) -> Result<File> {
        let deserializer = toml::Deserializer::parse(text).map_err(|error| in_line(text, &error))?;
        let mut track = serde_path_to_error::Track::new();
        let deserializer = serde_path_to_error::Deserializer::new(deserializer, &mut track);
        let mut file = File::deserialize(deserializer)
            .map_err(|error| anyhow!("{}", document::at(&track.path().to_string(), error.message())))?;
        file.figures.iter_mut().for_each(Figure::rename_columns);
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<()> {
        ensure!(self.simulation.is_object(), "simulation: expected a table");
        for (place, sweep) in self.sweeps.iter().enumerate() {
            sweep.check().with_context(|| format!("sweep `{}`", sweep.name))?;
            check_new("sweep", &sweep.name, self.sweeps[..place].iter().map(|other| &other.name))?;
            // The later one is what is simulated, and the column of the other would say something else.
            if let Some((other, key)) = self.sweeps[..place].iter().find_map(|other| Some((other, sweep.hides(other)?)))
            {
                bail!("sweep `{}`: key: `{key}` is set by sweep `{}` too", sweep.name, other.name);
            }
        }
        for group in self.sweeps.iter().filter_map(|sweep| sweep.group.as_ref()) {
            let names =
                self.sweeps.iter().flat_map(|sweep| [Some(&sweep.name), sweep.group.as_ref().map(|group| &group.name)]);
            ensure!(
                names.flatten().filter(|name| **name == group.name).count() == 1,
                "group: there are two `{}`",
                group.name
            );
        }
        for extra in &self.extras {
            let leaves = overlay::leaves(&extra.set);
            ensure!(
                self.sweeps.iter().any(|sweep| sweep.is_set_by(&leaves)),
                "extra `{}`: set: {} is set by no sweep; then its points can't be told from the others",
                extra.label,
                leaves.join(", ")
            );
        }
        ensure!(self.baseline.as_ref().is_none_or(Value::is_object), "baseline: expected a table");
        let key = ["oracle".to_owned()];
        let repeated = self.repeat.iter().any(|repeat| repeat.key == key[0]);
        let is_set = repeated || self.sweeps.iter().any(|sweep| sweep.is_set_by(&key));
        let beside = self.extras.iter().map(|extra| &extra.set).chain(&self.baseline);
        ensure!(
            !is_set && beside.flat_map(overlay::leaves).all(|path| path != key[0]),
            "oracle: its columns are those of all points, expected in [simulation] only"
        );
        if let Some(repeat) = &self.repeat {
            self.check_repeat(repeat).context("repeat")?;
        }
        for (place, figure) in self.figures.iter().enumerate() {
            check_new("figure", &figure.name, self.figures[..place].iter().map(|other| &other.name))?;
            self.check_figure(figure).with_context(|| format!("figure `{}`", figure.name))?;
        }
        Ok(())
    }

    fn check_repeat(&self, Repeat { key, values }: &Repeat) -> Result<()> {
        let all = values.len();
        ensure!(all >= 2, "values: {all} of them, at least 2 are needed");
        for (place, value) in values.iter().enumerate() {
            ensure!(!values[..place].contains(value), "values: {value} is there twice");
        }
        let key_set = [key.clone()];
        if let Some(sweep) = self.sweeps.iter().find(|sweep| sweep.is_set_by(&key_set)) {
            bail!("key: `{key}` is set by sweep `{}` too", sweep.name);
        }
        let set = self.extras.iter().map(|extra| &extra.set).chain(&self.baseline);
        ensure!(
            !set.flat_map(overlay::leaves).any(|path| path == *key),
            "key: `{key}` is set by an extra or the baseline"
        );
        Ok(())
    }

    pub(super) fn check_figure(&self, figure: &Figure) -> Result<()> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        ensure!(
            !figure.name.is_empty() && figure.name.chars().all(is_name),
            "name: `{}` is out of range, letters, digits, - and _",
            figure.name
        );
        let names: Vec<&str> = self.sweeps.iter().map(|sweep| sweep.name.as_str()).collect();
        let plots = self.sweeps.iter().filter_map(|sweep| sweep.group.as_ref()).map(|group| group.name.as_str());
        let plots: Vec<&str> = if figure.kind == FigureKind::Bars { vec![] } else { plots.collect() };
        let known = |field: &str, name: &String| {
            let is_plot = field == "groups" && plots.contains(&name.as_str());
            let is_known = is_plot || names.contains(&name.as_str());
            ensure!(is_known, "{field}: `{name}` is no sweep; there are {}", names.join(", "));
            Ok(())
        };
        let used: Vec<(&str, &String)> = (figure.groups.iter().map(|name| ("groups", name)))
            .chain(figure.bars.iter().map(|name| ("bars", name)))
            .chain(figure.x.iter().filter(|_| figure.kind.x_is_a_sweep()).map(|name| ("x", name)))
            .chain(figure.series.iter().map(|name| ("series", name)))
            .collect();
        for &(field, name) in &used {
            known(field, name)?;
        }
        check_places(figure)?;
        // Two points at one place of the figure would hide each other.
        for name in names {
            ensure!(used.iter().any(|(_, used)| *used == name), "sweep `{name}` is not shown; give it a place");
        }
        ensure!(!figure.panels.is_empty(), "panels: at least 1 is needed");
        let is_scatter = figure.kind == FigureKind::Scatter;
        ensure!(is_scatter || figure.x_factor.is_none(), "x_factor: only for kind = \"scatter\"");
        check_factor("x_factor", figure.x_factor)?;
        ensure!(is_scatter || figure.x_max.is_none(), "x_max: only for kind = \"scatter\"");
        check_factor("x_max", figure.x_max)?;
        let has_x = is_scatter || figure.kind == FigureKind::Lines;
        ensure!(has_x || figure.x_scale.is_none(), "x_scale: only for kind = \"lines\" and \"scatter\"");
        let used: Vec<&String> = used.into_iter().map(|(_, name)| name).collect();
        for published in &figure.published {
            self.check_published(figure, published, &used).context("published")?;
        }
        figure.panels.iter().try_for_each(|panel| check_panel(figure, panel))
    }

    /// A published value must have one place among those that the figure has.
    fn check_published(&self, figure: &Figure, Published { y, at, value }: &Published, used: &[&String]) -> Result<()> {
        let kinds = [FigureKind::Bars, FigureKind::Lines];
        ensure!(kinds.contains(&figure.kind), "only for kind = \"bars\" and \"lines\"");
        ensure!(figure.panels.iter().any(|panel| panel.y == *y), "y: `{y}` is in no panel");
        ensure!(value.is_finite(), "value: {value} is no number");
        for name in used.iter().filter(|name| self.sweeps.iter().any(|sweep| sweep.name == ***name)) {
            ensure!(at.contains_key(*name), "at: the sweep `{name}` is missing");
        }
        for (name, label) in at {
            let sweep = self.sweeps.iter().find(|sweep| sweep.name == *name && used.contains(&name));
            let sweep = sweep.with_context(|| format!("at: `{name}` is no sweep that the figure shows"))?;
            let labels: Vec<String> = (0..sweep.values.len()).map(|place| sweep.label(place)).collect();
            let is_number = |label: &String| label.parse::<f64>().is_ok();
            let along = figure.x.as_ref() == Some(name) && is_number(label) && labels.iter().all(is_number);
            ensure!(
                along || labels.contains(label),
                "at: `{label}` is no label of `{name}`; there are {}",
                labels.join(", ")
            );
        }
        Ok(())
    }
}

/// What a kind of figure needs, and what it has no place for.
fn check_places(figure: &Figure) -> Result<()> {
    let no_bars = || {
        ensure!(figure.bars.is_none(), "bars: only for kind = \"bars\"");
        Ok(())
    };
    let one_group = || {
        ensure!(figure.groups.len() <= 1, "groups: {} sweeps, 1 at most", figure.groups.len());
        Ok(())
    };
    let no_min = || {
        ensure!(figure.panels.iter().all(|panel| panel.min.is_none()), "min: only for kind = \"bars\"");
        Ok(())
    };
    let one_or_two = |field: &str, count: usize| {
        ensure!((1..=2).contains(&count), "{field}: {count} sweeps, 1 or 2 are needed");
        Ok(())
    };
    match figure.kind {
        FigureKind::Bars => {
            one_or_two("groups", figure.groups.len())?;
            ensure!(figure.bars.is_some(), "bars: the name of a sweep is needed");
            ensure!(figure.x.is_none() && figure.series.is_empty(), "x, series: only for kind = \"lines\"");
            Ok(())
        }
        FigureKind::Scatter => {
            ensure!(figure.x.is_some(), "x: the name of a column of the results is needed");
            no_bars()?;
            one_or_two("series", figure.series.len())?;
            one_group()
        }
        FigureKind::Profile => {
            ensure!(figure.x.is_none(), "x: a profile is over the numbers that the names of its columns end in");
            no_bars()?;
            one_group()?;
            no_min()
        }
        FigureKind::Lines | FigureKind::Series => {
            ensure!(figure.x.is_some(), "x: the name of a sweep is needed, or of a column of intervals");
            no_bars()?;
            one_group()?;
            no_min()
        }
    }
}

fn check_panel(figure: &Figure, panel: &Panel) -> Result<()> {
    let min = panel.min.unwrap_or(0.0);
    ensure!(min.is_finite() && min >= 0.0, "min: {min} is out of range, min >= 0");
    let above = panel.max.is_none_or(|max| max.is_finite() && max > min);
    ensure!(above, "max: {} is out of range, max > {min}", panel.max.unwrap_or_default());
    check_factor("factor", panel.factor)?;
    if panel.scale == Some(ScaleKind::Log) {
        ensure!(figure.kind != FigureKind::Bars, "scale: log is not for kind = \"bars\", which begin at 0");
        ensure!(panel.min.is_none_or(|min| min > 0.0), "min: {min} is out of range, min > 0 on a logarithmic axis");
    }
    Ok(())
}

/// A name is a column or a file, so it is none of those before it.
fn check_new<'a>(kind: &str, name: &str, mut before: impl Iterator<Item = &'a String>) -> Result<()> {
    ensure!(before.all(|other| other != name), "{kind} `{name}`: there are two of this name");
    Ok(())
}

fn check_factor(name: &str, factor: Option<f64>) -> Result<()> {
    let factor = factor.unwrap_or(1.0);
    ensure!(factor.is_finite() && factor > 0.0, "{name}: {factor} is out of range, {name} > 0");
    Ok(())
}

/// TOML's own error in a line: its text has a picture of the place.
fn in_line(text: &str, error: &toml::de::Error) -> anyhow::Error {
    let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    anyhow!("line {line}: {}", error.message().replace('\n', ", "))
}
