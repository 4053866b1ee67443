// `counter_slots`: what docs/microarchitecture/power.md promises of whose turn it is among the counters of a port.
//
// "The counters take turns, one a cycle"; "the round begins anew with a clear, and in it no word is read: memory has no reset, so words that nobody has written yet are
// taken for 0. A word is never fetched in the cycle in which it is written." And the page's equations.
//
// Not covered: nothing.
module counter_slots_properties #(
    parameter BITS_turn = 12,
    parameter BITS_fetch_slot = 4
) (
    input wire                       clk,
    input wire                       rst,
    input wire                       clear,
    input wire                       fetch,
    input wire [BITS_fetch_slot-1:0] fetch_slot,
    input wire [BITS_fetch_slot-1:0] write_slot,
    input wire [BITS_turn-1:0]       turn,
    input wire                       replace
);
    localparam COUNTERS = BITS_turn;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Counters that have had their turn, and were written, in the rounds since the last clear or reset (the cycle behind it still has a turn of the round before);
    // cycles since then.
    reg [COUNTERS-1:0] written;
    reg [7:0]          turns;
    always @(posedge clk) begin
        written <= rst || clear || turns == 0 ? {COUNTERS{1'b0}} : written | ({{(COUNTERS - 1){1'b0}}, 1'b1} << write_slot);
        turns   <= rst || clear ? 8'd0 : turns == 8'hff ? turns : turns + 8'd1;
    end
    // The counter that is read in this cycle, if one is.
    wire [COUNTERS-1:0] fetched = {{(COUNTERS - 1){1'b0}}, 1'b1} << fetch_slot;
    // Any one of the counters, and cycles since its last turn.
    (* anyconst *) reg [7:0] one;
    always @* assume (one < COUNTERS);
    reg [8:0] since;
    always @(posedge clk) since <= rst || clear ? 9'd0 : turns != 0 && write_slot == one ? 9'd1 : since + 9'd1;

    always @* if (began) begin
        turn_is_one_hot: assert (turn != 0 && (turn & (turn - 1'b1)) == 0);
        turn_is_that_of_write_slot: assert (turn == {{(COUNTERS - 1){1'b0}}, 1'b1} << write_slot);
        slots_are_of_counters: assert (fetch_slot < COUNTERS && write_slot < COUNTERS);
        never_fetched_while_it_is_written: assert (!fetch || fetch_slot != write_slot);
        no_word_is_read_that_nobody_has_written: assert (!fetch || (written & fetched) != 0);
        turn_comes_once_a_round: assert (since <= COUNTERS);
    end
    // What induction needs: the round goes on from the clear on.
    always @* if (began) begin
        fetches_behind_the_first_round: assert (fetch == (turns >= COUNTERS));
        slot_is_that_of_the_round: assert (turns > COUNTERS || turns == 0 || write_slot == turns - 1);
        slot_before_the_round: assert (turns != 0 || fetch_slot == 0);
        next_slot_is_fetched: assert (turns == 0 || fetch_slot == (write_slot == COUNTERS - 1 ? 0 : write_slot + 1));
        replaces_in_the_first_round: assert (replace == (turns <= COUNTERS));
        all_written_behind_the_first_round: assert (turns <= COUNTERS || &written);
        written_in_the_first_round: assert (turns > COUNTERS || turns == 0 || {1'b0, written} == ({{COUNTERS{1'b0}}, 1'b1} << (turns - 1)) - 1'b1);
        none_written_at_its_begin: assert (turns != 0 || written == 0);
        since_is_of_the_round: assert (turns > COUNTERS || turns == 0 || one < write_slot || since == {1'b0, turns});
        since_is_of_this_round: assert (turns <= COUNTERS && (turns == 0 || one >= write_slot)
            || since == (write_slot > one ? write_slot - one : write_slot + COUNTERS - one));
        since_begins: assert (turns != 0 || since == 0);
    end

    always @(posedge clk) if (began) begin
        reset_is_the_first_round: assert (!$past(rst) || (fetch_slot == 0 && write_slot == 0 && turn == 1 && replace && !fetch));
        clear_begins_the_round_anew: assert (!$past(clear && !rst) || (fetch_slot == 0 && replace && !fetch));
        one_a_cycle: assert ($past(rst || clear) || fetch_slot == ($past(fetch_slot) == COUNTERS - 1 ? 0 : $past(fetch_slot) + 1'b1));
        fetched_a_cycle_before_its_turn: assert ($past(rst) || write_slot == $past(fetch_slot));
        replaced_if_it_was_not_fetched: assert ($past(rst) || replace == $past(clear || !fetch));
        second_round_happens: cover (fetch && fetch_slot == COUNTERS - 1);
        clear_in_a_round_happens: cover (!$past(rst) && $past(clear) && $past(fetch_slot) == 3);
        last_turn_happens: cover (turn[COUNTERS-1] && !replace);
    end
endmodule
