//! Whole networks, built here link by link: the routing units on every path through them, and switches of the golden model
//! full of traffic.

mod build;
mod least_occupied;
mod routing;
mod traffic;
