// `port_counters`: what docs/microarchitecture/power.md promises of the counters of a port.
//
// "What happens" is counted: "in its turn a word is what the counter was in the cycle before", "all its events before the cycle before this one, since the last clear";
// "the cycle of the clear is not counted. Words wrap." Any one of the counters, with a counter of 32 bits of its own beside it.
//
// Not covered: pairs of phase and level of other mechanisms than POWAR's (the names of the counters are the mechanism's).
module port_counters_properties #(
    parameter MECHANISM_IS_POWAR = 1,
    parameter BITS_error = 5,
    parameter BITS_prescaler_q = 96,
    parameter BITS_fetch_slot = 4
) (
    input wire                        clk,
    input wire                        rst,
    input wire [2:0]                  phase,
    input wire [2:0]                  level,
    input wire                        waking,
    input wire                        departing,
    input wire [BITS_error-1:0]       error,
    input wire                        clear,
    input wire                        fetch,
    input wire [BITS_fetch_slot-1:0]  fetch_slot,
    input wire [BITS_fetch_slot-1:0]  write_slot,
    input wire                        replace,
    input wire [31:0]                 word,
    input wire [BITS_prescaler_q-1:0] prescaler_q,
    input wire [7:0]                  now_q
);
    localparam COUNTERS = BITS_prescaler_q / 8;
    localparam [7:0] MASK = (1 << BITS_fetch_slot) - 1;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // `counter_slots`, as the page has it: "fetch_slot' = clear | fetch_slot = C - 1 ? 0 : fetch_slot + 1, write_slot' = fetch_slot, fresh' = clear | (fresh &
    // fetch_slot != C - 1), replace' = clear | fresh, fetch = ~fresh".
    reg [BITS_fetch_slot-1:0] slot, slot_before;
    reg                       fresh, replaces;
    always @(posedge clk) begin
        slot        <= rst || clear || slot == COUNTERS - 1 ? 0 : slot + 1'b1;
        slot_before <= rst ? 0 : slot;
        fresh       <= rst || clear || (fresh && slot != COUNTERS - 1);
        replaces    <= rst || clear || fresh;
    end
    always @* if (began) assume (fetch_slot == slot && write_slot == slot_before && fetch == !fresh && replace == replaces);

    // The events, in the order of the counters; the pairs are POWAR's: On, GoingOff, Off, Refreshing, ComingOn, all of level 0.
    wire [4:0] pair = {phase == 3, phase == 4, phase == 2, phase == 1, phase == 0} & {5{level == 0}};
    wire [COUNTERS-1:0] event_of = {error, departing, waking, pair};

    // Any one of the counters: its events since the last clear, before this cycle and before the cycle before; cycles since the clear.
    (* anyconst *) reg [7:0] one;
    always @* assume (one < COUNTERS);
    wire       its_event = event_of >> one;
    reg [31:0] total, total_before;
    reg [7:0]  cycles;
    always @(posedge clk) begin
        total        <= rst || clear ? 32'd0 : total + {31'd0, its_event};
        total_before <= rst || clear ? 32'd0 : total;
        cycles       <= rst || clear ? 8'd0 : cycles == 8'hff ? cycles : cycles + 8'd1;
    end
    wire [7:0] prescaler_of_one = prescaler_q >> (8 * one);
    // What its word was in its last turn, and events since then: never as many as the prescaler counts.
    wire       its_turn = write_slot == one && cycles != 0;
    reg [31:0] at_last_turn;
    always @(posedge clk) at_last_turn <= rst || clear ? 32'd0 : its_turn ? total_before : at_last_turn;
    wire [31:0] gone_on = total_before - at_last_turn;

    always @* if (began) begin
        word_is_all_events_of_the_counter: assert (write_slot != one || word == total_before);
        nothing_is_counted_before_the_turn_that_gets_lost: assert (gone_on <= {24'd0, MASK});
        prescaler_is_the_low_bits: assert (prescaler_of_one == (total[7:0] & MASK));
        prescaler_is_within_its_bits: assert ((prescaler_of_one & ~MASK) == 0);
        now_is_the_prescaler_of_the_cycle_before: assert (write_slot != one || now_q == (total_before[7:0] & MASK));
    end
    // What induction needs: the round, and how long ago the last turn was.
    wire [7:0] since = cycles <= COUNTERS && (cycles == 0 || one >= write_slot) ? cycles : write_slot > one ? write_slot - one : write_slot + COUNTERS - one;
    always @* if (began) begin
        slots_are_of_counters: assert (slot < COUNTERS && slot_before < COUNTERS);
        slots_follow: assert (cycles == 0 ? slot == 0 : slot == (slot_before == COUNTERS - 1 ? 0 : slot_before + 1));
        first_round: assert (fresh == (cycles < COUNTERS) && replaces == (cycles <= COUNTERS) && (cycles == 0 || cycles > COUNTERS || slot_before == cycles - 1));
        no_more_events_than_cycles: assert (gone_on <= {24'd0, since} && total - total_before <= 1 && since <= COUNTERS);
        nothing_behind_a_clear: assert (cycles != 0 || (total == 0 && total_before == 0));
        first_turn_adds_to_0: assert (!(cycles <= COUNTERS && (cycles == 0 || one >= write_slot)) || at_last_turn == 0);
    end

    always @(posedge clk) if (began) begin
        cycle_of_the_clear_is_not_counted: assert (!$past(clear && !rst) || (prescaler_q == 0 && total == 0));
        reset_is_0: assert (!$past(rst) || (prescaler_q == 0 && now_q == 0));
        count_of_some_rounds_happens: cover (write_slot == one && one == 2 && word > COUNTERS && !replace);
        clear_in_a_round_happens: cover ($past(clear) && $past(total) > 3 && !rst && $past(!rst));
        first_turn_happens: cover (write_slot == one && word == 2 && replace && cycles != 0);
    end
endmodule
