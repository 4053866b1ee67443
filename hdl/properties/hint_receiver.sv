// `hint_receiver`: takes the words off a hint lane (docs/microarchitecture/mechanisms/wake_hints.md, the lane).
//
// The lane is read here by the page's table of a word alone: `cycle_of_word` counts the cycles of a word from its start bit on, and `address` and `ones` gather what
// came in them. A word whose last bit is on the lane is whole; what becomes of it is said of these.
//
// Nothing is assumed of the lane, of `listens` and of `take`: any word of any address, words that follow each other at once, and bits that are no word.
module hint_receiver_properties (
    input wire        clk,
    input wire        rst,
    input wire        hint_in,
    input wire        listens,
    input wire        take,
    input wire        waiting,
    input wire [15:0] destination,
    input wire        dropped,
    input wire [4:0]  count_q,
    input wire [15:0] word_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // 0: no word is under way; else the cycle of the word that this one is.
    reg  [4:0]  cycle_of_word;
    reg  [15:0] address;
    reg         ones;
    wire        starts = listens && cycle_of_word == 5'd0 && hint_in;
    wire        whole  = listens && cycle_of_word == 5'd17;
    wire        right  = whole && !(ones ^ hint_in);
    wire        finds_room = !waiting || take;
    always @(posedge clk) begin
        if (rst || !listens || cycle_of_word == 5'd17) cycle_of_word <= 5'd0;
        else if (cycle_of_word != 5'd0) cycle_of_word <= cycle_of_word + 5'd1;
        else if (hint_in) cycle_of_word <= 5'd1;
        if (cycle_of_word == 5'd0) begin
            address <= 16'd0;
            ones    <= 1'b0;
        end else if (cycle_of_word != 5'd17) begin
            // Lowest bit first: bit k of the address comes in cycle k + 1.
            address[cycle_of_word[3:0] - 4'd1] <= hint_in;
            ones                               <= ones ^ hint_in;
        end
    end

    // Bits of the address that have come stand highest in the register.
    wire [15:0] came = address << (5'd17 - cycle_of_word);
    wire [15:0] kept = 16'hffff << (5'd17 - cycle_of_word);

    always @* if (began) begin
        a_word_ends_waiting_or_is_dropped: assert (dropped == (whole && !(right && finds_room)));
        // Auxiliary: how the block keeps it.
        as_many_bits_are_to_come: assert (cycle_of_word <= 5'd17 && count_q == (cycle_of_word == 5'd0 ? 5'd0 : 5'd18 - cycle_of_word));
        if (cycle_of_word != 5'd0) begin
            bits_are_kept_in_their_order: assert (((word_q ^ came) & kept) == 16'd0 && ones == ^(word_q & kept));
        end
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            nothing_waits_behind_a_reset: assert (!waiting && destination == 16'd0);
        end else begin
            a_right_word_that_finds_room_waits: assert (!$past(right && finds_room) || (waiting && destination == $past(address)));
            no_hint_without_a_right_word: assert (!waiting || $past(right && finds_room) || ($past(waiting) && !$past(take)));
            it_waits_until_it_is_taken: assert (!$past(waiting && !take) || (waiting && destination == $past(destination)));
            a_word_that_finds_one_waiting_changes_nothing: assert (!$past(whole && waiting && !take) || destination == $past(destination));
            forgotten_when_nobody_listens: assert ($past(listens) || cycle_of_word == 5'd0 && count_q == 5'd0);
        end
    end

    always @* if (began && !rst) begin
        a_word_waits: cover (waiting && destination == 16'hA5C1);
        one_behind_the_other: cover (starts && waiting && !take);
        one_is_dropped_for_another: cover (dropped && right);
        one_is_broken: cover (dropped && whole && !right);
        taken_when_the_next_one_comes: cover (right && waiting && take);
    end
endmodule
