// `bound_registers`: what software sets of the thresholds that ports choose (docs/microarchitecture/mechanisms/perf_bound.md), behind POWAR's registers; they keep to the rules of all such, as
// `register_file.sv` says them.
//
// Not covered: the values that a reset gives, which are the configuration's.
module bound_registers_properties (
    input wire        clk,
    input wire        rst,
    input wire        write_enable,
    input wire [9:0]  write_address,
    input wire [31:0] write_data,
    input wire [9:0]  read_address,
    input wire [31:0] read_data,
    input wire [7:0]  allowed,
    input wire [23:0] period
);
    register_file_properties #(.FIRST(10'h1a), .WORDS(2)) rules (
        .clk           (clk),
        .rst           (rst),
        .write_enable  (write_enable),
        .write_address (write_address),
        .write_data    (write_data),
        .read_address  (read_address),
        .read_data     (read_data),
        .words         ({8'd0, period, 24'd0, allowed}),
        .bits          ({32'hffffff, 32'hff})
    );
endmodule
