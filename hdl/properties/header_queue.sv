// `header_queue`: headers of the packets of one VC that wait, and in front of them the head register (docs/microarchitecture/network_interface.md).
//
// Promised: entries come to the head register in the order in which they were written, unaltered, none is lost or doubled; `wants` is said only if there is an
// entry in the memory and the register is free for it; `holds` says whether there is an entry that is not taken in this cycle. Said of one
// entry, any that a solver chooses.
// Assumed, in the page's words: `fetch` "only if `wants`"; `take` "only if `valid`"; `fetched`: "output of the memory", which gives what was written to it in
// that order (`vc_queue`: never written when full), and its pointers say whether there are entries (likewise).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module header_queue_properties #(
    parameter VC_FLITS = 9
) (
    input wire        clk,
    input wire        rst,
    input wire        push,
    input wire        fetch,
    input wire [31:0] fetched,
    input wire        take,
    input wire        wants,
    input wire        holds,
    input wire        valid,
    input wire [31:0] entry,
    input wire        fetching_q,
    input wire        places_some
);
    localparam [13:0] PLACES = VC_FLITS;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The memory: which entry is written is a solver's choice.
    (* anyseq *) reg [31:0] written;
    reg [31:0] list [0:VC_FLITS-1];
    reg [13:0] listed;
    reg [31:0] word;
    wire [13:0] list_end = listed - {13'd0, fetch};
    integer k;
    always @(posedge clk) begin
        if (fetch) begin
            word <= list[0];
            for (k = 0; k + 1 < VC_FLITS; k = k + 1) list[k] <= list[k+1];
        end
        for (k = 0; k < VC_FLITS; k = k + 1) if (push && list_end == k) list[k] <= written;
        listed <= rst ? 14'd0 : list_end + {13'd0, push};
    end
    always @* if (began) begin
        assume (fetched == word);
        assume (places_some == (listed != 14'd0));
        assume (!push || listed != PLACES);
        assume (!fetch || wants);
        assume (!take || valid);
    end

    // All that wait, and the one that is watched.
    (* anyseq *) reg watch;
    reg        watched;
    reg [13:0] waiting, ahead;
    reg [31:0] its_entry;
    always @(posedge clk) begin
        if (rst) begin
            watched <= 1'b0;
            waiting <= 14'd0;
        end else begin
            waiting <= waiting + {13'd0, push} - {13'd0, take};
            if (watched) begin
                if (take) ahead <= ahead - 14'd1;
                if (take && ahead == 14'd0) watched <= 1'b0;
            end else if (push && watch) begin
                watched <= 1'b1;
                ahead <= waiting - {13'd0, take};
                its_entry <= written;
            end
        end
    end

    reg [31:0] nth;
    wire some_first = valid || fetching_q;
    wire [13:0] behind_first = some_first ? ahead - 14'd1 : ahead;
    always @* begin
        nth = valid ? entry : word;
        for (k = 0; k < VC_FLITS; k = k + 1) if (behind_first == k && !(some_first && ahead == 14'd0)) nth = list[k];
    end

    always @* if (began) begin
        the_oldest_is_shown_unaltered: assert (!(watched && ahead == 14'd0 && valid) || entry == its_entry);
        holds_if_one_is_left: assert (holds == (waiting != {13'd0, take}));
        wants_only_what_there_is: assert (!wants || listed != 14'd0);
        wants_only_if_it_is_free: assert (!wants || !valid || take);
        wants_whenever_it_could: assert (wants || listed == 14'd0 || fetching_q || (valid && !take));
        // Auxiliary: all that wait are in the register, under way to it, or in the memory.
        all_are_somewhere: assert (waiting == listed + {13'd0, some_first} && listed <= PLACES && !(valid && fetching_q));
        the_watched_one_is_there: assert (!watched || (ahead < waiting && nth == its_entry));
    end
    always @(posedge clk) begin
        if (began && $past(rst)) begin
            empty_after_reset: assert (!valid && entry == 32'd0 && !wants && !holds);
        end
        if (began && !$past(rst) && $past(valid && !take)) begin
            stays_until_it_is_taken: assert (valid && entry == $past(entry));
        end
    end
    always @* if (began && !rst) begin
        a_watched_one_is_taken_behind_others: cover (watched && ahead == 14'd0 && take && its_entry == 32'd7 && listed == 14'd2);
        the_next_is_fetched_as_it_is_taken: cover (take && fetch);
        full: cover (listed == PLACES);
        holds_nothing: cover (take && !holds);
    end
endmodule
