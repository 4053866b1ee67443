// Rules of AMBA AXI4-Lite (ARM IHI 0022, A3.2 and B1) for a slave, to be proved of it: instantiate this beside the slave, on the same wires.
//
// Of the master it is assumed that what it offers stays until it is taken (A3.2.1). Of the slave it is asserted that
//  - there is no answer at the end of a reset (A3.1.2);
//  - an answer stays as it is until it is taken;
//  - every answer belongs to a request: an answer to a write to an address and a word that were taken, one to a read to an address (A3.3.1);
//  - answers are OKAY, SLVERR or DECERR (B1.1.1);
//  - it takes a request whenever it has not yet to answer another, and never more than DEPTH of a kind. It takes one of each
//    beside that which it answers, by `awready`, `wready` and `arready`;
//  - a write is answered in WRITE_CYCLES cycles at most, a read READ_CYCLES cycles after the slave has had the word (`done`), if answers are taken.
// `covered` shows that each of these happens: an answer that waits, two writes under way, answers in cycle after cycle.
module axi4_lite_slave_properties #(
    parameter DEPTH = 2,
    parameter WRITE_CYCLES = 2,
    parameter READ_CYCLES = 3
) (
    input wire        clk,
    input wire        rst,
    input wire        awvalid,
    input wire        awready,
    input wire [15:0] awaddr,
    input wire        wvalid,
    input wire        wready,
    input wire [31:0] wdata,
    input wire [3:0]  wstrb,
    input wire        bvalid,
    input wire        bready,
    input wire [1:0]  bresp,
    input wire        arvalid,
    input wire        arready,
    input wire [15:0] araddr,
    input wire        rvalid,
    input wire        rready,
    input wire [1:0]  rresp,
    input wire [31:0] rdata,
    // A word that was asked for is there; 1 for a slave that has all its words itself.
    input wire        done,
    // Of the slave's registers: it is about to answer a read. Without that an induction could begin in states that never are.
    input wire        reading
);
    localparam [1:0] EXOKAY = 2'b01;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Requests that were taken and have no answer yet: addresses and words of writes, reads.
    reg [3:0] addresses = 4'd0, words = 4'd0, reads = 4'd0;
    // Cycles in which an answer was owed and none was there, the master waiting for one.
    reg [3:0] write_owed = 4'd0, read_owed = 4'd0;
    wire write_answered = bvalid && bready;
    wire read_answered = rvalid && rready;
    always @(posedge clk) begin
        addresses <= addresses + (awvalid && awready) - write_answered;
        words <= words + (wvalid && wready) - write_answered;
        reads <= reads + (arvalid && arready) - read_answered;
        write_owed <= addresses != 0 && words != 0 && !bvalid ? write_owed + 4'd1 : 4'd0;
        if (reads == 0 || rvalid)
            read_owed <= 4'd0;
        else if (done || read_owed != 0)
            read_owed <= read_owed + 4'd1;
        if (rst) begin
            addresses <= 4'd0;
            words <= 4'd0;
            reads <= 4'd0;
            write_owed <= 4'd0;
            read_owed <= 4'd0;
        end
    end

    always @(posedge clk) begin
        if (began && !$past(rst) && !rst) begin
            // The master.
            if ($past(awvalid && !awready)) assume (awvalid && awaddr == $past(awaddr));
            if ($past(wvalid && !wready)) assume (wvalid && wdata == $past(wdata) && wstrb == $past(wstrb));
            if ($past(arvalid && !arready)) assume (arvalid && araddr == $past(araddr));
            // The slave.
            if ($past(bvalid && !bready)) begin
                write_answer_stays: assert (bvalid && bresp == $past(bresp));
            end
            if ($past(rvalid && !rready)) begin
                read_answer_stays: assert (rvalid && rresp == $past(rresp) && rdata == $past(rdata));
            end
        end
        if (began && $past(rst)) begin
            no_answer_after_reset: assert (!bvalid && !rvalid);
        end
        if (began && !rst) begin
            write_answer_has_a_request: assert (!bvalid || (addresses != 0 && words != 0));
            read_answer_has_a_request: assert (!rvalid || reads != 0);
            answers_are_of_axi4_lite: assert (!(bvalid && bresp == EXOKAY) && !(rvalid && rresp == EXOKAY));
            takes_an_address: assert (addresses != 0 || awready);
            takes_a_word: assert (words != 0 || wready);
            takes_a_read: assert (reads != 0 || arready);
            one_read_at_a_time: assert (!(reading && rvalid));
            one_read_beside_an_answer: assert (reads == reading + rvalid + !arready);
            one_write_beside_an_answer: assert (addresses == bvalid + !awready && words == bvalid + !wready);
            not_more_than_it_holds: assert (addresses <= DEPTH && words <= DEPTH && reads <= DEPTH);
            writes_are_answered: assert (write_owed < WRITE_CYCLES);
            reads_are_answered: assert (read_owed < READ_CYCLES);
            an_answer_waits: cover (bvalid && !bready && rvalid && !rready);
            two_writes_under_way: cover (addresses == 2 && words == 2);
            answers_every_cycle: cover (began && $past(write_answered) && write_answered);
            an_error_is_said: cover (bvalid && bresp == 2'b10 && rvalid && rresp == 2'b10);
        end
    end
endmodule
