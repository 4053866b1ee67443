// `link_choice`: what docs/microarchitecture/mechanisms/soteriou_peh.md promises of Design I's choice of links.
//
// "comes = above ? the lowest link that may_sleep and is not active : 0; goes = below & ~above ? the highest link that may_sleep and is active : 0; active' = by_load ? ~may_sleep | woken | comes | (active & ~goes) :
// all ones": ever-on links stay on, one link a window goes or comes, "on wins".
//
// Not covered: nothing.
module link_choice_properties #(
    parameter BITS_active = 4
) (
    input wire                   clk,
    input wire                   rst,
    input wire                   by_load,
    input wire                   below,
    input wire                   above,
    input wire [BITS_active-1:0] may_sleep,
    input wire [BITS_active-1:0] woken,
    input wire [BITS_active-1:0] active
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Links that changed, and whether a link has a neighbour below it that would come, or above it that would go, before it does.
    reg [BITS_active-1:0] active_1, may_sleep_1, woken_1;
    always @(posedge clk) begin
        active_1    <= active;
        may_sleep_1 <= may_sleep;
        woken_1     <= woken;
    end
    wire [BITS_active-1:0] came = active & ~active_1 & may_sleep_1 & ~woken_1;
    wire [BITS_active-1:0] went = active_1 & ~active;
    wire [BITS_active-1:0] could_come = may_sleep_1 & ~active_1;
    wire [BITS_active-1:0] could_go = may_sleep_1 & active_1;

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_all_on: assert (&active);
        end else begin
            ever_on_links_are_on: assert (&(may_sleep_1 | active));
            all_on_unless_by_load: assert ($past(by_load) || &active);
            woken_links_are_on: assert ((woken_1 & ~active) == 0);
            one_comes_at_a_time: assert (!$past(by_load) || (came & (came - 1'b1)) == 0);
            one_goes_at_a_time: assert ((went & (went - 1'b1)) == 0);
            comes_only_if_above: assert (!$past(by_load) || came == 0 || $past(above));
            goes_only_if_below: assert (went == 0 || $past(by_load && below && !above));
            lowest_comes: assert (!$past(by_load && above) || (could_come & ~woken_1 & ~active & -could_come) == 0);
            no_higher_one_comes: assert (!$past(by_load) || came == 0 || (could_come & (came - 1'b1)) == 0);
            highest_goes: assert (went == 0 || (could_go & ~went & ~(went - 1'b1)) == 0);
            one_goes_if_below: assert (!$past(by_load && below && !above) || could_go == 0 || went != 0 || (woken_1 & could_go) != 0);
        end
        goes_happens: cover (!$past(rst) && went == 4 && active_1 != {BITS_active{1'b1}});
        comes_happens: cover (!$past(rst) && came == 2 && $past(by_load));
        both_happen: cover (!$past(rst) && $past(by_load && above && below) && came != 0);
    end
endmodule
