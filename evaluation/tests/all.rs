//! Studies of networks: experiments, programs, overload, files.

mod details;
mod dragonfly;
mod experiment;
mod jobs;
mod long_programs;
mod network_files;
mod notes;
mod overload;
mod packet_room;
mod programs;
mod routings_overload;
