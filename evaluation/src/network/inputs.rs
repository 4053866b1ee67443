//! The files that a simulation reads.

use super::simulation::Simulation;
use super::traffic::Traffic;
use powar_config::topology;
use powar_traffic::RankPlacement;
use std::path::PathBuf;

/// Files and folders: of the network, of a trace or of a mix with those that it names, of a matrix, of a placement. A mix that can't be read names
/// none.
pub fn inputs(simulation: &Simulation) -> Vec<PathBuf> {
    let network = topology::file_of(&simulation.topology).map(PathBuf::from);
    let of_placement = |placement: &Option<RankPlacement>| Some(placement.as_ref()?.file()?.to_owned());
    let of_traffic: Vec<Option<PathBuf>> = match &simulation.traffic {
        Traffic::Synthetic(options) => vec![options.matrix.as_ref().map(|matrix| matrix.file.clone())],
        Traffic::Trace(options) => {
            vec![options.skeleton.is_none().then(|| options.input.clone()), of_placement(&options.placement)]
        }
        Traffic::Jobs(options) => {
            let jobs = options.read().map_or(vec![], |mix| mix.jobs);
            let of_jobs = jobs.into_iter().flat_map(|job| [job.input.clone(), of_placement(&job.placement)]);
            of_jobs.chain([Some(options.mix.clone())]).collect()
        }
    };
    network.into_iter().chain(of_traffic.into_iter().flatten()).collect()
}
