// `crossing_receiver`: the receiver's half of a link that crosses clocks (docs/microarchitecture/crossing.md).
//
// Promised: entries are read in their order, each once, and none before it was stored; the link shows the entry that was read in the cycle before; without a new
// one no flit, and phase and hint of the last one, `On` before the first; credits are counted for the other half in Gray code, those of a VC
// that there is.
// Assumed of the other half: `written_gray` is the Gray code of the "entries stored", F more than those read at most; between two cycles they may move on by any
// number. Of the entry memory: its output stays until the next read. Said of one VC, any that a solver chooses.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module crossing_receiver_properties #(
    parameter VCS = 2,
    parameter BITS_written_gray = 4,
    parameter BITS_credit_gray = 8
) (
    input wire                         clk,
    input wire                         rst,
    input wire [BITS_written_gray-1:0] written_gray,
    input wire [8:0]                   entry,
    input wire                         out_credit_valid,
    input wire [2:0]                   out_credit_vc,
    input wire                         fetch,
    input wire [BITS_written_gray-2:0] place,
    input wire [BITS_written_gray-1:0] read_gray,
    input wire [BITS_credit_gray-1:0]  credit_gray,
    input wire                         out_valid,
    input wire                         out_head,
    input wire [2:0]                   out_vc,
    input wire [2:0]                   out_phase,
    input wire                         out_hint,
    input wire [BITS_written_gray-1:0] read_count,
    input wire [BITS_credit_gray-1:0]  returned_count
);
    localparam P = BITS_written_gray;
    localparam B = BITS_credit_gray / VCS;
    localparam [P-1:0] ENTRIES = 1 << (P - 1);

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Entries stored, now and as they were one and two cycles before; entries read.
    (* anyseq *) reg [P-1:0] stores;
    reg [P-1:0] stored, stored_1, stored_2, read;
    reg fetched, told;
    reg [8:0] entry_1;
    wire [P-1:0] in_queue = stored - read;
    always @(posedge clk) begin
        stored <= rst ? 0 : stored + stores;
        stored_1 <= rst ? 0 : stored;
        stored_2 <= rst ? 0 : stored_1;
        read <= rst ? 0 : read + {{P-1{1'b0}}, fetch};
        fetched <= !rst && fetch;
        told <= !rst && (told || fetch);
        entry_1 <= entry;
    end
    always @* if (began) begin
        assume (stores <= ENTRIES - in_queue);
        assume (written_gray == (stored ^ (stored >> 1)));
        assume (fetched || entry == entry_1);
    end

    // Credits of one VC, any.
    (* anyconst *) reg [2:0] one;
    always @* assume (one < VCS);
    reg [B-1:0] credits;
    wire [B-1:0] its_gray = credit_gray >> (one * B), its_count = returned_count >> (one * B);
    always @(posedge clk) credits <= rst ? 0 : credits + {{B-1{1'b0}}, out_credit_valid && out_credit_vc == one};

    always @* if (began) begin
        each_once_in_order: assert (read_count == read && place == read[P-2:0] && read_gray == (read ^ (read >> 1)));
        none_before_it_was_stored: assert (!fetch || in_queue != 0);
        reads_what_is_seen: assert (fetch == (read != stored_2));
        never_more_in_the_queue_than_places: assert (in_queue <= ENTRIES && stored_2 - read <= in_queue);
        a_flit_once: assert (out_valid == (fetched && entry[8]));
        what_the_entry_says: assert (!out_valid || (out_head == entry[0] && out_vc == entry[3:1]));
        phase_and_hint_of_the_last_entry: assert (told ? out_phase == entry[6:4] && out_hint == entry[7] : out_phase == 3'd0 && !out_hint);
        counts_credits_in_gray_code: assert (its_count == credits && its_gray == (credits ^ (credits >> 1)));
        // Auxiliary: what was seen is not ahead of what is.
        seen_a_little_late: assert (stored_1 - read <= in_queue && stored_2 - read <= stored_1 - read);
    end
    always @(posedge clk) begin
        if (began && $past(rst)) begin
            nothing_after_reset: assert (!out_valid && out_phase == 3'd0 && !out_hint && read_gray == 0 && credit_gray == 0);
        end
        if (began && !$past(rst) && !$past(fetch)) begin
            phase_and_hint_stay: assert (out_phase == $past(out_phase) && out_hint == $past(out_hint) && !out_valid);
        end
    end
    always @* if (began && !rst) begin
        flits_follow_each_other: cover (fetched && out_valid && fetch && in_queue == ENTRIES - 1);
        a_phase_without_a_flit: cover (fetched && !out_valid && out_phase == 3'd5);
        the_places_go_round: cover (fetch && place == 0 && read != 0);
        a_credit_of_no_vc: cover (out_credit_valid && out_credit_vc == 3'd7 && credits == 2);
    end
endmodule
