//! BookSim2 (Jiang et al., *A detailed and flexible cycle-accurate network-on-chip simulator*, ISPASS 2013; <https://github.com/booksim/booksim2>).
//!
//! Written for its sources of 2020 and later (`booksim_config.cpp`, `trafficmanager.cpp`). A run without convergence takes
//! `max_samples` periods, behind which the packets that are under way come in; the last line that it prints counts both.

use super::{BUFFER_FLITS, Compared, Kind, Peer, VCS, number_behind};

pub(super) static BOOKSIM2: Peer = Peer { name: "booksim2", title: "BookSim2", configuration, read };

/// Cycles between two looks at what came in.
const PERIOD: u64 = 1000;

fn configuration(network: &Compared, load: f64, cycles: u64) -> String {
    let &Compared { k, n, packet_flits, .. } = network;
    let (topology, routing) = match network.kind {
        Kind::Tree => ("fattree", "anca"),
        Kind::Torus => ("torus", "dim_order"),
    };
    // Of a hop of 31 cycles one is the link's and one each routing's and the two allocations'; the switch takes the others. The
    // thresholds let no run end before its time.
    format!(
        "topology = {topology};
k = {k};
n = {n};
routing_function = {routing};
use_noc_latency = 0;

num_vcs = {VCS};
vc_buf_size = {BUFFER_FLITS};
hold_switch_for_packet = 1;
vc_allocator = separable_input_first;
sw_allocator = separable_input_first;
routing_delay = 1;
vc_alloc_delay = 1;
sw_alloc_delay = 1;
st_final_delay = 27;

traffic = uniform;
packet_size = {packet_flits};
injection_rate_uses_flits = 1;
injection_rate = {load};

sim_type = throughput;
warmup_periods = 1;
sample_period = {PERIOD};
max_samples = {samples};
acc_stopping_thres = -1.0;
stopping_thres = -1.0;
deadlock_warn_timeout = 100000;
seed = 1;
",
        samples = cycles.div_ceil(PERIOD).max(2),
    )
}

fn read(printed: &str, _: u64) -> Option<(u64, Option<f64>)> {
    let cycles = number_behind(printed, "Time taken is")?;
    Some((cycles as u64, number_behind(printed, "Accepted flit rate average")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::peers::NETWORKS;

    #[test]
    fn a_network_is_told_by_its_numbers() {
        let [tree, torus, _] = NETWORKS.map(|network| configuration(&network, 0.4, 20_500));
        for line in ["topology = fattree;", "k = 8;", "n = 2;", "packet_size = 8;", "max_samples = 21;"] {
            assert!(tree.lines().any(|of| of == line), "{line}: {tree}");
        }
        assert!(torus.contains("topology = torus;\nk = 4;\nn = 3;\nrouting_function = dim_order;\n"), "{torus}");
    }

    #[test]
    fn the_end_of_a_run_says_its_cycles() {
        let printed = "Accepted flit rate average = 0.39\nTime taken is 21034 cycles\n\
                       ====== Overall Traffic Statistics ======\n\tAccepted flit rate average = 0.398 (1 samples)\n";
        assert_eq!(read(printed, 0), Some((21_034, Some(0.398))));
        assert_eq!(read("Simulation unstable, ending ...", 0), None);
    }
}
