// `axi_lite_decoder`: one master, several slaves (docs/microarchitecture/demonstrator.md).
//
// Promised: an access goes to the slave in whose window its address is, to it alone, as the master gave it, and stays until it is taken; one that is in no window is answered with SLVERR, so that none is left without an
// answer; each access has one answer, which is that slave's and stays until it is taken. One write and one read at a time.
// Assumed, as AXI4-Lite has it (ARM IHI 0022, A3.2.1, A3.3.1): the master's requests stay until they are taken; a slave answers only what it has taken, once.
//
// Not covered: nothing.
// verilator lint_off WIDTH
module axi_lite_decoder_properties #(
    parameter BITS_m_axi_awvalid = 2
) (
    input wire                             clk,
    input wire                             rst,
    input wire                             s_axi_awvalid,
    input wire [31:0]                      s_axi_awaddr,
    input wire                             s_axi_wvalid,
    input wire [31:0]                      s_axi_wdata,
    input wire [3:0]                       s_axi_wstrb,
    input wire                             s_axi_bready,
    input wire                             s_axi_arvalid,
    input wire [31:0]                      s_axi_araddr,
    input wire                             s_axi_rready,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_awready,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_wready,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_bvalid,
    input wire [2*BITS_m_axi_awvalid-1:0]  m_axi_bresp,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_arready,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_rvalid,
    input wire [32*BITS_m_axi_awvalid-1:0] m_axi_rdata,
    input wire [2*BITS_m_axi_awvalid-1:0]  m_axi_rresp,
    input wire                             s_axi_awready,
    input wire                             s_axi_wready,
    input wire                             s_axi_bvalid,
    input wire [1:0]                       s_axi_bresp,
    input wire                             s_axi_arready,
    input wire                             s_axi_rvalid,
    input wire [31:0]                      s_axi_rdata,
    input wire [1:0]                       s_axi_rresp,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_awvalid,
    input wire [15:0]                      m_axi_awaddr,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_wvalid,
    input wire [31:0]                      m_axi_wdata,
    input wire [3:0]                       m_axi_wstrb,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_bready,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_arvalid,
    input wire [15:0]                      m_axi_araddr,
    input wire [BITS_m_axi_awvalid-1:0]    m_axi_rready
);
    localparam M = BITS_m_axi_awvalid;
    localparam [1:0] SLVERR = 2'd2;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Any one of the slaves.
    (* anyconst *) reg [2:0] one;
    always @* assume (one < M);

    // A write is under way; where to, and what of it the slave has taken; its answer is there.
    reg         writing, w_known, aw_taken, w_taken, w_answered;
    reg  [15:0] w_window, w_address;
    reg  [31:0] w_word;
    reg  [3:0]  w_strobe;
    reg  [1:0]  w_response;
    wire        w_mine = writing && w_known && w_window == one;
    wire        w_begins = s_axi_awvalid && s_axi_awready;
    wire        w_ends = s_axi_bvalid && s_axi_bready;
    wire        w_answers = m_axi_bvalid[one] && m_axi_bready[one];
    always @(posedge clk) begin
        if (rst) {writing, aw_taken, w_taken, w_answered} <= 4'd0;
        else begin
            writing    <= w_begins || (writing && !w_ends);
            aw_taken   <= !w_begins && (aw_taken || (m_axi_awvalid[one] && m_axi_awready[one]));
            w_taken    <= !w_begins && (w_taken || (m_axi_wvalid[one] && m_axi_wready[one]));
            w_answered <= !w_begins && (w_answered || w_answers);
        end
        if (w_begins) begin
            w_known   <= s_axi_awaddr[31:16] < M;
            w_window  <= s_axi_awaddr[31:16];
            w_address <= s_axi_awaddr[15:0];
            w_word    <= s_axi_wdata;
            w_strobe  <= s_axi_wstrb;
        end
        if (w_answers) w_response <= m_axi_bresp >> (2 * one);
    end

    // A read likewise.
    reg         reading, r_known, ar_taken, r_answered;
    reg  [15:0] r_window, r_address;
    reg  [33:0] r_response;
    wire        r_mine = reading && r_known && r_window == one;
    wire        r_begins = s_axi_arvalid && s_axi_arready;
    wire        r_ends = s_axi_rvalid && s_axi_rready;
    wire        r_answers = m_axi_rvalid[one] && m_axi_rready[one];
    wire [31:0] its_word = m_axi_rdata >> (32 * one);
    wire [1:0]  its_response = m_axi_rresp >> (2 * one);
    always @(posedge clk) begin
        if (rst) {reading, ar_taken, r_answered} <= 3'd0;
        else begin
            reading    <= r_begins || (reading && !r_ends);
            ar_taken   <= !r_begins && (ar_taken || (m_axi_arvalid[one] && m_axi_arready[one]));
            r_answered <= !r_begins && (r_answered || r_answers);
        end
        if (r_begins) begin
            r_known   <= s_axi_araddr[31:16] < M;
            r_window  <= s_axi_araddr[31:16];
            r_address <= s_axi_araddr[15:0];
        end
        if (r_answers) r_response <= {its_response, its_word};
    end

    // The master keeps what is not taken; the slave answers what it has taken.
    reg s_aw_waits, s_w_waits, s_ar_waits;
    reg [31:0] awaddr_before, wdata_before, araddr_before;
    reg [3:0]  wstrb_before;
    always @(posedge clk) begin
        s_aw_waits <= !rst && s_axi_awvalid && !s_axi_awready;
        s_w_waits  <= !rst && s_axi_wvalid && !s_axi_wready;
        s_ar_waits <= !rst && s_axi_arvalid && !s_axi_arready;
        {awaddr_before, wdata_before, wstrb_before, araddr_before} <= {s_axi_awaddr, s_axi_wdata, s_axi_wstrb, s_axi_araddr};
    end
    always @* if (began) begin
        assume (!s_aw_waits || (s_axi_awvalid && s_axi_awaddr == awaddr_before));
        assume (!s_w_waits || (s_axi_wvalid && s_axi_wdata == wdata_before && s_axi_wstrb == wstrb_before));
        assume (!s_ar_waits || (s_axi_arvalid && s_axi_araddr == araddr_before));
        assume (!m_axi_bvalid[one] || (w_mine && aw_taken && w_taken && !w_answered));
        assume (!m_axi_rvalid[one] || (r_mine && ar_taken && !r_answered));
    end

    always @* if (began) begin
        one_at_a_time: assert (!(w_begins && writing) && !(r_begins && reading));
        address_and_word_are_taken_together: assert (s_axi_awready == s_axi_wready && (!s_axi_awready || (s_axi_awvalid && s_axi_wvalid)));
        takes_what_it_can: assert ((!(s_axi_awvalid && s_axi_wvalid && !writing) || s_axi_awready) && (!(s_axi_arvalid && !reading) || s_axi_arready));
        write_goes_to_its_window_alone: assert (m_axi_awvalid[one] == (w_mine && !aw_taken) && m_axi_wvalid[one] == (w_mine && !w_taken));
        read_goes_to_its_window_alone: assert (m_axi_arvalid[one] == (r_mine && !ar_taken));
        write_is_the_masters: assert (!writing || (m_axi_awaddr == w_address && m_axi_wdata == w_word && m_axi_wstrb == w_strobe));
        read_is_the_masters: assert (!reading || m_axi_araddr == r_address);
        waits_for_the_slaves_answer: assert (m_axi_bready[one] == (w_mine && !w_answered) && m_axi_rready[one] == (r_mine && !r_answered));
        no_answer_without_an_access: assert (!(s_axi_bvalid && !writing) && !(s_axi_rvalid && !reading));
        answers_once_the_slave_has: assert (!w_mine || s_axi_bvalid == w_answered);
        answers_reads_once_the_slave_has: assert (!r_mine || s_axi_rvalid == r_answered);
        write_answer_is_the_slaves: assert (!(w_mine && s_axi_bvalid) || s_axi_bresp == w_response);
        read_answer_is_the_slaves: assert (!(r_mine && s_axi_rvalid) || {s_axi_rresp, s_axi_rdata} == r_response);
        no_window_is_answered_at_once: assert ((!(writing && !w_known) || (s_axi_bvalid && s_axi_bresp == SLVERR))
            && (!(reading && !r_known) || (s_axi_rvalid && s_axi_rresp == SLVERR && s_axi_rdata == 0)));
        a_write_is_answered: cover (w_mine && w_ends && one == 1 && s_axi_bresp == 3);
        a_read_is_answered: cover (r_mine && r_ends && one == 0 && s_axi_rdata == 32'h12345678);
        both_at_once: cover (w_mine && r_mine && aw_taken && !w_taken && !ar_taken);
        no_slave: cover (writing && !w_known && w_ends && reading && !r_known);
    end
    always @(posedge clk) if (began) begin
        nothing_after_reset: assert (!$past(rst) || (m_axi_awvalid == 0 && m_axi_wvalid == 0 && m_axi_arvalid == 0 && !s_axi_bvalid && !s_axi_rvalid));
    end
endmodule
