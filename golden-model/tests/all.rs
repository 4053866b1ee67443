//! Both golden models: against each other, cases worked by hand, whole networks.

mod deadlock_freedom;
mod e_rapid_ring;
mod fast_controller;
mod fast_switch;
mod hand_worked_cases;
mod links_off;
mod network;
mod support;
mod switch;
mod trains;
mod turns;
mod ways_for_all;
mod whole_network;
