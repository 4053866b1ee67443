use super::*;

fn source(body: &str) -> Source {
    Source::new("a.rs".into(), format!("fn f() {{ {body} }}"), 5).unwrap()
}

fn rewritten(body: &str, left_out: &[usize]) -> String {
    let text = source(body).rewritten(&left_out.iter().copied().collect()).text;
    text.strip_prefix("fn f() { ").unwrap().strip_suffix(" }").unwrap().to_owned()
}

#[test]
fn an_expression_becomes_a_choice_in_brackets() {
    assert_eq!(rewritten("a < b", &[]), "(if ::powar_mutant::is(5) { (a <= b) } else { (a < b) })");
}

#[test]
fn a_statement_becomes_one_without_brackets() {
    assert_eq!(rewritten("*self = a;", &[]), "if ::powar_mutant::is(5) {  } else { *self = a; }");
}

#[test]
fn inner_places_are_in_what_is_sound_alone() {
    let inner = "(if ::powar_mutant::is(6) { (a) } else { (!a) })";
    assert_eq!(
        rewritten("!a && b", &[]),
        format!("(if ::powar_mutant::is(5) {{ (!a || b) }} else {{ ({inner} && b) }})")
    );
    assert_eq!(rewritten("!a && b", &[5]), format!("{inner} && b"));
    assert_eq!(rewritten("!a && b", &[5, 6]), "!a && b");
}

/// A condition that is a comparison, or begins with one, is two places with one begin.
#[test]
fn places_with_the_same_begin_nest() {
    let text = rewritten("if a < b { c }", &[]);
    assert!(
        text.starts_with("if (if ::powar_mutant::is(5) { (true) } else if ::powar_mutant::is(6) { (false) } else { (("),
        "{text}"
    );
    assert!(syn::parse_str::<syn::Expr>(&text).is_ok());
    let text = rewritten("a - 1 + b == c", &[]);
    assert!(syn::parse_str::<syn::Expr>(&text).is_ok(), "{text}");
    let numbers: Vec<usize> = (5..10).map(|number| text.find(&format!("is({number})")).unwrap()).collect();
    assert!(numbers.is_sorted(), "outer before inner: {text}");
}

#[test]
fn what_takes_several_lines_is_written_on_one_before_them() {
    let text = rewritten("a // first\n    < b", &[]);
    assert_eq!(text, "(if ::powar_mutant::is(5) { (a <= b) } else { (a // first\n    < b) })");
}

#[test]
fn mutants_say_where_they_are_and_what_they_change() {
    let source = Source::new("a.rs".into(), "fn f() {\n    g(a, 2)\n}".into(), 5).unwrap();
    let mutants = source.mutants();
    assert_eq!(mutants.iter().map(|mutant| (mutant.number, &*mutant.after)).collect::<Vec<_>>(), [(5, "3"), (6, "1")]);
    assert_eq!((mutants[0].line, &*mutants[0].before, &*mutants[0].text), (2, "2", "g(a, «2»)"));
}

#[test]
fn a_place_of_several_lines_is_marked_in_its_first() {
    let source = Source::new("a.rs".into(), "fn f() {\n    g(a\n        < b)\n}".into(), 1).unwrap();
    assert_eq!(source.mutants()[0].text, "g(«a»");
}

#[test]
fn the_compiler_blames_what_it_points_at_or_the_innermost_place() {
    let rewritten = source("!a && b").rewritten(&BTreeSet::new());
    let at = |text: &str| {
        let from = rewritten.text.find(text).unwrap();
        rewritten.blamed(&(from..from + text.len()))
    };
    assert_eq!(at("!a || b"), [5]);
    assert_eq!(at("|| b"), [5]);
    assert_eq!(at("(!a)"), [6]);
    assert_eq!(at("&& b"), [5]);
    assert_eq!(rewritten.blamed(&(0..2)), [0; 0]);
}
