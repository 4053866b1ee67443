//! The macro that opens the kernel of a block with registers which [`block!`](crate::block) does not declare.

/// Gives registers the clock and reset of their block and makes them keep their value unless the kernel says otherwise.
///
/// `dff_setup!(self, clk, state, count)` in a block with the inputs `clk` and `rst`; for an array of registers inside a loop
/// `dff_setup!(self, clk, count[i])`. The name and the arguments are those of rust-hdl's own macro, because its kernel parser knows
/// only that one; this version also connects the reset. A block that [`block!`](crate::block) declares needs it only to
/// say where in the Verilog text an array of registers is set up.
#[macro_export]
macro_rules! dff_setup {
    ($self:ident, $clk:ident, $($register:ident $([$index:expr])*),+ $(,)?) => {
        // Read first: in a block with a bundle of ports, `$self.$clk` borrows all of the block.
        let (clk, rst) = ($self.$clk.val(), $self.rst.val());
        $(
            $self.$register$([$index])*.clock.drive(clk, rst);
            $self.$register$([$index])*.hold();
        )+
    };
}
