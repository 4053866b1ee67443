// `register_bus` beside the rules of its bus: what is proved of it. `reading` is joined to the register of that name once both are flat.
module register_bus_proof (
    input wire        clk,
    input wire        rst,
    input wire        s_axi_awvalid,
    input wire [15:0] s_axi_awaddr,
    input wire        s_axi_wvalid,
    input wire [31:0] s_axi_wdata,
    input wire [3:0]  s_axi_wstrb,
    input wire        s_axi_bready,
    input wire        s_axi_arvalid,
    input wire [15:0] s_axi_araddr,
    input wire        s_axi_rready,
    input wire        read_done,
    input wire [31:0] read_data
);
    wire        s_axi_awready, s_axi_wready, s_axi_arready;
    wire        s_axi_bvalid, s_axi_rvalid;
    wire [1:0]  s_axi_bresp, s_axi_rresp;
    wire [31:0] s_axi_rdata;
    (* keep *)
    wire        reading;

    // What it asks of the words' owners is free, and so is what they answer.
    register_bus dut (
        .clk           (clk),
        .rst           (rst),
        .s_axi_awvalid (s_axi_awvalid),
        .s_axi_awaddr  (s_axi_awaddr),
        .s_axi_wvalid  (s_axi_wvalid),
        .s_axi_wdata   (s_axi_wdata),
        .s_axi_wstrb   (s_axi_wstrb),
        .s_axi_bready  (s_axi_bready),
        .s_axi_arvalid (s_axi_arvalid),
        .s_axi_araddr  (s_axi_araddr),
        .s_axi_rready  (s_axi_rready),
        .read_done     (read_done),
        .read_data     (read_data),
        .s_axi_awready (s_axi_awready),
        .s_axi_wready  (s_axi_wready),
        .s_axi_arready (s_axi_arready),
        .s_axi_bvalid  (s_axi_bvalid),
        .s_axi_bresp   (s_axi_bresp),
        .s_axi_rvalid  (s_axi_rvalid),
        .s_axi_rresp   (s_axi_rresp),
        .s_axi_rdata   (s_axi_rdata)
    );

    axi4_lite_slave_properties properties (
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
        .reading (reading)
    );
endmodule
