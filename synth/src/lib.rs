//! Synthesis, place and route, and the reports made of them.
