// `powar_switch`: a whole switch, seen from its links (docs/microarchitecture/switch.md).
//
// Promised: nothing is created, altered or doubled: of whatever flit, as many have left as have come in at most (said of one flit and its output port, any that a
// solver chooses); a packet alone in an empty switch whose ports are on leaves 8 cycles after it came, at the port of its node, head and
// tail on one VC; every flit that leaves the buffer gives one credit.
// Assumed of the links, as the page says: flits of a packet come in order, its head flit says how many; phases are `On`; a node exists; its registers are not written; and, within the depth that is
// looked at, that no credit comes back, of which the buffer behind has enough.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module powar_switch_properties #(
    parameter PORTS = 2,
    parameter VC_FLITS = 8,
    parameter MAX_PACKET_FLITS = 2
) (
    input wire                 clk,
    input wire                 rst,
    input wire [PORTS-1:0]     in_valid,
    input wire [PORTS-1:0]     in_head,
    input wire [3*PORTS-1:0]   in_vc,
    input wire [3*PORTS-1:0]   in_phase,
    input wire [32*PORTS-1:0]  in_flit,
    input wire [PORTS-1:0]     out_credit_valid,
    input wire [PORTS-1:0]     out_valid,
    input wire [PORTS-1:0]     out_head,
    input wire [3*PORTS-1:0]   out_vc,
    input wire [32*PORTS-1:0]  out_flit,
    input wire [PORTS-1:0]     in_credit_valid,
    input wire                 s_axi_awvalid,
    input wire                 s_axi_wvalid
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* assume (rst == !began);

    // The links.
    reg [9:0] to_come [0:PORTS-1];
    integer p;
    always @* if (began) begin
        assume (out_credit_valid == 0 && in_phase == 0 && in_vc == 0 && !s_axi_awvalid && !s_axi_wvalid);
        for (p = 0; p < PORTS; p = p + 1) begin
            if (in_valid[p]) assume (in_head[p] == (to_come[p] == 10'd0));
            if (in_valid[p] && in_head[p]) assume (in_flit[p*32+16 +: 10] != 10'd0 && in_flit[p*32+16 +: 10] <= MAX_PACKET_FLITS && in_flit[p*32 +: 16] < PORTS);
        end
    end
    always @(posedge clk) begin
        for (p = 0; p < PORTS; p = p + 1) begin
            if (rst) to_come[p] <= 10'd0;
            else if (in_valid[p]) to_come[p] <= in_head[p] ? in_flit[p*32+16 +: 10] - 10'd1 : to_come[p] - 10'd1;
        end
    end

    // A flit, any: how many of it have come in, and have left; all flits.
    (* anyconst *) reg [31:0] one;
    reg [5:0] came, left, came_now, left_now, all_came, all_left, all_came_now, all_left_now, credits, credits_now;
    always @* begin
        came_now = 6'd0;
        left_now = 6'd0;
        all_came_now = 6'd0;
        all_left_now = 6'd0;
        credits_now = 6'd0;
        for (p = 0; p < PORTS; p = p + 1) begin
            if (in_valid[p]) all_came_now = all_came_now + 6'd1;
            if (out_valid[p]) all_left_now = all_left_now + 6'd1;
            if (in_credit_valid[p]) credits_now = credits_now + 6'd1;
            if (in_valid[p] && in_flit[p*32 +: 32] == one) came_now = came_now + 6'd1;
            if (out_valid[p] && out_flit[p*32 +: 32] == one) left_now = left_now + 6'd1;
        end
    end
    reg [9:0] alone_for;
    reg [31:0] first_flit;
    reg first_there;
    always @(posedge clk) begin
        if (rst) begin
            came <= 6'd0;
            left <= 6'd0;
            all_came <= 6'd0;
            all_left <= 6'd0;
            credits <= 6'd0;
            first_there <= 1'b0;
            alone_for <= 10'd0;
        end else begin
            came <= came + came_now;
            left <= left + left_now;
            all_came <= all_came + all_came_now;
            all_left <= all_left + all_left_now;
            credits <= credits + credits_now;
            if (!first_there && in_valid == 1 && all_came == 6'd0) begin
                first_there <= 1'b1;
                first_flit <= in_flit[31:0];
                alone_for <= 10'd1;
            end else if (first_there) begin
                alone_for <= alone_for + 10'd1;
            end
        end
    end
    wire alone = first_there && all_came == 6'd1 || first_there && all_came == 6'd2 && first_flit[25:16] == 10'd2;

    always @* if (began && !rst) begin
        nothing_is_created_altered_or_doubled: assert (left + left_now <= came);
        no_more_leave_than_came: assert (all_left + all_left_now <= all_came);
        a_credit_for_each_that_leaves_the_buffer: assert (all_left + all_left_now <= credits && credits + credits_now <= all_came);
        if (alone && alone_for == 10'd8) begin
            eight_cycles_from_link_to_link: assert (out_valid == 1 << first_flit[15:0] && out_head == out_valid && (out_flit >> (first_flit[15:0] * 32) & 32'hffffffff) == first_flit);
        end
        nothing_sooner: assert (alone_for >= 10'd8 || !first_there || (all_left == 6'd0 && out_valid == 0));
        a_packet_leaves: cover (left_now != 0 && one[31:26] == 6'd9);
        one_that_is_alone_leaves: cover (alone && alone_for == 10'd8 && out_valid == 2);
        both_ports_at_once: cover (out_valid == 3);
    end
endmodule
