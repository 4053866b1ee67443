// `traffic_checker`: what comes to a node of the demonstrator (docs/microarchitecture/demonstrator.md), in a network where packets stay in order.
//
// Promised: of each packet its words are compared with those that "Packets of the generators" says; the order is looked at with the first beat, all other faults with the last; each fault counts once a packet, in its own counter. Flits count with
// the head flit, packets and latencies with the last beat; nothing is taken while a latency goes to the histogram, while that is cleared, or while software reads there. Said of one source, any that a solver chooses.
// Assumed: "`node`: this node, < N".
//
// Not covered: the bins of the histogram.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module traffic_checker_properties #(
    parameter PORTS = 2,
    parameter FLIT_BITS = 64
) (
    input wire                   clk,
    input wire                   rst,
    input wire [5:0]             node,
    input wire                   clear,
    input wire [31:0]            cycles,
    input wire                   read,
    input wire [5:0]             read_address,
    input wire                   s_axis_tvalid,
    input wire [FLIT_BITS-1:0]   s_axis_tdata,
    input wire [FLIT_BITS/8-1:0] s_axis_tkeep,
    input wire                   s_axis_tlast,
    input wire [15:0]            s_axis_tid,
    input wire                   s_axis_tready,
    input wire [31:0]            packets_q,
    input wire [31:0]            flits_q,
    input wire [31:0]            source_errors_q,
    input wire [31:0]            sequence_errors_q,
    input wire [31:0]            content_errors_q,
    input wire [31:0]            length_errors_q,
    input wire [31:0]            keep_errors_q,
    input wire [31:0]            latency_min_q,
    input wire [31:0]            latency_max_q,
    input wire [63:0]            latency_sum_q,
    input wire [16*PORTS-1:0]    expected_q,
    input wire                   middle_q,
    input wire [5:0]             source_q,
    input wire [9:0]             length_q,
    input wire [31:0]            sent_at_q,
    input wire [9:0]             beats_q,
    input wire                   wrong_content_q,
    input wire                   wrong_keep_q,
    input wire [31:0]            content_q,
    input wire [31:0]            latency_q,
    input wire                   record_q,
    input wire [5:0]             sweep_q
);
    localparam W = FLIT_BITS / 32;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    always @* assume (node < PORTS);
    function [31:0] step(input [31:0] x);
        step = (x >> 1) ^ (x[0] ? 32'h80200003 : 32'd0);
    endfunction

    // The packet under way, beat by beat.
    reg        inside, spoilt, short_keep;
    reg [9:0]  beats;
    reg [31:0] word0_kept, at_kept, chain, chain_now;
    wire       taken = s_axis_tvalid && s_axis_tready;
    wire       ends = taken && s_axis_tlast;
    wire [31:0] word0 = inside ? word0_kept : s_axis_tdata[31:0], at = inside ? at_kept : s_axis_tdata[63:32];
    wire [5:0]  from = word0[31:26];
    wire [31:0] begins_with = s_axis_tdata[31:0] ^ {node, 26'h3ffffff};
    wire [9:0]  count = inside ? beats + 10'd1 : 10'd1;
    reg         bad;
    integer     w;
    always @* begin
        bad = inside && spoilt;
        chain_now = inside ? chain : begins_with == 0 ? 32'd1 : begins_with;
        for (w = 0; w < W; w = w + 1) begin
            if ((inside || w >= 2) && s_axis_tdata[32*w +: 32] != chain_now) bad = 1'b1;
            chain_now = step(chain_now);
        end
    end
    wire keeps_less = (inside && short_keep) || s_axis_tkeep != {FLIT_BITS/8{1'b1}};
    wire wrong_source = from >= PORTS || from != s_axis_tid;
    wire right_first = taken && !inside && !wrong_source;
    wire [15:0] its_number = expected_q >> (16 * from);
    // Cycles in which the histogram is cleared; the latency of the packet that ended in the cycle before.
    reg [5:0]  clearing;
    reg        ended;
    reg [31:0] took;
    always @(posedge clk) begin
        if (rst) {inside, clearing, ended, took} <= 40'd0;
        else begin
            if (taken) inside <= !s_axis_tlast;
            clearing <= clear ? 6'd0 : clearing < 32 ? clearing + 6'd1 : clearing;
            ended    <= ends;
            if (ends) took <= cycles - at;
        end
        if (taken) begin
            {word0_kept, at_kept} <= {word0, at};
            beats      <= count;
            spoilt     <= bad;
            short_keep <= keeps_less;
            chain      <= chain_now;
        end
    end
    (* anyconst *) reg [5:0] one;
    always @* assume (one < PORTS);
    wire [15:0] its_expected = expected_q >> (16 * one);

    always @* if (began) begin
        ready_unless_it_is_busy: assert (s_axis_tready == (!ended && clearing == 32 && !(read && read_address >= 32)));
        // Auxiliary: the block's registers.
        knows_the_packet: assert (middle_q == inside && record_q == ended && (!ended || latency_q == took) && clearing == sweep_q && clearing <= 32
            && (!inside || ({source_q, length_q} == word0_kept[31:16] && sent_at_q == at_kept && beats_q == beats && content_q == chain && wrong_content_q == spoilt && wrong_keep_q == short_keep)));
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_0: assert (packets_q == 0 && flits_q == 0 && source_errors_q == 0 && sequence_errors_q == 0 && content_errors_q == 0 && length_errors_q == 0 && keep_errors_q == 0);
            reset_of_the_rest: assert (latency_min_q == 32'hffffffff && latency_max_q == 0 && latency_sum_q == 0 && expected_q == 0);
        end else begin
            counts_packets: assert (packets_q == ($past(clear) ? 0 : $past(packets_q) + $past(ends)));
            counts_flits: assert (flits_q == ($past(clear) ? 0 : $past(flits_q) + $past(taken) + $past(taken && !inside)));
            counts_wrong_sources: assert (source_errors_q == ($past(clear) ? 0 : $past(source_errors_q) + $past(ends && wrong_source)));
            counts_wrong_numbers: assert (sequence_errors_q == ($past(clear) ? 0 : $past(sequence_errors_q) + $past(right_first && word0[15:0] != its_number)));
            counts_wrong_contents: assert (content_errors_q == ($past(clear) ? 0 : $past(content_errors_q) + $past(ends && bad)));
            counts_wrong_lengths: assert (length_errors_q == ($past(clear) ? 0 : $past(length_errors_q) + $past(ends && count != word0[25:16])));
            counts_wrong_keeps: assert (keep_errors_q == ($past(clear) ? 0 : $past(keep_errors_q) + $past(ends && keeps_less)));
            next_number_of_a_source: assert (its_expected == ($past(right_first && from == one) ? $past(word0[15:0]) + 16'd1 : $past(its_expected)));
            least_latency: assert (latency_min_q == ($past(clear) ? 32'hffffffff : $past(ended && took < latency_min_q) ? $past(took) : $past(latency_min_q)));
            most_latency: assert (latency_max_q == ($past(clear) ? 0 : $past(ended && took > latency_max_q) ? $past(took) : $past(latency_max_q)));
            sum_of_latencies: assert (latency_sum_q == ($past(clear) ? 0 : $past(latency_sum_q) + ($past(ended) ? $past(took) : 0)));
        end
        a_packet_comes: cover (packets_q == 1 && content_errors_q == 0 && flits_q == 3 && source_errors_q == 0 && length_errors_q == 0);
        a_wrong_content: cover (packets_q == 1 && content_errors_q == 1 && length_errors_q == 0);
        a_gap: cover (sequence_errors_q == 1 && packets_q == 1);
    end
endmodule
