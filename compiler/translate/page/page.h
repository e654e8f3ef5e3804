// A report as one page of HTML, for a browser or an editor beside the code.
//
// Nothing on it comes from elsewhere and nothing on it runs: no script, no link but to its own
// places, and a policy that forbids both. Every text of the report is escaped where it is written
// (markup.h), since paths and names are those of a project that somebody else wrote.
#ifndef GCL_TRANSLATE_PAGE_H
#define GCL_TRANSLATE_PAGE_H

#include <jansson.h>

/// The page of a report (translate/report.h), to be freed. What a report lacks is left out.
char *gcl_page(const json_t *report);

#endif
