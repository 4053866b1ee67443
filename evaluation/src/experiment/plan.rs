//! The points of an experiment, and the simulations that they need.

use super::cells;
use super::column::family;
use super::defaults;
use super::file::{FigureKind, File, Repeat};
use super::overlay;
use super::store::Keys;
use super::sweep::{Sweep, plain};
use crate::network::{AUTO_WARM_UP, IDEAL, Interval, SPECIAL, Simulation, Traffic, jobs_workload, synthetic_on};
use anyhow::{Context, Result, anyhow, bail, ensure};
use powar_config::Mechanism;
use powar_config::document;
use powar_config::mechanism::ALL;
use powar_config::nearest::{is_not_in, is_unknown};
use powar_config::topology;
use powar_golden::network::NetworkParameters;
use powar_traffic::jobs::Program;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Most columns that an error lists.
const MOST_LISTED: usize = 20;

/// Most points of an experiment.
const MOST_POINTS: usize = 100_000;

/// An experiment that has been read and checked: its points, and the simulations that they need, each of them once.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of its file, without folder and ending.
    pub name: String,
    pub file: File,
    pub points: Vec<Point>,
    /// What the file says of all simulations and none takes notice of.
    unheeded: Vec<String>,
    /// With the keys that results are kept under.
    pub(super) simulations: Vec<(String, Simulation)>,
}

/// A point: what the sweeps are at it, and its simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// A label for each sweep; none where the sweep makes no difference, as a power-down threshold where ports never sleep.
    pub labels: Vec<Option<String>>,
    /// Not a point of the product but one of this extra, by its place in the file.
    pub extra: Option<usize>,
    /// One, or one for each value of the file's repeat.
    pub(super) runs: Vec<PointRun>,
}

/// A run of a point: its simulation and that of its baseline, by their places in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointRun {
    pub simulation: usize,
    pub baseline: Option<usize>,
}

impl Plan {
    /// Reads an experiment and checks every simulation of it before any is run.
    ///
    /// # Errors
    /// A file that makes no sense, a value out of its range, a trace that can't be read: with the name of the file and the point.
    pub fn read(path: &Path) -> Result<Plan> {
        let file = File::read(path)?;
        let name = path.file_stem().context("an experiment needs a file name")?.to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Plan::new(name, file, &folder).with_context(|| path.display().to_string())
    }

    /// The same of a file that has been read; `folder` is what its traces, mixes and networks are relative to.
    ///
    /// # Errors
    /// As of [`Plan::read`].
    pub fn new(name: String, mut file: File, folder: &Path) -> Result<Plan> {
        check_columns(&file)?;
        if let Some(name) = cells::hiding(&file)? {
            bail!("sweep `{name}`: name: a column of the results is called so (docs/columns.md); give it another one");
        }
        let mut builder = Builder { folder: folder.to_path_buf(), ..Builder::default() };
        let mut points = vec![];
        let runs = file.repeat.as_ref().map_or(1, |repeat| repeat.values.len());
        for choice in choices(&file.sweeps, runs)? {
            let choice: Vec<_> = choice.into_iter().map(Some).collect();
            points.push(builder.point(&file, &choice, None)?);
        }
        for (place, extra) in file.extras.iter().enumerate() {
            let leaves = overlay::leaves(&extra.set);
            let free: Vec<bool> = file.sweeps.iter().map(|sweep| !sweep.is_set_by(&leaves)).collect();
            let left: Vec<Sweep> =
                file.sweeps.iter().zip(&free).filter(|(_, free)| **free).map(|(sweep, _)| sweep.clone()).collect();
            for choice in choices(&left, runs)? {
                let mut values = choice.into_iter();
                let choice: Vec<_> = free.iter().map(|free| free.then(|| values.next()).flatten()).collect();
                points.push(builder.point(&file, &choice, Some(place))?);
            }
        }
        for (place, sweep) in file.sweeps.iter().enumerate() {
            let matters = points.iter().any(|point| point.labels[place].is_some());
            ensure!(
                matters,
                "sweep `{}`: makes no difference to any policy of the experiment; leave it out",
                sweep.name
            );
        }
        // Values that make no difference make the same point several times.
        let mut seen = HashSet::new();
        points.retain(|point| seen.insert(point.labels.clone()));
        check_special(&file, &builder.simulations)?;
        let unheeded = builder.unheeded(&file);
        defaults::complete(&mut file, builder.simulations.iter().map(|(_, simulation)| &simulation.traffic));
        Ok(Plan { name, file, points, unheeded, simulations: builder.simulations })
    }

    /// How many simulations its points need.
    pub fn simulations(&self) -> usize {
        self.simulations.len()
    }

    /// What should be known of its simulations although they can be run, a line each: such as a threshold that is not below U_max.
    pub fn warnings(&self) -> BTreeSet<String> {
        let networks = self.simulations.iter().filter_map(|(_, simulation)| simulation.network().ok());
        networks.flat_map(|network| network.config.warnings()).chain(self.unheeded.iter().cloned()).collect()
    }
}

/// Figures show columns that the results will have.
fn check_columns(file: &File) -> Result<()> {
    let of_points = cells::names(file)?;
    let of_intervals: Vec<String> =
        cells::interval_cells(&Interval::default())?.into_iter().map(|(name, _)| name).collect();
    for column in &file.columns {
        ensure!(of_points.contains(column), "columns: {}", no_column(column, "results", &of_points));
    }
    for figure in &file.figures {
        let (names, of) = match figure.kind {
            FigureKind::Series => (&of_intervals, "intervals"),
            _ => (&of_points, "results"),
        };
        if let Some(x) = figure.x.as_ref().filter(|_| !figure.kind.x_is_a_sweep()) {
            ensure!(names.contains(x), "figure `{}`: x: {}", figure.name, no_column(x, of, names));
        }
        for panel in &figure.panels {
            let known = match figure.kind {
                FigureKind::Profile => !family(names, &panel.y).is_empty(),
                _ => names.contains(&panel.y),
            };
            let normalised = match &panel.y {
                y if y.starts_with("relative.") => "; [baseline] makes those that are relative",
                y if y.starts_with("idle.") => "; simulation.oracle makes those of idle links",
                _ => "",
            };
            let said = || no_column(&panel.y, of, names);
            ensure!(known, "figure `{}`: y: {}{normalised}", figure.name, said());
        }
    }
    Ok(())
}

/// What is said of a name that no column has.
pub(super) fn no_column(name: &str, of: &str, known: &[String]) -> String {
    let names = known.iter().map(String::as_str);
    let unknown = match known.len() {
        ..=MOST_LISTED => is_unknown(name, names),
        _ => is_not_in("docs/columns.md", name, names),
    };
    format!("column of the {of}: {unknown}")
}

/// A column of intervals that figures show and not every mechanism has: some simulation must be of one that has it.
fn check_special(file: &File, simulations: &[(String, Simulation)]) -> Result<()> {
    let series = file.figures.iter().filter(|figure| figure.kind == FigureKind::Series);
    for (figure, panel) in series.flat_map(|figure| figure.panels.iter().map(move |panel| (figure, panel))) {
        let shown = [("x", figure.x.as_ref()), ("y", Some(&panel.y))];
        let shown = shown.into_iter().filter_map(|(field, column)| Some((field, column?)));
        for ((field, column), special) in shown.flat_map(|one| SPECIAL.iter().map(move |special| (one, special))) {
            let mechanisms = simulations.iter().map(|(_, simulation)| simulation.power_mechanism());
            let mechanisms = mechanisms.collect::<Result<Vec<_>>>()?;
            if column != special.column || mechanisms.iter().any(|mechanism| (special.is_of)(mechanism)) {
                continue;
            }
            let of: Vec<&str> = ALL.into_iter().filter(|one| (special.is_of)(one)).map(|one| one.name).collect();
            let name = mechanisms.first().context("there are no points")?.name;
            bail!(
                "figure `{}`: {field}: `{column}`: the mechanism {name} {}; expected a policy of {}",
                figure.name,
                special.otherwise,
                of.join(" or ")
            );
        }
    }
    Ok(())
}

/// Every combination of the values' places, the last sweep's fastest; each is a point of so many runs.
fn choices(sweeps: &[Sweep], runs: usize) -> Result<Vec<Vec<usize>>> {
    let all = sweeps.iter().try_fold(runs, |all, sweep| all.checked_mul(sweep.values.len()));
    ensure!(
        all.is_some_and(|all| all <= MOST_POINTS),
        "sweep: the sweeps, with [repeat], have more than {MOST_POINTS} combinations, the most there can be"
    );
    let mut choices = vec![vec![]];
    for sweep in sweeps {
        let with = |choice: &Vec<usize>, place| choice.iter().copied().chain([place]).collect();
        choices =
            choices.iter().flat_map(|choice| (0..sweep.values.len()).map(move |place| with(choice, place))).collect();
    }
    Ok(choices)
}

#[derive(Default)]
struct Builder {
    folder: PathBuf,
    keys: Keys,
    simulations: Vec<(String, Simulation)>,
    known: HashMap<String, usize>,
    ranks: HashMap<(PathBuf, Option<String>), u32>,
    mixes: HashMap<PathBuf, Vec<Program>>,
    /// What some point takes notice of, of what the file says of all.
    heeded: HashSet<String>,
}

impl Builder {
    /// What makes no difference to any point, though the file says it of all.
    fn unheeded(&self, file: &File) -> Vec<String> {
        let said = |path: String| {
            let value = path.split('.').try_fold(&file.simulation, |value, name| value.get(name))?;
            let is_set = ![Value::from("0"), Value::from(0)].contains(value);
            is_set.then(|| format!("{path}: {} makes no difference to any of the policies", plain(value)))
        };
        let all = overlay::leaves(&file.simulation).into_iter();
        all.filter(|path| !self.heeded.contains(path)).filter_map(said).collect()
    }

    fn point(&mut self, file: &File, choice: &[Option<usize>], number: Option<usize>) -> Result<Point> {
        let extra = number.map(|place| &file.extras[place]);
        let mut value = file.simulation.clone();
        let sweeps = || file.sweeps.iter().zip(choice);
        let where_ = || {
            let of = |(sweep, place): (&Sweep, &Option<usize>)| {
                Some(format!("{} = {}", sweep.name, place.map(|place| sweep.label(place))?))
            };
            let named = sweeps().filter_map(of).chain(extra.map(|extra| format!("extra {}", extra.label)));
            format!("point {}", named.collect::<Vec<_>>().join(", "))
        };
        for (sweep, place) in sweeps() {
            if let Some(place) = place {
                sweep.apply(*place, &mut value).with_context(|| format!("sweep `{}`", sweep.name))?;
            }
        }
        if let Some(extra) = extra {
            overlay::lay(&mut value, &extra.set).with_context(|| format!("extra `{}`: set", extra.label))?;
        }
        let repetitions: Vec<Option<(&str, &Value)>> = match &file.repeat {
            Some(Repeat { key, values }) => values.iter().map(|value| Some((key.as_str(), value))).collect(),
            None => vec![None],
        };
        let mut runs = vec![];
        for repetition in repetitions {
            let where_ = || match repetition {
                Some((key, value)) => format!("{}, {key} = {value}", where_()),
                None => where_(),
            };
            let run = self.run(file, value.clone(), repetition).with_context(where_)?;
            runs.push(run);
        }
        let used = Ignored::by(&read(&value).with_context(where_)?)?;
        self.heeded.extend(overlay::leaves(&file.simulation).into_iter().filter(|path| !used.ignores(path)));
        let label = |(sweep, place): (&Sweep, &Option<usize>)| {
            let matters = sweep.keys().iter().any(|key| !used.ignores(key));
            match place {
                Some(place) => matters.then(|| sweep.label(*place)),
                None => extra.map(|extra| extra.label.clone()),
            }
        };
        Ok(Point { labels: sweeps().map(label).collect(), extra: number, runs })
    }

    /// A run of a point: of these values, and what a repetition sets beside them.
    fn run(&mut self, file: &File, mut value: Value, repetition: Option<(&str, &Value)>) -> Result<PointRun> {
        if let Some((key, set)) = repetition {
            overlay::set(&mut value, key, set.clone()).context("repeat")?;
        }
        let simulation = self.simulation(&value)?;
        // Each run has a baseline of its own: with the same seed.
        let baseline = match &file.baseline {
            None => None,
            Some(baseline) => {
                overlay::lay(&mut value, baseline).context("baseline")?;
                Some(self.simulation(&value).context("baseline")?)
            }
        };
        Ok(PointRun { simulation, baseline })
    }

    /// The place of a simulation among those needed.
    fn simulation(&mut self, value: &Value) -> Result<usize> {
        let mut simulation: Simulation = read(value)?;
        let ignored = Ignored::by(&simulation)?;
        let in_folder = |key: &str, path: &Path| {
            let path = self.folder.join(path).into_os_string().into_string();
            path.map_err(|path| anyhow!("{key}: {} is not UTF-8, as a path must be that results name", path.display()))
        };
        if let Some(path) = topology::file_of(&simulation.topology) {
            let path = in_folder("topology", Path::new(path))?;
            simulation.topology = topology::with_file(&simulation.topology, |_| path);
        }
        // One mistake should be found whether or not the policy would notice it.
        simulation.network()?;
        simulation.mechanism = ignored.without(&simulation)?;
        // Before a lead that makes no difference is dropped, for the same reason.
        if let Traffic::Trace(options) = &simulation.traffic {
            options.replay.check().context("traffic.replay")?;
        }
        simulation.drop_lead()?;
        match &mut simulation.traffic {
            Traffic::Trace(options) => {
                if options.skeleton.is_none() {
                    let is_given = !options.input.as_os_str().is_empty();
                    ensure!(is_given, "traffic.input: the path of a trace is needed, or a skeleton");
                    options.input = in_folder("traffic.input", &options.input)?.into();
                }
                if let Some(placement) = &mut options.placement
                    && let Some(file) = placement.file()
                {
                    let file = in_folder("traffic.placement", file)?;
                    *placement = placement.with_file(|_| file);
                }
            }
            Traffic::Jobs(options) => {
                let is_given = !options.mix.as_os_str().is_empty();
                ensure!(is_given, "traffic.mix: the path of a mix of jobs is needed");
                options.mix = in_folder("traffic.mix", &options.mix)?.into();
            }
            Traffic::Synthetic(options) => {
                if let Some(matrix) = &mut options.matrix {
                    matrix.file = in_folder("traffic.matrix.file", &matrix.file)?.into();
                }
            }
        }
        let key = self.keys.of(&simulation)?;
        let place = match self.known.get(&key) {
            Some(&place) => place,
            None => {
                self.check(&simulation)?;
                let place = self.simulations.len();
                self.known.insert(key.clone(), place);
                self.simulations.push((key, simulation));
                place
            }
        };
        Ok(place)
    }

    /// What a simulation would find wrong only when it is run.
    fn check(&mut self, simulation: &Simulation) -> Result<()> {
        let parameters: NetworkParameters = simulation.network()?;
        let wiring = parameters.wiring()?;
        let nodes = wiring.nodes.len() as u32;
        match &simulation.traffic {
            Traffic::Synthetic(options) => {
                synthetic_on(simulation, options, &wiring).context("traffic")?;
                let stop = options.stop();
                ensure!(
                    simulation.warm_up < stop || simulation.warm_up == AUTO_WARM_UP,
                    "warm_up: {} is out of range 0..={}; nothing would be left to measure",
                    simulation.warm_up,
                    stop.saturating_sub(1)
                );
                simulation.check_interval(stop)?;
            }
            Traffic::Trace(options) => {
                simulation.check_untimed()?;
                let program = (options.input.clone(), options.skeleton.clone());
                let ranks = match self.ranks.get(&program) {
                    Some(&ranks) => ranks,
                    None => {
                        let ranks = options.open().context("traffic")?.ranks();
                        self.ranks.insert(program, ranks);
                        ranks
                    }
                };
                options.placed(ranks, &simulation.topology, nodes).context("traffic")?;
            }
            Traffic::Jobs(options) => {
                simulation.check_untimed()?;
                let programs = match self.mixes.get(&options.mix) {
                    Some(programs) => programs.clone(),
                    None => {
                        let programs = options.open().context("traffic")?;
                        self.mixes.insert(options.mix.clone(), programs.clone());
                        programs
                    }
                };
                jobs_workload(simulation, options, programs, &parameters, nodes as usize).context("traffic")?;
            }
        }
        Ok(())
    }
}

/// Where a simulation says how long before a message nodes tell of it.
const LEADS: [&str; 3] = ["traffic.replay.lead", "traffic.lead", "traffic.replay.foresight"];

/// The parameters of mechanisms that a policy takes no notice of: those of other mechanisms, and some of its own.
struct Ignored {
    /// The mechanism that the policy is of; none if no parameter of any makes a difference.
    mechanism: Option<&'static str>,
    parameters: &'static [&'static str],
    /// When nodes tell of messages makes no difference either.
    lead: bool,
}

impl Ignored {
    fn by(simulation: &Simulation) -> Result<Ignored> {
        if simulation.policy == IDEAL {
            return Ok(Ignored { mechanism: None, parameters: &[], lead: true });
        }
        let mechanism = simulation.power_mechanism()?;
        let parameters = mechanism.policy(&simulation.policy)?.ignores;
        Ok(Ignored { mechanism: Some(mechanism.name), parameters, lead: !simulation.hears_words()? })
    }

    /// Whether the value at a path of the simulation makes no difference.
    fn ignores(&self, path: &str) -> bool {
        let Some(path) = path.strip_prefix("mechanism.") else { return self.lead && LEADS.contains(&path) };
        let (mechanism, parameter) = path.split_once('.').unwrap_or((path, ""));
        self.mechanism != Some(mechanism) || self.parameters.contains(&parameter)
    }

    /// The parameters that make a difference, all of them and in one form: `10us` and `0.01ms` are the same simulation, and so are a
    /// default and nothing.
    fn without(&self, simulation: &Simulation) -> Result<BTreeMap<String, toml::Table>> {
        let parameters = simulation.parameters()?;
        let named = self.mechanism.filter(|_| !parameters.is_empty());
        let table = parameters.into_iter().map(|(parameter, value)| (parameter.to_owned(), value)).collect();
        Ok(named.map(|name| (name.to_owned(), table)).into_iter().collect())
    }
}

/// The simulation of an experiment's values.
fn read(value: &Value) -> Result<Simulation> {
    let has = |mechanism: &Mechanism, name: &str| mechanism.options.iter().any(|option| option.name == name);
    let mut keys = value.as_object().into_iter().flat_map(serde_json::Map::keys);
    if let Some(name) = keys.find(|name| ALL.iter().any(|mechanism| has(mechanism, name))) {
        let of = ALL.iter().filter(|mechanism| has(mechanism, name));
        let paths: Vec<String> = of.map(|mechanism| format!("mechanism.{}.{name}", mechanism.name)).collect();
        bail!("{name}: is a parameter of a power mechanism; write {}", paths.join(" or "));
    }
    let mut track = serde_path_to_error::Track::new();
    Simulation::deserialize(serde_path_to_error::Deserializer::new(value, &mut track))
        .map_err(|error| anyhow!("{}", document::at(&track.path().to_string(), &error.to_string())))
}
