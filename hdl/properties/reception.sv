// `reception`: the buffers of the link from the switch, and the stream out of them (docs/microarchitecture/network_interface.md, AMBA AXI4-Stream, ARM IHI 0051).
//
// Promised: what the stream offers stays as it is until it is taken; a packet goes out once all of it is in the buffer, a beat a cycle for as long as the user takes
// them, as many beats as its header says, `tlast` with the last one, `tkeep` full but for what the header says of that; packets never mix, and VCs
// take turns; a packet of no beats is dropped. Every flit that is read gives a credit of its VC, and no other comes. Flits that find no place, or have a
// wrong head mark, are told. Said of one VC, any that a solver chooses.
// Nothing is assumed of the link: any flits may come. That the pointers of a buffer say when it is full is proved of `vc_queue`.
// Not covered: that beats leave the memory as they were stored, and that those read are the packet's own (as proved of `virtual_channel`).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module reception_properties #(
    parameter VC_FLITS = 9,
    parameter MAX_PACKET_FLITS = 3,
    parameter FLIT_BITS = 64,
    parameter VCS = 2
) (
    input wire                   clk,
    input wire                   rst,
    input wire                   in_valid,
    input wire                   in_head,
    input wire [2:0]             in_vc,
    input wire [FLIT_BITS-1:0]   in_flit,
    input wire                   m_axis_tready,
    input wire                   m_axis_tvalid,
    input wire [FLIT_BITS-1:0]   m_axis_tdata,
    input wire [FLIT_BITS/8-1:0] m_axis_tkeep,
    input wire                   m_axis_tlast,
    input wire [15:0]            m_axis_tid,
    input wire                   m_axis_tuser,
    input wire                   in_credit_valid,
    input wire [2:0]             in_credit_vc,
    input wire                   received_packet,
    input wire                   received_flit,
    input wire                   framing_error,
    input wire                   overflow_error,
    input wire [VCS-1:0]         start,
    input wire [VCS-1:0]         read,
    input wire [31:0]            chosen,
    input wire [VCS*13-1:0]      whole_q,
    input wire [VCS-1:0]         flits_full,
    input wire [VCS-1:0]         starter_request,
    input wire [VCS*10-1:0]      arriving_q,
    input wire [9:0]             remaining_q,
    input wire                   idle_q,
    input wire [VCS-1:0]         complete_q,
    input wire [VCS-1:0]         reading_q,
    input wire [VCS-1:0]         pointer_q,
    input wire [15:0]            source_q,
    input wire [5:0]             last_bytes_q
);
    localparam [13:0] PLACES = VC_FLITS;
    localparam BYTES = FLIT_BITS / 8;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    reg ran = 1'b0;
    always @(posedge clk) ran <= began && !rst;

    // One VC, any: what is on the link for it, as the page says of heads and lengths.
    (* anyconst *) reg [2:0] one;
    always @* assume (one < VCS);
    wire [12:0] its_whole = whole_q >> (one * 13);
    wire its_full = (flits_full >> one) & 1'b1;
    wire its_start = (start >> one) & 1'b1, its_read = (read >> one) & 1'b1, its_request = (starter_request >> one) & 1'b1;
    wire arrives = in_valid && in_vc == one;
    reg [13:0] flits;
    always @* if (began) assume (its_full == (flits == PLACES));
    reg [12:0] whole;
    reg [9:0]  to_come;
    wire stored = arrives && flits != PLACES;
    wire good = in_head && in_flit[25:16] >= 10'd2 && in_flit[25:16] <= MAX_PACKET_FLITS;
    wire completes = stored && (to_come == 10'd0 ? !good : to_come == 10'd1);

    // The packet that goes out: its length, beats taken so far, bytes of its last one.
    reg [9:0]  length, taken;
    reg [5:0]  last_bytes;
    reg [15:0] source;
    reg [VCS-1:0] of_vc;
    wire beat = m_axis_tvalid && m_axis_tready;
    reg [9:0] left;
    reg [4:0] passed;
    integer b;
    reg [BYTES-1:0] last_keep;
    always @* for (b = 0; b < BYTES; b = b + 1) last_keep[b] = b <= last_bytes;
    always @(posedge clk) begin
        if (rst) begin
            flits <= 14'd0;
            whole <= 13'd0;
            to_come <= 10'd0;
            left <= 10'd0;
            taken <= 10'd0;
            passed <= 5'd0;
            length <= 10'd0;
        end else begin
            flits <= flits + {13'd0, stored} - {13'd0, its_read};
            whole <= whole + {12'd0, completes} - {12'd0, its_start};
            if (stored) to_come <= to_come != 10'd0 ? to_come - 10'd1 : good ? in_flit[25:16] - 10'd1 : 10'd0;
            if (start != 0) begin
                length <= chosen[25:16];
                last_bytes <= chosen[31:26];
                source <= chosen[15:0];
                of_vc <= start;
                taken <= 10'd0;
                left <= chosen[25:16] == 10'd0 ? 10'd0 : chosen[25:16] - 10'd1;
            end else begin
                taken <= taken + {9'd0, beat};
                if (read != 0) left <= left - 10'd1;
            end
            if (!its_request || its_start) passed <= 5'd0;
            else if (start != 0) passed <= passed + 5'd1;
        end
    end

    always @* if (began) begin
        a_full_buffer_overflows: assert (!arrives || overflow_error == (flits == PLACES));
        wrong_head_marks_are_told: assert (!stored || framing_error == (to_come == 10'd0 ? !good : in_head));
        a_flit_of_no_vc_is_told: assert (!(in_valid && in_vc >= VCS) || framing_error);
        nothing_is_told_without_a_flit: assert (in_valid || (!framing_error && !overflow_error));
        starts_only_complete_packets: assert (!its_start || whole != 13'd0);
        knows_how_many_are_complete: assert (its_whole == whole);
        reads_from_one_vc: assert ((read & (read - 1'b1)) == 0 && (start & ~read) == 0);
        packets_never_mix: assert (left == 10'd0 ? read == start : start == 0 && (read == 0 || read == of_vc));
        others_pass_it_once_each: assert (passed < VCS);
        last_flit_is_a_packet: assert (received_flit == (read != 0) && received_packet == (read != 0 && left == 10'd1));
        if (ran && m_axis_tvalid) begin
            last_with_the_last_beat: assert (m_axis_tlast == (taken + 10'd2 == length));
            no_beat_too_many: assert (taken + 10'd2 <= length);
            bytes_are_kept_as_the_header_says: assert (m_axis_tkeep == (m_axis_tlast ? last_keep : {BYTES{1'b1}}));
            of_the_source_in_the_header: assert (m_axis_tid == source);
        end
        user_only_with_the_last_beat: assert (!m_axis_tuser || (m_axis_tvalid && m_axis_tlast));
    end
    // Auxiliary, for the induction.
    wire [9:0] its_arriving = arriving_q >> (one * 10);
    always @* if (began) begin
        // Each complete packet has a flit in the buffer, so that they are never more than places: their number does not wrap.
        assume (whole <= PLACES);
        knows_what_is_to_come: assert (its_arriving == to_come && remaining_q == left && idle_q == (left == 10'd0) && ((complete_q >> one) & 1'b1) == (its_whole != 13'd0) && (left == 10'd0 || (reading_q == of_vc && of_vc != 0)));
        knows_the_packet: assert (!ran || left == 10'd0 && !m_axis_tvalid || (source_q == source && last_bytes_q == last_bytes));
        counts_beats: assert (taken + {9'd0, m_axis_tvalid} + left == (length == 10'd0 ? 10'd0 : length - 10'd1));
        last_if_none_is_left: assert (!m_axis_tvalid || m_axis_tlast == (left == 10'd0));
        one_place_is_the_pointer: assert (pointer_q != 0 && (pointer_q & (pointer_q - 1'b1)) == 0 && (reading_q & (reading_q - 1'b1)) == 0);
        its_turn_once_passed: assert (VCS > 2 || passed == 5'd0 || ((pointer_q >> one) & 1'b1));
        left_in_range: assert (length == 10'd0 || left < length);
    end
    always @(posedge clk) begin
        if (began && $past(rst)) begin
            nothing_after_reset: assert (!m_axis_tvalid && !m_axis_tlast && !in_credit_valid);
        end
        if (began && !$past(rst)) begin
            if ($past(m_axis_tvalid && !m_axis_tready)) begin
                offered_until_taken: assert (m_axis_tvalid);
                stays_as_it_is: assert (m_axis_tdata == $past(m_axis_tdata) && m_axis_tkeep == $past(m_axis_tkeep) && m_axis_tlast == $past(m_axis_tlast) && m_axis_tid == $past(m_axis_tid) && m_axis_tuser == $past(m_axis_tuser));
            end
            if ($past(beat && !m_axis_tlast)) begin
                a_beat_a_cycle: assert (m_axis_tvalid);
            end
            a_credit_for_every_flit_read: assert (in_credit_valid == ($past(read) != 0) && (in_credit_valid && in_credit_vc == one) == $past(its_read));
        end
        if (began && !rst) begin
            two_packets_follow: cover (ran && beat && m_axis_tlast && start != 0 && of_vc != start);
            waits_for_the_user: cover (m_axis_tvalid && !m_axis_tready && $past(m_axis_tvalid && !m_axis_tready) && length == MAX_PACKET_FLITS);
            the_last_beat_is_cut: cover (m_axis_tvalid && m_axis_tlast && m_axis_tkeep == 1);
            a_damaged_packet: cover (beat && m_axis_tuser);
            one_is_dropped: cover (start != 0 && chosen[25:16] == 10'd0);
            an_overflow_happens: cover (overflow_error);
        end
    end
endmodule
