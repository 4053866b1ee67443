//! Tests of the places of power mechanism and routing in the switch, in rust-hdl's simulation.

mod all_seeing;
mod alonso;
mod bench;
mod e_rapid;
mod lint;
mod powar;
mod power_manager;
mod routing;
mod seeing;
mod soteriou_peh;
