// `network_interface` whole, at its own ports (docs/microarchitecture/network_interface.md, AMBA AXI4-Stream, ARM IHI 0051).
//
// Promised: what the stream offers stays as it is until it is taken; the first packet that a VC is given comes on the link as it was given, beat by beat, behind a head flit that says where from, where to and how long it is;
// the first that comes in goes to the node likewise. "A packet is refused as a whole, without a trace on the link"; on the link a packet is whole and without a gap, and no flit goes without a credit; for each flit that came in
// one credit goes back at most. The statistics count by one, and what the link shows.
// Assumed: of the switch that a credit comes for a flit that it has been sent. Of the link and of the user nothing, but for the packet that is followed, whose head marks are right.
// Not covered: packets behind the first of their VC, which are said of the parts (`injection_queues`, `injection`, `reception`).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module network_interface_properties #(
    parameter VC_FLITS = 9,
    parameter MAX_PACKET_FLITS = 3,
    parameter FLIT_BITS = 64,
    parameter VCS = 2
) (
    input wire                   clk,
    input wire                   rst,
    input wire [15:0]            address,
    input wire                   clear,
    input wire                   s_axis_tvalid,
    input wire [FLIT_BITS-1:0]   s_axis_tdata,
    input wire [FLIT_BITS/8-1:0] s_axis_tkeep,
    input wire                   s_axis_tlast,
    input wire [15:0]            s_axis_tdest,
    input wire                   in_valid,
    input wire                   in_head,
    input wire [2:0]             in_vc,
    input wire [FLIT_BITS-1:0]   in_flit,
    input wire                   m_axis_tready,
    input wire                   out_credit_valid,
    input wire [2:0]             out_credit_vc,
    input wire                   s_axis_tready,
    input wire                   m_axis_tvalid,
    input wire [FLIT_BITS-1:0]   m_axis_tdata,
    input wire [FLIT_BITS/8-1:0] m_axis_tkeep,
    input wire                   m_axis_tlast,
    input wire [15:0]            m_axis_tid,
    input wire                   m_axis_tuser,
    input wire                   in_credit_valid,
    input wire [2:0]             in_credit_vc,
    input wire                   out_valid,
    input wire                   out_head,
    input wire [2:0]             out_vc,
    input wire [FLIT_BITS-1:0]   out_flit,
    input wire [2:0]             out_phase,
    input wire [319:0]           statistics
);
    localparam BYTES = FLIT_BITS / 8;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // One VC, and one of the beats of a packet.
    (* anyconst *) reg [2:0] one;
    (* anyconst *) reg [9:0] nth;
    always @* assume (one < VCS && nth < MAX_PACKET_FLITS - 1);

    // The packet from the node: its beats so far, whether one of them makes it refused; how many have been given that are good, of any VC.
    reg [9:0]           beats;
    reg                 spoilt, found;
    reg [15:0]          to_1;
    reg [FLIT_BITS-1:0] nth_beat, given_beat;
    reg [9:0]           given_length;
    reg [5:0]           given_bytes;
    reg [15:0]          given_to;
    reg [7:0]           good_packets, sent_packets;
    wire                gives = s_axis_tvalid && s_axis_tready;
    wire [15:0]         to = beats == 0 ? s_axis_tdest : to_1;
    wire                whole_keep = s_axis_tkeep == {BYTES{1'b1}};
    // "of the last one or more ones from bit 0 on": one more is a power of two.
    wire                some_keep = s_axis_tkeep[0] && (s_axis_tkeep & (s_axis_tkeep + 1'b1)) == 0;
    wire                bad = beats >= MAX_PACKET_FLITS - 1 || (s_axis_tlast ? !some_keep : !whole_keep);
    wire                good = gives && s_axis_tlast && !spoilt && !bad;
    wire                of_one = to[5:0] % VCS == one;
    integer             b;
    reg [5:0]           kept;
    always @* begin
        kept = 6'd0;
        for (b = 1; b < BYTES; b = b + 1) if (s_axis_tkeep[b]) kept = b;
    end
    always @(posedge clk) begin
        if (rst) begin
            {beats, spoilt, found, good_packets, sent_packets} <= 28'd0;
        end else begin
            if (gives) begin
                beats  <= s_axis_tlast ? 10'd0 : beats == 10'h3ff ? beats : beats + 10'd1;
                spoilt <= !s_axis_tlast && (spoilt || bad);
                to_1   <= to;
                if (beats == nth) nth_beat <= s_axis_tdata;
            end
            good_packets <= good_packets + {7'd0, good};
            sent_packets <= sent_packets + {7'd0, out_valid && out_head};
            if (good && of_one && !found) begin
                found        <= 1'b1;
                given_length <= beats + 10'd1;
                given_bytes  <= kept;
                given_to     <= to;
                given_beat   <= beats == nth ? s_axis_tdata : nth_beat;
            end
        end
    end

    reg [15:0] address_before;
    always @(posedge clk) address_before <= address;

    // The link to the switch: flits of a packet that are still to come, packets and flits of the VC, flits without a credit.
    reg [9:0]  link_to_come, link_beat;
    reg        seen, in_first;
    reg [2:0]  vc_before;
    reg [13:0] away;
    reg [31:0] flits_sent;
    reg        cleared;
    wire       its_out = out_valid && out_vc == one;
    wire       its_credit = out_credit_valid && out_credit_vc == one;
    wire       first_head = its_out && out_head && !seen;
    always @(posedge clk) begin
        if (rst) begin
            {link_to_come, seen, in_first, away, flits_sent, cleared} <= 59'd0;
        end else begin
            if (out_valid) begin
                link_to_come <= out_head ? out_flit[25:16] - 10'd1 : link_to_come - 10'd1;
                link_beat    <= out_head ? 10'd0 : link_beat + 10'd1;
                vc_before    <= out_vc;
                in_first     <= first_head || (in_first && !out_head);
            end
            seen       <= seen || (its_out && out_head);
            away       <= away + {13'd0, its_out} - {13'd0, its_credit};
            flits_sent <= flits_sent + {31'd0, out_valid};
            cleared    <= cleared || clear;
        end
    end
    always @* if (began) assume (!its_credit || away != 0);

    // The link from the switch: the first packet that comes in, if it is of this VC and nothing else has come.
    reg                 other, in_done, in_under_way;
    reg [9:0]           in_length, in_beat;
    reg [FLIT_BITS-1:0] in_nth;
    reg [15:0]          in_source;
    reg [5:0]           in_bytes;
    reg [13:0]          owed;
    wire                its_in = in_valid && in_vc == one;
    wire                its_return = in_credit_valid && in_credit_vc == one;
    wire                starts_here = its_in && !in_under_way && !in_done;
    always @* if (began && starts_here) assume (in_head && in_flit[25:16] >= 2 && in_flit[25:16] <= MAX_PACKET_FLITS && in_flit[53:48] < BYTES);
    always @* if (began && its_in && in_under_way) assume (!in_head);
    always @(posedge clk) begin
        if (rst) begin
            {other, in_done, in_under_way, owed} <= 17'd0;
        end else begin
            other <= other || (in_valid && !its_in && !in_done);
            owed  <= owed + {13'd0, its_in} - {13'd0, its_return};
            if (starts_here) begin
                in_under_way <= 1'b1;
                in_length    <= in_flit[25:16] - 10'd1;
                in_source    <= in_flit[47:32];
                in_bytes     <= in_flit[53:48];
                in_beat      <= 10'd0;
            end else if (its_in && in_under_way) begin
                if (in_beat == nth) in_nth <= in_flit;
                in_beat <= in_beat + 10'd1;
                if (in_beat + 10'd1 == in_length) {in_under_way, in_done} <= 2'b01;
            end
        end
    end
    // The stream to the node: beats of the first packet.
    reg                 stream_done, waits;
    reg [9:0]           stream_beat;
    reg [FLIT_BITS-1:0] data_before;
    reg [BYTES+17:0]    rest_before;
    wire [BYTES+17:0]   rest = {m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tuser};
    wire                first_out = m_axis_tvalid && !stream_done && in_done && !other;
    reg [BYTES-1:0]     last_keep;
    integer             l;
    always @* for (l = 0; l < BYTES; l = l + 1) last_keep[l] = l <= in_bytes;
    always @(posedge clk) begin
        if (rst) begin
            {stream_done, stream_beat, waits} <= 12'd0;
        end else begin
            waits <= m_axis_tvalid && !m_axis_tready;
            if (m_axis_tvalid && m_axis_tready) begin
                stream_beat <= stream_beat + 10'd1;
                stream_done <= stream_done || m_axis_tlast;
            end
        end
        data_before <= m_axis_tdata;
        rest_before <= rest;
    end

    always @* if (began) begin
        stream_waits_for_the_node: assert (!waits || (m_axis_tvalid && m_axis_tdata == data_before && rest == rest_before));
        only_what_was_given: assert (sent_packets <= good_packets && !(out_valid && out_head && sent_packets == good_packets));
        head_says_what_was_given: assert (!first_head || (found && out_flit[31:0] == {6'd0, given_length + 10'd1, given_to} && out_flit[53:32] == {given_bytes, address_before}));
        beats_as_they_were_given: assert (!(its_out && in_first && !out_head && link_beat == nth) || out_flit == given_beat);
        packets_are_whole: assert (out_valid && !out_head ? link_to_come != 0 : link_to_come == 0);
        without_a_gap: assert (link_to_come == 0 || (out_valid && out_vc == vc_before));
        no_flit_without_a_credit: assert (away <= VC_FLITS && (!its_out || away < VC_FLITS || its_credit));
        credits_for_flits_that_came: assert (!its_return || owed != 0);
        always_on: assert (out_phase == 0);
        first_packet_in_goes_out: assert (!first_out || (m_axis_tid == in_source && !m_axis_tuser && m_axis_tlast == (stream_beat + 10'd1 == in_length)
            && m_axis_tkeep == (m_axis_tlast ? last_keep : {BYTES{1'b1}}) && (stream_beat != nth || m_axis_tdata == in_nth)));
        nothing_before_it_is_whole: assert (!(m_axis_tvalid && !other) || in_done);
        a_packet_of_two_beats_is_sent: cover (its_out && in_first && !out_head && link_beat == 1);
        a_packet_of_two_beats_comes: cover (first_out && stream_beat == 1 && m_axis_tlast && m_axis_tready && !m_axis_tkeep[BYTES-1]);
        a_packet_is_refused: cover (gives && s_axis_tlast && (spoilt || bad) && beats == 0);
        the_node_makes_it_wait: cover (waits && first_out && stream_beat == 1);
    end
    always @(posedge clk) if (began) begin
        clear_is_0: assert (!$past(rst || clear) || statistics == 0);
        counts_flits_that_are_sent: assert ($past(rst) || rst || cleared || $past(statistics[63:32]) == flits_sent + {31'd0, out_valid});
    end
endmodule
