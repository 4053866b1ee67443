// `injection_queues`: from the node's AXI4-Stream to a queue for each VC (docs/microarchitecture/network_interface.md).
//
// Promised: a packet is either kept whole, or refused as a whole without a trace, under the first reason that holds: too long, a beat's `tkeep` is wrong, empty. Of one that
// is kept, every beat goes to the queue of the VC of its first beat's `tdest`, and its header says that destination, its length and the
// bytes of its last beat. What is refused is taken all the same, whatever is full; what is not waits only for its queue. No beat is taken twice or left out.
// Assumed: a beat is read only if the VC has one of a complete packet ("a packet starts on the link only once it is complete"), one VC at a time; `start` "only if
// `waiting`". Nothing is assumed of the stream: what waits may even change.
// Not covered: that beats leave the memory as they were stored (`packet_queue` proves places and order).
module injection_queues_properties #(
    parameter MAX_PACKET_FLITS = 3,
    parameter FLIT_BITS = 64,
    parameter VCS = 2
) (
    input wire                   clk,
    input wire                   rst,
    input wire                   s_axis_tvalid,
    input wire [FLIT_BITS-1:0]   s_axis_tdata,
    input wire [FLIT_BITS/8-1:0] s_axis_tkeep,
    input wire                   s_axis_tlast,
    input wire [15:0]            s_axis_tdest,
    input wire [VCS-1:0]         start,
    input wire [VCS-1:0]         read,
    input wire                   s_axis_tready,
    input wire [VCS-1:0]         waiting,
    input wire                   refused_long,
    input wire                   refused_keep,
    input wire                   refused_empty,
    input wire                   take,
    input wire                   store,
    input wire                   commit,
    input wire                   discard,
    input wire [31:0]            entry,
    input wire [VCS-1:0]         queue_store,
    input wire [VCS-1:0]         queue_commit,
    input wire [VCS-1:0]         queue_discard,
    input wire [VCS-1:0]         queue_full,
    input wire [VCS-1:0]         headers_push,
    input wire                   beat_valid_q,
    input wire [FLIT_BITS-1:0]   beat_data_q,
    input wire [9:0]             beats_q
);
    localparam BYTES = FLIT_BITS / 8;
    localparam [9:0] MOST = MAX_PACKET_FLITS - 1;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    always @* if (began) assume ((start & ~waiting) == 0);

    // A beat of the stream: bytes that it keeps, and whether they are some from byte 0 on.
    reg [5:0] bytes;
    reg from_zero;
    integer b;
    always @* begin
        bytes = 6'd0;
        from_zero = s_axis_tkeep[0];
        for (b = 0; b < BYTES; b = b + 1) begin
            if (s_axis_tkeep[b]) bytes = bytes + 6'd1;
            if (b > 0 && s_axis_tkeep[b] && !s_axis_tkeep[b-1]) from_zero = 1'b0;
        end
    end
    wire right_keep = s_axis_tlast ? from_zero : &s_axis_tkeep;
    wire beat = s_axis_tvalid && s_axis_tready;

    // The packet on the stream, and the beat of it that was taken last: what is known of it as long as it is not decided on.
    reg        there, its_last, long, wrong, empty, first;
    reg [10:0] beats;
    reg [5:0]  its_bytes;
    reg [15:0] its_destination;
    reg [FLIT_BITS-1:0] its_data;
    wire [10:0] beats_now = first ? 11'd1 : beats + {10'd0, beats != 11'd1100};
    // Beats of it in the queue.
    reg [10:0] queued;
    wire [VCS-1:0] its_vc = 1 << (its_destination[5:0] % VCS);
    wire good = !long && !wrong && !empty;
    always @(posedge clk) begin
        if (rst) begin
            there <= 1'b0;
            first <= 1'b1;
            queued <= 11'd0;
        end else begin
            if (beat) begin
                there <= 1'b1;
                first <= s_axis_tlast;
                beats <= beats_now;
                its_last <= s_axis_tlast;
                long <= (!first && long) || beats_now > {1'b0, MOST};
                empty <= first && s_axis_tlast && s_axis_tkeep == 0;
                wrong <= (!first && wrong) || (!right_keep && !(first && s_axis_tlast && s_axis_tkeep == 0));
                its_bytes <= bytes;
                its_data <= s_axis_tdata;
                if (first) its_destination <= s_axis_tdest;
            end else if (take) begin
                there <= 1'b0;
            end
            if (commit || discard) queued <= 11'd0;
            else if (store) queued <= queued + 11'd1;
        end
    end
    wire decided = take && its_last;

    always @* if (began && !rst) begin
        takes_each_beat_once: assert (beat_valid_q == there && (!take || there));
        ready_if_it_can_take_one: assert (s_axis_tready == (!there || take));
        kept_if_it_is_good: assert (commit == (decided && good));
        kept_whole: assert (!commit || queued + 11'd1 == beats);
        refused_without_a_trace: assert (!(decided && !good) || queued == 11'd0 || discard);
        nothing_is_stored_of_a_refused_one: assert (!store || good);
        gives_up_what_it_stored: assert (!discard || {1'b0, beats_q} == queued);
        too_long_is_the_first_reason: assert (refused_long == (decided && long));
        then_wrong_bytes: assert (refused_keep == (decided && !long && wrong));
        then_empty: assert (refused_empty == (decided && !long && !wrong && empty));
        the_beat_of_the_stream: assert (!store || beat_data_q == its_data);
        to_the_vc_of_its_destination: assert (queue_store == (store ? its_vc : {VCS{1'b0}}) && queue_commit == (commit ? its_vc : {VCS{1'b0}}) && headers_push == queue_commit);
        discarded_where_it_was_stored: assert (queue_discard == (discard ? its_vc : {VCS{1'b0}}));
        header_of_the_packet: assert (!commit || (entry[15:0] == its_destination && {1'b0, entry[25:16]} == beats + 11'd1 && entry[31:26] == its_bytes - 6'd1));
        refused_ones_wait_for_nothing: assert (!(there && !good) || take);
        others_wait_for_their_queue_alone: assert (!(there && good) || take == ((queue_full & its_vc) == 0));
        // Auxiliary: beats are counted up to the most.
        counts_beats: assert (there ? (its_last || beats != 0) && (long ? beats_q == MOST : {1'b0, beats_q} + 11'd1 == beats) : first ? beats_q == 10'd0 : (long ? beats_q == MOST : {1'b0, beats_q} == beats));
    end
    always @* if (began && !rst) begin
        a_packet_is_kept: cover (commit && beats == {1'b0, MOST} && its_bytes == 6'd3 && its_vc[VCS-1]);
        too_long: cover (refused_long && discard == 0);
        wrong_bytes: cover (refused_keep && queued != 0);
        an_empty_one: cover (refused_empty);
        waits_for_its_queue: cover (there && !take);
    end
endmodule
