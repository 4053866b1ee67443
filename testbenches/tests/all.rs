//! Lock-step of RTL and golden model, whole networks with RTL in them, and what is emitted.

mod allocator_missed_chances;
mod combinational_paths;
mod demonstrator_host;
mod effort;
mod emitted_verilog;
mod link_crossing;
mod lockstep_demonstrator;
mod lockstep_rust_hdl;
mod lockstep_switch;
mod lockstep_verilator;
mod monitors;
mod network_interface;
mod network_loop;
mod network_nodes;
mod register_map;
mod ring;
mod stimuli;
mod switch_links;
mod switch_measurement;
mod unknown_mechanism;
mod verilog_testbench;
mod waves;
