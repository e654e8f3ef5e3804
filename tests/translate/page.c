// translate_page REPORT: the page of a report.
#include <stdio.h>

#include <glib.h>

#include "translate/page/page.h"

int main(int count, char **arguments) {
    json_t *report = count == 2 ? json_load_file(arguments[1], 0, NULL) : NULL;
    if (!report)
        return 2;
    g_autofree char *page = gcl_page(report);
    json_decref(report);
    return fputs(page, stdout) < 0;
}
