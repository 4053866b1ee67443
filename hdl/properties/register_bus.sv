// `register_bus` keeps to the rules of its bus, as `axi4_lite_slave.sv` says them; what it asks of the words' owners is free, and so is what
// they answer. Not covered: which word an address reads, and what a write changes; that is checked in lock-step.
module register_bus_properties (
    input wire        clk,
    input wire        rst,
    input wire        s_axi_awvalid,
    input wire        s_axi_awready,
    input wire [15:0] s_axi_awaddr,
    input wire        s_axi_wvalid,
    input wire        s_axi_wready,
    input wire [31:0] s_axi_wdata,
    input wire [3:0]  s_axi_wstrb,
    input wire        s_axi_bvalid,
    input wire        s_axi_bready,
    input wire [1:0]  s_axi_bresp,
    input wire        s_axi_arvalid,
    input wire        s_axi_arready,
    input wire [15:0] s_axi_araddr,
    input wire        s_axi_rvalid,
    input wire        s_axi_rready,
    input wire [1:0]  s_axi_rresp,
    input wire [31:0] s_axi_rdata,
    input wire        read_done,
    input wire        reading_q
);
    axi4_lite_slave_properties rules (
        .clk     (clk),
        .rst     (rst),
        .awvalid (s_axi_awvalid),
        .awready (s_axi_awready),
        .awaddr  (s_axi_awaddr),
        .wvalid  (s_axi_wvalid),
        .wready  (s_axi_wready),
        .wdata   (s_axi_wdata),
        .wstrb   (s_axi_wstrb),
        .bvalid  (s_axi_bvalid),
        .bready  (s_axi_bready),
        .bresp   (s_axi_bresp),
        .arvalid (s_axi_arvalid),
        .arready (s_axi_arready),
        .araddr  (s_axi_araddr),
        .rvalid  (s_axi_rvalid),
        .rready  (s_axi_rready),
        .rresp   (s_axi_rresp),
        .rdata   (s_axi_rdata),
        .done    (read_done),
        .reading (reading_q)
    );
endmodule
