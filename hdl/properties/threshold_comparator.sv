// `threshold_comparator`: what docs/microarchitecture/mechanisms/powar.md promises of a group's load against T_on and T_off.
//
// "`above`: `settled & count > on_limit`; `below`: `settled & count < off_limit`", the limits being the thresholds times the selectable ports. "One more
// selectable port takes one cycle; one less, or another threshold, begins again from 0 [...] A check in these cycles finds the load neither above nor
// below." And the page's equations, register by register.
//
// Not covered: groups of more than GROUP_SIZE ports.
module threshold_comparator_properties #(
    parameter GROUP_SIZE = 8
) (
    input wire        clk,
    input wire        rst,
    input wire [23:0] count,
    input wire [6:0]  n_selectable,
    input wire [15:0] on_flits,
    input wire [15:0] off_flits,
    input wire        above,
    input wire        below,
    input wire [15:0] on_step_q,
    input wire [15:0] off_step_q,
    input wire [6:0]  ports_q,
    input wire [23:0] on_limit_q,
    input wire [23:0] off_limit_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Cycles in which thresholds and ports have been as they are now, this one with them, from the first cycle behind a reset on.
    reg [7:0]  stayed_before;
    reg [6:0]  n_before;
    reg [15:0] on_before, off_before;
    reg        reset_before;
    wire       same_thresholds = !reset_before && on_before == on_flits && off_before == off_flits;
    wire [7:0] stayed = !(same_thresholds && n_before == n_selectable) ? 8'd1 : stayed_before == 8'hff ? 8'hff : stayed_before + 8'd1;
    always @(posedge clk) begin
        stayed_before <= stayed;
        n_before      <= n_selectable;
        on_before     <= on_flits;
        off_before    <= off_flits;
        reset_before  <= rst;
    end

    // Any threshold, and so many times as much: the sum for each number of ports. "N ports (2..64)": there are no more in a group than GROUP_SIZE.
    (* anyconst *) reg [15:0] flits;
    always @* assume (n_selectable <= GROUP_SIZE);
    reg [24*(GROUP_SIZE+1)-1:0] products;
    integer k;
    always @* begin
        products[23:0] = 24'd0;
        for (k = 1; k <= GROUP_SIZE; k = k + 1)
            products[24*k +: 24] = products[24*(k-1) +: 24] + {8'd0, flits};
    end
    wire [23:0] product = products[24*n_selectable +: 24];
    wire [23:0] product_being_made = products[24*ports_q +: 24];

    wire same = on_step_q == on_flits && off_step_q == off_flits;
    wire settled = same && ports_q == n_selectable;

    // In the cycle before there was one selectable port more than the complete limits were of.
    reg settled_before, one_more;
    always @(posedge clk) begin
        settled_before <= !rst && settled;
        one_more       <= !rst && settled_before && same_thresholds && n_selectable == n_before + 7'd1;
    end

    always @* if (began) begin
        above_is_more_than_t_on: assert (!(above && on_flits == flits) || count > product);
        below_is_less_than_t_off: assert (!(below && off_flits == flits) || count < product);
        neither_while_limits_are_made: assert (settled || (!above && !below));
        settled_after_n_cycles_more: assert (stayed <= {1'b0, n_selectable} + 8'd1 || settled);
        settled_load_is_compared: assert (!settled || ((on_flits != flits || above == (count > product)) && (off_flits != flits || below == (count < product))));
    end
    always @* if (began) one_more_is_settled_a_cycle_later: assert (!(one_more && stayed > 1) || settled);

    // What induction needs: the limits are the steps times the ports that they are made for, which come one by one.
    always @* if (began) begin
        on_limit_is_the_product: assert (on_step_q != flits || on_limit_q == product_being_made);
        off_limit_is_the_product: assert (off_step_q != flits || off_limit_q == product_being_made);
        no_more_ports_than_there_are: assert (ports_q <= GROUP_SIZE);
        complete_before: assert (!settled_before || (ports_q == n_before && on_step_q == on_before && off_step_q == off_before));
        one_more_is_made: assert (!one_more || (ports_q == n_before && on_step_q == on_before && off_step_q == off_before));
        ports_come_one_by_one: assert (stayed < 2 || (same && ({1'b0, ports_q} + 8'd2 >= stayed || ports_q == n_selectable) && ports_q <= n_selectable));
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_no_port: assert (on_step_q == 0 && off_step_q == 0 && ports_q == 0 && on_limit_q == 0 && off_limit_q == 0);
        end else begin
            steps_are_the_thresholds: assert (on_step_q == $past(on_flits) && off_step_q == $past(off_flits));
            other_threshold_or_less_begins_from_0: assert (!$past(!same || ports_q > n_selectable) || ports_q == 0);
            one_port_a_cycle: assert (!$past(same && ports_q < n_selectable) || ports_q == $past(ports_q) + 7'd1);
            complete_stays: assert (!$past(settled) || ports_q == $past(ports_q));
        end
        above_happens: cover (above && n_selectable == 3 && on_flits == 5 && off_flits == 2);
        below_happens: cover (below && n_selectable == 3 && count > 4);
        neither_happens: cover (settled && !above && !below && n_selectable == 2 && count != 0);
        one_more_happens: cover (!$past(rst) && settled && $past(!settled) && $past(settled, 2) && n_selectable == 3);
        one_less_happens: cover (!$past(rst) && $past(same && ports_q == 3 && n_selectable == 2));
        longest_wait_happens: cover (stayed == 4 && !settled && n_selectable == 4);
    end
endmodule
