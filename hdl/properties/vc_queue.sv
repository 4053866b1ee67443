// `vc_queue`: pointers and number of entries of a circular queue in some memory (docs/microarchitecture/buffers.md).
//
// Promised: `count` is the number of entries, `some` that it is not 0; pointers go round all places of the queue; entries leave in the order in
// which they came, each from the place at which it was written, and nothing is written there as long as it is in the queue. The last three are
// said of one entry, any that a solver chooses (`watch`): how many are before it and where it is.
// Assumed: "never `push` when full or `pop` when empty".
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module vc_queue_properties #(
    parameter VC_FLITS = 9
) (
    input wire        clk,
    input wire        rst,
    input wire        push,
    input wire        pop,
    input wire [11:0] write_pointer,
    input wire [11:0] read_pointer,
    input wire [12:0] count,
    input wire        some
);
    localparam [13:0] PLACES = VC_FLITS;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Never push when full or pop when empty.
    reg [13:0] entries;
    always @* begin
        if (began && push) assume (entries != PLACES);
        if (began && pop) assume (entries != 14'd0);
    end
    always @(posedge clk) begin
        if (rst) entries <= 14'd0;
        else entries <= entries + {13'd0, push} - {13'd0, pop};
    end

    // The entry that is watched: its place, and those before it.
    (* anyseq *) reg watch;
    reg        watched;
    reg [11:0] place;
    reg [13:0] ahead;
    always @(posedge clk) begin
        if (rst) begin
            watched <= 1'b0;
        end else if (watched) begin
            if (pop && ahead == 14'd0) watched <= 1'b0;
            if (pop) ahead <= ahead - 14'd1;
        end else if (push && watch) begin
            watched <= 1'b1;
            place <= write_pointer;
            ahead <= entries - {13'd0, pop};
        end
    end

    // The place so many places on.
    function [13:0] on(input [13:0] from, input [13:0] by);
        on = from + by >= PLACES ? from + by - PLACES : from + by;
    endfunction
    wire [13:0] write_place = {2'd0, write_pointer};
    wire [13:0] read_place = {2'd0, read_pointer};

    always @* begin
        if (began) begin
            count_is_the_number_of_entries: assert ({1'b0, count} == entries);
            never_more_than_there_are_places: assert (entries <= PLACES);
            some_if_there_are_entries: assert (some == (entries != 14'd0));
            pointers_are_places: assert (write_place < PLACES && read_place < PLACES);
            an_entry_leaves_from_its_place: assert (!(watched && pop && ahead == 14'd0) || read_pointer == place);
            no_earlier_entry_is_lost: assert (!(watched && pop && ahead != 14'd0) || read_pointer != place);
            nothing_is_written_over_an_entry: assert (!(watched && push) || write_pointer != place);
            // Auxiliary: where the watched entry is among the others.
            entries_are_between_the_pointers: assert (write_place == on(read_place, entries));
            the_watched_one_is_there: assert (!watched || (ahead < entries && {2'd0, place} == on(read_place, ahead)));
        end
    end

    always @(posedge clk) begin
        if (began && $past(rst)) begin
            empty_after_reset: assert (count == 13'd0 && !some && write_pointer == 12'd0 && read_pointer == 12'd0);
        end
        if (began && !$past(rst)) begin
            moves_on_with_push: assert (write_place == ($past(push) ? on($past(write_place), 14'd1) : $past(write_place)));
            moves_on_with_pop: assert (read_place == ($past(pop) ? on($past(read_place), 14'd1) : $past(read_place)));
        end
    end

    always @* begin
        if (began && !rst) begin
            an_entry_leaves_behind_others: cover (watched && pop && ahead == 14'd0 && place == PLACES[11:0] - 12'd1);
            both_pointers_go_round: cover (push && pop && write_place == PLACES - 14'd1 && entries == 14'd1);
            full: cover (entries == PLACES);
            full_again_from_another_place: cover (entries == PLACES && read_pointer == 12'd2);
        end
    end
endmodule
