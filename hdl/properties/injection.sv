// `injection`: which packet starts, and its flits on the link (docs/microarchitecture/network_interface.md).
//
// Promised: a packet starts only if it waits and has credits for all of its flits; its flits follow each other without a gap on its VC, the head flit two cycles
// after `start`, with what the page says of it, then a beat for each `read`; no flit is sent without a credit; the VCs that can start take turns; a
// credit too many or of no VC is an error, and none is as long as credits are right.
// Assumed: a packet that waits stays, with its header, until it starts (`header_queue`), and has two flits at least and M at most ("M - 1 beats"); of the
// switch that a credit comes for a flit that has been sent, unless it is `foul`, a solver's choice. Said of one VC, any that a solver chooses.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module injection_properties #(
    parameter VC_FLITS = 9,
    parameter MAX_PACKET_FLITS = 3,
    parameter FLIT_BITS = 64,
    parameter VCS = 2
) (
    input wire                  clk,
    input wire                  rst,
    input wire [15:0]           source,
    input wire [VCS-1:0]        waiting,
    input wire [VCS*32-1:0]     header,
    input wire [FLIT_BITS-1:0]  flit,
    input wire                  hint,
    input wire                  out_credit_valid,
    input wire [2:0]            out_credit_vc,
    input wire [VCS-1:0]        start,
    input wire [VCS-1:0]        read,
    input wire                  busy,
    input wire                  out_valid,
    input wire                  out_head,
    input wire [2:0]            out_vc,
    input wire [FLIT_BITS-1:0]  out_flit,
    input wire [2:0]            out_phase,
    input wire                  out_hint,
    input wire                  credit_error,
    input wire [VCS*13-1:0]     credits_q,
    input wire [9:0]            remaining_q
);
    localparam [13:0] PLACES = VC_FLITS;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    reg ran = 1'b0, ran_1 = 1'b0;
    always @(posedge clk) begin
        ran <= began && !rst;
        ran_1 <= ran && !rst;
    end

    // One VC, any, and its packet.
    (* anyconst *) reg [2:0] one;
    always @* assume (one < VCS);
    wire [31:0] its_header = header >> (one * 32);
    wire [12:0] its_credits = credits_q >> (one * 13);
    wire its_waiting = (waiting >> one) & 1'b1, its_start = (start >> one) & 1'b1, its_read = (read >> one) & 1'b1;
    (* anyconst *) reg foul;

    // Flits of each VC that have been decided on and have no credit yet; flits of the packet under way that are still to come.
    reg [13:0] away [0:VCS-1];
    reg [VCS-1:0] waiting_1, start_1;
    reg [VCS*32-1:0] header_1;
    integer v;
    reg [13:0] away_all_right;
    always @(posedge clk) begin
        waiting_1 <= rst ? 0 : waiting;
        start_1 <= rst ? 0 : start;
        header_1 <= header;
        for (v = 0; v < VCS; v = v + 1) begin
            if (rst) away[v] <= 14'd0;
            else away[v] <= away[v] + {13'd0, start[v] || read[v]} - {13'd0, out_credit_valid && out_credit_vc == v};
        end
    end
    always @* if (began) begin
        for (v = 0; v < VCS; v = v + 1) begin
            assume (header[v*32+16 +: 10] >= 10'd2 && header[v*32+16 +: 10] <= MAX_PACKET_FLITS);
            if (waiting_1[v] && !start_1[v]) assume (waiting[v] && header[v*32 +: 32] == header_1[v*32 +: 32]);
            if (!foul && out_credit_valid && out_credit_vc == v) assume (away[v] != 14'd0);
        end
        if (!foul && out_credit_valid) assume (out_credit_vc < VCS);
    end
    wire [13:0] its_away = away[one];

    reg [9:0]  to_come;
    reg [31:0] head_1, head_2;
    reg [15:0] source_1;
    reg head_read_1, head_read_2, its_1, its_2, any_1, any_2, start_any_2;
    reg [FLIT_BITS-1:0] flit_1;
    reg hint_1, hint_2;
    reg [2:0] vc_before;
    reg [9:0] link_to_come;
    wire [9:0] its_length = its_header[25:16];
    reg [4:0] passed;
    wire could = its_waiting && {3'd0, its_length} <= its_credits;
    always @(posedge clk) begin
        head_1 <= its_header;
        head_2 <= head_1;
        its_1 <= !rst && its_start;
        its_2 <= !rst && its_1;
        any_1 <= !rst && (start != 0 || read != 0);
        any_2 <= !rst && any_1;
        start_any_2 <= !rst && start_1 != 0;
        flit_1 <= flit;
        source_1 <= source;
        hint_1 <= !rst && hint;
        hint_2 <= !rst && hint_1;
        if (out_valid) vc_before <= out_vc;
        if (rst) to_come <= 10'd0;
        else if (its_start) to_come <= its_length - 10'd1;
        else if (start == 0 && to_come != 10'd0) to_come <= to_come - 10'd1;
        if (rst) link_to_come <= 10'd0;
        else if (out_valid && out_head) link_to_come <= out_flit[25:16] - 10'd1;
        else if (out_valid) link_to_come <= link_to_come - 10'd1;
        if (rst || !could || its_start) passed <= 5'd0;
        else if (start != 0) passed <= passed + 5'd1;
    end

    always @* if (began) begin
        one_vc_at_a_time: assert ((start & (start - 1'b1)) == 0 && (read & (read - 1'b1)) == 0 && (start == 0 || read == 0));
        starts_only_if_it_waits: assert ((start & ~waiting) == 0);
        starts_only_with_credits_for_all_flits: assert (!its_start || {4'd0, its_length} <= {1'b0, its_credits});
        starts_nothing_before_the_tail: assert (start == 0 || to_come == 10'd0);
        reads_all_beats_without_a_gap: assert (to_come == 10'd0 || (its_read && start == 0));
        busy_while_it_sends: assert (busy == (start != 0 || read != 0));
        others_pass_it_once_each: assert (passed < VCS);
        starts_if_it_can: assert (!(could && remaining_q == 10'd0) || start != 0);
        always_on: assert (out_phase == 3'd0);
        if (!foul) begin
            no_flit_without_a_credit: assert (its_away <= PLACES);
            no_error_if_credits_are_right: assert (!credit_error);
        end
        if (ran_1) begin
            two_cycles_later_on_the_link: assert (out_valid == any_2 && out_head == start_any_2 && out_hint == hint_2);
            if (its_2) begin
                the_head_flit_of_its_packet: assert (out_vc == one && out_flit[31:0] == {6'd0, head_2[25:0]} && out_flit[63:32] == {10'd0, head_2[31:26], source_1} && (out_flit >> 64) == 0);
            end
            if (out_valid && !out_head) begin
                a_beat_for_each_read: assert (out_flit == flit_1);
                on_one_vc_from_head_to_tail: assert (out_vc == vc_before);
            end
            frames_are_whole: assert (out_valid && !out_head ? link_to_come != 10'd0 : link_to_come == 10'd0);
        end
    end
    always @(posedge clk) if (began && $past(rst)) begin
        idle_after_reset: assert (!out_valid && !out_head && !out_hint && out_vc == 3'd0 && out_flit == 0 && !credit_error && its_credits == PLACES[12:0]);
    end
    always @* if (began && !rst) begin
        a_long_packet_on_the_last_vc: cover (its_2 && ran_1 && one == VCS - 1 && its_header[25:16] == MAX_PACKET_FLITS && !foul);
        packets_follow_each_other: cover (!foul && out_valid && out_head && any_1 && start_any_2 && to_come == 10'd1 && vc_before != one);
        waits_for_credits: cover (!foul && its_waiting && !could && remaining_q == 10'd0 && start == 0);
        one_credit_too_many: cover (foul && credit_error);
    end
endmodule
