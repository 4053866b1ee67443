// `traffic_generator`: packets of a node of the demonstrator (docs/microarchitecture/demonstrator.md), in a network where a node's number is its address.
//
// Promised of the stream: what is offered stays until it is taken; a packet has 1 to M - 1 beats, as its first word says, with `tlast` at the last one and all bytes kept, and all of it is for one node, by the pattern: one that there is, unless software fixed another, and never this one where it
// is drawn; its words are those of "Packets of the generators": who sent it, its number among those to this node, when, then the content register step by step. It starts only while the generator runs, never before as many flits have been
// offered, and is finished whatever is written meanwhile. Counters count what the stream shows. Said of one destination, any that a solver chooses.
// Assumed: "`node`: this node, < N", which stays.
//
// Not covered: how random the numbers are.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module traffic_generator_properties #(
    parameter PORTS = 2,
    parameter MAX_PACKET_FLITS = 3,
    parameter FLIT_BITS = 64,
    // 1: a node's number is its address. In others (not `plain`) the page's table of exits says the address, which is not modelled here.
    parameter NUMBER_IS_ADDRESS = 1
) (
    input wire                   clk,
    input wire                   rst,
    input wire [5:0]             node,
    input wire                   run,
    input wire                   clear,
    input wire [31:0]            cycles,
    input wire                   write_enable,
    input wire [3:0]             write_address,
    input wire [31:0]            write_data,
    input wire                   read,
    input wire [3:0]             read_address,
    input wire                   m_axis_tready,
    input wire                   read_done,
    input wire [31:0]            read_data,
    input wire                   m_axis_tvalid,
    input wire [FLIT_BITS-1:0]   m_axis_tdata,
    input wire [FLIT_BITS/8-1:0] m_axis_tkeep,
    input wire                   m_axis_tlast,
    input wire [15:0]            m_axis_tdest,
    input wire [1:0]             pattern_q,
    input wire [5:0]             destination_q,
    input wire [9:0]             length_q,
    input wire                   enable_q,
    input wire [31:0]            packets_q,
    input wire [31:0]            flits_sent_q,
    input wire [15:0]            backlog_q,
    input wire                   first_q,
    input wire [9:0]             remaining_q,
    input wire [31:0]            header_q,
    input wire [31:0]            stamp_q,
    input wire [31:0]            content_q,
    input wire [16*PORTS-1:0]    sequence_q
);
    localparam W = FLIT_BITS / 32;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    reg [5:0] node_before;
    always @(posedge clk) node_before <= node;
    always @* begin
        assume (node < PORTS);
        if (began) assume (node == node_before);
    end

    function [31:0] step(input [31:0] x);
        step = (x >> 1) ^ (x[0] ? 32'h80200003 : 32'd0);
    endfunction
    // The register's first value for a packet.
    function [31:0] first_value(input [31:0] word0, input [5:0] to);
        first_value = (word0 ^ {to, 26'h3ffffff}) == 0 ? 32'd1 : word0 ^ {to, 26'h3ffffff};
    endfunction

    // The packet that is offered: beats that have been taken, its first word, when it was first offered; the content register.
    reg [9:0]  beat;
    reg [31:0] word0, chain, chain_now;
    reg        in_packet;
    wire       begins = m_axis_tvalid && !in_packet;
    wire       taken = m_axis_tvalid && m_axis_tready;
    wire [31:0] head = beat == 0 ? m_axis_tdata[31:0] : word0;
    wire [9:0]  beats = head[25:16];
    // Values of the cycle before.
    reg                 waits, ran_before, valid_before, last_before, taken_before, clear_before, began_before;
    reg [FLIT_BITS-1:0] data_before;
    reg [15:0]          dest_before, backlog_before;
    reg [31:0]          cycles_before, packets_before, flits_before;
    reg [1:0]           pattern_before;
    reg [5:0]           destination_before;
    reg [9:0]           length_before;
    reg [16*PORTS-1:0]  sequence_before;
    always @(posedge clk) begin
        {waits, valid_before}             <= rst ? 2'd0 : {m_axis_tvalid && !m_axis_tready, m_axis_tvalid};
        {ran_before, last_before, taken_before, clear_before} <= rst ? 4'd0 : {run && enable_q, m_axis_tlast, taken, clear};
        began_before                      <= rst ? 1'b0 : taken && beat == 0;
        data_before                       <= m_axis_tdata;
        {dest_before, backlog_before}     <= {m_axis_tdest, backlog_q};
        {cycles_before, packets_before, flits_before} <= {cycles, rst ? 64'd0 : {packets_q, flits_sent_q}};
        {pattern_before, destination_before, length_before, sequence_before} <= {pattern_q, destination_q, length_q, sequence_q};
        if (rst) {beat, in_packet} <= 11'd0;
        else begin
            in_packet <= m_axis_tvalid && !(taken && m_axis_tlast);
            if (taken) beat <= m_axis_tlast ? 10'd0 : beat + 10'd1;
        end
        if (m_axis_tvalid && beat == 0) word0 <= m_axis_tdata[31:0];
        if (taken) chain <= chain_now;
    end
    // What the words of this beat are to be.
    reg [FLIT_BITS-1:0] expected;
    integer w;
    always @* begin
        chain_now = beat == 0 ? first_value(m_axis_tdata[31:0], m_axis_tdest[5:0]) : chain;
        for (w = 0; w < W; w = w + 1) begin
            expected[32*w +: 32] = beat == 0 && w < 2 ? m_axis_tdata[32*w +: 32] : chain_now;
            chain_now = step(chain_now);
        end
    end
    reg ran_known;
    always @(posedge clk) ran_known <= began && !rst;
    (* anyconst *) reg [5:0] one;
    always @* assume (one < PORTS);
    wire [15:0] its_sequence = sequence_q >> (16 * one), its_sequence_before = sequence_before >> (16 * one);
    wire        for_one = begins && m_axis_tdest == one;
    wire [9:0]  wanted = length_before == 0 ? 10'd1 : length_before > MAX_PACKET_FLITS - 1 ? MAX_PACKET_FLITS - 1 : length_before;

    always @* if (began) begin
        waits_until_it_is_taken: assert (!waits || (m_axis_tvalid && m_axis_tdata == data_before && m_axis_tdest == dest_before && m_axis_tlast == last_before));
        goes_on_without_a_gap: assert (!in_packet || (m_axis_tvalid && m_axis_tdest == dest_before));
        as_many_beats_as_it_says: assert (!m_axis_tvalid || (beats >= 1 && beats < MAX_PACKET_FLITS && beat < beats && m_axis_tlast == (beat + 10'd1 == beats)));
        keeps_all_bytes: assert (m_axis_tkeep == {FLIT_BITS/8{1'b1}});
        says_who_sent_it: assert (!m_axis_tvalid || head[31:26] == node);
        length_is_the_registers: assert (!begins || beats == wanted);
        numbers_packets_to_a_node: assert (!for_one || (head[15:0] == its_sequence_before && its_sequence == its_sequence_before + 16'd1));
        numbers_nothing_else: assert (for_one || !ran_known || its_sequence == its_sequence_before);
        says_when: assert (!begins || m_axis_tdata[63:32] == cycles_before);
        content_is_the_registers: assert (!m_axis_tvalid || m_axis_tdata == expected);
        for_a_node_that_there_is: assert (!begins || pattern_before == 1 || m_axis_tdest < PORTS);
        not_to_itself_if_it_draws: assert (!(begins && pattern_before == 0) || m_axis_tdest != node);
        by_the_pattern: assert (!begins || pattern_before == 0 || m_axis_tdest == (pattern_before == 1 ? destination_before : pattern_before == 2 ? PORTS - 1 - node : node + 1 == PORTS ? 0 : node + 1));
        starts_only_while_it_runs: assert (!begins || ran_before);
        starts_only_what_was_offered: assert (!begins || backlog_before > beats);
        // Auxiliary: the block's registers.
        counts_what_is_left: assert (!m_axis_tvalid || (first_q == (beat == 0) && remaining_q == beats - beat && (beat == 0 || content_q == chain)));
        first_words: assert (!(m_axis_tvalid && beat == 0) || (content_q == first_value(header_q, m_axis_tdest[5:0])));
        beats_are_of_a_packet: assert (in_packet == (valid_before && !(taken_before && last_before)) && (in_packet || beat == 0));
        two_beats: cover (taken && beat == 1 && m_axis_tlast && m_axis_tdest == 1);
        stopped_meanwhile: cover (in_packet && !ran_before && m_axis_tvalid);
        second_to_a_node: cover (for_one && m_axis_tvalid && head[15:0] == 1);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_0: assert (!m_axis_tvalid && m_axis_tdest == 0 && packets_q == 0 && flits_sent_q == 0 && sequence_q == 0 && !read_done && read_data == 0);
        end else begin
            counts_packets: assert (packets_q == (clear_before ? 0 : packets_before + (taken_before && last_before)));
            counts_flits: assert (flits_sent_q == (clear_before ? 0 : flits_before + taken_before + began_before));
            answers_reads: assert (read_done == $past(read && !read_done) && (read_done || read_data == 0));
        end
    end
endmodule
