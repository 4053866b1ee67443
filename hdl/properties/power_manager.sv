// `power_manager`: what docs/microarchitecture/power.md promises of the manager of a switch's ports, with POWAR as its mechanism.
//
// Its children together: a port that is given to a packet is held, and is awake or woken (a wake request wins over going to sleep in the same cycle), until it is released; the contract of a
// power mechanism, of `held` as `held_ports` makes it; in a switch for short packets (SHORT_PACKETS = 1) also of a port that is freed. Reading: "asked for in cycle t: a word below 0x1000 [...] `read_done` in t + 1; a status: t + 2; a counter [...] u + 2, u the first cycle from t + 1 on in
// which it has its turn; u <= t + C, but for a clear in between". "The answer to the request"; "stays until the next answer".
//
// Not covered: that a request that comes while a port goes to sleep is not lost, which is said beside `powar` and `port_power_fsm`; the values of the counters, which is said beside `port_counters`; that of a word below 0x1000 is the mechanism's.
module power_manager_properties #(
    parameter MECHANISM_IS_POWAR = 1,
    parameter PLACE_BITS = 4,
    parameter SHORT_PACKETS = 0,
    parameter BITS_given = 4,
    parameter BITS_slots_turn = 12,
    parameter BITS_slots_fetch_slot = 4
) (
    input wire                     clk,
    input wire                     rst,
    input wire [BITS_given-1:0]    given,
    input wire [BITS_given-1:0]    departing,
    input wire [BITS_given-1:0]    released,
    input wire [BITS_given-1:0]    freed,
    input wire                     write_enable,
    input wire [9:0]               write_address,
    input wire [31:0]              write_data,
    input wire                     read_request,
    input wire [13:0]              read_address,
    input wire [BITS_given-1:0]    held,
    input wire [BITS_given-1:0]    free_next,
    input wire [BITS_given-1:0]    grantable,
    input wire [BITS_given-1:0]    preferred,
    input wire [BITS_given-1:0]    ready,
    input wire [3*BITS_given-1:0]  phase,
    input wire [3*BITS_given-1:0]  level,
    input wire                     read_done,
    input wire [31:0]              read_data,
    input wire                     clear_q,
    input wire                     waiting_q,
    input wire                     taken_q,
    input wire [31:0]              mechanism_read_data,
    input wire [BITS_slots_turn-1:0] slots_turn,
    input wire [BITS_slots_fetch_slot-1:0] slots_fetch_slot,
    input wire [BITS_slots_fetch_slot-1:0] slots_write_slot,
    input wire [32*BITS_given-1:0] counters_word
);
    localparam N = BITS_given, C = BITS_slots_turn;
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, DRAINING = 3'd5;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    mechanism_surroundings_properties #(.PORTS(BITS_given)) surroundings (
        .clk(clk), .rst(rst), .held(held), .given(given), .departing(departing), .grantable(grantable)
    );
    // "`read_request`: a word is asked for; the next one not before it has come"; "`read_address`: stays from the request to the answer".
    reg        pending;
    reg [13:0] address_before;
    always @(posedge clk) begin
        pending        <= !rst && (read_request || (pending && !read_done));
        address_before <= read_address;
    end
    always @* if (began) begin
        assume (!(read_request && pending && !read_done));
        assume (!(pending && !read_done) || read_address == address_before);
    end

    // A port has 2^PLACE_BITS words for its counters and the status behind them, from byte address 0x1000 on.
    wire [13:0] of_port = read_address - 14'h400;
    wire [13:0] port = of_port >> PLACE_BITS;
    wire [13:0] word = of_port & ((14'd1 << PLACE_BITS) - 14'd1);
    wire        below = read_address < 14'h400;
    wire        of_counter = !below && word < C;
    wire        has_turn = slots_turn >> word;
    wire [31:0] its_count = port < N ? counters_word >> (32 * port) : 32'd0;
    wire [2:0]  port_phase = phase >> (3 * port);
    wire [2:0]  port_level = level >> (3 * port);
    wire        port_held = held >> port;
    wire        port_grantable = grantable >> port;
    wire        port_preferred = preferred >> port;
    wire        port_ready = ready >> port;
    wire [31:0] status = port < N && word == C ? {22'd0, port_ready, port_preferred, port_grantable, port_held, port_level, port_phase} : 32'd0;

    // What the answer is to be, and that it is to come in the next cycle or in the one after.
    reg        next_done, soon_done;
    reg [31:0] next_data, soon_data;
    reg        seeks;
    wire       found = seeks && has_turn;
    always @(posedge clk) begin
        next_done <= !rst && (soon_done || (read_request && below));
        next_data <= soon_done ? soon_data : read_address == 3 ? {31'd0, clear_q} : mechanism_read_data;
        soon_done <= !rst && ((read_request && !below && !of_counter) || found);
        soon_data <= found ? its_count : status;
        seeks     <= !rst && ((read_request && of_counter) || (seeks && !has_turn));
    end
    // Cycles in which a counter is waited for, since it was asked for, or since the round began anew.
    reg [4:0] sought;
    always @(posedge clk) sought <= rst || clear_q ? 5'd0 : !seeks ? 5'd1 : sought == 5'd31 ? sought : sought + 5'd1;

    // The round began anew in the cycle before; cycles until the counter has its turn.
    reg begins_anew;
    always @(posedge clk) begins_anew <= rst || clear_q;
    wire [5:0] until_its_turn = word == slots_write_slot ? 6'd0 : begins_anew ? word + 6'd1 : word > slots_write_slot ? word - slots_write_slot : word + C - slots_write_slot;

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0] its_phase = phase >> (3 * one);
    wire       its_ready = ready >> one;
    wire       its_held = held >> one;
    wire       its_given = given >> one;
    wire       its_departing = departing >> one;
    wire       its_released = released >> one;
    wire       its_freed = freed >> one;
    wire       its_free_next = free_next >> one;

    always @* if (began) begin
        answer_comes_when_it_is_to: assert (read_done == next_done);
        answer_is_what_was_asked_for: assert (!read_done || read_data == next_data);
        counter_is_waited_for_a_round_at_most: assert (!seeks || sought <= C);
        waits_for_a_counter_only: assert (waiting_q == seeks);
        takes_a_cycle_before_the_answer: assert (taken_q == soon_done);
        ready_only_in_on: assert (MECHANISM_IS_POWAR ? its_ready == (its_phase == ON) : !its_ready || its_phase == ON || its_phase == DRAINING);
    end
    // What induction needs: who is asked is not answered yet.
    always @* if (began) begin
        pending_is_one_of_them: assert (pending == (next_done || soon_done || seeks));
        slots_are_of_counters: assert (slots_fetch_slot < C && slots_write_slot < C && slots_turn == {{(C - 1){1'b0}}, 1'b1} << slots_write_slot);
        slots_take_turns: assert (slots_fetch_slot == (begins_anew || slots_write_slot == C - 1 ? 0 : slots_write_slot + 1));
        turn_comes_nearer: assert (!seeks || sought + until_its_turn <= C);
        one_answer_at_a_time: assert (!(next_done && soon_done) && !(next_done && seeks) && !(soon_done && seeks));
        address_of_what_is_sought: assert (!seeks || (address_before >= 14'h400 && ((address_before - 14'h400) & ((14'd1 << PLACE_BITS) - 14'd1)) < C));
        address_of_what_is_taken: assert (!soon_done || address_before >= 14'h400);
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_no_answer: assert (!read_done && read_data == 0 && !waiting_q && !taken_q && held == 0 && (!MECHANISM_IS_POWAR || &ready));
        end else begin
            given_is_held: assert (!$past(its_given) || its_held);
            held_until_released: assert (!$past(its_held) || its_held || $past((its_departing && its_released) || its_freed));
            if (SHORT_PACKETS != 0) begin
                freed_is_held_no_longer: assert (!$past(its_freed && !its_given) || !its_held);
            end
            free_next_is_not_held: assert (its_held == !$past(its_free_next));
            wake_wins_over_sleep: assert (!$past(its_given && its_ready) || its_ready);
            held_stays_ready: assert (!$past(its_held && its_ready) || its_ready);
            given_asleep_is_woken_at_once: assert (!MECHANISM_IS_POWAR || !$past(its_given && its_phase == OFF) || its_phase == COMING_ON);
            read_data_stays_until_the_next_answer: assert (read_done || read_data == $past(read_data));
            clear_is_a_write_of_its_word: assert (clear_q == $past(write_enable && write_address == 3 && write_data[0]));
        end
        word_of_the_mechanism_happens: cover (read_done && $past(read_request && read_address == 14'h11) && read_data != 0);
        status_happens: cover (read_done && read_data[2:0] == 0 && $past(soon_done && port == 2 && word == C));
        counter_happens: cover (read_done && $past(found, 2) && read_data > 2 && port == 1);
        longest_wait_happens: cover (sought == C && found);
        if (SHORT_PACKETS != 0) begin
            freed_happens: cover (!$past(rst) && its_departing && !its_held && $past(its_held && its_freed && !its_departing));
        end
        held_port_wakes_happens: cover (!$past(rst) && its_held && its_ready && $past(its_phase) == COMING_ON);
    end
endmodule
