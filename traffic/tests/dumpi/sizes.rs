//! How many bytes calls move: datatypes and the sides of collectives.

use super::text::{DOUBLE, INT, Text, WORLD, entries, error};
use powar_traffic::program::call::*;
use std::sync::Arc;

/// The collectives of rank `rank` of three, all of which make the same calls but for their number.
fn collectives(rank: usize, of_rank: impl Fn(usize, Text) -> Text) -> Vec<(Collective, Option<u32>, Payload)> {
    let texts: Vec<String> = (0..3).map(|rank| of_rank(rank, Text::new()).end()).collect();
    let mut found = Vec::new();
    for entry in &entries(&texts)[rank] {
        if let Entry::Call { call: Call::Collective { collective, request: None }, .. } = entry {
            assert_eq!(collective.communicator, 0);
            found.push((collective.operation, collective.root, collective.payload.clone()));
        }
    }
    found
}

#[test]
fn collectives_of_one_size() {
    let simple = format!("int count=3\nMPI_Datatype datatype={DOUBLE}\nMPI_Op op=3 (MPI_SUM)\nMPI_Comm comm={WORLD}");
    let rooted = format!("int count=3\nMPI_Datatype datatype={INT}\nint root=2\nMPI_Comm comm={WORLD}");
    let both = format!(
        "int sendcount=0\nMPI_Datatype sendtype=1 (MPI_DATATYPE_NULL)\nint recvcount=2\nMPI_Datatype recvtype={INT}\n\
         MPI_Comm comm={WORLD}"
    );
    let found = collectives(0, |_, text| {
        text.call(0, "MPI_Barrier", &format!("MPI_Comm comm={WORLD}"))
            .call(0, "MPI_Bcast", &rooted)
            .call(0, "MPI_Reduce", &rooted)
            .call(0, "MPI_Allreduce", &simple)
            .call(0, "MPI_Scan", &simple)
            .call(0, "MPI_Exscan", &simple)
            .call(0, "MPI_Allgather", &both)
            .call(0, "MPI_Alltoall", &both)
    });
    let each = |operation, root, bytes| (operation, root, Payload::Each(bytes));
    assert_eq!(
        found,
        [
            each(Collective::Barrier, None, 0),
            each(Collective::Broadcast, Some(2), 12),
            each(Collective::Reduce, Some(2), 12),
            each(Collective::AllReduce, None, 24),
            each(Collective::Scan, None, 24),
            each(Collective::ExclusiveScan, None, 24),
            // In place: what is sent is not told, what is received says the same.
            each(Collective::AllGather, None, 8),
            each(Collective::AllToAll, None, 8),
        ]
    );
}

#[test]
fn rooted_collectives_are_read_from_the_side_that_counts() {
    let gather = |rank: usize, call: &str| {
        // The root gathers in place; DUMPI leaves out what counts at the root only.
        let [send, receive] = match (rank, call) {
            (1, "MPI_Gather") => {
                ["0\nMPI_Datatype sendtype=1 (MPI_DATATYPE_NULL)", "5\nMPI_Datatype recvtype=9 (MPI_INT)"]
            }
            (_, "MPI_Gather") => {
                ["5\nMPI_Datatype sendtype=9 (MPI_INT)", "0\nMPI_Datatype recvtype=0 (MPI_DATATYPE_ERROR)"]
            }
            (1, _) => ["6\nMPI_Datatype sendtype=9 (MPI_INT)", "0\nMPI_Datatype recvtype=1 (MPI_DATATYPE_NULL)"],
            (..) => ["0\nMPI_Datatype sendtype=0 (MPI_DATATYPE_ERROR)", "6\nMPI_Datatype recvtype=9 (MPI_INT)"],
        };
        format!("int commrank={rank}\nint sendcount={send}\nint recvcount={receive}\nint root=1\nMPI_Comm comm={WORLD}")
    };
    let gatherv = |rank: usize| {
        let counts = if rank == 1 { "[1, 0, 3]" } else { "<IGNORED>" };
        format!(
            "int commrank={rank}\nint commsize=3\nint sendcount={}\nMPI_Datatype sendtype={INT}\nint recvcounts[3]={counts}\n\
             int displs[3]={counts}\nMPI_Datatype recvtype={INT}\nint root=1\nMPI_Comm comm={WORLD}",
            [1, 0, 3][rank]
        )
    };
    let scatterv = |rank: usize| {
        let counts = if rank == 1 { "[1, 0, 3]" } else { "<IGNORED>" };
        format!(
            "int commrank={rank}\nint commsize=3\nint sendcounts[3]={counts}\nint displs[3]={counts}\n\
             MPI_Datatype sendtype={DOUBLE}\nint recvcount={}\nMPI_Datatype recvtype={DOUBLE}\nint root=1\nMPI_Comm comm={WORLD}",
            [1, 0, 3][rank]
        )
    };
    let all = |rank: usize, text: Text| {
        text.call(0, "MPI_Gather", &gather(rank, "MPI_Gather"))
            .call(0, "MPI_Scatter", &gather(rank, "MPI_Scatter"))
            .call(0, "MPI_Gatherv", &gatherv(rank))
            .call(0, "MPI_Scatterv", &scatterv(rank))
    };
    for rank in 0..3 {
        let [share, shared] = match rank {
            1 => [Payload::Members(Arc::new([4, 0, 12])), Payload::Members(Arc::new([8, 0, 24]))],
            _ => [Payload::Each([4, 0, 12][rank]), Payload::Each([8, 0, 24][rank])],
        };
        assert_eq!(
            collectives(rank, all),
            [
                (Collective::Gather, Some(1), Payload::Each(20)),
                (Collective::Scatter, Some(1), Payload::Each(24)),
                (Collective::GatherV, Some(1), share),
                (Collective::ScatterV, Some(1), shared),
            ]
        );
    }
}

#[test]
fn collectives_with_a_size_for_each_member() {
    let allgatherv = format!(
        "int commsize=3\nint sendcount=0\nMPI_Datatype sendtype=1 (MPI_DATATYPE_NULL)\nint recvcounts[3]=[1, 2, 0]\n\
         int displs[3]=[0, 1, 3]\nMPI_Datatype recvtype={DOUBLE}\nMPI_Comm comm={WORLD}"
    );
    let alltoallv = |sendtype: &str| {
        format!(
            "int commsize=3\nint sendcounts[3]=[1, 2, 0]\nint senddispls[3]=[0, 1, 3]\nMPI_Datatype sendtype={sendtype}\n\
             int recvcounts[3]=[4, 5, 6]\nint recvdispls[3]=[0, 4, 9]\nMPI_Datatype recvtype={INT}\nMPI_Comm comm={WORLD}"
        )
    };
    let alltoallw = format!(
        "int commsize=3\nint sendcounts[3]=[1, 2, 0]\nint senddispls[3]=[0, 1, 3]\nMPI_Datatype sendtypes[3]=[9, 14, 1]\n\
         int recvcounts[3]=[4, 5, 6]\nint recvdispls[3]=[0, 4, 9]\nMPI_Datatype recvtypes[3]=[9, 9, 9]\nMPI_Comm comm={WORLD}"
    );
    let in_place = alltoallw.replace("sendcounts[3]=[1, 2, 0]", "sendcounts[3]=<IGNORED>");
    let reduce_scatter = format!(
        "int commsize=3\nint recvcounts[3]=[1, 2, 0]\nMPI_Datatype datatype={INT}\nMPI_Op op=3 (MPI_SUM)\nMPI_Comm comm={WORLD}"
    );
    let found = collectives(2, |_, text| {
        text.call(0, "MPI_Allgatherv", &allgatherv)
            .call(0, "MPI_Alltoallv", &alltoallv(DOUBLE))
            .call(0, "MPI_Alltoallv", &alltoallv("1 (MPI_DATATYPE_NULL)"))
            .call(0, "MPI_Alltoallw", &alltoallw)
            .call(0, "MPI_Alltoallw", &in_place)
            .call(0, "MPI_Reduce_scatter", &reduce_scatter)
    });
    let members = |operation, bytes: [u64; 3]| (operation, None, Payload::Members(Arc::new(bytes)));
    assert_eq!(
        found,
        [
            members(Collective::AllGatherV, [8, 16, 0]),
            members(Collective::AllToAllV, [8, 16, 0]),
            members(Collective::AllToAllV, [16, 20, 24]),
            members(Collective::AllToAllV, [4, 16, 0]),
            members(Collective::AllToAllV, [16, 20, 24]),
            members(Collective::ReduceScatter, [4, 8, 0]),
        ]
    );
}

/// Sends one element of a datatype to itself.
fn send(text: Text, datatype: &str) -> Text {
    text.send(0, "MPI_Send", 1, datatype, 0, 0)
}

fn sent(text: &str) -> Vec<u64> {
    let sizes = entries(&[text.to_owned()]).remove(0).into_iter().filter_map(|entry| match entry {
        Entry::Call { call: Call::Send { message: Some(message), .. }, .. } => Some(message.bytes),
        _ => None,
    });
    sizes.collect()
}

#[test]
fn predefined_datatypes_have_the_sizes_of_lp64_or_those_that_are_printed() {
    let names = [
        ("MPI_CHAR", 1),
        ("MPI_SIGNED_CHAR", 1),
        ("MPI_UNSIGNED_CHAR", 1),
        ("MPI_BYTE", 1),
        ("MPI_WCHAR", 4),
        ("MPI_SHORT", 2),
        ("MPI_UNSIGNED_SHORT", 2),
        ("MPI_INT", 4),
        ("MPI_UNSIGNED", 4),
        ("MPI_LONG", 8),
        ("MPI_UNSIGNED_LONG", 8),
        ("MPI_FLOAT", 4),
        ("MPI_DOUBLE", 8),
        ("MPI_LONG_DOUBLE", 16),
        ("MPI_LONG_LONG_INT", 8),
        ("MPI_UNSIGNED_LONG_LONG", 8),
        ("MPI_LONG_LONG", 8),
        ("MPI_PACKED", 1),
        ("MPI_LB", 0),
        ("MPI_UB", 0),
        ("MPI_FLOAT_INT", 8),
        ("MPI_DOUBLE_INT", 12),
        ("MPI_LONG_INT", 12),
        ("MPI_SHORT_INT", 6),
        ("MPI_2INT", 8),
        ("MPI_LONG_DOUBLE_INT", 20),
    ];
    let all =
        names.iter().zip(2..).fold(Text::new(), |text, ((name, _), number)| send(text, &format!("{number} ({name})")));
    let sizes: Vec<u64> = names.iter().map(|(_, size)| *size).collect();
    assert_eq!(sent(&all.end()), sizes);

    // The name counts, not the number.
    assert_eq!(sent(&send(Text::new(), "11 (MPI_DOUBLE)").end()), [8]);
    let text =
        send(send(send(Text::new(), "11 (MPI_LONG)"), "15 (MPI_LONG_DOUBLE)"), "31 (user-defined-datatype)").end();
    let printed = "Datatype 0 (MPI_DATATYPE_ERROR) has size 0\nDatatype 11 (MPI_LONG) has size 4\n\
                   Datatype 15 (MPI_LONG_DOUBLE) has size 0\nDatatype 31 (user-defined-datatype) has size 24\n";
    assert_eq!(sent(&(text + printed)), [4, 16, 24]);
}

#[test]
fn derived_datatypes_follow_from_their_definitions() {
    let user = |number: i32| format!("{number} (user-defined-datatype)");
    let make = |text: Text, call: &str, arguments: &str, old: &str| {
        let text =
            text.call(0, call, &format!("{arguments}\nMPI_Datatype oldtype={old}\nMPI_Datatype newtype={}", user(30)));
        let text = text.call(0, "MPI_Type_commit", &format!("MPI_Datatype datatype={}", user(30)));
        let text = send(text, &user(30));
        text.call(0, "MPI_Type_free", &format!("MPI_Datatype datatype={}", user(30)))
    };
    let cases = [
        ("MPI_Type_contiguous", "int count=5", 40),
        ("MPI_Type_vector", "int count=5\nint blocklength=2\nint stride=7", 80),
        ("MPI_Type_hvector", "int count=5\nint blocklength=2\nint stride=700", 80),
        ("MPI_Type_create_hvector", "int count=5\nint blocklength=2\nint stride=700", 80),
        ("MPI_Type_indexed", "int count=2\nint lengths[2]=[3, 4]\nint indices[2]=[0, 9]", 56),
        ("MPI_Type_hindexed", "int count=2\nint lengths[2]=[3, 4]\nint indices[2]=[0, 9]", 56),
        ("MPI_Type_create_hindexed", "int count=2\nint blocklengths[2]=[3, 4]\nint displacements[2]=[0, 9]", 56),
        ("MPI_Type_create_indexed_block", "int count=3\nint blocklength=2\nint displacments[3]=[0, 4, 8]", 48),
        (
            "MPI_Type_create_subarray",
            "int ndims=2\nint sizes[2]=[8, 8]\nint subsizes[2]=[3, 2]\nint starts[2]=[0, 0]",
            48,
        ),
        ("MPI_Type_dup", "int ignored=0", 8),
        ("MPI_Type_create_resized", "int lb=0\nint extent=64", 8),
    ];
    let text = cases.iter().fold(Text::new(), |text, (call, arguments, _)| make(text, call, arguments, DOUBLE));
    let sizes: Vec<u64> = cases.iter().map(|(.., size)| *size).collect();
    assert_eq!(sent(&text.end()), sizes);

    let structure = format!(
        "int count=3\nint lengths[3]=[1, 2, 1]\nint indices[3]=[0, 8, 24]\nMPI_Datatype oldtypes[3]=[9, 14, 21]\n\
         MPI_Datatype newtype={}",
        user(28)
    );
    let of_it = format!("int count=10\nMPI_Datatype oldtype={}\nMPI_Datatype newtype={}", user(28), user(29));
    let text = Text::new().call(0, "MPI_Type_struct", &structure).call(0, "MPI_Type_contiguous", &of_it);
    let told = format!("MPI_Datatype datatype={}\nint size=6", user(40));
    let text = send(send(text, &user(29)).call(0, "MPI_Type_size", &told), &user(40));
    assert_eq!(sent(&text.end()), [200, 6]);
}

#[test]
fn a_datatype_of_unknown_size_is_refused() {
    let unknown = |call: &str, number: i32| {
        format!(
            "0000.txt, line {call}: MPI_Send: field `datatype` is `{number}`, a datatype whose size can't be worked out; \
             expected its definition before, or its size behind the calls, as `dumpi2ascii -a` prints it"
        )
    };
    assert_eq!(error(&[send(Text::new(), "31 (user-defined-datatype)").end()]), unknown("5", 31));
    let darray = "int size=4\nint rank=0\nint ndims=1\nint gsizes[1]=[8]\nint distribs[1]=[1]\nint dargs[1]=[0]\n\
                  int psizes[1]=[4]\nint order=1 (MPI_ORDER_C)\nMPI_Datatype oldtype=9 (MPI_INT)\n\
                  MPI_Datatype newtype=30 (user-defined-datatype)";
    let text = send(Text::new().call(0, "MPI_Type_create_darray", darray), "30 (user-defined-datatype)").end();
    assert_eq!(error(std::slice::from_ref(&text)), unknown("17", 30));
    assert_eq!(sent(&(text + "Datatype 30 (user-defined-datatype) has size 8\n")), [8]);
    assert_eq!(
        error(&[send(Text::new(), "1 (MPI_DATATYPE_NULL)").end()]),
        "0000.txt, line 5: MPI_Send: field `datatype` is `MPI_DATATYPE_NULL`, expected a datatype for 1 elements"
    );
    // Nothing is sent, whatever it is.
    assert_eq!(sent(&Text::new().send(0, "MPI_Send", 0, "31 (user-defined-datatype)", 0, 0).end()), [0]);
    assert_eq!(
        error(&[Text::new().send(0, "MPI_Send", 2147483647, DOUBLE, 0, 0).end()]),
        "0000.txt, line 5: MPI_Send: 2147483647 elements of `datatype`, `8` bytes each, expected at most 4294967296 bytes"
    );
}
