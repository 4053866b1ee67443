// `selectable_ports`: what docs/microarchitecture/mechanisms/powar.md promises of the ports of a group that may be selected (Algorithms 2 and 3).
//
// "In a cycle with `check`: if `above` and `n_selectable < size`, one more (the first that is not selectable); else if `below` and `n_selectable > 1`, one less
// (the last). At reset all ports are selectable [...]; an idle group comes down to one port within size - 1 periods." "Always the lowest `n_selectable` bits."
//
// Not covered: nothing.
module selectable_ports_properties #(
    parameter BITS_selectable = 4
) (
    input wire                       clk,
    input wire                       rst,
    input wire                       check,
    input wire                       above,
    input wire                       below,
    input wire [BITS_selectable-1:0] selectable,
    input wire [6:0]                 n_selectable
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Checks in a row, with no reset between, that found the load below and not above, or above and not below.
    reg [6:0] idle_checks, busy_checks;
    always @(posedge clk) begin
        if (rst || (check && !(below && !above)))  idle_checks <= 7'd0;
        else if (check && idle_checks != 7'd127)   idle_checks <= idle_checks + 7'd1;
        if (rst || (check && !(above && !below)))  busy_checks <= 7'd0;
        else if (check && busy_checks != 7'd127)   busy_checks <= busy_checks + 7'd1;
    end

    wire [BITS_selectable-1:0] more = selectable + 1'b1;
    always @* if (began) begin
        lowest_ports_are_selectable: assert ((selectable & more) == 0);
        one_port_at_least: assert (selectable[0] && n_selectable != 0);
        no_more_than_there_are: assert (n_selectable <= BITS_selectable);
        n_selectable_is_their_number: assert ({1'b0, selectable} == ({{BITS_selectable{1'b0}}, 1'b1} << n_selectable) - 1'b1);
        idle_group_comes_down_to_one: assert (idle_checks < BITS_selectable - 1 || n_selectable == 1);
        busy_group_comes_up_to_all: assert (busy_checks < BITS_selectable - 1 || n_selectable == BITS_selectable);
    end
    // What induction needs.
    always @* if (began) begin
        idle_checks_take_one_each: assert (n_selectable == 1 || n_selectable + idle_checks <= BITS_selectable);
        busy_checks_add_one_each: assert (n_selectable == BITS_selectable || n_selectable > busy_checks);
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_all: assert (&selectable && n_selectable == BITS_selectable);
        end else begin
            above_is_one_more: assert (!$past(check && above && n_selectable < BITS_selectable) || n_selectable == $past(n_selectable) + 7'd1);
            below_is_one_less: assert (!$past(check && !above && below && n_selectable > 1) || n_selectable == $past(n_selectable) - 7'd1);

            above_wins_over_below: assert (!$past(check && above && below && n_selectable < BITS_selectable) || n_selectable == $past(n_selectable) + 7'd1);
            stays_between_checks: assert ($past(check) || (selectable == $past(selectable) && n_selectable == $past(n_selectable)));
            stays_with_neither: assert ($past(above || below) || (selectable == $past(selectable) && n_selectable == $past(n_selectable)));
        end
        one_left_happens: cover (n_selectable == 1 && !$past(rst));
        all_again_happens: cover (busy_checks == BITS_selectable - 1 && n_selectable == BITS_selectable);
        above_and_below_happens: cover (!$past(rst) && $past(above && below && check) && n_selectable > $past(n_selectable));
    end
endmodule
