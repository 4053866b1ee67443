//! What `ibnetdiscover` prints.

use super::{any_text, counted, error, read};

/// The example of the man page of `ibnetdiscover` (infiniband-diags): an adapter with two ports, and a link of another width.
const MAN_PAGE: &str = r#"#
# Topology file: generated on Tue Jun  5 14:15:10 2007
#
# Max of 3 hops discovered
# Initiated from node 0008f10403960558 port 0008f10403960559

Non-Chassis Nodes

vendid=0x8f1
devid=0x5a06
sysimgguid=0x5442ba00003000
switchguid=0x5442ba00003080(5442ba00003080)
Switch  24 "S-005442ba00003080"         # "ISR9024 Voltaire" base port 0 lid 6 lmc 0
[22]    "H-0008f10403961354"[1](8f10403961355)         # "MT23108 InfiniHost Mellanox Technologies" lid 4 4xSDR
[10]    "S-0008f10400410015"[1]         # "SW-6IB4 Voltaire" lid 3 4xSDR
[8]     "H-0008f10403960558"[2](8f1040396055a)         # "MT23108 InfiniHost Mellanox Technologies" lid 14 4xSDR
[6]     "S-0008f10400410015"[3]         # "SW-6IB4 Voltaire" lid 3 4xSDR
[12]    "H-0008f10403960558"[1](8f10403960559)         # "MT23108 InfiniHost Mellanox Technologies" lid 10 4xSDR

vendid=0x8f1
devid=0x5a05
switchguid=0x8f10400410015(8f10400410015)
Switch  8 "S-0008f10400410015"          # "SW-6IB4 Voltaire" base port 0 lid 3 lmc 0
[6]     "H-0008f10403960984"[1](8f10403960985)         # "MT23108 InfiniHost Mellanox Technologies" lid 16 4xSDR
[4]     "H-005442b100004900"[1](5442b100004901)        # "MT23108 InfiniHost Mellanox Technologies" lid 12 4xSDR
[1]     "S-005442ba00003080"[10]                # "ISR9024 Voltaire" lid 6 1xSDR
[3]     "S-005442ba00003080"[6]         # "ISR9024 Voltaire" lid 6 4xSDR

vendid=0x2c9
devid=0x5a44
caguid=0x8f10403960558
Ca      2 "H-0008f10403960558"          # "MT23108 InfiniHost Mellanox Technologies"
[2](8f1040396055a)     "S-005442ba00003080"[8]         # lid 14 lmc 1 "ISR9024 Voltaire" lid 6 4xSDR
[1](8f10403960559)     "S-005442ba00003080"[12]                # lid 10 lmc 1 "ISR9024 Voltaire" lid 6 1xSDR
"#;

#[test]
fn the_man_pages_example() {
    let (graph, names, remarks) = read(MAN_PAGE);
    // Two cables between the switches; the adapter with two ports at one switch is a node with two links.
    assert_eq!(counted(&graph), [2, 4, 2]);
    assert_eq!(graph.nodes(), [(0, 1), (0, 2), (1, 1), (1, 1)]);
    assert_eq!(names.switches, ["ISR9024 Voltaire", "SW-6IB4 Voltaire"]);
    assert_eq!(names.nodes[1], "MT23108 InfiniHost Mellanox Technologies (H-0008f10403960558)");
    assert_eq!(names.switch_lids.into_iter().collect::<Vec<_>>(), [(0, 6), (1, 3)]);
    assert_eq!(names.node_lids.into_iter().collect::<Vec<_>>(), [(0, 4), (1, 10), (2, 16), (3, 12)]);
    assert_eq!(
        remarks,
        [
            "ibnetdiscover: widths and speeds of links are not read (5 of 4xSDR, 2 of 4xSDR at one end and 1xSDR at the other); all links carry a flit a cycle"
        ]
    );
}

/// Two leaves and a spine; `node02` has a port at each leaf, and a leaf has its engine for reductions, a plug that leads back, a port with a number outside.
const FABRIC: &str = "\
vendid=0x2c9
devid=0xd2f2
switchguid=0xa0(a0)
Switch\t40 \"S-00000000000000a0\"\t\t# \"MF0;leaf-1:MQM8790/U1\" enhanced port 0 lid 1 lmc 0
[1]\t\"H-0000000000000001\"[1](1) \t\t# \"node01 mlx5_0\" lid 5 4xHDR
[2][ext 7]\t\"H-0000000000000002\"[1](2) \t\t# \"node02 mlx5_0\" lid 6 4xHDR
[3]\t\"S-00000000000000a0\"[4]\t\t# \"MF0;leaf-1:MQM8790/U1\" lid 1 4xHDR
[4]\t\"S-00000000000000a0\"[3]\t\t# \"MF0;leaf-1:MQM8790/U1\" lid 1 4xHDR
[21]\t\"S-00000000000000c0\"[1]\t\t# \"MF0;spine-1:MQM8790/U1\" lid 2 4xHDR
[41]\t\"H-00000000000000a8\"[1](a8) \t\t# \"Mellanox Technologies Aggregation Node\" lid 9 4xHDR

Switch\t40 \"S-00000000000000b0\"\t\t# \"MF0;leaf-2:MQM8790/U1\" enhanced port 0 lid 3 lmc 0
[1]\t\"H-0000000000000002\"[2](3) \t\t# \"node02 mlx5_0\" lid 7 2xZDR
[21]\t\"S-00000000000000c0\"[2]\t\t# \"MF0;spine-1:MQM8790/U1\" lid 2 4xHDR s=1
[22]\t\"R-00000000000000d0\"[1](d0) \t\t# \"gateway\" lid 8

Ca\t2 \"H-0000000000000002\"\t\t# \"node02 mlx5_0\"
[1](2) \t\"S-00000000000000a0\"[2][ext 7]\t\t# lid 6 lmc 0 \"MF0;leaf-1:MQM8790/U1\" lid 1 4xHDR
[2](3) \t\"S-00000000000000b0\"[1]\t\t# lid 7 lmc 0 \"MF0;leaf-2:MQM8790/U1\" lid 3 2xZDR

Ca\t1 \"H-0000000000000003\"\t\t# \"node03 mlx5_0\"

Rt\t1 \"R-00000000000000d0\"\t\t# \"gateway\"
[1](d0) \t\"S-00000000000000b0\"[22]\t\t# lid 8 lmc 0 \"MF0;leaf-2:MQM8790/U1\" lid 3
ibwarn: [4242] mad_rpc: timeout
";

#[test]
fn what_a_fabric_has_besides() {
    let (graph, names, remarks) = read(FABRIC);
    assert_eq!(names.switches, ["MF0;leaf-1:MQM8790/U1", "MF0;spine-1:MQM8790/U1", "MF0;leaf-2:MQM8790/U1"]);
    assert_eq!(names.nodes, ["node01 mlx5_0", "node02 mlx5_0 port 1", "node02 mlx5_0 port 2", "gateway"]);
    assert_eq!(graph.nodes(), [(0, 1), (0, 1), (2, 1), (2, 1)]);
    assert_eq!(graph.cables(), [(0, 1), (2, 1)]);
    assert_eq!(names.node_lids.into_iter().collect::<Vec<_>>(), [(0, 5), (1, 6), (2, 7), (3, 8)]);
    assert_eq!(
        remarks,
        [
            "ibnetdiscover: widths and speeds of links are not read (1 of unknown width and speed, 1 of 2xZDR (not known), 6 of 4xHDR); all links carry a \
             flit a cycle",
            "ibnetdiscover: 1 adapters with ports at several switches are a node at each of these",
            "ibnetdiscover: 1 adapters without a link are left out",
            "ibnetdiscover: 1 aggregation nodes of switches are left out",
            "ibnetdiscover: 1 routers to other subnets are nodes",
            "ibnetdiscover: 1 cables from a switch to itself are left out",
            "ibnetdiscover: 1 lines are of no known kind and passed over, the first is line 25",
        ]
    );
    // With the ends of lines of another system and a mark of the byte order.
    assert_eq!(read(&format!("\u{feff}{}", FABRIC.replace('\n', "\r\n"))).0, graph);
}

#[test]
fn wrong_ones() {
    let switch = "Switch 8 \"S-1\" # \"a\"\n";
    for (text, wanted) in [
        (
            format!("{switch}[1] \"S-2\"[1]\n[2] \"S-2\"[1]\n"),
            "line 3: a cable from port 2 of `S-1` to port 1 of `S-2`, but one of them is elsewhere in line 2",
        ),
        (
            format!("[1] \"S-2\"[1]\n{switch}"),
            "line 1: a port of no device: expected a line `Switch`, `Ca` or `Rt` before it",
        ),
        (format!("{switch}[x] \"S-2\"[1]\n"), "line 2: port `x` is no whole number"),
        (
            format!("{switch}[0] \"S-2\"[1]\n"),
            "line 2: port: 0 is out of range 1.., as port 0 of a switch has no cable",
        ),
        (format!("{switch}[1]\n"), "line 2: the port leads to no device in quotes"),
        (format!("{switch}[1] \"S-2[1]\n"), "line 2: the quote of the device's name is not closed"),
        (format!("{switch}[1] \"S-2\"\n"), "line 2: a port's number in brackets is missing"),
        (format!("{switch}[1] \"X-2\"[1]\n"), "line 2: device `X-2` is none of S-GUID, H-GUID, R-GUID"),
        (
            "Ca 1 \"H-1\" # \"a\"\n[1](1) \"H-2\"[1](2) # lid 1 lmc 0 \"b\" lid 2 4xHDR\n".into(),
            "line 2: the cable joins two adapters, expected a switch",
        ),
        (format!("{switch}Switch 8 \"S-2\" # \"b\"\n"), "it is in pieces: no way leads from switch `a` to `b`"),
    ] {
        assert_eq!(error(text), wanted);
    }
}

#[test]
fn mutated_ibnetdiscover() {
    let words = [
        "Switch",
        "Ca",
        "Rt",
        "\"S-1\"",
        "\"H-2\"",
        "[1]",
        "[",
        "]",
        "\"",
        "#",
        "lid",
        "4xHDR",
        "0",
        "99999999999",
        "(",
        "ext",
    ];
    any_text("mutated_ibnetdiscover", FABRIC, &words);
}
