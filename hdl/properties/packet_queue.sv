// `packet_queue`: a circular queue of beats in some memory, in which packets count once they are complete and can be given up before
// (docs/microarchitecture/network_interface.md).
//
// Promised: beats leave in the order in which they were stored, each from its place, over which nothing is written as long as it is there; the beats of a packet that
// is given up are gone, all of them and no others; `full` says that there is no place. The first is said of one beat, any that a solver chooses.
// Assumed, in the page's words: `store` "not if `full`"; `commit` "with `store`"; `discard` "not with `store`"; `beats`: "how many of them are stored"; only beats of
// complete packets are read ("a packet starts on the link only once it is complete").
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module packet_queue_properties #(
    parameter VC_FLITS = 9
) (
    input wire        clk,
    input wire        rst,
    input wire        store,
    input wire        commit,
    input wire        discard,
    input wire [9:0]  beats,
    input wire        read,
    input wire        full,
    input wire [11:0] place,
    input wire [11:0] read_pointer,
    input wire [11:0] base_q,
    input wire [12:0] count_q
);
    localparam [13:0] PLACES = VC_FLITS;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Beats of complete packets, and of the one under way.
    reg [13:0] complete, under_way;
    always @* if (began) begin
        assume (!(store && complete + under_way == PLACES));
        assume (!(commit && !store) && !(discard && store));
        assume (!discard || {4'd0, beats} == under_way);
        assume (!read || complete != 14'd0);
    end
    always @(posedge clk) begin
        if (rst) begin
            complete <= 14'd0;
            under_way <= 14'd0;
        end else begin
            complete <= complete + (commit ? under_way + 14'd1 : 14'd0) - {13'd0, read};
            under_way <= commit || discard ? 14'd0 : under_way + {13'd0, store};
        end
    end

    // The beat that is watched.
    (* anyseq *) reg watch;
    reg        watched;
    reg [11:0] its_place;
    reg [13:0] ahead;
    always @(posedge clk) begin
        if (rst) begin
            watched <= 1'b0;
        end else if (watched) begin
            if ((read && ahead == 14'd0) || (discard && ahead >= complete)) watched <= 1'b0;
            if (read) ahead <= ahead - 14'd1;
        end else if (store && watch) begin
            watched <= 1'b1;
            its_place <= place;
            ahead <= complete + under_way - {13'd0, read};
        end
    end

    function [13:0] on(input [13:0] from, input [13:0] by);
        on = from + by >= PLACES ? from + by - PLACES : from + by;
    endfunction

    always @* if (began) begin
        counts_complete_and_under_way: assert ({1'b0, count_q} == complete + under_way && {1'b0, count_q} <= PLACES && complete <= PLACES && under_way <= PLACES);
        full_if_there_is_no_place: assert (full == (complete + under_way == PLACES));
        pointers_are_places: assert ({2'd0, place} < PLACES && {2'd0, read_pointer} < PLACES && {2'd0, base_q} < PLACES);
        if (watched) begin
            a_beat_leaves_from_its_place: assert (!(read && ahead == 14'd0) || read_pointer == its_place);
            nothing_is_written_over_it: assert (!store || place != its_place);
            no_other_from_its_place: assert (!(read && ahead != 14'd0) || read_pointer != its_place);
            // Auxiliary: where it is.
            the_watched_one_is_there: assert (ahead < complete + under_way && {2'd0, its_place} == on({2'd0, read_pointer}, ahead));
        end
        // Auxiliary: what is between the pointers.
        beats_are_between_the_pointers: assert ({2'd0, place} == on({2'd0, read_pointer}, complete + under_way) && {2'd0, base_q} == on({2'd0, read_pointer}, complete));
    end
    always @(posedge clk) begin
        if (began && $past(rst)) begin
            empty_after_reset: assert (count_q == 13'd0 && place == 12'd0 && read_pointer == 12'd0 && base_q == 12'd0);
        end
        if (began && !$past(rst) && $past(discard)) begin
            given_up_ones_leave_no_trace: assert (place == $past(base_q) && {1'b0, count_q} == complete);
        end
    end
    always @* if (began && !rst) begin
        a_packet_is_given_up_behind_others: cover (discard && under_way == 14'd2 && complete != 14'd0);
        a_watched_beat_leaves: cover (watched && read && ahead == 14'd0 && its_place == PLACES[11:0] - 12'd1);
        all_places_are_used: cover (full && read && under_way == 14'd1);
    end
endmodule
