//! Edge lists of networkx, igraph, SNAP, Gephi and spreadsheets.

use super::{any_text, counted, counts, error, read};

#[test]
fn what_networkx_writes() {
    // With its defaults, with data, of a grid; `cables` counts, all other data is passed over.
    assert_eq!(counts("0 1 {}\n0 3 {}\n1 2 {}\n2 3 {}\n"), [4, 4, 4]);
    assert_eq!(counts("0 1 {'weight': 10}\n1 2 {'weight': 10, 'label': \"it's {0, 1}\"}\n"), [3, 3, 2]);
    assert_eq!(counts("0 1 {'number of cables': 3, 'cables': 2}\n1 2 {'cables': 1}\n"), [3, 3, 3]);
    let (graph, names, _) = read("(0, 0) (0, 1) {}\n(0, 0) (1, 0) {}\n");
    assert_eq!((counted(&graph), names.switches), ([3, 3, 2], vec!["(0, 0)".into(), "(0, 1)".into(), "(1, 0)".into()]));
}

#[test]
fn a_number_in_every_line_may_be_a_weight() {
    let (graph, _, remarks) = read("0 1 10\n0 3 10\n1 2 10\n2 3 10\n");
    assert_eq!(graph.cables().len(), 40);
    assert_eq!(
        remarks,
        [
            "cables: a third number in every line is taken for how many there are in parallel, 40 in 4 lines; if it is a weight, leave it out \
          (networkx: data=False)"
        ]
    );
    // Behind a line with how many switches and cables there are.
    let (_, _, remarks) = read("5 4\n1 2 10\n2 3 10\n3 4 10\n4 5 10\n");
    assert!(remarks.iter().any(|line| line.contains("a third number in every line")), "{remarks:?}");
    // One in some lines alone is nobody's weight, and 1 is a cable whatever it is.
    assert_eq!(counts("0 1\n1 2 10\n"), [3, 3, 11]);
    assert_eq!(counts("0 1 1\n1 2 1\n"), [3, 3, 2]);
    for weight in ["0.5", "1e3", "100", "-2"] {
        let line = error(format!("a b {weight}\n"));
        assert!(line.contains("weights are not read (networkx: data=False)"), "{line}");
    }
}

#[test]
fn a_cable_from_both_ends_is_two() {
    let (graph, _, remarks) = read("# Undirected graph\n# FromNodeId\tToNodeId\n0\t1\n1\t0\n1\t2\n2\t1\n");
    assert_eq!(counted(&graph), [3, 3, 4]);
    assert_eq!(
        remarks,
        [
            "cables: each line A B has its B A, and both are taken for cables, 4 in all; if they are one, leave one of the lines out"
        ]
    );
}

#[test]
fn separators_quotes_and_columns() {
    let names = |text: &str| {
        let (graph, names, remarks) = read(text);
        assert_eq!((counted(&graph), remarks), ([3, 3, 3], vec![]), "{text}");
        names.switches
    };
    for text in [
        "a b 2\nb c\n",
        "a\tb\t2\r\nb\tc\r\n",
        "a,b,2\nb,c\n",
        "a, b, 2\n b ,c\n",
        "a;b;2\nb;c;\n",
        "\"a\" 'b' 2 # two\n\"b\",\"c\"\n",
        "\u{feff}% a comment\na b 2\nb c\n",
        "source,target,cables\na,b,2\nb,c,1\n",
        "Source;Target;Type;Id;Label;Cables\na;b;Undirected;0;;2\nb;c;Undirected;1;;1\n",
        "from,to,weight\na,b,0.5\nb,c,7\nb,c,7\n",
        // pandas with its index, and columns in another order.
        ",source,target,cables\n0,a,b,2\n1,b,c,1\n",
        "Id;Cables;Target;Source\n0;2;b;a\n1;1;c;b\n",
    ] {
        assert_eq!(names(text), ["a", "b", "c"], "{text}");
    }
    // Without commas it could be a cable, so it is said.
    for text in ["source\ttarget\na\tb\na\tb\nb\tc\n", "from to\na b\na b\nb c\n"] {
        let (graph, names, remarks) = read(text);
        assert_eq!((counted(&graph), names.switches), ([3, 3, 3], vec!["a".into(), "b".into(), "c".into()]), "{text}");
        assert!(remarks[0].ends_with("is taken for names of columns"), "{remarks:?}");
    }
    assert_eq!(names("\"New York\",Boston,2\n'node',Boston\n"), ["New York", "Boston", "node"]);
    assert_eq!(names("sw[0,1] sw[0,2] 2\nsw[0,2] don't\n"), ["sw[0,1]", "sw[0,2]", "don't"]);
    assert_eq!(
        error("New York,Boston\n"),
        "line 1: \"New\" \"York\": a name with blanks or commas in it must be in quotes"
    );
    assert_eq!(error("a,,2\n"), "line 1: a name is empty");
    assert_eq!(error(",a,2\n"), "line 1: a name is empty");
    assert!(error("a b c,d\n").contains("must be in quotes"));
}

/// A multiline adjacency list without the lines that networkx writes above it: `{}` was a switch of this name.
#[test]
fn data_of_a_cable_is_no_switch() {
    for text in ["1 2\n2 {}\n2 {}\n2 1\n3 {}\n3 0\n", "a 1\nb {'weight': 3}\nb 0\n"] {
        let line = error(text);
        assert!(line.starts_with("line 2: `") && line.contains("expected a switch; adjacency lists"), "{line}");
    }
    assert_eq!(counts("a '{}'\n'{}' b\n"), [3, 3, 2]);
}

#[test]
fn a_first_line_may_be_how_many_there_are() {
    let (graph, _, remarks) = read("4 3\n1 2\n2 3\n3 4\n");
    assert_eq!((counted(&graph), remarks.len()), ([4, 4, 4], 1));
    assert!(remarks[0].starts_with("cables: the first line, `4 3`, is taken for a cable; if"), "{remarks:?}");
    // Other numbers of switches, of cables; no numbers.
    for (text, cables) in [("4 3\n1 2\n2 3\n", 3), ("4 3\n1 2\n2 3\n3 1\n", 4), ("d c\na b\nb c\nc d\n", 4)] {
        assert_eq!(read(text).0.cables().len(), cables, "{text}");
        assert_eq!(read(text).2, [""; 0], "{text}");
    }
}

#[test]
fn lines_in_front_of_a_mark_may_name_the_switches() {
    let (graph, _, remarks) = read("1 a\n2 b\n3 c\n#\n1 2\n2 3\n");
    assert_eq!((counted(&graph), remarks.len()), ([6, 6, 5], 1));
    assert!(remarks[0].contains("the 3 lines in front of `#` are taken for cables"), "{remarks:?}");
    // A comment with a word, none behind it, a switch behind it that is named nowhere in front.
    for text in ["1 a\n2 b\n# cables\n1 2\n", "1 a\n2 1\n#\n", "#\n1 a\n2 1\n", "1 a\n2 b\n#\n1 2\n2 3\n"] {
        assert_eq!(read(text).2, [""; 0], "{text}");
    }
}

#[test]
fn a_column_with_cables_says_so() {
    let of = |cables: &str| error(format!("source,target,cables\na,b,{cables}\n"));
    assert_eq!(of("2.0"), "line 2: cables: `2.0` is no whole number");
    assert_eq!(of("65"), "line 2: 65 cables are out of range 1..=64");
    assert_eq!(
        error("New York\tBoston\n"),
        "line 1: `Boston` is no whole number; a third word is how many cables there are in parallel, a name with blanks \
         in it must be in quotes"
    );
}

#[test]
fn mutated_edge_lists_of_others() {
    let good = "Source,Target,Type,cables\n\"a b\",'c',Undirected,2\nc,(0, 1),x,1\n";
    let words =
        ["{}", "{'cables': 2}", "{", "}", "(", ")", ",", ";", "\"", "'", "%", "#", "node", "65", "\u{feff}", "\t"];
    any_text("mutated_edge_lists_of_others", good, &words);
    let words = ["{'cables': ", "'cables':", "\"cables\"", "}", ":", ",", "0", "64", "'", "{{", "[", "]"];
    any_text("mutated_edge_lists_of_others", "a b {'x': 1, 'cables': 2}\nb c {}\nc d {'y': '}'}\n", &words);
}
