// `crossbar` takes one flit a cycle from every input port to the output port that the input port selects (docs/microarchitecture/links.md).
//
// Promised: an output port shows a flit in the cycle after one was selected for it, and that of the input port that selected it, whole, with its head
// mark; `departing` and `released` go with `select`. Said of one input port and one output port, any that a solver chooses.
// Assumed: "an output port is selected by one input port only, since the allocation gives it to one".
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module crossbar_properties #(
    parameter PORTS = 2,
    parameter NEAR = 2,
    parameter FLIT_BITS = 64,
    parameter BITS_select = PORTS * PORTS,
    parameter BITS_data = PORTS * FLIT_BITS,
    parameter BITS_source_q = 6 * PORTS
) (
    input wire                     clk,
    input wire                     rst,
    input wire [BITS_select-1:0]   select,
    input wire [PORTS-1:0]         select_head,
    input wire [PORTS-1:0]         select_release,
    input wire [BITS_data-1:0]     data,
    input wire [PORTS-1:0]         departing,
    input wire [PORTS-1:0]         released,
    input wire [PORTS-1:0]         valid,
    input wire [PORTS-1:0]         head,
    input wire [BITS_data-1:0]     flit,
    input wire [BITS_source_q-1:0] source_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // An output port is selected by one input port only.
    // What an input port selects, where there is a turn: from a far one only to near ones.
    integer i, p;
    reg [PORTS-1:0] leads, taken, twice;
    always @* begin
        taken = 0;
        twice = 0;
        for (i = 0; i < PORTS; i = i + 1) begin
            leads = select[i*PORTS +: PORTS];
            for (p = NEAR; p < PORTS; p = p + 1) if (i >= NEAR) leads[p] = 1'b0;
            twice = twice | (taken & leads);
            taken = taken | leads;
        end
        if (began) assume (twice == 0);
    end

    (* anyconst *) reg [5:0] from;
    (* anyconst *) reg [5:0] to;
    always @* assume (from < PORTS && to < PORTS);
    wire selected = (from < NEAR || to < NEAR) && ((select >> (from*PORTS + to)) & 1'b1);
    wire [FLIT_BITS-1:0] given = data >> (from*FLIT_BITS);
    wire [FLIT_BITS-1:0] shown = flit >> (to*FLIT_BITS);
    wire chosen_head = (select_head >> from) & 1'b1;
    wire chosen_release = (select_release >> from) & 1'b1;
    wire shown_valid = (valid >> to) & 1'b1;
    wire shown_head = (head >> to) & 1'b1;
    wire shown_released = (released >> to) & 1'b1;

    always @* begin
        if (began) begin
            departs_with_select: assert (departing == taken);
            released_only_if_it_departs: assert ((released & ~departing) == 0);
            released_as_selected: assert (!selected || shown_released == chosen_release);
        end
    end

    always @(posedge clk) begin
        if (began && $past(rst)) begin
            nothing_after_reset: assert (valid == 0 && head == 0 && source_q == 0);
        end
        if (began && !$past(rst)) begin
            valid_one_cycle_later: assert (valid == $past(taken));
            head_only_with_a_flit: assert ((head & ~valid) == 0);
            if ($past(selected)) begin
                flit_of_the_port_that_selected: assert (shown_valid && shown == given);
                head_mark_of_that_flit: assert (shown_head == $past(chosen_head));
            end
        end
        if (began && !rst) begin
            crosses: cover (!$past(rst) && $past(selected) && from == PORTS - 1 && to == 0 && shown != 0 && shown_head);
            all_ports_at_once: cover (&valid);
            released_with_a_flit: cover (released != 0 && released != departing && departing == {PORTS{1'b1}});
        end
    end
endmodule
