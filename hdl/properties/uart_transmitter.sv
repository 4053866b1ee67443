// `uart_transmitter`: bytes on a serial line (docs/microarchitecture/demonstrator.md).
//
// A byte that is taken is on the pin from the next cycle on: a start bit of 0, its bits from the lowest on, a stop bit of 1, each for as many cycles as `divider` was when it began. Between bytes the line is 1.
// The last cycle of a bit is that in which the next one is loaded; said of a byte that is kept here, not of the block's own shift register.
//
// Not covered: nothing.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module uart_transmitter_properties (
    input wire        clk,
    input wire        rst,
    input wire        valid,
    input wire [7:0]  data,
    input wire [15:0] divider,
    input wire        ready,
    input wire        tx,
    input wire        busy_q,
    input wire [15:0] count_q,
    input wire [3:0]  place_q,
    input wire [7:0]  shift_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The byte, the bit that is on the pin, how long it is to be there, and how long it has been, this cycle with it.
    reg        sending;
    reg [7:0]  byte_kept;
    reg [3:0]  bit_now;
    reg [15:0] length, cycles;
    wire       over = sending && cycles == length;
    always @(posedge clk) begin
        if (rst) begin
            sending <= 1'b0;
            cycles  <= 16'd0;
            length  <= 16'd0;
            bit_now <= 4'd0;
        end else if (valid && ready) begin
            sending   <= 1'b1;
            byte_kept <= data;
            bit_now   <= 4'd0;
            length    <= divider;
            cycles    <= 16'd1;
        end else if (over) begin
            sending <= bit_now != 9;
            bit_now <= bit_now + 4'd1;
            length  <= divider;
            cycles  <= 16'd1;
        end else cycles <= cycles + 16'd1;
    end
    wire [9:0] frame = {1'b1, byte_kept, 1'b0};

    always @* if (began) begin
        pin_shows_the_frame: assert (tx == (sending ? frame[bit_now] : 1'b1));
        takes_a_byte_unless_it_sends: assert (ready == !sending);
        ten_bits: assert (!sending || bit_now <= 9);
        // Auxiliary: the block's registers.
        counts_what_is_left: assert (!sending || (busy_q && place_q == bit_now && count_q + cycles == length));
        rests_else: assert (sending || !busy_q);
        shifts_the_byte: assert (!sending || bit_now >= 9 || shift_q == byte_kept >> bit_now);
        a_byte_is_sent: cover (sending && bit_now == 9 && over && byte_kept == 8'ha5 && length == 2);
        two_bytes_without_a_gap: cover (ready && valid && bit_now == 10);
        a_bit_of_three_cycles: cover (over && length == 3);
    end
    always @(posedge clk) if (began) begin
        line_is_1_after_reset: assert (!$past(rst) || (tx && ready));
    end
endmodule
