// `held_ports`: what docs/microarchitecture/power.md promises of the output ports that are held by a packet.
//
// "From the cycle after they are given to the one with the flit that releases them." "`held' = given | (held & ~(departing & released | freed))`, and
// `free_next = ~held'`." `freed` is there in a switch for short packets.
//
// Not covered: nothing.
module held_ports_properties #(
    parameter BITS_given = 8,
    parameter SHORT_PACKETS = 0
) (
    input wire                  clk,
    input wire                  rst,
    input wire [BITS_given-1:0] given,
    input wire [BITS_given-1:0] departing,
    input wire [BITS_given-1:0] released,
    input wire [BITS_given-1:0] freed,
    input wire [BITS_given-1:0] held,
    input wire [BITS_given-1:0] free_next
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // What makes a port free: the flit that releases it, or that its packet lets go of it at once.
    wire [BITS_given-1:0] let_go = (departing & released) | freed;

    always @(posedge clk) if (began) begin
        reset_is_not_held: assert (!$past(rst) || held == 0);
        given_is_held_from_the_next_cycle_on: assert ($past(rst) || ($past(given) & ~held) == 0);
        held_until_the_flit_that_releases: assert ($past(rst) || ($past(held) & ~held & ~$past(let_go)) == 0);
        released_is_held_no_longer: assert ($past(rst) || ($past(let_go & ~given) & held) == 0);
        held_only_if_given: assert ((held & ~$past(held) & ~$past(given)) == 0);
        free_next_is_not_held_in_the_next_cycle: assert ($past(rst) || held == ~$past(free_next));
        release_happens: cover (!$past(rst) && $past(held[1]) && !held[1]);
        release_without_flit_happens: cover (!$past(rst) && $past(held[1] && released[1] && !given[1]) && held[1]);
        if (SHORT_PACKETS != 0) begin
            let_go_at_once_happens: cover (!$past(rst) && $past(held[0] && freed[0] && !departing[0]) && !held[0]);
        end
        given_with_the_release_happens: cover (!$past(rst) && $past(given[0] && held[0] && departing[0] && released[0]));
    end
endmodule
