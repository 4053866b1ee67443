// `crossing_sender`: the sender's half of a link that crosses clocks (docs/microarchitecture/crossing.md).
//
// Promised: an entry is stored with what the link shows, in places one after the other, and never over one that has not been read; a flit for which
// there is no place is dropped and told for ever; a phase or hint that changes without a flit is stored as soon as the queue is seen to be empty,
// and only then. Credits are given as many as came back, one a cycle, VCs in turn.
// Assumed of the other half, in the page's words: `read_gray` is the Gray code of the "entries read", which are never more than those stored; `credit_gray` that of
// the credits that have come back, "no more than D of a VC are ever on their way". Between two cycles they may move on by any number: the other
// clock may be any. Said of one VC, any that a solver chooses.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module crossing_sender_properties #(
    parameter VC_FLITS = 9,
    parameter VCS = 2,
    parameter BITS_read_gray = 4,
    parameter BITS_credit_gray = 8
) (
    input wire                        clk,
    input wire                        rst,
    input wire                        in_valid,
    input wire                        in_head,
    input wire [2:0]                  in_vc,
    input wire [2:0]                  in_phase,
    input wire                        in_hint,
    input wire [BITS_read_gray-1:0]   read_gray,
    input wire [BITS_credit_gray-1:0] credit_gray,
    input wire                        store,
    input wire [BITS_read_gray-2:0]   place,
    input wire [8:0]                  entry,
    input wire [BITS_read_gray-1:0]   written_gray,
    input wire                        in_credit_valid,
    input wire [2:0]                  in_credit_vc,
    input wire                        overflow_error,
    input wire [BITS_read_gray-1:0]   written_count,
    input wire [BITS_credit_gray-1:0] given_count
);
    localparam P = BITS_read_gray;
    localparam B = BITS_credit_gray / VCS;
    localparam [P-1:0] ENTRIES = 1 << (P - 1);
    localparam [B-1:0] MOST = VC_FLITS;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The other half: entries stored, read, and read as they were one and two cycles before.
    (* anyseq *) reg [P-1:0] reads;
    reg [P-1:0] stored, read, read_1, read_2;
    wire [P-1:0] in_queue = stored - read;
    wire [P-1:0] in_queue_as_seen = stored - read_2;
    always @(posedge clk) begin
        stored <= rst ? 0 : stored + {{P-1{1'b0}}, store};
        read <= rst ? 0 : read + reads;
        read_1 <= rst ? 0 : read;
        read_2 <= rst ? 0 : read_1;
    end
    always @* if (began) begin
        assume (reads <= in_queue);
        assume (read_gray == (read ^ (read >> 1)));
    end

    // Credits of one VC, any: come back, come back as they were, given on the link.
    (* anyconst *) reg [2:0] one;
    always @* assume (one < VCS);
    (* anyseq *) reg [B-1:0] returns;
    reg [B-1:0] returned, given, decided;
    wire its_credit = in_credit_valid && in_credit_vc == one;
    wire [B-1:0] its_gray = credit_gray >> (one * B);
    wire [B-1:0] its_given_count = given_count >> (one * B);
    wire [B-1:0] owed = returned - given;
    reg [B-1:0] returned_1, returned_2, returned_3;
    reg [4:0] passed;
    always @(posedge clk) begin
        returned <= rst ? 0 : returned + returns;
        returned_1 <= rst ? 0 : returned;
        returned_2 <= rst ? 0 : returned_1;
        returned_3 <= rst ? 0 : returned_2;
        given <= rst ? 0 : given + {{B-1{1'b0}}, its_credit};
        // Cycles in which it was seen that it is owed one and had none.
        if (rst || its_credit || returned_3 == given) passed <= 5'd0;
        else passed <= passed + 5'd1;
    end
    always @* if (began) begin
        assume (returns <= VC_FLITS && {1'b0, returns} + {1'b0, owed} <= VC_FLITS);
        assume (its_gray == (returned ^ (returned >> 1)));
    end

    // What the last entry told, and whether a flit has been lost.
    reg lost;
    reg [3:0] told;
    always @(posedge clk) begin
        lost <= !rst && (lost || (in_valid && !store));
        told <= rst ? 4'd0 : store ? {in_phase, in_hint} : told;
    end
    wire changed = {in_phase, in_hint} != told;

    always @* if (began) begin
        counts_what_it_stores: assert (written_count == stored && written_gray == (stored ^ (stored >> 1)) && place == stored[P-2:0]);
        stores_what_the_link_shows: assert (entry == {in_valid, in_hint, in_phase, in_vc, in_head});
        never_more_than_there_are_places: assert (in_queue <= ENTRIES && in_queue_as_seen <= ENTRIES);
        never_over_one_that_is_not_read: assert (!store || in_queue < ENTRIES);
        a_flit_is_stored_if_there_is_a_place: assert (!in_valid || store == (in_queue_as_seen != ENTRIES));
        a_lost_flit_is_told_for_ever: assert (overflow_error == lost);
        a_change_is_stored_once_it_is_empty: assert (in_valid || store == (changed && in_queue_as_seen == 0));
        as_many_credits_as_came_back: assert (!its_credit || owed != 0);
        owes_no_more_than_came_back: assert (owed <= VC_FLITS);
        gives_each_vc_its_turn: assert (passed < VCS + 1);
        // Auxiliary: a credit is on the link one cycle after it is counted.
        counts_what_it_gives: assert (its_given_count == given + {{B-1{1'b0}}, its_credit});
        seen_a_little_late: assert (read_1 - read_2 <= ENTRIES && read - read_1 <= ENTRIES && returned_2 - its_given_count <= MOST && returned_1 - returned_2 <= MOST && returned - its_given_count <= MOST);
    end
    always @(posedge clk) if (began && $past(rst)) begin
        nothing_after_reset: assert (!in_credit_valid && in_credit_vc == 3'd0 && !overflow_error && written_gray == 0);
    end
    always @* if (began && !rst) begin
        a_flit_is_lost: cover (in_valid && !store && in_queue == 0);
        a_phase_waits: cover (changed && !in_valid && !store && in_queue == 0);
        the_places_go_round: cover (store && place == 0 && stored != 0);
        three_credits_at_once: cover (its_credit && owed == 3);
    end
endmodule
