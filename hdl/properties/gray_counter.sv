// `gray_counter`: a number that counts up, and its Gray code (docs/microarchitecture/crossing.md).
//
// Promised: one more with every `step`, modulo 2^n; `gray` is the number in Gray code, of which one bit at most changes from a cycle to the next, and
// which is read from a register, so that another clock may take it at any moment.
module gray_counter_properties #(
    parameter BITS_count = 4
) (
    input wire                  clk,
    input wire                  rst,
    input wire                  step,
    input wire [BITS_count-1:0] count,
    input wire [BITS_count-1:0] gray,
    input wire [BITS_count-1:0] gray_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // What a Gray code says, bit by bit from above.
    reg [BITS_count-1:0] said;
    integer b;
    always @* begin
        said = 0;
        said[BITS_count-1] = gray[BITS_count-1];
        for (b = BITS_count - 2; b >= 0; b = b - 1) said[b] = said[b+1] ^ gray[b];
    end

    reg [BITS_count-1:0] changed;
    always @* if (began) begin
        gray_says_the_number: assert (said == count);
        gray_is_a_register: assert (gray == gray_q);
    end
    always @(posedge clk) begin
        changed = gray ^ $past(gray);
        if (began && $past(rst)) begin
            zero_after_reset: assert (count == 0 && gray == 0);
        end
        if (began && !$past(rst)) begin
            one_more_with_a_step: assert (count == $past(count) + {{BITS_count-1{1'b0}}, $past(step)});
            one_bit_changes_at_most: assert ((changed & (changed - 1'b1)) == 0);
            a_step_changes_one_bit: assert ((changed != 0) == $past(step));
            counts_to_three: cover (count == 3 && $past(step));
            stays: cover (count == 2 && !$past(step));
        end
    end
endmodule
