// `e_rapid`: what docs/microarchitecture/mechanisms/e_rapid.md and ../power.md promise of the mechanism in a board of three with two nodes, seen at its ports and on its ring.
//
// "Nothing is lost, and no wavelength has two holders", as far as a board can see to it: it has at first the wavelengths w = B - o; it takes one when a response on the ring names it and never else; it leaves one when the
// ring says that another has it, once it has offered it; what it tells a request that passes is what it has. A port is given to packets only while the board has its wavelength and the laser is on.
// Ports to nodes "are always `On`". And the contract of a power mechanism.
//
// Not covered: that all boards believe the same, which takes several boards; what the controller decides (`reconfiguration_controller`).
module e_rapid_properties (
    input wire        clk,
    input wire        rst,
    input wire [15:0] position,
    input wire [7:0]  held,
    input wire [7:0]  given,
    input wire [7:0]  departing,
    input wire [7:0]  grantable,
    input wire [7:0]  preferred,
    input wire [7:0]  ready,
    input wire [7:0]  steady,
    input wire [23:0] phase,
    input wire [23:0] level,
    input wire [7:0]  waking,
    input wire [7:0]  hint,
    input wire [7:0]  serves,
    input wire [41:0] ring_out,
    input wire [41:0] station_word,
    input wire        station_passes,
    input wire [5:0]  link_holds,
    input wire [5:0]  link_offered,
    input wire [5:0]  link_offers_now
);
    localparam [2:0] ON = 3'd0, OFF = 3'd2, COMING_ON = 3'd3;
    localparam BOARDS = 3, NODES = 2, LINKS = 6;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    mechanism_surroundings_properties #(.PORTS(8)) surroundings (
        .clk(clk), .rst(rst), .held(held), .given(given), .departing(departing), .grantable(grantable)
    );
    // "A port that is `steady` is released with the fifth last flit of a packet": the last ones set out one after the other.
    reg [7:0] departing_before;
    always @(posedge clk) departing_before <= rst ? 8'd0 : departing;
    always @* if (began) assume ((departing & ~(held | departing_before)) == 0);
    // "`position`: address of the switch": it doesn't change. "`me` is the number of this board, the highest digit of `position`", behind a bit of the node.
    (* anyconst *) reg [15:0] place;
    wire [1:0] me = place[2:1];
    always @* assume (position == place && me < BOARDS && place[15:3] == 0);

    // Any one of the links: "port D + (o - 1) B + w [...] is the laser of wavelength w to the board that is o further".
    (* anyconst *) reg [2:0] one;
    always @* assume (one < LINKS);
    wire [1:0] further = one < BOARDS ? 2'd1 : 2'd2;
    wire [2:0] its_wavelength = one < BOARDS ? one : one - BOARDS;
    wire [2:0] to_board = {1'b0, me} + further >= BOARDS ? {1'b0, me} + further - BOARDS : {1'b0, me} + further;
    wire [2:0] its_phase = phase >> (3 * (one + NODES));
    wire [2:0] its_level = level >> (3 * (one + NODES));
    wire       its_ready = ready >> (one + NODES);
    wire       its_grantable = grantable >> (one + NODES);
    wire       its_held = held >> (one + NODES);
    wire       its_given = given >> (one + NODES);
    wire       its_departing = departing >> (one + NODES);
    wire       its_waking = waking >> (one + NODES);
    wire       its_serves = serves >> (one + NODES);
    wire       holds = link_holds >> one;
    wire       offered = link_offered >> one;
    wire       offers_now = link_offers_now >> one;

    // The word that passes is about it: a request, or a response that names this board or another.
    wire       about_it = station_passes && station_word[38:36] == to_board && station_word[35:33] == its_wavelength;
    wire       asks = about_it && station_word[40:39] == 1;
    wire       answers = about_it && station_word[40:39] == 2;
    wire       lit = station_word[32];
    wire       names_this = lit && station_word[29:27] == me;
    reg        asked_before, held_then, answered_before;
    reg [41:0] word_before;
    always @(posedge clk) begin
        asked_before    <= !rst && asks;
        answered_before <= !rst && answers;
        held_then       <= holds && !(lit && offers_now);
        word_before     <= station_word;
    end

    always @* if (began) begin
        port_to_a_node_is_always_on: assert (phase[5:0] == 0 && level[5:0] == 6'b101101 && &ready[1:0] && &grantable[1:0] && &serves[1:0] && waking[1:0] == 0);
        ready_only_if_on: assert (its_ready == (its_phase == ON) && steady == ready);
        grantable_only_if_held_and_on: assert (!its_grantable || (holds && its_phase == ON && its_serves));
        held_port_is_ready: assert (!its_held || its_ready);
        port_is_given_only_while_ready: assert (!its_given || its_ready);
        no_laser_without_wavelength: assert (holds || its_phase == OFF);
        offered_is_used_no_more: assert (!offered || (holds && !its_grantable && !its_held && !its_given && !its_departing));
        request_that_passes_is_told_who_holds: assert (!(asked_before && held_then) || (ring_out[32] && ring_out[29:27] == me));
        request_is_not_filled_in_by_who_does_not_hold: assert (!(asked_before && !held_then) || (ring_out[32:31] == word_before[32:31] && ring_out[29:0] == word_before[29:0]));
        response_goes_on_unchanged: assert (!answered_before || ring_out == word_before);
        one_class: assert (&preferred);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            first_holder_is_the_boards_own: assert (holds == (its_wavelength == BOARDS - further));
        end else begin
            takes_only_what_a_response_names: assert (!(holds && !$past(holds)) || $past(answers && names_this));
            takes_what_a_response_names: assert (!$past(answers && names_this) || holds);
            leaves_what_another_has: assert (!$past(offered && answers && !names_this) || !holds);
            believes_a_request_that_another_has_filled_in: assert (!$past(offered && asks && lit) || !holds);
            leaves_only_when_no_packet_is_on_it: assert (!(!holds && $past(holds)) || $past(!its_held && !its_given && !its_departing && !its_grantable));
            offered_until_it_is_answered: assert (!$past(offered) || offered || $past(answers || (asks && lit)));
            ready_when_given_is_ready_in_the_next_cycle: assert (!$past(its_ready && its_given) || its_ready);
            held_stays_ready: assert (!$past(its_ready && its_held) || its_ready);
            waking_says_it_a_cycle_before: assert ($past(its_waking) == (its_phase == COMING_ON && $past(its_phase) != COMING_ON));
        end
        taken_happens: cover (!$past(rst) && holds && !$past(holds));
        given_away_happens: cover (!$past(rst) && !holds && $past(holds && offered));
        told_happens: cover (asked_before && held_then && !word_before[32]);
        grant_before_the_change_happens: cover (its_given && !its_grantable);
    end
endmodule
