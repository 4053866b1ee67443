// A memory of either side, seen as what goes into it and what comes out: where what is written goes and what it is, which word is read; what is read may be anything, and the same on both sides. If all that goes in is equal on
// both sides, so is what they hold.
(* techmap_celltype = "$mem_v2" *)
module memory_cut (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
    parameter MEMID = "";
    parameter SIZE = 1;
    parameter OFFSET = 0;
    parameter ABITS = 1;
    parameter WIDTH = 1;
    parameter signed INIT = 1'bx;
    parameter RD_PORTS = 1;
    parameter RD_CLK_ENABLE = 0;
    parameter RD_CLK_POLARITY = 1;
    parameter RD_TRANSPARENCY_MASK = 0;
    parameter RD_COLLISION_X_MASK = 0;
    parameter RD_WIDE_CONTINUATION = 0;
    parameter RD_CE_OVER_SRST = 0;
    parameter RD_ARST_VALUE = 0;
    parameter RD_SRST_VALUE = 0;
    parameter RD_INIT_VALUE = 0;
    parameter WR_PORTS = 1;
    parameter WR_CLK_ENABLE = 1;
    parameter WR_CLK_POLARITY = 1;
    parameter WR_PRIORITY_MASK = 0;
    parameter WR_WIDE_CONTINUATION = 0;

    input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
    input [RD_PORTS*ABITS-1:0] RD_ADDR;
    output [RD_PORTS*WIDTH-1:0] RD_DATA;
    input [WR_PORTS-1:0] WR_CLK;
    input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
    input [WR_PORTS*ABITS-1:0] WR_ADDR;

    (* keep *) wire [RD_PORTS*ABITS-1:0] cut_read_address = RD_ADDR;
    (* keep *) wire [WR_PORTS*WIDTH-1:0] cut_write = WR_EN;
    (* keep *) wire [WR_PORTS*WIDTH-1:0] cut_write_data = WR_DATA & WR_EN;
    (* keep *) wire [WR_PORTS*ABITS-1:0] cut_write_address;
    (* keep *) wire [RD_PORTS*WIDTH-1:0] cut_read_data;
    assign RD_DATA = cut_read_data;

    genvar p;
    generate
        for (p = 0; p < WR_PORTS; p = p + 1) begin : g_port
            assign cut_write_address[p*ABITS +: ABITS] = WR_ADDR[p*ABITS +: ABITS] & {ABITS{|WR_EN[p*WIDTH +: WIDTH]}};
        end
    endgenerate
endmodule
