// `credit_counter` counts the free places of one virtual channel of the buffer at the other end of a link (docs/microarchitecture/links.md).
//
// Promised: all places are free after a reset; a flit takes one, a credit gives one back, both in one cycle change nothing; `room` and `fits` say
// whether so many places are free as a packet of most flits needs, with six flits and one flit more; a credit too many and a flit without a credit
// are an error and are not counted. What is on its way is counted here from the other end: flits that have no credit yet.
// Nothing is assumed of flits and credits: they may come wrongly at any time.
// Not covered: that six flits are enough, which is a matter of the switch's pipeline (`output_port`).
module credit_counter_properties #(
    parameter VC_FLITS = 9,
    parameter MAX_PACKET_FLITS = 3
) (
    input wire        clk,
    input wire        rst,
    input wire        sent,
    input wire        returned,
    input wire        room,
    input wire        fits,
    input wire        error,
    input wire [12:0] credits_q
);
    localparam [13:0] PLACES = VC_FLITS;
    localparam [13:0] LONGEST = MAX_PACKET_FLITS;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Flits that have been sent and whose credits have not come back.
    reg [13:0] away;
    wire none_to_come = away == 14'd0;
    wire all_away = away == PLACES;
    wire [13:0] free = PLACES - away;
    always @(posedge clk) begin
        if (rst) away <= 14'd0;
        else if (sent && !returned && !all_away) away <= away + 14'd1;
        else if (returned && !sent && !none_to_come) away <= away - 14'd1;
    end

    always @* begin
        if (began) begin
            credits_are_places_not_away: assert ({1'b0, credits_q} == free && away <= PLACES);
            room_for_a_packet_and_six: assert (room == (free >= LONGEST + 14'd6));
            fits_a_packet_and_one: assert (fits == (free >= LONGEST + 14'd1));
            error_if_a_credit_too_many: assert (!(returned && !sent && none_to_come) || error);
            error_if_a_flit_without_credit: assert (!(sent && !returned && all_away) || error);
            no_other_error: assert (!error || (returned && !sent && none_to_come) || (sent && !returned && all_away));
        end
    end

    always @(posedge clk) begin
        if (began && $past(rst)) begin
            all_free_after_reset: assert (credits_q == PLACES[12:0]);
        end
        if (began && !$past(rst) && $past(sent) && $past(returned)) begin
            both_change_nothing: assert (credits_q == $past(credits_q) && !$past(error));
        end
    end

    always @* begin
        if (began && !rst) begin
            a_credit_too_many_comes: cover (error && returned);
            a_flit_goes_without_credit: cover (error && sent);
            fits_but_no_room: cover (fits && !room);
            room_comes_back: cover (returned && !sent && !room && free == LONGEST + 14'd5);
            both_at_once: cover (sent && returned && away != 14'd0);
        end
    end
endmodule
