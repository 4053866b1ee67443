//! Experiments: their files, what runs and what is kept, tables and figures.

mod alonso;
mod columns;
mod e_rapid;
mod files;
mod oracle;
mod outputs;
mod repeat;
mod runs;
mod soteriou_peh;
mod support;
mod topologies;
mod u_max;
