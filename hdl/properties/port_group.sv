// `port_group`: what docs/microarchitecture/mechanisms/powar.md promises of a group of ports (POWAR's Algorithms 2 and 3), from flits to the ports that may be selected.
//
// "Only as many ports of a group are selectable as its load needs": at the end of a check period in which more than T_on flits a selectable port have been
// forwarded one more becomes selectable, of less than T_off one less does, "always the lowest bits", one at least. "A check in these cycles [in which the limits are
// made] finds the load neither above nor below, and changes nothing."
//
// Not covered: nothing; that sums and products are the right ones is said beside `flit_counter` and `threshold_comparator`, and again here with their own arithmetic.
module port_group_properties #(
    parameter BITS_flit = 4
) (
    input wire                 clk,
    input wire                 rst,
    input wire [BITS_flit-1:0] flit,
    input wire                 check,
    input wire [15:0]          on_flits,
    input wire [15:0]          off_flits,
    input wire [BITS_flit-1:0] selectable
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // FC of Algorithms 2 and 3: flits of the period before this cycle; a flit of the check cycle itself counts for the next.
    reg [23:0] fc, flits;
    integer i;
    always @* begin
        flits = 24'd0;
        for (i = BITS_flit - 1; i >= 0; i = i - 1)
            if (flit[i]) flits = flits + 24'd1;
    end
    always @(posedge clk) fc <= rst ? 24'd0 : check ? flits : fc + flits;

    // Thresholds and selectable ports have been as they are for n + 2 cycles, which is enough for any limit to be made.
    reg [15:0]          on_before, off_before;
    reg [BITS_flit-1:0] selectable_before;
    reg [7:0]           stayed;
    wire                as_before = on_before == on_flits && off_before == off_flits && selectable_before == selectable;
    always @(posedge clk) begin
        on_before         <= on_flits;
        off_before        <= off_flits;
        selectable_before <= selectable;
        stayed            <= rst || !as_before ? 8'd0 : stayed == 8'hff ? stayed : stayed + 8'd1;
    end
    wire made = stayed >= BITS_flit + 1 && as_before;

    // The thresholds of the selectable ports together: a threshold for each of them.
    reg [23:0] on_limit, off_limit;
    always @* begin
        on_limit  = 24'd0;
        off_limit = 24'd0;
        for (i = 0; i < BITS_flit; i = i + 1)
            if (selectable[i]) begin
                on_limit  = on_limit + {8'd0, on_flits};
                off_limit = off_limit + {8'd0, off_flits};
            end
    end
    wire is_above = fc > on_limit;
    wire is_below = fc < off_limit;
    wire all = &selectable;
    wire [BITS_flit-1:0] one_more = (selectable << 1) | 1'b1;
    wire [BITS_flit-1:0] one_less = selectable == 1 ? selectable : selectable >> 1;

    always @* if (began) begin
        lowest_ports_are_selectable: assert ((selectable & (selectable + 1'b1)) == 0);
        one_port_at_least: assert (selectable[0]);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_all: assert (&selectable);
        end else begin
            stays_between_checks: assert ($past(check) || selectable == $past(selectable));
            more_than_t_on_is_one_more: assert (!$past(check && made && is_above && !all) || selectable == $past(one_more));
            less_than_t_off_is_one_less: assert (!$past(check && made && is_below && !(is_above && !all)) || selectable == $past(one_less));
            between_stays: assert (!$past(check && made && !is_above && !is_below) || selectable == $past(selectable));
            more_only_if_above: assert ((selectable & ~$past(selectable)) == 0 || $past(check && is_above));
            less_only_if_below: assert (($past(selectable) & ~selectable) == 0 || $past(check && is_below));
            one_at_a_time: assert (selectable == $past(selectable) || selectable == $past(one_more) || selectable == $past(one_less));
        end
        one_more_happens: cover (!$past(rst) && (selectable & ~$past(selectable)) != 0 && $past(made && on_flits == 1));
        one_less_happens: cover (!$past(rst) && ($past(selectable) & ~selectable) != 0 && $past(made && fc != 0));
        between_happens: cover (!$past(rst) && $past(check && made && fc == off_limit && fc != 0));
        unmade_check_happens: cover (!$past(rst) && $past(check && !made && is_below && selectable != 1) && selectable == $past(selectable));
    end
endmodule
