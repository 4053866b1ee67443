// `age_monitor`: what docs/microarchitecture/mechanisms/soteriou_peh.md promises of the age of flits in a router's input buffers (III-C).
//
// "`late`: flits were older than that": by equation 3, Age = filled / departures, that is 4 filled > age_limit departures of the predicted sums, in quarters of a cycle; in the 16 + 24 bits that the product takes.
// The product is that of 16 bits of the departures and of the rest, since solvers cannot multiply.
// Assumed: `stage` is that of `load_predictor`: "bit i: a check was i + 1 cycles ago"; "less than 4 counts as 4": checks are 4 cycles or more apart; `past_filled` changes with a check alone.
// Not covered: nothing.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module age_monitor_properties (
    input wire        clk,
    input wire        rst,
    input wire        check,
    input wire [23:0] departures,
    input wire [2:0]  stage,
    input wire [35:0] past_filled,
    input wire [15:0] age_limit,
    input wire        late,
    input wire [23:0] past_departures_q,
    input wire [39:0] allowed_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    reg [2:0]  since;
    reg [35:0] filled_before;
    always @(posedge clk) begin
        since         <= rst ? 3'd4 : check ? 3'd1 : since == 4 ? 3'd4 : since + 3'd1;
        filled_before <= past_filled;
    end
    always @* if (began) begin
        assume (!check || since == 4);
        assume (stage == {since == 3, since == 2, since == 1});
        assume (since == 1 || past_filled == filled_before);
    end

    wire [31:0] low = past_departures_q[15:0] * age_limit, high = past_departures_q[23:16] * age_limit;
    wire [25:0] sum = {departures, 1'b0} + departures + past_departures_q;
    wire [39:0] product = {8'd0, low} + ({8'd0, high} << 16);
    // The limit of the cycle behind the check, in which the product is made.
    reg [15:0] limit_then;
    always @(posedge clk) if (stage[0]) limit_then <= age_limit;

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_0: assert (past_departures_q == 0 && allowed_q == 0 && !late);
        end else begin
            check_predicts: assert (past_departures_q == ($past(check) ? $past(sum[25:2]) : $past(past_departures_q)));
            allowed_one_cycle_behind: assert (allowed_q == ($past(stage[0]) ? $past(product) : $past(allowed_q)));
            late_if_older: assert (!$past(stage[1]) || late == ($past({past_filled, 2'b00}) > $past(allowed_q)));
            late_stays_till_the_next_check: assert ($past(stage[1]) || late == $past(late));
            flits_that_never_leave_are_late: assert (!($past(stage[1]) && past_departures_q == 0 && past_filled != 0 && !$past(rst, 2)) || late || allowed_q != 0);
        end
        is_late: cover (late && past_departures_q == 3 && limit_then == 25);
        is_not_late_any_more: cover (!$past(rst) && $past(late) && !late && past_filled != 0);
        as_old_as_the_limit: cover (!$past(rst) && $past(stage[1]) && $past({past_filled, 2'b00}) == $past(allowed_q) && past_filled != 0);
    end
endmodule
