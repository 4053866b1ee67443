// `uart_bridge`: commands of LiteX's UARTBone to accesses on a bus (docs/microarchitecture/demonstrator.md).
//
// A command is followed byte by byte here: its first byte, the number of words, the address, highest byte first, the words of a write. Each word that is complete is written once, where the command says, and each word of a read is
// read once and sent, highest byte first; with another first byte, or no words, nothing goes to the bus. A command that stops is dropped after `timeout` cycles without a byte, between accesses only. What is offered to the bus stays
// until it is taken, and an access that has begun is finished.
// Assumed, as AXI4-Lite has it (ARM IHI 0022, A3.3.1): the bus answers only what it has taken, once.
//
// Not covered: nothing.
// verilator lint_off WIDTH
module uart_bridge_properties (
    input wire        clk,
    input wire        rst,
    input wire        rx_valid,
    input wire [7:0]  rx_data,
    input wire        tx_ready,
    input wire [23:0] timeout,
    input wire        m_axi_awready,
    input wire        m_axi_wready,
    input wire        m_axi_bvalid,
    input wire [1:0]  m_axi_bresp,
    input wire        m_axi_arready,
    input wire        m_axi_rvalid,
    input wire [31:0] m_axi_rdata,
    input wire [1:0]  m_axi_rresp,
    input wire        rx_ready,
    input wire        tx_valid,
    input wire [7:0]  tx_data,
    input wire        m_axi_awvalid,
    input wire        m_axi_wvalid,
    input wire        m_axi_arvalid,
    input wire [31:0] m_axi_awaddr,
    input wire [31:0] m_axi_araddr,
    input wire [31:0] m_axi_wdata,
    input wire [3:0]  m_axi_wstrb,
    input wire        m_axi_bready,
    input wire        m_axi_rready,
    input wire        bus_error,
    input wire [2:0]  state_q,
    input wire [7:0]  command_q,
    input wire [7:0]  words_q,
    input wire [31:0] address_q,
    input wire [31:0] data_q,
    input wire [1:0]  place_q,
    input wire [23:0] elapsed_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The command: bytes of it that have come, 6 when its head is there; bytes of the word that is written; what is left of it.
    reg [2:0]  bytes, word_bytes;
    reg [7:0]  first, left;
    reg [31:0] word_address, word;
    reg        accessing, aw_taken, w_taken, ar_taken, sending;
    reg [1:0]  sent_bytes;
    reg [24:0] silent;
    wire       is_write = first == 1 || first == 3, is_read = first == 2 || first == 4, goes_on = first == 1 || first == 2;
    wire       listens = !accessing && !sending;
    wire       takes = rx_valid && rx_ready;
    wire       drops = listens && bytes != 0 && !rx_valid && silent >= timeout;
    wire       written = accessing && is_write && m_axi_bvalid && m_axi_bready;
    wire       has_read = accessing && is_read && m_axi_rvalid && m_axi_rready;
    wire       sends = tx_valid && tx_ready;
    wire       word_ends = written || (sends && sent_bytes == 3);
    wire       head_ends = takes && bytes == 5;
    always @(posedge clk) begin
        if (rst) begin
            {bytes, word_bytes, accessing, aw_taken, w_taken, ar_taken, sending, sent_bytes} <= 13'd0;
            {first, left, word_address, word} <= 80'd0;
            silent <= 25'd0;
        end else begin
            silent <= listens && bytes != 0 && !rx_valid && !drops ? silent + 25'd1 : 25'd0;
            if (drops) {bytes, word_bytes} <= 6'd0;
            if (takes) begin
                if (bytes < 6) bytes <= bytes + 3'd1;
                if (bytes == 0) first <= rx_data;
                if (bytes == 1) left <= rx_data;
                if (bytes >= 2 && bytes < 6) word_address <= {word_address[23:0], rx_data};
                if (bytes == 6) begin
                    word       <= {word[23:0], rx_data};
                    word_bytes <= word_bytes == 3 ? 3'd0 : word_bytes + 3'd1;
                end
                if ((head_ends && is_read && left != 0) || (bytes == 6 && word_bytes == 3)) {accessing, aw_taken, w_taken, ar_taken} <= 4'b1000;
                if (head_ends && (left == 0 || !(is_read || is_write))) bytes <= 3'd0;
            end
            if (m_axi_awvalid && m_axi_awready) aw_taken <= 1'b1;
            if (m_axi_wvalid && m_axi_wready) w_taken <= 1'b1;
            if (m_axi_arvalid && m_axi_arready) ar_taken <= 1'b1;
            if (has_read) begin
                word       <= m_axi_rdata;
                sending    <= 1'b1;
                sent_bytes <= 2'd0;
                accessing  <= 1'b0;
            end
            if (sends) begin
                word       <= word << 8;
                sent_bytes <= sent_bytes + 2'd1;
            end
            if (word_ends) begin
                left      <= left - 8'd1;
                accessing <= sending && left != 1;
                sending   <= 1'b0;
                {aw_taken, w_taken, ar_taken} <= 3'd0;
                if (goes_on) word_address <= word_address + 32'd1;
                if (left == 1) bytes <= 3'd0;
            end
        end
    end
    // The bus answers what it has taken.
    always @* if (began) begin
        assume (!m_axi_bvalid || (accessing && is_write && aw_taken && w_taken));
        assume (!m_axi_rvalid || (accessing && is_read && ar_taken));
    end

    always @* if (began) begin
        listens_unless_it_works: assert (rx_ready == listens);
        writes_each_word_once: assert (m_axi_awvalid == (accessing && is_write && !aw_taken) && m_axi_wvalid == (accessing && is_write && !w_taken));
        reads_each_word_once: assert (m_axi_arvalid == (accessing && is_read && !ar_taken));
        where_the_command_says: assert (!accessing || (m_axi_awaddr == {word_address[29:0], 2'd0} && m_axi_araddr == m_axi_awaddr));
        the_word_that_came: assert (!(accessing && is_write) || (m_axi_wdata == word && m_axi_wstrb == 4'd15));
        waits_for_the_answer: assert (m_axi_bready == (accessing && is_write) && m_axi_rready == (accessing && is_read));
        sends_what_was_read: assert (tx_valid == sending && (!sending || tx_data == word[31:24]));
        tells_errors: assert (bus_error == ((written && m_axi_bresp != 0) || (has_read && m_axi_rresp != 0)));
        nothing_without_a_command: assert ((!(accessing || sending) || bytes == 6) && (bytes != 6 || left != 0));
        // Auxiliary: the block's registers.
        state_is_where_the_command_is: assert (state_q == (sending ? 3'd6 : accessing ? is_write ? 3'd4 : 3'd5 : bytes == 0 ? 3'd0 : bytes == 1 ? 3'd1 : bytes < 6 ? 3'd2 : 3'd3));
        keeps_the_head: assert (bytes <= 6 && command_q == first && words_q == left && address_q == word_address && (bytes != 6 || (is_write || is_read)));
        keeps_the_word: assert (data_q == word && word_bytes < 4 && (!accessing || word_bytes == 0) && (!sending || (is_read && word_bytes == 0)) && (bytes == 6 || word_bytes == 0) && !(accessing && sending));
        reads_do_not_collect: assert (!(bytes == 6 && is_read) || accessing || sending);
        counts_bytes: assert (place_q == (sending ? sent_bytes : accessing || bytes < 2 ? 2'd0 : bytes < 6 ? bytes - 3'd2 : word_bytes));
        counts_silence: assert (elapsed_q == silent[23:0] && silent <= 25'hffffff);
        taken_in_an_access_alone: assert (accessing || sending || !(aw_taken || w_taken || ar_taken));
        writes_a_second_word: cover (written && word_address == 32'h80000000 && left == 1 && first == 1);
        reads_a_word: cover (sends && sent_bytes == 3 && first == 4);
        drops_a_command: cover (drops && bytes == 6);
        does_nothing: cover (head_ends && first == 5);
    end
    always @(posedge clk) if (began) begin
        nothing_after_reset: assert (!$past(rst) || (!m_axi_awvalid && !m_axi_wvalid && !m_axi_arvalid && !tx_valid && rx_ready));
    end
endmodule
