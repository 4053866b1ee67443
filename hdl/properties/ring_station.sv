// `ring_station`: what docs/microarchitecture/mechanisms/e_rapid.md promises of a board's place on the ring.
//
// A word that comes in with even parity and makes sense goes out two cycles later, once and unchanged, but for what the holder fills in; a message of this board that "has come back" is taken "off the
// ring"; the controller's message goes out where "nothing came in [...] or its own message is taken off". "A word whose parity is wrong is thrown away and counted in `ring_errors`: every change of a single
// bit is found." What goes out has even parity.
//
// Not covered: nothing.
module ring_station_properties #(
    parameter BOARDS = 3
) (
    input wire        clk,
    input wire        rst,
    input wire [41:0] ring_in,
    input wire [2:0]  me,
    input wire        send,
    input wire [41:0] message,
    input wire [20:0] filled,
    input wire        fills,
    input wire [11:0] waited,
    input wire        claims,
    input wire [41:0] word,
    input wire        own,
    input wire        passes,
    input wire        sent,
    input wire [41:0] ring_out,
    input wire [15:0] ring_errors
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Ones, one after the other.
    function is_odd(input [41:0] bits);
        integer b;
        begin
            is_odd = 1'b0;
            for (b = 0; b < 42; b = b + 1)
                if (bits[b]) is_odd = !is_odd;
        end
    endfunction
    wire [1:0] kind = ring_in[40:39];
    wire       makes_sense = (kind == 1 || kind == 2) && ring_in[38:36] < BOARDS && ring_in[35:33] < BOARDS;
    wire       sound = makes_sense && !is_odd(ring_in);

    // A message of another board that came in two cycles ago, as it came; the cycle after it came in, what was filled in.
    reg [41:0] came, came_before;
    reg        here, here_before;
    always @(posedge clk) begin
        came        <= ring_in;
        came_before <= came;
        here        <= !rst && sound;
        here_before <= !rst && here && came[38:36] != me;
    end
    wire       is_request = came_before[40:39] == 1;
    // Any one of the bits that may change in it.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < 42);
    wire changed = (ring_in ^ (42'd1 << one)) == came;

    always @* if (began) begin
        word_is_what_came_in: assert (word == (here ? came : 42'd0));
        own_is_a_message_of_this_board: assert (own == (here && came[38:36] == me));
        passes_is_one_of_another: assert (passes == (here && came[38:36] != me));
        nothing_is_sent_over_what_passes: assert (!(sent && passes));
        sent_if_there_is_a_place: assert (sent == (send && !passes));
        what_goes_out_is_even: assert (!is_odd(ring_out));
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_an_empty_place: assert (word == 0 && ring_out == 0 && ring_errors == 0);
        end else begin
            response_goes_on_unchanged: assert (!(here_before && !is_request) || ring_out[40:0] == came_before[40:0]);
            request_keeps_its_names: assert (!(here_before && is_request) || ring_out[40:33] == came_before[40:33]);
            request_is_filled_in_by_the_holder_only: assert (!(here_before && is_request && $past(!fills && !claims)) || ring_out[40:0] == came_before[40:0]);
            holder_fills_in: assert (!(here_before && is_request && $past(fills)) || (ring_out[32:31] == $past(filled[20:19]) && ring_out[29:12] == $past(filled[17:0]) && ring_out[11:0] == $past(waited)));
            claim_stays: assert (!(here_before && is_request) || ring_out[30] == (came_before[30] || $past(claims)));
            own_message_is_taken_off: assert (!($past(own) && $past(!send)) || ring_out == 0);
            empty_place_stays_empty: assert (!$past(!passes && !send) || ring_out == 0);
            message_goes_out_as_it_is: assert (!$past(sent) || ring_out[40:0] == $past(message[40:0]));
            wrong_parity_is_thrown_away_and_counted: assert (!$past(is_odd(ring_in)) || (word == 0 && ring_errors == $past(ring_errors) + 16'd1));
            right_parity_is_not_counted: assert ($past(is_odd(ring_in)) || ring_errors == $past(ring_errors));
            change_of_a_bit_is_found: assert (!$past(changed && here) || word == 0);
        end
        passes_happens: cover (here_before && is_request && ring_out[32] && !came_before[32]);
        sent_happens: cover (!$past(rst) && $past(sent && own) && ring_out[40:39] == 2);
        error_happens: cover (ring_errors == 2);
        response_passes_happens: cover (here_before && !is_request && ring_out[29:27] == 2);
    end
endmodule
