// Example: a powar switch of 4 ports in a design of one's own, with a node's AXI4-Streams at each port.
//
// Node n is at port n: what it sends goes into stream s_axis_n, what it receives comes out of m_axis_n. A packet is all beats up to tlast, at
// most 15; it comes out at the node that s_axis_n_tdest of its first beat names, whole, with its source in m_axis_n_tid.
// The registers of the switch (power policy, thresholds, counters) are behind the AXI4-Lite slave: docs/registers.md.
//
// The switch and its network interfaces, and the modules below them, come from
//
//   $ powar emit --top switch --preset demonstrator-4 --out build/switch
//   $ powar emit --top network-interface --preset demonstrator-4 --out build/node
//
// Other sizes: another configuration there, its name before that of the two modules; BITS; and for each node more a bundle, a place in the
// vectors of all nodes, and NODES (routing star: the address of node n is n).
`default_nettype none

module axi_stream_switch #(
    // Bits of a beat: flit_bits of the configuration.
    parameter BITS = 128
) (
    input  wire              clk,
    // In step with clk, for 16 cycles or more.
    input  wire              rst,

    // Node 0.
    input  wire              s_axis_0_tvalid,
    output wire              s_axis_0_tready,
    input  wire [BITS-1:0]   s_axis_0_tdata,
    input  wire [BITS/8-1:0] s_axis_0_tkeep,
    input  wire              s_axis_0_tlast,
    input  wire [15:0]       s_axis_0_tdest,
    output wire              m_axis_0_tvalid,
    input  wire              m_axis_0_tready,
    output wire [BITS-1:0]   m_axis_0_tdata,
    output wire [BITS/8-1:0] m_axis_0_tkeep,
    output wire              m_axis_0_tlast,
    output wire [15:0]       m_axis_0_tid,
    output wire              m_axis_0_tuser,

    // Node 1.
    input  wire              s_axis_1_tvalid,
    output wire              s_axis_1_tready,
    input  wire [BITS-1:0]   s_axis_1_tdata,
    input  wire [BITS/8-1:0] s_axis_1_tkeep,
    input  wire              s_axis_1_tlast,
    input  wire [15:0]       s_axis_1_tdest,
    output wire              m_axis_1_tvalid,
    input  wire              m_axis_1_tready,
    output wire [BITS-1:0]   m_axis_1_tdata,
    output wire [BITS/8-1:0] m_axis_1_tkeep,
    output wire              m_axis_1_tlast,
    output wire [15:0]       m_axis_1_tid,
    output wire              m_axis_1_tuser,

    // Node 2.
    input  wire              s_axis_2_tvalid,
    output wire              s_axis_2_tready,
    input  wire [BITS-1:0]   s_axis_2_tdata,
    input  wire [BITS/8-1:0] s_axis_2_tkeep,
    input  wire              s_axis_2_tlast,
    input  wire [15:0]       s_axis_2_tdest,
    output wire              m_axis_2_tvalid,
    input  wire              m_axis_2_tready,
    output wire [BITS-1:0]   m_axis_2_tdata,
    output wire [BITS/8-1:0] m_axis_2_tkeep,
    output wire              m_axis_2_tlast,
    output wire [15:0]       m_axis_2_tid,
    output wire              m_axis_2_tuser,

    // Node 3.
    input  wire              s_axis_3_tvalid,
    output wire              s_axis_3_tready,
    input  wire [BITS-1:0]   s_axis_3_tdata,
    input  wire [BITS/8-1:0] s_axis_3_tkeep,
    input  wire              s_axis_3_tlast,
    input  wire [15:0]       s_axis_3_tdest,
    output wire              m_axis_3_tvalid,
    input  wire              m_axis_3_tready,
    output wire [BITS-1:0]   m_axis_3_tdata,
    output wire [BITS/8-1:0] m_axis_3_tkeep,
    output wire              m_axis_3_tlast,
    output wire [15:0]       m_axis_3_tid,
    output wire              m_axis_3_tuser,

    // Registers of the switch.
    input  wire              s_axi_awvalid,
    output wire              s_axi_awready,
    input  wire [15:0]       s_axi_awaddr,
    input  wire              s_axi_wvalid,
    output wire              s_axi_wready,
    input  wire [31:0]       s_axi_wdata,
    input  wire [3:0]        s_axi_wstrb,
    output wire              s_axi_bvalid,
    input  wire              s_axi_bready,
    output wire [1:0]        s_axi_bresp,
    input  wire              s_axi_arvalid,
    output wire              s_axi_arready,
    input  wire [15:0]       s_axi_araddr,
    output wire              s_axi_rvalid,
    input  wire              s_axi_rready,
    output wire [31:0]       s_axi_rdata,
    output wire [1:0]        s_axi_rresp,

    // Port p has power: it is on, or it drains before it goes off.
    output wire [3:0]        on
);
    localparam NODES = 4;

    // Stream n of each signal in a vector: its tdata is s_axis_tdata[n*BITS +: BITS].
    wire [NODES-1:0]      s_axis_tvalid = {s_axis_3_tvalid, s_axis_2_tvalid, s_axis_1_tvalid, s_axis_0_tvalid};
    wire [NODES*BITS-1:0] s_axis_tdata  = {s_axis_3_tdata, s_axis_2_tdata, s_axis_1_tdata, s_axis_0_tdata};
    wire [NODES*BITS/8-1:0] s_axis_tkeep  = {s_axis_3_tkeep, s_axis_2_tkeep, s_axis_1_tkeep, s_axis_0_tkeep};
    wire [NODES-1:0]      s_axis_tlast  = {s_axis_3_tlast, s_axis_2_tlast, s_axis_1_tlast, s_axis_0_tlast};
    wire [NODES*16-1:0]   s_axis_tdest  = {s_axis_3_tdest, s_axis_2_tdest, s_axis_1_tdest, s_axis_0_tdest};
    wire [NODES-1:0]      m_axis_tready = {m_axis_3_tready, m_axis_2_tready, m_axis_1_tready, m_axis_0_tready};
    wire [NODES-1:0]      s_axis_tready, m_axis_tvalid, m_axis_tlast, m_axis_tuser;
    wire [NODES*BITS-1:0] m_axis_tdata;
    wire [NODES*BITS/8-1:0] m_axis_tkeep;
    wire [NODES*16-1:0]   m_axis_tid;
    assign {s_axis_3_tready, s_axis_2_tready, s_axis_1_tready, s_axis_0_tready} = s_axis_tready;
    assign {m_axis_3_tvalid, m_axis_2_tvalid, m_axis_1_tvalid, m_axis_0_tvalid} = m_axis_tvalid;
    assign {m_axis_3_tdata, m_axis_2_tdata, m_axis_1_tdata, m_axis_0_tdata} = m_axis_tdata;
    assign {m_axis_3_tkeep, m_axis_2_tkeep, m_axis_1_tkeep, m_axis_0_tkeep} = m_axis_tkeep;
    assign {m_axis_3_tlast, m_axis_2_tlast, m_axis_1_tlast, m_axis_0_tlast} = m_axis_tlast;
    assign {m_axis_3_tid, m_axis_2_tid, m_axis_1_tid, m_axis_0_tid} = m_axis_tid;
    assign {m_axis_3_tuser, m_axis_2_tuser, m_axis_1_tuser, m_axis_0_tuser} = m_axis_tuser;

    // Links, named as the switch sees them: in_* towards the switch, out_* away from it.
    wire [NODES-1:0]      in_valid, in_head, in_hint, in_credit_valid;
    wire [NODES-1:0]      out_valid, out_head, out_credit_valid;
    wire [NODES*3-1:0]    in_vc, in_phase, in_credit_vc, out_vc, out_credit_vc, phase;
    wire [NODES*BITS-1:0] in_flit, out_flit;

    // For whoever watches the switch; network interfaces need none of them. The name keeps Verilator quiet.
    wire [NODES-1:0]      unused_hint, unused_held, unused_grantable, unused_preferred, unused_ready;
    wire [NODES*3-1:0]    unused_phase, unused_level;

    demonstrator_4_powar_switch network (
        .clk              (clk),
        .rst              (rst),
        // Where the switch is in its network: there is one.
        .position         (16'd0),
        .stage            (4'd0),
        .in_valid         (in_valid),
        .in_head          (in_head),
        .in_vc            (in_vc),
        .in_flit          (in_flit),
        .in_phase         (in_phase),
        .in_hint          (in_hint),
        .in_credit_valid  (in_credit_valid),
        .in_credit_vc     (in_credit_vc),
        .out_valid        (out_valid),
        .out_head         (out_head),
        .out_vc           (out_vc),
        .out_flit         (out_flit),
        .out_credit_valid (out_credit_valid),
        .out_credit_vc    (out_credit_vc),
        .s_axi_awvalid    (s_axi_awvalid),
        .s_axi_awready    (s_axi_awready),
        .s_axi_awaddr     (s_axi_awaddr),
        .s_axi_wvalid     (s_axi_wvalid),
        .s_axi_wready     (s_axi_wready),
        .s_axi_wdata      (s_axi_wdata),
        .s_axi_wstrb      (s_axi_wstrb),
        .s_axi_bvalid     (s_axi_bvalid),
        .s_axi_bready     (s_axi_bready),
        .s_axi_bresp      (s_axi_bresp),
        .s_axi_arvalid    (s_axi_arvalid),
        .s_axi_arready    (s_axi_arready),
        .s_axi_araddr     (s_axi_araddr),
        .s_axi_rvalid     (s_axi_rvalid),
        .s_axi_rready     (s_axi_rready),
        .s_axi_rdata      (s_axi_rdata),
        .s_axi_rresp      (s_axi_rresp),
        .phase            (phase),
        .out_phase        (unused_phase),
        .out_hint         (unused_hint),
        .held             (unused_held),
        .grantable        (unused_grantable),
        .preferred        (unused_preferred),
        .ready            (unused_ready),
        .level            (unused_level)
    );

    genvar n;
    generate
        for (n = 0; n < NODES; n = n + 1) begin : node
            localparam [15:0] ADDRESS = n;

            wire [319:0] unused_statistics;

            demonstrator_4_network_interface nic (
                .clk              (clk),
                .rst              (rst),
                .address          (ADDRESS),
                // Its counters: never cleared, and not looked at here.
                .clear            (1'b0),
                .statistics       (unused_statistics),
                .s_axis_tvalid    (s_axis_tvalid[n]),
                .s_axis_tready    (s_axis_tready[n]),
                .s_axis_tdata     (s_axis_tdata[n*BITS +: BITS]),
                .s_axis_tkeep     (s_axis_tkeep[n*BITS/8 +: BITS/8]),
                .s_axis_tlast     (s_axis_tlast[n]),
                .s_axis_tdest     (s_axis_tdest[n*16 +: 16]),
                .m_axis_tvalid    (m_axis_tvalid[n]),
                .m_axis_tready    (m_axis_tready[n]),
                .m_axis_tdata     (m_axis_tdata[n*BITS +: BITS]),
                .m_axis_tkeep     (m_axis_tkeep[n*BITS/8 +: BITS/8]),
                .m_axis_tlast     (m_axis_tlast[n]),
                .m_axis_tid       (m_axis_tid[n*16 +: 16]),
                .m_axis_tuser     (m_axis_tuser[n]),
                // What the interface sends comes into the switch, and the other way round.
                .out_valid        (in_valid[n]),
                .out_head         (in_head[n]),
                .out_vc           (in_vc[n*3 +: 3]),
                .out_flit         (in_flit[n*BITS +: BITS]),
                .out_phase        (in_phase[n*3 +: 3]),
                .out_hint         (in_hint[n]),
                .out_credit_valid (in_credit_valid[n]),
                .out_credit_vc    (in_credit_vc[n*3 +: 3]),
                .in_valid         (out_valid[n]),
                .in_head          (out_head[n]),
                .in_vc            (out_vc[n*3 +: 3]),
                .in_flit          (out_flit[n*BITS +: BITS]),
                .in_credit_valid  (out_credit_valid[n]),
                .in_credit_vc     (out_credit_vc[n*3 +: 3])
            );

            // Phases 0 On and 5 Draining.
            assign on[n] = (phase[n*3 +: 3] == 3'd0) | (phase[n*3 +: 3] == 3'd5);
        end
    endgenerate
endmodule

`default_nettype wire
