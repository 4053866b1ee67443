# Clock constraint of the FPGA prototype, in the subset of SDC that nextpnr reads.
#
# The switch of the papers runs at 625 MHz in an ASIC. An FPGA doesn't, and needn't: every duration of the power
# controllers is counted in cycles, so the prototype behaves the same at any clock rate, only slower. 100 MHz is what
# a PLL of the chip makes of the 25 MHz on an ULX3S board (see ulx3s-85f.lpf), and what synthesis reports compare a
# block's own clock rate with.
#
# `clk` is the clock input of every module in this project; `rst` is synchronous to it.
create_clock -name clk -period 10.0 [get_ports clk]
