// `demonstrator_registers`: the slave of the demonstrator's second window (docs/microarchitecture/demonstrator.md, docs/registers-demonstrator.md).
//
// "Every address that is not listed, and every write to a word that can't be written, is answered with SLVERR and does nothing"; "whole words only". Each access has one answer, which stays until it is taken: a write in the next
// cycle, a word that is here or that there is not two cycles later, a word of a node in the cycle after its owner answers, who may take any time; until then it is asked for. Said of one address, any that a solver chooses.
// Words of a node begin at 0x1000, 128 a node: 0..7 can be written, 0..10, 16..26 and 32..73 be read.
// Assumed: "both 0 while nobody answers"; of the master that what it offers stays until it is taken (AXI4-Lite).
//
// Not covered: nothing.
// verilator lint_off WIDTH
module demonstrator_registers_properties #(
    parameter PORTS = 2
) (
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
    input wire [31:0] read_data,
    input wire        bus_error,
    input wire        serial_error,
    input wire        s_axi_awready,
    input wire        s_axi_wready,
    input wire        s_axi_arready,
    input wire        s_axi_bvalid,
    input wire [1:0]  s_axi_bresp,
    input wire        s_axi_rvalid,
    input wire [1:0]  s_axi_rresp,
    input wire [31:0] s_axi_rdata,
    input wire        write_enable,
    input wire [13:0] write_address,
    input wire [31:0] write_data,
    input wire        read,
    input wire [13:0] read_address,
    input wire        run,
    input wire        clear,
    input wire [31:0] cycles,
    input wire [31:0] bus_errors_q,
    input wire [31:0] serial_errors_q
);
    localparam [1:0] OKAY = 2'd0, SLVERR = 2'd2;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    always @* assume (read_done || read_data == 0);

    // The map.
    function of_node(input [15:0] address);
        of_node = address >= 16'h1000 && address < 16'h1000 + 16'h200 * PORTS && address[1:0] == 0
            && (address[8:2] <= 10 || (address[8:2] >= 16 && address[8:2] <= 26) || (address[8:2] >= 32 && address[8:2] <= 73));
    endfunction
    wire node_write = of_node(s_axi_awaddr) && s_axi_awaddr[8:2] <= 7 && s_axi_wstrb == 4'd15;
    wire to_control = s_axi_awaddr == 16'h8 && s_axi_wstrb == 4'd15, to_clear = s_axi_awaddr == 16'hc && s_axi_wstrb == 4'd15;

    wire write_taken = s_axi_awvalid && s_axi_awready, read_taken = s_axi_arvalid && s_axi_arready;
    wire [15:0] at = s_axi_araddr;
    // What an answer is to be; the word that is here, in the cycle behind the request.
    reg         writes, w_ok, asks_node, asks_here, here_exists, waits_b, waits_r;
    reg  [15:0] asked;
    reg  [1:0]  bresp_before;
    reg  [33:0] r_before;
    wire [31:0] here = asked == 16'h0 ? 32'h504f5744 : asked == 16'h8 ? {31'd0, run} : asked == 16'hc ? {31'd0, clear} : asked == 16'h10 ? cycles : asked == 16'h14 ? bus_errors_q : serial_errors_q;
    reg         answers, answer_known;
    reg  [33:0] answer;
    always @(posedge clk) begin
        writes       <= !rst && write_taken;
        w_ok         <= node_write || to_control || to_clear;
        waits_b      <= !rst && s_axi_bvalid && !s_axi_bready;
        bresp_before <= s_axi_bresp;
        waits_r      <= !rst && s_axi_rvalid && !s_axi_rready;
        r_before     <= {s_axi_rresp, s_axi_rdata};
        asks_here    <= !rst && read_taken && !of_node(at);
        asks_node    <= !rst && ((read_taken && of_node(at)) || (asks_node && !read_done));
        here_exists  <= at < 16'h1c && at[1:0] == 0;
        if (read_taken) asked <= at;
        answers      <= !rst && (asks_here || (asks_node && read_done));
        // The size of the demonstrator is the configuration's.
        answer_known <= !(asks_here && here_exists && asked == 16'h4);
        answer       <= asks_here ? here_exists ? {OKAY, here} : {SLVERR, 32'd0} : {OKAY, read_data};
    end

    always @* if (began) begin
        address_and_word_are_taken_together: assert (s_axi_awready == s_axi_wready && s_axi_awready == (s_axi_awvalid && s_axi_wvalid && (!s_axi_bvalid || s_axi_bready)));
        write_is_answered_in_the_next_cycle: assert (s_axi_bvalid == (writes || waits_b));
        only_words_that_can_be_written: assert (!writes || s_axi_bresp == (w_ok ? OKAY : SLVERR));
        write_answer_stays: assert (!waits_b || s_axi_bresp == bresp_before);
        words_of_nodes_go_to_them: assert (write_enable == (write_taken && node_write) && (!write_enable || (write_address == s_axi_awaddr[15:2] && write_data == s_axi_wdata)));
        one_read_at_a_time: assert (!(read_taken && (asks_here || asks_node)) && !(s_axi_rvalid && (asks_here || asks_node)));
        reads_are_taken: assert (!(s_axi_arvalid && !asks_here && !asks_node && !s_axi_rvalid) || s_axi_arready);
        node_is_asked_until_it_answers: assert (read == asks_node && (!read || read_address == asked[15:2]));
        read_is_answered: assert (s_axi_rvalid == (answers || waits_r));
        answer_is_the_word: assert (!(answers && answer_known) || {s_axi_rresp, s_axi_rdata} == answer);
        size_is_answered: assert (!(answers && !answer_known) || (s_axi_rresp == OKAY && s_axi_rdata[7:0] == PORTS));
        read_answer_stays: assert (!waits_r || {s_axi_rresp, s_axi_rdata} == r_before);
        a_node_is_read: cover (answers && answer == {OKAY, 32'h12345678} && asked == 16'h1200);
        an_error_is_answered: cover (waits_r && s_axi_rresp == SLVERR);
        a_write_is_refused: cover (writes && s_axi_bresp == SLVERR && waits_r);
        it_runs: cover (run && cycles == 4);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_0: assert (!s_axi_bvalid && !s_axi_rvalid && !read && !run && !clear && cycles == 0 && bus_errors_q == 0 && serial_errors_q == 0);
        end else begin
            run_is_what_was_written: assert (run == ($past(write_taken && to_control) ? $past(s_axi_wdata[0]) : $past(run)));
            clear_lasts_one_cycle: assert (clear == $past(write_taken && to_clear && s_axi_wdata[0]));
            time_goes_on: assert (cycles == $past(cycles) + 32'd1);
            counts_errors: assert (bus_errors_q == ($past(clear) ? 0 : $past(bus_errors_q) + $past(bus_error)) && serial_errors_q == ($past(clear) ? 0 : $past(serial_errors_q) + $past(serial_error)));
        end
    end
endmodule
