// `output_port`: the link, the credits of the buffer at its other end, and the output VC of each packet (docs/microarchitecture/links.md).
//
// Promised: a packet that is given the port gets one of the VCs allowed to it, has a credit for each of its flits, and goes on that VC from head to
// tail; the link shows what the crossbar gave, one cycle later, and phase and hint of four cycles before; `open` is shown only where a longest packet
// has room; a credit too many or of no VC is an error.
// Assumed of the allocation and the pipeline ([switch]): the port is given only if it was `open` on one of the allowed VCs three cycles before ("none is
// granted without room"), to a packet every fifth cycle at most; six flits of the packet before are then still to be counted at most, and but for its
// tail they have been when the VC is chosen; a packet has as many flits as the longest at most and comes two cycles after it was granted at the
// earliest, its flits after each other; in a switch for short packets, to one every third cycle at most (SHORT_PACKETS), and `given` comes in the cycle
// before. Of the receiver: a credit comes for a flit that has been sent; that is not assumed while `foul`, a solver's choice.
// Not covered: larger buffers and more VCs (of two VCs pdr ends only with ABC's scorr before it, in 290 s).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module output_port_properties #(
    parameter VC_FLITS = 9,
    parameter MAX_PACKET_FLITS = 3,
    parameter FLIT_BITS = 64,
    parameter VCS = 2,
    parameter SHORT_PACKETS = 0
) (
    input wire                 clk,
    input wire                 rst,
    input wire                 granted,
    input wire                 given,
    input wire [VCS-1:0]       allowed,
    input wire                 free_next,
    input wire                 grantable,
    input wire                 preferred,
    input wire                 valid,
    input wire                 head,
    input wire [FLIT_BITS-1:0] flit,
    input wire [2:0]           phase,
    input wire                 hint,
    input wire                 out_credit_valid,
    input wire [2:0]           out_credit_vc,
    input wire [VCS-1:0]       open,
    input wire                 prefer,
    input wire                 out_valid,
    input wire                 out_head,
    input wire [2:0]           out_vc,
    input wire [FLIT_BITS-1:0] out_flit,
    input wire [2:0]           out_phase,
    input wire                 out_hint,
    input wire                 credit_error
);
    localparam [13:0] PLACES = VC_FLITS;
    localparam [13:0] LONGEST = MAX_PACKET_FLITS;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // A VC, any, and its flits at the other end or on the way there or back.
    (* anyconst *) reg [2:0] one;
    always @* assume (one < VCS);
    reg  [13:0] away;
    wire goes = out_valid && out_vc == one;
    wire comes = out_credit_valid && out_credit_vc == one;
    (* anyconst *) reg foul;

    // Flits that are still to come of the packet that has the port, and of the one that has been given it since.
    (* anyseq *) reg [9:0] size;
    reg  [9:0]  left, next_left;
    reg  [9:0]  left_1, left_2, left_3, left_4;
    reg  [4:0]  granted_before;
    reg         given_before;
    reg  [VCS-1:0] open_1, open_2, open_3, next_allowed, current_allowed;
    wire begins = left == 10'd0 && next_left != 10'd0 && !granted_before[0];
    always @(posedge clk) begin
        if (rst) begin
            left <= 10'd0;
            next_left <= 10'd0;
            left_1 <= 10'd0;
            left_2 <= 10'd0;
            left_3 <= 10'd0;
            left_4 <= 10'd0;
            granted_before <= 5'd0;
            given_before <= 1'b0;
            away <= 14'd0;
            open_1 <= 0;
            open_2 <= 0;
            open_3 <= 0;
        end else begin
            if (valid) left <= left == 10'd0 ? next_left - 10'd1 : left - 10'd1;
            if (granted) next_left <= size;
            else if (valid && left == 10'd0) next_left <= 10'd0;
            if (granted) next_allowed <= allowed;
            if (valid && head) current_allowed <= next_allowed;
            left_1 <= left;
            left_2 <= left_1;
            left_3 <= left_2;
            left_4 <= left_3;
            granted_before <= {granted_before[3:0], granted};
            given_before <= given;
            open_1 <= open;
            open_2 <= open_1;
            open_3 <= open_2;
            away <= away + {13'd0, goes} - {13'd0, comes};
        end
    end
    always @* if (began) begin
        if (granted) assume ((allowed & open_3) != 0 && granted_before[1:0] == 2'd0 && next_left == 10'd0);
        assume (SHORT_PACKETS != 0 ? granted == given_before : !(granted && granted_before[3:2] != 2'd0));
        if (granted) assume (size != 10'd0 && {4'd0, size} <= LONGEST && left_4 <= 10'd6);
        if (granted_before[0]) assume (left == {9'd0, valid});
        if (valid) assume (left != 10'd0 || begins);
        if (valid) assume (head == (left == 10'd0));
        if (!foul && out_credit_valid) assume (out_credit_vc < VCS && (out_credit_vc != one || away != 14'd0));
    end
    // The same of the other VCs, so that none of them is in error.
    reg [13:0] away_of [0:VCS-1];
    integer w;
    always @(posedge clk) begin
        for (w = 0; w < VCS; w = w + 1) begin
            if (rst) away_of[w] <= 14'd0;
            else away_of[w] <= away_of[w] + {13'd0, out_valid && out_vc == w} - {13'd0, out_credit_valid && out_credit_vc == w};
        end
    end
    always @* if (began && !foul) begin
        for (w = 0; w < VCS; w = w + 1) begin
            if (out_credit_valid && out_credit_vc == w) assume (away_of[w] != 14'd0);
        end
    end

    always @* begin
        if (began && !foul) begin
            no_flit_without_a_credit: assert (away + {13'd0, goes} <= PLACES);
            no_error_if_credits_are_right: assert (!credit_error);
        end
        if (began) begin
            a_credit_of_no_vc_is_an_error: assert (!(out_credit_valid && out_credit_vc >= VCS) || credit_error);
        end
    end

    // "In the two cycles behind the one in which it is given."
    wire held_briefly = SHORT_PACKETS != 0 && (given || granted);
    reg [2:0] vc_before;
    reg [VCS-1:0] allowed_to_it;
    reg [11:0] phases;
    reg [3:0] hints;
    reg [13:0] away_before;
    always @(posedge clk) begin
        if (out_valid) vc_before <= out_vc;
        phases <= rst ? 12'd0 : {phases[8:0], phase};
        hints <= rst ? 4'd0 : {hints[2:0], hint};
        if (began && $past(rst)) begin
            idle_after_reset: assert (!out_valid && !out_head && out_vc == 3'd0 && out_flit == 0 && open == 0 && !prefer);
        end
        if (began && !$past(rst)) begin
            the_link_shows_the_crossbar: assert (out_valid == $past(valid) && out_head == $past(valid && head) && out_flit == ($past(valid) ? $past(flit) : {FLIT_BITS{1'b0}}));
            phase_and_hint_four_cycles_later: assert (out_phase == phases[11:9] && out_hint == hints[3]);
            preferred_one_cycle_later: assert (prefer == $past(preferred));
            open_only_if_free_and_grantable: assert (open == 0 || $past((free_next || held_briefly) && grantable));
            if (!foul) begin
                open_only_with_room: assert (!((open >> one) & 1'b1) || $past(away) + {13'd0, $past(goes)} + LONGEST + 14'd6 <= PLACES);
            end
            if (out_valid && !foul) begin
                an_allowed_vc: assert (((current_allowed >> out_vc) & 1'b1) && out_vc < VCS);
                one_vc_from_head_to_tail: assert (out_head || out_vc == vc_before);
            end
            no_vc_without_a_flit: assert (out_valid || out_vc == 3'd0);
        end
        if (began && !rst) begin
            a_packet_goes_on_the_last_vc: cover (!foul && out_valid && out_vc == VCS - 1 && !out_head && left == 10'd0);
            packets_follow_each_other: cover (!foul && out_valid && out_head && $past(out_valid) && !$past(out_head));
            two_packets_are_away: cover (!foul && away > LONGEST);
            if (SHORT_PACKETS != 0) begin
                open_while_it_is_held: cover (!foul && open != 0 && $past(!free_next && granted));
                a_packet_every_third_cycle: cover (!foul && granted && granted_before[2] && out_valid && out_head);
            end
            one_credit_too_many: cover (foul && credit_error && comes);
            closed_for_want_of_room: cover (!foul && $past((free_next || held_briefly) && grantable) && !((open >> one) & 1'b1));
        end
    end
endmodule
