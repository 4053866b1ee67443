//! What files of other formats look like.

use super::error;

#[test]
fn a_file_of_another_format_is_called_by_its_name() {
    for (bytes, name) in [
        (&b"\xff\xfea\0 \0b\0\n\0"[..], "text in UTF-16, which is not read; save it as UTF-8"),
        (b"\x1f\x8b\x08\x00", "a gzip file, which is not read; unpack it first"),
        (b"\xfd7zXZ\x00\x00", "an xz file"),
        (b"PK\x03\x04", "a zip archive"),
        (b"\x89PNG\r\n", "a picture"),
        (b"<?xml version='1.0'?>\n<gexf xmlns='http://gexf.net/1.3'><graph/></gexf>", "GEXF"),
        (b"<!DOCTYPE html>\n<html></html>", "a web page"),
        (b"{\"directed\": false, \"nodes\": [{\"id\": 0}]}", "JSON"),
        (b"Creator \"x\"\ngraph [\n  node [\n    id 0\n  ]\n]\n", "GML"),
        // igraph's, Gephi's and yEd's.
        (b"Creator \"igraph\"\nVersion 1\ngraph\n[\n  directed 0\n", "GML"),
        (b"{ SW Ports:24 SystemGUID:0 } { ..\n", "a report of ibdiagnet"),
        (b">>graph6<<Bw\n", "graph6 or sparse6"),
        (b":Fa@x^\n", "graph6 or sparse6"),
        (b"D?{\n", "graph6 or sparse6"),
        (b"// by hand\nstrict graph G {\n a -- b\n}\n", "Graphviz' DOT"),
        (
            b"#make.py\n# GMT Sat Nov 28 03:14:10 2026\n# \n1 2\n2 {}\n2 {}\n2 1\n3 {}\n3 0\n",
            "a multiline adjacency list of networkx, which is not read; networkx turns it into GraphML",
        ),
        (b"#make.py\n# GMT Sat Nov 28 03:14:10 2026\n# \n0 1 2\n1 2\n2\n", "an adjacency list of networkx"),
        (b"*Vertices 3\n1 \"a\"\n", "Pajek"),
        (b"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n1 2\n", "Matrix Market"),
        (
            b"CA: node1 HCA-1:\n      0x0002c903 5 1[  ] ==( 4X 10.0 Gbps Active/  LinkUp)==>  3 1[  ] \"sw\" ( )\n",
            "the output of iblinkinfo",
        ),
        (
            b"SW     3  1 0x0008f10400410015 4x SDR - CA    14  2 0x0008f1040396055a ( 'sw' - 'node' )\n",
            "the ports report of ibnetdiscover",
        ),
        (
            b"Switch : 0xe41d2d03003bfb80 ports 36 \"MF0;sw\" enhanced port 0 lid 12 lmc 0\n",
            "the ports report of ibnetdiscover",
        ),
        (b"topology = anynet;\nnetwork_file = net;\n", "a configuration of BookSim"),
        (b"name = \"x\"\n[topology]\nkind = \"star\"\n", "a configuration or an experiment of this program"),
        (b"num_ranks 2\nrank 0 {\n}\n", "a program's trace"),
    ] {
        let line = error(bytes);
        assert!(line.starts_with(&format!("looks like {name}")), "{line}");
        assert!(line.ends_with("; formats that are read: GraphML, ibnetdiscover, anynet, edge list"), "{line}");
    }
    // Edge lists in which switches have such names.
    for text in ["graph b\nb digraph\n", "topology kind\n", "SW sw1\n", "html gexf\n"] {
        assert!(powar_config::topology::graph::format::read(text.as_bytes(), None).is_ok(), "{text}");
    }
}
