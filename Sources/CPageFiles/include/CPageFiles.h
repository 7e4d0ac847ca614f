#ifndef HEARTH_PAGE_FILES_H
#define HEARTH_PAGE_FILES_H

#include <stddef.h>

/// A file of the page.
struct hearth_page_file {
    /// The path under which it is served.
    const char *_Nonnull path;
    /// Its content type.
    const char *_Nonnull type;
    const unsigned char *_Nonnull bytes;
    size_t size;
};

/// The file of a number, counted from 0; NULL behind the last one.
const struct hearth_page_file *_Nullable hearth_page_file_at(size_t number);

#endif
