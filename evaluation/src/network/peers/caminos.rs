//! CAMINOS (`cargo install caminos`).

use super::{BUFFER_FLITS, Compared, Kind, Peer, VCS, number_behind};

pub(super) static CAMINOS: Peer = Peer { name: "caminos", title: "CAMINOS", configuration, read };

/// Of a hop of 31 cycles, those of the link.
const LINK_CYCLES: u32 = 29;

fn configuration(network: &Compared, load: f64, cycles: u64) -> String {
    let &Compared { k, n, packet_flits, .. } = network;
    let each = |count: u32, of: &str| vec![of; count as usize].join(", ");
    // Links to nodes are no level of its trees, and the last class; each dimension of a torus is one.
    let (topology, routing, classes) = match network.kind {
        Kind::Tree => {
            let levels = n - 1;
            let k_each = each(levels, &k.to_string());
            let tree = format!("XGFT {{ height: {levels}, down: [{k_each}], up: [{k_each}], servers_per_leaf: {k} }}");
            (tree, "UpDown".to_owned(), n)
        }
        Kind::Torus => {
            let sides = each(n, &k.to_string());
            let order: Vec<String> = (0..n).map(|dimension| dimension.to_string()).collect();
            let torus = format!("Torus {{ sides: [{sides}], servers_per_router: 1 }}");
            (torus, format!("DOR {{ order: [{}] }}", order.join(", ")), n + 1)
        }
    };
    // What came in is said of the second half.
    let measured = cycles.div_ceil(2);
    let classes = each(classes, &format!("LinkClass {{ delay: {LINK_CYCLES} }}"));
    format!(
        "Configuration
{{
	random_seed: 1,
	warmup: {warm_up},
	measured: {measured},
	topology: {topology},
	traffic: HomogeneousTraffic
	{{
		pattern: Uniform,
		servers: {nodes},
		load: {load},
		message_size: {packet_flits},
	}},
	maximum_packet_size: {packet_flits},
	router: Basic
	{{
		virtual_channels: {VCS},
		virtual_channel_policies: [EnforceFlowControl, Random],
		buffer_size: {BUFFER_FLITS},
		bubble: {bubble},
		flit_size: {packet_flits},
		intransit_priority: false,
		allow_request_busy_port: true,
		output_buffer_size: 64,
		output_prioritize_lowest_label: true,
	}},
	routing: {routing},
	link_classes: [{classes}],
}}
",
        warm_up = cycles - measured,
        nodes = network.nodes(),
        bubble = network.kind == Kind::Torus,
    )
}

fn read(printed: &str, cycles: u64) -> Option<(u64, Option<f64>)> {
    // It prints a line of each thousand cycles, and at its end a list, with the names of what it has measured before their values.
    let accepted = number_behind(printed, "accepted_load:")?;
    Some((cycles, Some(accepted)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::peers::NETWORKS;

    #[test]
    fn a_network_is_told_by_its_numbers() {
        let [tree, torus, four_levels] = NETWORKS.map(|network| configuration(&network, 0.4, 20_501));
        let has = |text: &str, part: &str| assert!(text.contains(part), "{part}: {text}");
        has(&tree, "topology: XGFT { height: 1, down: [8], up: [8], servers_per_leaf: 8 },");
        has(&tree, "link_classes: [LinkClass { delay: 29 }, LinkClass { delay: 29 }],");
        has(&tree, "warmup: 10250,\n\tmeasured: 10251,");
        has(&torus, "topology: Torus { sides: [4, 4, 4], servers_per_router: 1 },");
        has(&torus, "routing: DOR { order: [0, 1, 2] },");
        has(&four_levels, "height: 3, down: [4, 4, 4], up: [4, 4, 4], servers_per_leaf: 4");
        has(&four_levels, "servers: 256,");
    }

    #[test]
    fn the_end_of_a_run_says_what_came_in() {
        let printed = "0-999 injected_load accepted_load\nResult\n{\n\taccepted_load:\n\t0.400328125,\n}\n";
        assert_eq!(read(printed, 20_000), Some((20_000, Some(0.400328125))));
        assert_eq!(read("cycle_begin-cycle_end injected_load accepted_load\n", 20_000), None);
    }
}
