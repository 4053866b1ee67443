// `vc_queue`: pointers of a circular queue in some memory (docs/microarchitecture/buffers.md).
//
// Promised: `full` and `some` say whether there are as many entries as places, and any, and `count`, where it is, how many; pointers go
// round all places of the queue in their order; entries leave in the order in which they came, each from the place at which it was written, and
// nothing is written there as long as it is in the queue. The last three are said of one entry, any that a solver chooses (`watch`): how many are
// before it and where it is.
// Assumed: "never `push` when full or `pop` when empty".
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module vc_queue_properties #(
    parameter VC_FLITS = 9,
    parameter COUNTS = 1
) (
    input wire        clk,
    input wire        rst,
    input wire        push,
    input wire        pop,
    input wire [11:0] write_pointer,
    input wire [11:0] read_pointer,
    input wire [11:0] write_next_q,
    input wire [11:0] read_next_q,
    input wire        full,
    input wire        some,
    input wire [12:0] count
);
    localparam [13:0] PLACES = VC_FLITS;
    localparam BITS = $clog2(VC_FLITS);
    localparam [11:0] MASK = (1 << BITS) - 1, LOW = MASK >> 1;
    localparam [11:0] TAPS = BITS == 1 ? 12'h001 : BITS == 2 ? 12'h003 : BITS == 3 ? 12'h006 : BITS == 4 ? 12'h00c
        : BITS == 5 ? 12'h014 : BITS == 6 ? 12'h030 : BITS == 7 ? 12'h060 : BITS == 8 ? 12'h0b8 : BITS == 9 ? 12'h110
        : BITS == 10 ? 12'h240 : BITS == 11 ? 12'h500 : 12'he08;

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

    // The places in their order, and the number among them of the one so many on.
    function [11:0] behind(input [11:0] place);
        behind = {place[10:0], ^(place & TAPS) ^ ((place & LOW) == 12'd0)} & MASK;
    endfunction
    wire [12*VC_FLITS-1:0] order;
    assign order[11:0] = 12'd0;
    genvar g;
    generate
        for (g = 1; g < VC_FLITS; g = g + 1) begin : g_order
            assign order[12*g +: 12] = behind(order[12*(g-1) +: 12]);
        end
    endgenerate
    function [13:0] on(input [13:0] from, input [13:0] by);
        on = from + by >= PLACES ? from + by - PLACES : from + by;
    endfunction

    // Numbers of the pointers' places.
    reg [13:0] write_number, read_number;
    wire [13:0] write_number_next = on(write_number, 14'd1), read_number_next = on(read_number, 14'd1);
    always @(posedge clk) begin
        if (rst) begin
            write_number <= 14'd0;
            read_number <= 14'd0;
        end else begin
            if (push) write_number <= write_number_next;
            if (pop) read_number <= read_number_next;
        end
    end

    // The entry that is watched: its place and the number of that, and the entries before it.
    (* anyseq *) reg watch;
    reg        watched;
    reg [11:0] place;
    reg [13:0] number, ahead;
    always @(posedge clk) begin
        if (rst) begin
            watched <= 1'b0;
        end else if (watched) begin
            if (pop && ahead == 14'd0) watched <= 1'b0;
            if (pop) ahead <= ahead - 14'd1;
        end else if (push && watch) begin
            watched <= 1'b1;
            place <= write_pointer;
            number <= write_number;
            ahead <= entries - {13'd0, pop};
        end
    end

    // Any two places.
    (* anyseq *) reg [13:0] one, other;

    always @* begin
        if (began) begin
            count_is_the_number_of_entries: assert (COUNTS == 0 || {1'b0, count} == entries);
            never_more_than_there_are_places: assert (entries <= PLACES);
            full_if_there_is_no_place_left: assert (full == (entries == PLACES));
            some_if_there_are_entries: assert (some == (entries != 14'd0));
            pointers_are_places: assert (write_number < PLACES && write_pointer == order[write_number * 12 +: 12] && read_number < PLACES && read_pointer == order[read_number * 12 +: 12]);
            places_behind_the_pointers: assert (write_next_q == order[write_number_next * 12 +: 12] && read_next_q == order[read_number_next * 12 +: 12]);
            no_place_is_there_twice: assert (one >= PLACES || other >= PLACES || one == other || order[one * 12 +: 12] != order[other * 12 +: 12]);
            an_entry_leaves_from_its_place: assert (!(watched && pop && ahead == 14'd0) || read_pointer == place);
            no_earlier_entry_is_lost: assert (!(watched && pop && ahead != 14'd0) || read_pointer != place);
            nothing_is_written_over_an_entry: assert (!(watched && push) || write_pointer != place);
            // Auxiliary: where the watched entry is among the others.
            entries_are_between_the_pointers: assert (write_number == on(read_number, entries));
            the_watched_one_is_there: assert (!watched || (ahead < entries && number == on(read_number, ahead) && place == order[number * 12 +: 12]));
        end
    end

    always @(posedge clk) begin
        if (began && $past(rst)) begin
            empty_after_reset: assert ((COUNTS == 0 || count == 13'd0) && !full && !some && write_pointer == 12'd0 && read_pointer == 12'd0);
        end
        if (began && !$past(rst)) begin
            moves_on_with_push: assert (write_pointer == ($past(push) ? $past(write_next_q) : $past(write_pointer)));
            moves_on_with_pop: assert (read_pointer == ($past(pop) ? $past(read_next_q) : $past(read_pointer)));
        end
    end

    always @* begin
        if (began && !rst) begin
            an_entry_leaves_behind_others: cover (watched && pop && ahead == 14'd0 && number == PLACES - 14'd1);
            both_pointers_go_round: cover (push && pop && write_number == PLACES - 14'd1 && entries == 14'd1);
            filled: cover (entries == PLACES);
            filled_again_from_another_place: cover (entries == PLACES && read_number == 14'd2);
        end
    end
endmodule
