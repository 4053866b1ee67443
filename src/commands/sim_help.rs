//! What `powar sim -h` and `--help` say behind the options.

use crate::layout::{width, wrapped};
use clap::Arg;
use powar_config::{mechanism, routing};
use powar_traffic::program::PLACEMENTS;
use powar_traffic::skeleton::{SKELETONS, Skeleton};
use powar_traffic::synthetic::{ARRIVALS, MODELS, PATTERNS};

/// Options that -h explains; --help has all.
const FIRST: [&str; 15] = [
    "topology", "network", "routing", "policy", "traffic", "load", "cycles", "warm_up", "seed", "input", "skeleton",
    "mix", "point", "rtl", "json",
];
/// As wide as lists are at the most; a narrower terminal makes them narrower.
const WIDEST: usize = 100;

fn list_width() -> Option<usize> {
    Some(width().map_or(WIDEST, |width| width.min(WIDEST)))
}

/// Leaves an option to --help that few runs need.
pub fn first(arg: Arg) -> Arg {
    let is_first = FIRST.contains(&arg.get_id().as_str());
    arg.hide_short_help(!is_first)
}

/// Behind the options of -h.
pub const AFTER_SHORT: &str = "\
--help has all options, and lists routings, policies and their parameters, traffic, placements, skeletons.

Examples:
  powar sim --topology torus-4x4x4 --traffic tornado --load 0.1 --pdt 10us
  powar sim --topology 4-ary-2-tree --load 0.01 --policy all --pdt 10us
  powar sim --input testbenches/traces/hpl-64.tar.xz --pdt 10us";

/// Behind the options of --help.
pub fn after_long() -> String {
    let list = |rows: Vec<(&str, &str)>| {
        rows.iter().map(|(name, about)| wrapped(&format!("  {name:<20} "), about, list_width())).collect::<String>()
    };
    format!(
        "Routings:\n{}\nPolicies:\n{}\nTraffic:\n{}\nTraffic models, which have arrivals of their own:\n{}\nArrivals:\n{}\nPlacements of ranks:\n{}\nSkeletons, with their parameters and defaults (docs/programs/skeletons.md says what each is):\n{}\nExamples:\n  \
         powar sim --topology torus-4x4x4-trunk4 --traffic tornado --load 0.3 --policy first-on --pdt 10us\n  \
         powar sim --topology 4-ary-2-tree --load 0.01 --policy all --pdt 10us\n  \
         powar sim --topology 8-ary-2-tree --input testbenches/traces/hpl-64.tar.xz --policy powar\n  \
         powar sim --topology 8-ary-2-tree --skeleton hpl:n=2048,nb=64,p=8,q=8 --policy powar --pdt 10us\n  \
         powar sim --topology 8-ary-2-tree --mix experiments/jobs/low.toml --seed 7 --policy powar --pdt 10us\n  \
         powar sim --topology 8-ary-2-tree --pdt 1us --load 0.2 --cycles 100000 --rtl all\n  \
         powar sim --topology 8-ary-2-tree --pdt 1us --load 0.02 --links links.csv\n  \
         powar sim --network experiments/networks/random-40.edges --load 0.001 --policy powar --pdt 10us\n  \
         powar sim --topology 2-ary-3-tree --pdt 1us --load 0.2 --cycles 20000 --rtl all --rtl-nodes all",
        list(routing::ALL.iter().map(|routing| (routing.name, routing.doc)).collect()),
        list(policies()),
        list(PATTERNS.iter().map(|pattern| (pattern.name, pattern.about)).collect()),
        list(MODELS.iter().map(|model| (model.name, model.about)).collect()),
        list(ARRIVALS.iter().map(|arrivals| (arrivals.name, arrivals.about)).collect()),
        list(PLACEMENTS.iter().map(|placement| (placement.name, placement.about)).collect()),
        skeletons(),
    )
}

/// The policies of all mechanisms, each once.
fn policies() -> Vec<(&'static str, &'static str)> {
    let mut all: Vec<(&str, &str)> = vec![];
    for policy in mechanism::ALL.iter().flat_map(|mechanism| mechanism.policies) {
        if !all.iter().any(|(name, _)| *name == policy.name) {
            all.push((policy.name, policy.doc));
        }
    }
    all
}

/// The skeletons, two lines each.
fn skeletons() -> String {
    let parameters = |skeleton: &Skeleton| {
        let named = skeleton.parameters.iter().map(|parameter| format!("{}={}", parameter.name, parameter.default));
        named.collect::<Vec<_>>().join(",")
    };
    let described = |skeleton: &Skeleton| {
        let about = wrapped(&format!("  {:<20} ", skeleton.name), skeleton.about, list_width());
        format!("{about}  {:20} {}\n", "", parameters(skeleton))
    };
    SKELETONS.iter().map(described).collect()
}
