// `uart_receiver`: bytes from a serial line (docs/microarchitecture/demonstrator.md).
//
// "Each bit is sampled half a bit after its beginning": a start bit begins where the pin, as it was two cycles before, falls from 1 to 0; it is looked at again after half of `divider`, and after that ten samples are `divider` cycles apart.
// The byte is what was sampled, lowest bit first. "A start bit that does not last was a disturbance"; a stop bit of 0 is a framing error, and "a line that stays at 0 is one framing error and no more"; a byte that comes in
// while the one before waits is lost, and told: none is lost otherwise, and what waits stays as it is. Said of bits that are kept here, not of the block's own shift register.
//
// Not covered: metastability, which a model of two values does not have.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module uart_receiver_properties (
    input wire        clk,
    input wire        rst,
    input wire        rx,
    input wire [15:0] divider,
    input wire        ready,
    input wire        valid,
    input wire [7:0]  data,
    input wire        framing_error,
    input wire        overrun,
    input wire [1:0]  synchroniser_q,
    input wire        before_q,
    input wire        busy_q,
    input wire [15:0] count_q,
    input wire [3:0]  place_q,
    input wire [7:0]  shift_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The pin of the last three cycles: what is looked at is that of two before.
    reg rx_1, rx_2, rx_3;
    always @(posedge clk) begin
        rx_1 <= rst || rx;
        rx_2 <= rst || rx_1;
        rx_3 <= rst || rx_2;
    end
    wire falls = rx_3 && !rx_2;

    // A frame under way: the bit that comes next, cycles since the last sample (or the edge) and how many there are to be; bits sampled so far.
    reg        receiving;
    reg [3:0]  bit_next;
    reg [16:0] cycles, length;
    reg [7:0]  bits;
    wire       samples = receiving && cycles == length;
    wire       whole = samples && bit_next == 9;
    wire       comes_in = whole && rx_2;
    always @(posedge clk) begin
        if (rst) begin
            receiving <= 1'b0;
            bit_next  <= 4'd0;
            cycles    <= 17'd1;
            length    <= 17'd1;
        end else if (!receiving) begin
            receiving <= falls;
            bit_next  <= 4'd0;
            cycles    <= 17'd1;
            // The sample is one cycle behind half a bit, in the cycle in which nothing is left to count.
            length    <= {2'd0, divider[15:1]} + 17'd1;
        end else if (samples) begin
            receiving <= bit_next == 0 ? !rx_2 : bit_next != 9;
            bit_next  <= bit_next + 4'd1;
            cycles    <= 17'd1;
            length    <= divider == 0 ? 17'h10000 : {1'b0, divider};
            if (bit_next >= 1 && bit_next <= 8) bits[bit_next - 4'd1] <= rx_2;
        end else cycles <= cycles + 17'd1;
    end
    // A stop bit was 0, and the line has been 0 since.
    reg broken_line;
    always @(posedge clk) broken_line <= !rst && !rx_2 && (broken_line || framing_error);
    reg valid_before, ready_before, came_before;
    reg [7:0] data_before, bits_before;
    always @(posedge clk) begin
        valid_before <= !rst && valid;
        ready_before <= ready;
        came_before  <= !rst && comes_in;
        data_before  <= rst ? 8'd0 : data;
        bits_before  <= bits;
    end

    always @* if (began) begin
        a_stop_bit_of_0_is_an_error: assert (framing_error == (whole && !rx_2));
        lost_if_the_one_before_waits: assert (overrun == (comes_in && valid && !ready));
        waits_until_it_is_taken: assert (valid == (came_before || (valid_before && !ready_before)));
        what_waits_stays: assert (!(valid_before && !ready_before) || data == data_before);
        byte_is_what_was_sampled: assert (!(came_before && (!valid_before || ready_before)) || data == bits_before);
        one_error_and_no_more: assert (!broken_line || (!receiving && !framing_error));
        ten_bits: assert (bit_next <= 10 && (!receiving || bit_next <= 9));
        // Auxiliary: the block's registers.
        looks_at_the_pin_two_cycles_later: assert (synchroniser_q == {rx_2, rx_1} && before_q == rx_3);
        counts_what_is_left: assert (busy_q == receiving && (!receiving || (place_q == bit_next && {1'b0, count_q} + cycles == length)));
        cycles_are_1_at_least: assert (!receiving || (cycles >= 1 && cycles <= length));
        shifts_the_bits: assert (!receiving || bit_next <= 1 || bit_next > 9 || (shift_q >> (9 - bit_next)) == (bits & ((9'd1 << (bit_next - 1)) - 1)));
        a_byte_comes_in: cover (valid && data == 8'ha5);
        a_byte_is_lost: cover (overrun && data == 8'h0f && bits == 8'hf0);
        a_line_stays_at_0: cover (broken_line && !rx_3);
        a_disturbance: cover (samples && bit_next == 0 && rx_2);
    end
    always @(posedge clk) if (began) begin
        reset_is_0: assert (!$past(rst) || (!valid && data == 0 && !framing_error && !overrun));
    end
endmodule
