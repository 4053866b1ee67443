// `node_hints`: the words that a network interface sends ahead of its packets (docs/microarchitecture/mechanisms/wake_hints.md).
//
// Promised: every packet that begins on the stream and has not been announced has a word of its destination, and so has every announcement, unless four wait;
// nothing else has. Of any such word (a solver chooses which) it
// is followed how many are before it, and the lane has to show the page's table of a word of its destination when it is its turn.
//
// Nothing is assumed of the stream.
module node_hints_properties (
    input wire        clk,
    input wire        rst,
    input wire        s_axis_tvalid,
    input wire        s_axis_tready,
    input wire        s_axis_tlast,
    input wire [15:0] s_axis_tdest,
    input wire [1:0]  s_axis_tuser,
    input wire        announces,
    input wire        hint,
    input wire        opening_q,
    input wire        sender_push
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Whether the next beat is one inside a packet.
    reg  inside;
    wire accept = s_axis_tvalid && s_axis_tready;
    wire between = accept && !inside;
    wire announcement = between && s_axis_tuser[0];
    wire packet = between && !s_axis_tuser[0];
    // A word begins with either.
    wire begins = announcement || (packet && !s_axis_tuser[1]);
    always @(posedge clk) begin
        if (rst) inside <= 1'b0;
        else if (packet || (accept && inside)) inside <= !s_axis_tlast;
    end

    // Words that wait, and the cycle of the word on the lane, 0 if none was on it in the cycle before.
    reg  [2:0] waiting;
    reg  [4:0] cycle_of_word;
    wire       starts = cycle_of_word == 5'd0 && waiting != 3'd0;
    wire       stored = begins && waiting != 3'd4;
    always @(posedge clk) begin
        if (rst) begin
            waiting       <= 3'd0;
            cycle_of_word <= 5'd0;
        end else begin
            waiting       <= waiting + {2'd0, stored} - {2'd0, starts};
            cycle_of_word <= starts ? 5'd1 : cycle_of_word == 5'd0 || cycle_of_word == 5'd17 ? 5'd0 : cycle_of_word + 5'd1;
        end
    end

    // The word that is watched.
    (* anyseq *) reg watch;
    reg        waits, on_lane;
    reg [1:0]  before;
    reg [15:0] destination;
    always @(posedge clk) begin
        if (rst) begin
            waits   <= 1'b0;
            on_lane <= 1'b0;
        end else begin
            if (waits) begin
                if (starts && before == 2'd0) waits <= 1'b0;
                if (starts) before <= before - 2'd1;
            end else if (!on_lane && stored && watch) begin
                waits       <= 1'b1;
                before      <= waiting[1:0] - {1'b0, starts};
                destination <= s_axis_tdest;
            end
            if (waits && starts && before == 2'd0) on_lane <= 1'b1;
            else if (cycle_of_word == 5'd17) on_lane <= 1'b0;
        end
    end
    wire [17:0] its_word = {^destination, destination, 1'b1};

    always @* if (began) begin
        a_word_for_every_packet_that_begins: assert (!packet || s_axis_tuser[1] || sender_push);
        a_word_for_every_announcement: assert (!announcement || sender_push);
        no_second_word: assert (!packet || !s_axis_tuser[1] || !sender_push);
        no_word_for_anything_else: assert (between || !sender_push);
        announcements_are_shown: assert (announces == (!inside && s_axis_tuser[0]));
        every_word_has_its_start: assert (!starts || hint);
        nothing_between_words: assert (starts || cycle_of_word != 5'd0 || !hint);
        if (on_lane) begin
            a_word_is_of_the_destination: assert (hint == its_word[cycle_of_word]);
        end
        knows_where_packets_begin: assert (opening_q == !inside);
    end

    always @* if (began && !rst) begin
        a_packet_of_one_beat: cover (begins && s_axis_tlast && hint);
        a_beat_inside: cover (accept && inside);
        a_packet_behind_its_announcement: cover (packet && s_axis_tuser[1] && hint);
        a_beat_inside_that_would_announce: cover (accept && inside && s_axis_tuser[0] && s_axis_tlast);
        the_second_word_starts: cover (waits && starts && before == 2'd0 && waiting == 3'd1 && begins);
    end
endmodule
