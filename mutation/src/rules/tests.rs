use super::*;

/// Rule and what stands instead, of the places of a function's body.
fn of(body: &str) -> Vec<(Rule, String)> {
    let text = format!("fn f() {{ {body} }}");
    let all = sites(&text).unwrap().into_iter().flat_map(|site| site.alternatives);
    all.map(|alternative| (alternative.rule, alternative.text)).collect()
}

fn list<const N: usize>(expected: [(Rule, &str); N]) -> Vec<(Rule, String)> {
    expected.map(|(rule, text)| (rule, text.to_owned())).to_vec()
}

#[test]
fn comparisons_become_their_neighbours() {
    for (right, wrong) in [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "==")] {
        assert_eq!(of(&format!("a {right} b")), [(Rule::Comparison, format!("a {wrong} b"))]);
    }
}

#[test]
fn sums_logic_and_bits_become_their_opposites() {
    assert_eq!(of("a + b"), list([(Rule::Sum, "a - b")]));
    assert_eq!(of("a - b"), list([(Rule::Sum, "a + b")]));
    assert_eq!(of("a && b"), list([(Rule::Logic, "a || b")]));
    assert_eq!(of("a || b"), list([(Rule::Logic, "a && b")]));
    assert_eq!(of("a & b"), list([(Rule::Bits, "a | b")]));
    assert_eq!(of("a | b"), list([(Rule::Bits, "a & b")]));
    assert_eq!(of("a ^ b"), list([(Rule::Bits, "a | b")]));
    assert_eq!(of("a * b << c"), [], "neither products nor shifts");
}

#[test]
fn an_inner_place_is_one_of_its_own() {
    let both = list([(Rule::Logic, "(a < b) || !c"), (Rule::Comparison, "a <= b"), (Rule::Not, "c")]);
    assert_eq!(of("(a < b) && !c"), both);
}

#[test]
fn conditions_are_stuck_unless_they_bind_names() {
    assert_eq!(of("if a { b }"), list([(Rule::Condition, "true"), (Rule::Condition, "false")]));
    assert_eq!(of("if let Some(a) = b && c { d }"), []);
    let guard = of("match a { b if c => d, _ => e }");
    assert_eq!(guard, list([(Rule::Condition, "true"), (Rule::Condition, "false")]));
}

#[test]
fn constants_are_one_off_and_keep_their_suffix() {
    assert_eq!(of("f(7)"), list([(Rule::Constant, "8"), (Rule::Constant, "6")]));
    assert_eq!(of("f(0x10_u8)"), list([(Rule::Constant, "17u8"), (Rule::Constant, "15u8")]));
    assert_eq!(of("f(0)"), list([(Rule::Constant, "1")]), "there is no number below");
    assert_eq!(of("[a; 3]"), [], "the compiler must know it");
    assert_eq!(of("match a { 1 => b, 2..=3 => c, _ => d }"), [], "a pattern");
    assert_eq!(of("f::<3>(a.0, x![1])"), [], "a type, the name of a field, a macro");
    assert_eq!(of("let a: [u8; 2] = b; const C: u8 = 1; static D: u8 = 1;"), []);
}

#[test]
fn what_is_assigned_to_state_is_left_out() {
    assert_eq!(of("self.a = b;"), list([(Rule::LeftOut, "")]));
    assert_eq!(of("*self = b;"), list([(Rule::LeftOut, "")]));
    assert_eq!(of("a[i] = b;"), list([(Rule::LeftOut, "")]));
    assert_eq!(of("a = b;"), [], "a local name may have no value otherwise");
    assert_eq!(of("self.a += b;"), list([(Rule::Sum, "self.a -= b;"), (Rule::LeftOut, "")]));
    assert_eq!(of("a |= b;"), list([(Rule::Bits, "a &= b;")]));
    assert_eq!(of("self.a.b.clock(c);"), list([(Rule::LeftOut, "")]));
    assert_eq!(of("other.clock(c);"), []);
    assert_eq!(of("let d = self.a.clock(c);"), []);
}

#[test]
fn ranges_are_one_longer() {
    assert_eq!(of("a..b"), list([(Rule::Range, "(b) + 1")]));
    assert_eq!(of("a..=b"), []);
    assert_eq!(of("a..3"), list([(Rule::Constant, "4"), (Rule::Constant, "2")]), "it is a constant already");
}

#[test]
fn tests_declarations_and_what_the_compiler_evaluates_are_left_alone() {
    let unchanged = "
        #[cfg(test)] mod tests { fn f() { a + b } }
        #[test] fn f() { a + b }
        const fn g() -> u8 { a + b }
        const ENTRY: Entry = |c| c + 1;
        enum E { A = 1 }
        struct S { a: [u8; 4] }
        impl B { fn signals(&self) -> Vec<SignalDecl> { f(1) } fn list(&self, rows: &mut RegisterRows) { f(1) } }
    ";
    assert_eq!(sites(unchanged).unwrap(), []);
    assert!(sites("fn {").is_err());
}

#[test]
fn a_place_knows_its_bytes_and_its_line() {
    let text = "// ä\nfn f() {\n    a < b\n}";
    let [site] = &sites(text).unwrap()[..] else { panic!("one place") };
    assert_eq!((&text[site.range.clone()], site.line), ("a < b", 3));
}
