#include "CPageFiles.h"

// The files are written into the program by the compiler (#embed, C23): nothing has to be found when it runs, wherever it
// was moved to, and their bytes are pages of the program's file, not memory of its own. Each file of the folder is one
// line in each of the two lists below.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_OF_PAGE(name) static const unsigned char name[]

FILE_OF_PAGE(index_html) = {
#embed "page/index.html"
};
FILE_OF_PAGE(style_css) = {
#embed "page/style.css"
};
FILE_OF_PAGE(icon_svg) = {
#embed "page/icon.svg"
};
FILE_OF_PAGE(main_js) = {
#embed "page/app/main.js"
};
FILE_OF_PAGE(agent_js) = {
#embed "page/app/agent.js"
};
FILE_OF_PAGE(state_js) = {
#embed "page/app/state.js"
};
FILE_OF_PAGE(dom_js) = {
#embed "page/app/dom.js"
};
FILE_OF_PAGE(words_js) = {
#embed "page/app/words.js"
};
FILE_OF_PAGE(sentences_js) = {
#embed "page/app/sentences.js"
};
FILE_OF_PAGE(translate_js) = {
#embed "page/app/translate.js"
};
FILE_OF_PAGE(german_js) = {
#embed "page/app/german.js"
};
FILE_OF_PAGE(format_js) = {
#embed "page/app/format.js"
};
FILE_OF_PAGE(parts_js) = {
#embed "page/app/parts.js"
};
FILE_OF_PAGE(home_js) = {
#embed "page/app/home.js"
};
FILE_OF_PAGE(questions_js) = {
#embed "page/app/questions.js"
};
FILE_OF_PAGE(save_js) = {
#embed "page/app/save.js"
};
FILE_OF_PAGE(add_js) = {
#embed "page/app/add.js"
};
FILE_OF_PAGE(propose_js) = {
#embed "page/app/propose.js"
};
FILE_OF_PAGE(doctor_js) = {
#embed "page/app/doctor.js"
};
FILE_OF_PAGE(join_js) = {
#embed "page/app/join.js"
};
FILE_OF_PAGE(keeping_js) = {
#embed "page/app/keeping.js"
};
FILE_OF_PAGE(place_js) = {
#embed "page/app/place.js"
};
FILE_OF_PAGE(many_js) = {
#embed "page/app/many.js"
};
FILE_OF_PAGE(bring_js) = {
#embed "page/app/bring.js"
};
FILE_OF_PAGE(rules_js) = {
#embed "page/app/rules.js"
};
FILE_OF_PAGE(chronicle_js) = {
#embed "page/app/chronicle.js"
};
FILE_OF_PAGE(series_js) = {
#embed "page/app/series.js"
};
FILE_OF_PAGE(pictures_js) = {
#embed "page/app/pictures.js"
};
FILE_OF_PAGE(trophies_js) = {
#embed "page/app/trophies.js"
};
FILE_OF_PAGE(shelf_js) = {
#embed "page/app/shelf.js"
};
FILE_OF_PAGE(download_js) = {
#embed "page/app/download.js"
};
FILE_OF_PAGE(household_js) = {
#embed "page/app/household.js"
};
FILE_OF_PAGE(map_js) = {
#embed "page/app/map.js"
};
FILE_OF_PAGE(log_js) = {
#embed "page/app/log.js"
};
FILE_OF_PAGE(qr_js) = {
#embed "page/app/qr.js"
};

#define ENTRY(path, type, name) {path, type, name, sizeof name}

static const struct hearth_page_file files[] = {
    ENTRY("/index.html", "text/html; charset=utf-8", index_html),
    ENTRY("/style.css", "text/css; charset=utf-8", style_css),
    ENTRY("/icon.svg", "image/svg+xml", icon_svg),
    ENTRY("/app/main.js", "text/javascript; charset=utf-8", main_js),
    ENTRY("/app/agent.js", "text/javascript; charset=utf-8", agent_js),
    ENTRY("/app/state.js", "text/javascript; charset=utf-8", state_js),
    ENTRY("/app/dom.js", "text/javascript; charset=utf-8", dom_js),
    ENTRY("/app/words.js", "text/javascript; charset=utf-8", words_js),
    ENTRY("/app/sentences.js", "text/javascript; charset=utf-8", sentences_js),
    ENTRY("/app/translate.js", "text/javascript; charset=utf-8", translate_js),
    ENTRY("/app/german.js", "text/javascript; charset=utf-8", german_js),
    ENTRY("/app/format.js", "text/javascript; charset=utf-8", format_js),
    ENTRY("/app/parts.js", "text/javascript; charset=utf-8", parts_js),
    ENTRY("/app/home.js", "text/javascript; charset=utf-8", home_js),
    ENTRY("/app/questions.js", "text/javascript; charset=utf-8", questions_js),
    ENTRY("/app/save.js", "text/javascript; charset=utf-8", save_js),
    ENTRY("/app/add.js", "text/javascript; charset=utf-8", add_js),
    ENTRY("/app/propose.js", "text/javascript; charset=utf-8", propose_js),
    ENTRY("/app/doctor.js", "text/javascript; charset=utf-8", doctor_js),
    ENTRY("/app/join.js", "text/javascript; charset=utf-8", join_js),
    ENTRY("/app/keeping.js", "text/javascript; charset=utf-8", keeping_js),
    ENTRY("/app/place.js", "text/javascript; charset=utf-8", place_js),
    ENTRY("/app/many.js", "text/javascript; charset=utf-8", many_js),
    ENTRY("/app/bring.js", "text/javascript; charset=utf-8", bring_js),
    ENTRY("/app/rules.js", "text/javascript; charset=utf-8", rules_js),
    ENTRY("/app/chronicle.js", "text/javascript; charset=utf-8", chronicle_js),
    ENTRY("/app/series.js", "text/javascript; charset=utf-8", series_js),
    ENTRY("/app/pictures.js", "text/javascript; charset=utf-8", pictures_js),
    ENTRY("/app/trophies.js", "text/javascript; charset=utf-8", trophies_js),
    ENTRY("/app/shelf.js", "text/javascript; charset=utf-8", shelf_js),
    ENTRY("/app/download.js", "text/javascript; charset=utf-8", download_js),
    ENTRY("/app/household.js", "text/javascript; charset=utf-8", household_js),
    ENTRY("/app/map.js", "text/javascript; charset=utf-8", map_js),
    ENTRY("/app/log.js", "text/javascript; charset=utf-8", log_js),
    ENTRY("/app/qr.js", "text/javascript; charset=utf-8", qr_js),
};

const struct hearth_page_file *hearth_page_file_at(size_t number) {
    return number < sizeof files / sizeof files[0] ? &files[number] : NULL;
}
