//! What stands in front of the kernel of a [`crate::block!`], as [`mod@crate::set_up`] does it in simulation.

use super::effects::signals_of;
use super::expr::replicate;
use super::index::Index;
use super::ir::{BitRange, Expr, SignalId, Stmt};
use super::scope::{Scope, SignalKind};

/// Gives registers and children the clock and the reset of their block, if it has them, and makes registers keep their
/// value; but for those to which `kernel` passes the clock itself.
pub(crate) fn set_up(scope: &Scope, kernel: &[Stmt]) -> Vec<Stmt> {
    let input = |key: &str| scope.keys.get(key).copied().filter(|&id| scope.signals[id].kind == SignalKind::Input);
    let (Some(clk), Some(rst)) = (input("clk"), input("rst")) else { return vec![] };
    let (by_hand, _) = signals_of(kernel);
    let whole = |signal: SignalId| {
        let width = scope.signals[signal].total_width();
        BitRange { signal, start: Index::number(0), width }
    };
    let give = |pin: SignalId, of_block: SignalId| {
        Stmt::Assign(whole(pin), replicate(scope.signals[pin].total_width(), Expr::read(whole(of_block))))
    };
    let mut statements = vec![];
    // What is alone comes first, so that it stands together in the text.
    let (arrays, alone): (Vec<_>, Vec<_>) = scope.registers.iter().partition(|group| !group.dims.is_empty());
    for group in alone.into_iter().chain(arrays).filter(|group| !by_hand.contains(&group.clock)) {
        statements.push(give(group.clock, clk));
        statements.push(Stmt::Assign(whole(group.next), Expr::read(whole(group.state))));
    }
    for group in &scope.children {
        let pin = |name: &str| group.ports.iter().find(|(port, _)| port == name).map(|(_, id)| *id);
        if let (Some(child_clk), Some(child_rst)) = (pin("clk"), pin("rst"))
            && !by_hand.contains(&child_clk)
        {
            statements.extend([give(child_clk, clk), give(child_rst, rst)]);
        }
    }
    statements
}

#[cfg(test)]
mod tests {
    use crate::verilog::{EmitOptions, emit};
    use crate::{block, dff_setup};
    use rust_hdl::prelude::*;

    block! {
        struct Kept("kept", include_str!("set_up.rs"), clocked)
        fn new() -> Self {}
        inputs { d: Bits<4> }
        outputs { q: Bits<4> }
        registers { value_r: Bits<4> }
    }

    impl Logic for Kept {
        #[hdl_gen]
        fn update(&mut self) {
            if self.d.val().any() {
                self.value_r.d.next = self.d.val();
            }
            self.q.next = self.value_r.q.val();
        }
    }

    block! {
        struct Declared("row", include_str!("set_up.rs"), clocked)
        fn new(n: usize) -> Self {}
        inputs { d[n]: Bits<4> }
        outputs { q[n]: Bits<4> }
        registers { odd_r: Bit, mask_r = vec![false; n], each_r[n]: Bits<4> }
        children { first: Kept = Kept::new(), each[n]: Kept = Kept::new() }
        sizes { n = n }
    }

    impl Logic for Declared {
        #[hdl_gen]
        fn update(&mut self) {
            if self.d[0].val().any() {
                self.odd_r.d.next = !self.odd_r.q.val();
                self.mask_r.d[0].next = self.odd_r.q.val();
            }
            self.first.d.next = self.d[0].val();
            for i in 0..self.n.get() {
                if self.mask_r.q[i].val() {
                    self.each_r[i].d.next = self.first.q.val();
                }
                self.each[i].d.next = self.each_r[i].q.val();
                self.q[i].next = self.each[i].q.val();
            }
        }
    }

    block! {
        struct ByHand("row", include_str!("set_up.rs"), clocked)
        fn new(n: usize) -> Self {}
        inputs { d[n]: Bits<4> }
        outputs { q[n]: Bits<4> }
        registers { odd_r: Bit, mask_r = vec![false; n], each_r[n]: Bits<4> }
        children { first: Kept = Kept::new(), each[n]: Kept = Kept::new() }
        sizes { n = n }
    }

    impl Logic for ByHand {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, odd_r, mask_r);
            for i in 0..self.n.get() {
                dff_setup!(self, clk, each_r[i]);
            }
            if self.d[0].val().any() {
                self.odd_r.d.next = !self.odd_r.q.val();
                self.mask_r.d[0].next = self.odd_r.q.val();
            }
            self.first.clk.next = self.clk.val();
            self.first.rst.next = self.rst.val();
            self.first.d.next = self.d[0].val();
            for i in 0..self.n.get() {
                if self.mask_r.q[i].val() {
                    self.each_r[i].d.next = self.first.q.val();
                }
                self.each[i].clk.next = self.clk.val();
                self.each[i].rst.next = self.rst.val();
                self.each[i].d.next = self.each_r[i].q.val();
                self.q[i].next = self.each[i].q.val();
            }
        }
    }

    fn text(mut block: impl Block) -> String {
        block.connect_all();
        check_all(&block).expect("every signal is driven");
        emit(&block, &EmitOptions::default()).expect("a design").to_single_file()
    }

    #[test]
    fn a_declared_block_is_set_up_as_one_by_hand() {
        for n in [1, 3] {
            assert_eq!(text(Declared::new(n)), text(ByHand::new(n)));
        }
    }
}
