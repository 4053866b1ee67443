//! Whatever bytes the files hold, opening and reading them ends with entries or with one line.
//!
//! Mutations are made from a seed, which is printed. `POWAR_LONG=1` tries 100 000 inputs instead of 2000. One of them
//! again: `POWAR_SEED=SEED cargo test -p powar-traffic dumpi::fuzz::mutated`.

use super::mutation::{Mutator, little_memory, try_many};
use super::text::{DOUBLE, INT, Text, WORLD, comm_name, folder, read, status};
use powar_traffic::format::dumpi::DumpiTrace;
use powar_traffic::program::call::CallSource;

/// Two ranks that make calls of all kinds.
fn sample(rank: i32) -> String {
    let other = 1 - rank;
    let list = "int count=2\nMPI_Request requests[2]=[2, 3]";
    let user = |number: i32, what: &str| format!("{number} (user-defined-{what})");
    let make = |old: i32, arguments: &str, new: i32| {
        format!("MPI_Comm oldcomm={}\n{arguments}MPI_Comm newcomm={}", comm_name(old), comm_name(new))
    };
    let statuses = format!("{}, {}", status(9, 9).replace(']', ""), status(other, 7).replace('[', ""));
    let vector = format!(
        "int count=5\nint blocklength=2\nint stride=7\nMPI_Datatype oldtype={DOUBLE}\nMPI_Datatype newtype={}",
        user(28, "datatype")
    );
    let ranges = format!(
        "MPI_Group group={}\nint count=1\nint ranges[1][3]=[[0, 1, 1]\n]MPI_Group newgroup={}",
        user(3, "group"),
        user(4, "group")
    );
    let bcast = format!(
        "int count=2\nMPI_Datatype datatype={}\nint root=1\nMPI_Comm comm={}",
        user(28, "datatype"),
        comm_name(7)
    );
    let alltoallv = format!(
        "int commsize=2\nint sendcounts[2]=[1, 2]\nint senddispls[2]=[0, 1]\nMPI_Datatype sendtype={INT}\n\
         int recvcounts[2]=[1, 2]\nint recvdispls[2]=[0, 1]\nMPI_Datatype recvtype={INT}\nMPI_Comm comm={WORLD}"
    );
    let cart = "int ndim=2\nint dims[2]=[1, 2]\nint periods[2]=[0, 0]\nint reorder=0\n";
    let text = Text::new()
        .call(1, "MPI_Comm_rank", &format!("MPI_Comm comm={WORLD}\nint rank={rank}"))
        .call(1, "MPI_Comm_size", &format!("MPI_Comm comm={WORLD}\nint size=2"))
        .isend(5, "MPI_Isend", 3, other, 7, 2)
        .irecv(5, -1, -1, 3)
        .call(1, "MPI_Testall", &format!("{list}\nint flag=0\nMPI_Status statuses[2]=<IGNORED>"))
        .call(1, "MPI_Waitall", &format!("{list}\nMPI_Status statuses[2]={statuses}"))
        .send(5, "MPI_Ssend", 3, INT, other, 8)
        .recv(5, other, 8, &status(other, 8))
        .call(1, "MPI_Type_vector", &vector)
        .split(2, 0, -rank, 4)
        .barrier(3, 4)
        .call(1, "MPI_Comm_group", &format!("MPI_Comm comm={}\nMPI_Group group={}", comm_name(4), user(3, "group")))
        .call(1, "MPI_Group_range_incl", &ranges)
        .call(1, "MPI_Comm_create", &make(4, &format!("MPI_Group group={}\n", user(4, "group")), 5))
        .call(1, "MPI_Cart_create", &make(5, cart, 6))
        .call(1, "MPI_Cart_sub", &make(6, "int ndim=2\nint remain_dims[2]=[0, 1]\n", 7))
        .call(1, "MPI_Bcast", &bcast)
        .call(1, "MPI_Alltoallv", &alltoallv)
        .call(1, "MPI_Comm_free", &format!("MPI_Comm comm={}", comm_name(5)));
    text.end() + "Datatype 9 (MPI_INT) has size 4\n"
}

/// Words that mean something, most of them in the wrong place.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "99999999999999999999",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\n",
    " ",
    "<IGNORED>",
    "entering",
    "returning",
    "walltime",
    "cputime",
    "MPI_Wait",
    "MPI_Waitsome",
    "MPI_Comm_dup",
    "MPI_Finalize",
    "MPI_Start",
    "int",
    "requests",
    "status",
    "\u{0}",
    "\u{fffd}",
];

fn try_one(seed: u64) -> bool {
    let texts = Mutator::new(seed, WORDS).mutated([sample(0), sample(1)]);
    let directory = folder(&[]);
    for (rank, text) in texts.iter().enumerate() {
        std::fs::write(directory.path().join(format!("d-{rank}.txt")), text).unwrap();
    }
    let outcome = DumpiTrace::open(directory.path())
        .and_then(|trace| (0..trace.ranks()).try_for_each(|rank| read(&trace, rank).map(drop)));
    if let Err(error) = &outcome {
        let message = format!("{error:#}");
        let place = message.contains(": d-0.txt") || message.contains(": d-1.txt");
        assert!(!message.contains('\n') && message.len() < 600 && place, "seed {seed}: {message}");
    }
    outcome.is_ok()
}

#[test]
fn the_sample_is_good() {
    let directory = folder(&[sample(0), sample(1)]);
    let trace = DumpiTrace::open(directory.path()).unwrap();
    assert_eq!([read(&trace, 0).unwrap().len(), read(&trace, 1).unwrap().len()], [27, 27]);
}

#[test]
fn mutated_inputs_end_in_entries_or_in_one_line() {
    try_many("dumpi::fuzz::mutated", try_one);
    little_memory();
}
