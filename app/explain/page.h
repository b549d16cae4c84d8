/* page.h: a listing as one page of HTML that needs nothing else: no network, no other file. */
#ifndef GLINT_APP_EXPLAIN_PAGE_H
#define GLINT_APP_EXPLAIN_PAGE_H

#include "core/base/bytes.h"
#include "core/base/status.h"

#include <jansson.h>

extern const char explain_page[]; /* page.html: "@TITLE@" stands for the title, "@REPORT@" for the report */

/* The page that shows a report. STATUS_DEVICE without memory. Free with bytes_free. */
Status page_make(const json_t *report, Bytes *page);

#endif
