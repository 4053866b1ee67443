// `deep_reserve`: what a port must have in its budget to sleep deeply (docs/microarchitecture/mechanisms/hints_depths.md), at full widths of the durations.
//
// Not covered: the value that a reset gives, which is the configuration's.
module deep_reserve_properties (
    input wire        clk,
    input wire        rst,
    input wire [23:0] t_wake,
    input wire [23:0] t_wake_deep,
    input wire [24:0] reserve
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // What a wake-up takes: a port that is deep wakes by both durations at once, and each counts as 1 if it is 0.
    wire [23:0] light = t_wake == 0 ? 24'd1 : t_wake;
    wire [23:0] deep = t_wake_deep == 0 ? 24'd1 : t_wake_deep;

    always @(posedge clk) if (began && !$past(rst)) begin
        one_more_than_the_longer_of_the_cycle_before: assert (reserve == ($past(t_wake) > $past(t_wake_deep) ? {1'b0, $past(t_wake)} + 25'd1 : {1'b0, $past(t_wake_deep)} + 25'd1));
        no_less_than_a_wake_up_costs: assert (reserve >= {1'b0, $past(light)} && reserve >= {1'b0, $past(deep)} && reserve > {1'b0, $past(t_wake)} && reserve > {1'b0, $past(t_wake_deep)});
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        a_deep_wake_up_is_longer: cover (reserve == 6 && $past(t_wake) == 2);
        a_light_wake_up_is_longer: cover (reserve == 6 && $past(t_wake_deep) == 2);
        both_take_nothing: cover (reserve == 1);
        as_much_as_there_is: cover (reserve == 25'h1000000);
    end
endmodule
