// A prediction as a picture: on the left speed-up over nodes, both in powers of two, beside the
// line on which twice the nodes take half the time; on the right, for each number of nodes, which
// part of their time goes where.
#include <assert.h>
#include <math.h>

#include "base/name.h"
#include "exec/watch/prediction.h"
#include "gcluster/kernel.h"

enum { WIDTH = 900, HEIGHT = 420, TOP = 50, BOTTOM = 350, LEFT = 60, MIDDLE = 400, RIGHT = 480 };
enum { SHOWN = 5, NAME_SIZE = 40, BAR_END = 680 }; ///< kernels with a colour of their own

/// A box of the picture in which values lie between 0 and the most.
struct frame {
    double left, right, most_x, most_y;
};

static double x_of(const struct frame *frame, double x) {
    return frame->left + (frame->right - frame->left) * (frame->most_x > 0 ? x / frame->most_x : 0);
}

static double y_of(const struct frame *frame, double y) {
    return (double)BOTTOM - (double)(BOTTOM - TOP) * (frame->most_y > 0 ? y / frame->most_y : 0);
}

static void write_text(FILE *out, double x, double y, const char *anchor, const char *text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *text; text++) {
        if (*text == '<' || *text == '>' || *text == '&')
            fputs(*text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;", out);
        else
            fputc(*text, out);
    }
    fputs("</text>\n", out);
}

static void write_number(FILE *out, double x, double y, const char *anchor, double number) {
    char text[32];
    snprintf(text, sizeof text, "%.3g", number);
    write_text(out, x, y, anchor, text);
}

// Speed-up.

static double speed_up(const struct gcl_prediction *prediction, size_t line) {
    return prediction->lines[0].time_ns / prediction->lines[line].time_ns;
}

/// In powers of two; what is slower than one node is drawn at the bottom.
static double height_of(double speed_up) {
    return speed_up > 1 ? log2(speed_up) : 0;
}

static void draw_speed_up(const struct gcl_prediction *prediction, FILE *out) {
    const struct gcl_prediction_line *lines = prediction->lines;
    double most = log2(lines[prediction->line_count - 1].nodes);
    const struct frame frame = {LEFT, MIDDLE, most, most};
    write_text(out, LEFT, TOP - 15, "start", "speed-up over nodes (dashed: ideal)");
    fprintf(out, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"black\"/>\n", LEFT, TOP, BOTTOM,
            MIDDLE);
    fprintf(out, "<path d=\"M%d %dL%d %d\" stroke=\"grey\" stroke-dasharray=\"4\"/>\n", LEFT,
            BOTTOM, MIDDLE, TOP);
    for (double power = 0; power <= most; power++) {
        write_number(out, LEFT - 6, y_of(&frame, power) + 4, "end", exp2(power));
        write_number(out, x_of(&frame, power), BOTTOM + 18, "middle", exp2(power));
    }
    fputs("<path fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"2\" d=\"", out);
    for (size_t i = 0, drawn = 0; i < prediction->line_count; i++) {
        if (lines[i].is_known)
            fprintf(out, "%c%.1f %.1f", drawn++ ? 'L' : 'M', x_of(&frame, log2(lines[i].nodes)),
                    y_of(&frame, height_of(speed_up(prediction, i))));
    }
    fputs("\"/>\n", out);
    for (size_t i = 0; i < prediction->line_count; i++) {
        double y = y_of(&frame, height_of(speed_up(prediction, i)));
        if (!lines[i].is_known)
            continue;
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#1f77b4\"/>\n",
                x_of(&frame, log2(lines[i].nodes)), y);
        write_number(out, x_of(&frame, log2(lines[i].nodes)) + 6, y + 14, "start",
                     speed_up(prediction, i));
    }
}

// Where time goes.

static const char *const colours[SHOWN] = {"#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#17becf"};
static const char OTHERS[] = "#7f7f7f", MOVING[] = "#d62728", HOST[] = "#ffbb33";

/// The kernels that take longest on the last line, at most SHOWN of them.
static size_t find_shown(const struct gcl_prediction *prediction,
                         const struct gcl_prediction_kernel *shown[SHOWN]) {
    size_t count = 0, last = prediction->line_count - 1;
    for (size_t i = 0; i < prediction->kernel_count; i++) {
        const struct gcl_prediction_kernel *kernel = &prediction->kernels[i];
        size_t place = count;
        while (place > 0 &&
               shown[place - 1]->shares[last].compute_ns < kernel->shares[last].compute_ns)
            place--;
        if (place == SHOWN)
            continue;
        count += count < SHOWN;
        for (size_t k = count - 1; k > place; k--)
            shown[k] = shown[k - 1];
        shown[place] = kernel;
    }
    return count;
}

/// A part of a bar, from the part below it upwards.
static void draw_part(FILE *out, double x, double width, double *base, double part,
                      const char *colour) {
    double height = part * (BOTTOM - TOP);
    *base -= height;
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x,
            *base, width, height, colour);
}

static void draw_bar(const struct gcl_prediction *prediction, size_t line,
                     const struct gcl_prediction_kernel *const *shown, size_t shown_count,
                     FILE *out) {
    const struct gcl_prediction_line *at = &prediction->lines[line];
    double step = (double)(BAR_END - RIGHT) / (double)prediction->line_count;
    double x = (double)RIGHT + step * (double)line, width = 0.7 * step, base = BOTTOM;
    double host_ns = gcl_prediction_host_ns(at), others_ns = at->compute_ns;
    double all_ns = host_ns + at->compute_ns + at->moving_ns;
    write_number(out, x + width / 2, BOTTOM + 18, "middle", at->nodes);
    if (!at->is_known || all_ns <= 0)
        return;
    for (size_t i = 0; i < shown_count; i++) {
        double compute_ns = shown[i]->shares[line].compute_ns;
        draw_part(out, x, width, &base, compute_ns / all_ns, colours[i]);
        others_ns -= compute_ns;
    }
    draw_part(out, x, width, &base, fmax(others_ns, 0) / all_ns, OTHERS);
    draw_part(out, x, width, &base, at->moving_ns / all_ns, MOVING);
    draw_part(out, x, width, &base, host_ns / all_ns, HOST);
}

static void write_key(FILE *out, int row, const char *colour, const char *text) {
    int y = TOP + 10 + 20 * row;
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", BAR_END + 20,
            y - 10, colour);
    write_text(out, BAR_END + 38, y, "start", text);
}

static void draw_shares(const struct gcl_prediction *prediction, FILE *out) {
    const struct gcl_prediction_kernel *shown[SHOWN];
    size_t count = find_shown(prediction, shown);
    char name[NAME_SIZE];
    int row = 0;
    write_text(out, RIGHT, TOP - 15, "start", "where time goes, by nodes");
    for (size_t line = 0; line < prediction->line_count; line++)
        draw_bar(prediction, line, shown, count, out);
    write_key(out, row++, HOST, "host, and its copies");
    write_key(out, row++, MOVING, "moving between nodes");
    if (prediction->kernel_count > count)
        write_key(out, row++, OTHERS, "other kernels");
    for (size_t i = count; i-- > 0;)
        write_key(out, row++, colours[i],
                  gcl_name_demangle(shown[i]->kernel->name, name, sizeof name));
}

void gcl_prediction_draw(const struct gcl_prediction *prediction, FILE *out) {
    assert(prediction->line_count > 0);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    draw_speed_up(prediction, out);
    draw_shares(prediction, out);
    fprintf(out, "</svg>\n");
}
