// `hint_registers`: what software sets and reads of hints (docs/microarchitecture/mechanisms/wake_hints.md).
//
// Every event of every port is counted: the counters grow by the ones of two cycles before, unless software writes them.
//
// Not covered: the values that a reset gives `hints` and `sideband`, which are the configuration's.
module hint_registers_properties #(
    parameter PORTS = 4,
    // Where the counters begin, a byte address / 4: behind the other registers of the mechanism.
    parameter [9:0] DROPPED = 10'h1d
) (
    input wire             clk,
    input wire             rst,
    input wire             write_enable,
    input wire [9:0]       write_address,
    input wire [31:0]      write_data,
    input wire [9:0]       read_address,
    input wire [31:0]      read_data,
    input wire [PORTS-1:0] broken,
    input wire [PORTS-1:0] refused,
    input wire [PORTS-1:0] woke,
    input wire [PORTS-1:0] unused,
    input wire             hints,
    input wire             sideband,
    input wire [31:0]      hints_dropped_q,
    input wire [31:0]      hints_woke_q,
    input wire [31:0]      hints_unused_q,
    input wire [7:0]       lost_q,
    input wire [6:0]       begun_q,
    input wire [6:0]       idle_q
);
    localparam [9:0] CONTROL = 10'h1c, WOKE = DROPPED + 10'd1, UNUSED = DROPPED + 10'd2;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    function [7:0] ones(input [PORTS-1:0] bits);
        integer p;
        begin
            ones = 8'd0;
            for (p = 0; p < PORTS; p = p + 1) ones = ones + {7'd0, bits[p]};
        end
    endfunction

    // Ones of the cycle before.
    reg [7:0] lost, begun, idle;
    always @(posedge clk) begin
        lost  <= rst ? 8'd0 : ones(broken) + ones(refused);
        begun <= rst ? 8'd0 : ones(woke);
        idle  <= rst ? 8'd0 : ones(unused);
    end

    always @* if (began) begin
        events_are_added_up: assert (lost_q == lost && {1'b0, begun_q} == begun && {1'b0, idle_q} == idle);
        register_is_read: assert (read_data == (read_address == CONTROL ? {30'd0, sideband, hints}
            : read_address == DROPPED ? hints_dropped_q : read_address == WOKE ? hints_woke_q : read_address == UNUSED ? hints_unused_q : 32'd0));
    end

    always @(posedge clk) if (began && $past(rst)) begin
        counters_are_0_behind_a_reset: assert (hints_dropped_q == 32'd0 && hints_woke_q == 32'd0 && hints_unused_q == 32'd0);
    end
    always @(posedge clk) if (began && !$past(rst)) begin
        every_loss_is_counted: assert ($past(write_enable && write_address == DROPPED) || hints_dropped_q == $past(hints_dropped_q) + {24'd0, $past(lost)});
        every_port_woken_is_counted: assert ($past(write_enable && write_address == WOKE) || hints_woke_q == $past(hints_woke_q) + {24'd0, $past(begun)});
        every_port_unused_is_counted: assert ($past(write_enable && write_address == UNUSED) || hints_unused_q == $past(hints_unused_q) + {24'd0, $past(idle)});
        a_write_sets_the_counter: assert ((!$past(write_enable && write_address == DROPPED) || hints_dropped_q == $past(write_data))
            && (!$past(write_enable && write_address == WOKE) || hints_woke_q == $past(write_data))
            && (!$past(write_enable && write_address == UNUSED) || hints_unused_q == $past(write_data)));
        written_control_holds: assert ({sideband, hints} == ($past(write_enable && write_address == CONTROL) ? $past(write_data[1:0]) : {$past(sideband), $past(hints)}));
    end

    always @* if (began && !rst) begin
        all_ports_at_once: cover (lost_q == 8'd2 * PORTS[7:0] && begun_q == PORTS[6:0]);
        a_counter_wraps: cover (hints_unused_q == 32'hffff_ffff && idle_q != 7'd0);
        hints_without_a_sideband: cover (hints && !sideband);
    end
endmodule
