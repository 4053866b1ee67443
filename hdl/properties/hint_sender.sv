// `hint_sender`: puts words on a hint lane (docs/microarchitecture/mechanisms/wake_hints.md), and what a receiver makes of them.
//
// Of any word that is stored (a solver chooses which) it is followed how many are before it and, when it is on the lane, which cycle of it this is; the lane has
// to show the page's table of a word of its address, and nothing between words. Beside that stands what the page says of `hint_receiver`, as a listener on the lane:
// it hears every word that is sent, as it was given. So sender and receiver are proved together, the receiver being the page's; that the block `hint_receiver` is one
// is said beside it.
//
// Nothing is assumed of `push`, `address` and `sends`.
module hint_sender_properties (
    input wire        clk,
    input wire        rst,
    input wire        push,
    input wire [15:0] address,
    input wire        sends,
    input wire        hint,
    input wire        dropped,
    input wire [63:0] queue_q,
    input wire [2:0]  count_q,
    input wire [4:0]  left_q,
    input wire [16:0] word_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Words that wait, and the cycle of the word on the lane, 0 if none was on it in the cycle before.
    reg  [2:0] waiting;
    reg  [4:0] cycle_of_word;
    wire       starts = sends && cycle_of_word == 5'd0 && waiting != 3'd0;
    wire       stored = push && sends && waiting != 3'd4;
    always @(posedge clk) begin
        if (rst || !sends) begin
            waiting       <= 3'd0;
            cycle_of_word <= 5'd0;
        end else begin
            waiting       <= waiting + {2'd0, stored} - {2'd0, starts};
            cycle_of_word <= starts ? 5'd1 : cycle_of_word == 5'd0 || cycle_of_word == 5'd17 ? 5'd0 : cycle_of_word + 5'd1;
        end
    end

    // The word that is watched: it waits behind so many others, or is on the lane.
    (* anyseq *) reg watch;
    reg        waits, on_lane;
    reg [1:0]  before;
    reg [15:0] its_address;
    always @(posedge clk) begin
        if (rst || !sends) begin
            waits   <= 1'b0;
            on_lane <= 1'b0;
        end else begin
            if (waits) begin
                if (starts && before == 2'd0) waits <= 1'b0;
                if (starts) before <= before - 2'd1;
            end else if (!on_lane && stored && watch) begin
                waits       <= 1'b1;
                before      <= waiting[1:0] - {1'b0, starts};
                its_address <= address;
            end
            if (waits && starts && before == 2'd0) on_lane <= 1'b1;
            else if (cycle_of_word == 5'd17) on_lane <= 1'b0;
        end
    end
    wire [17:0] its_word = {^its_address, its_address, 1'b1};
    wire        its_start = waits && starts && before == 2'd0;

    // A receiver on the lane, by its equations.
    reg  [4:0]  heard_count;
    reg  [15:0] heard_word;
    wire        heard = sends && heard_count == 5'd1;
    always @(posedge clk) begin
        heard_count <= rst || !sends ? 5'd0 : heard_count != 5'd0 ? heard_count - 5'd1 : hint ? 5'd17 : 5'd0;
        heard_word  <= {hint, heard_word[15:1]};
    end

    wire [15:0] its_place = queue_q[{before, 4'd0} +: 16];
    wire [16:0] rest      = {^its_address, its_address} >> (cycle_of_word - 5'd1);
    wire [15:0] sent      = 16'hffff << (5'd17 - cycle_of_word);
    wire [15:0] heard_of  = its_address << (5'd17 - cycle_of_word);

    always @* if (began) begin
        stored_or_dropped: assert (dropped == (push && !stored));
        the_start_is_1: assert (!starts || hint);
        nothing_between_words: assert (starts || cycle_of_word != 5'd0 || !hint);
        nothing_without_a_lane: assert (sends || !hint);
        if (sends && on_lane) begin
            a_word_is_what_it_was_given: assert (hint == its_word[cycle_of_word]);
        end
        if (on_lane && heard) begin
            a_receiver_hears_what_was_given: assert (heard_word == its_address && !(^heard_word ^ hint));
        end
        a_receiver_hears_words_whole: assert (heard_count == (cycle_of_word == 5'd0 ? 5'd0 : 5'd18 - cycle_of_word));
        // Auxiliary: where it is.
        counts_what_waits: assert (count_q == waiting && waiting <= 3'd4);
        as_many_bits_are_left: assert (left_q == (cycle_of_word == 5'd0 ? 5'd0 : 5'd18 - cycle_of_word) && cycle_of_word <= 5'd17);
        if (waits) begin
            the_watched_one_waits: assert ({1'b0, before} < waiting && its_place == its_address && !on_lane);
        end
        if (on_lane) begin
            the_watched_one_is_on_the_lane: assert (cycle_of_word != 5'd0 && word_q == rest && ((heard_word ^ heard_of) & sent) == 16'd0);
        end
    end

    always @(posedge clk) if (began && $past(rst)) begin
        nothing_waits_behind_a_reset: assert (!hint && count_q == 3'd0);
    end
    always @(posedge clk) if (began && !$past(rst)) begin
        forgotten_without_a_lane: assert ($past(sends) || (!hint && count_q == 3'd0 && left_q == 5'd0));
        the_next_word_follows_at_once: assert (!($past(cycle_of_word == 5'd17) && sends && count_q != 3'd0) || starts);
        the_oldest_starts_at_once: assert (!($past(stored) && $past(waiting) == 3'd0 && $past(cycle_of_word) == 5'd0 && sends) || hint);
    end

    always @* if (began && !rst) begin
        a_word_has_been_sent: cover (on_lane && cycle_of_word == 5'd17 && hint);
        no_place_is_left: cover (dropped && sends);
        the_last_of_four_is_watched: cover (waits && before == 2'd3 && starts);
        it_goes_when_the_lane_goes: cover (!sends && on_lane);
    end
endmodule
