// How a report's page looks, in light and dark.
#ifndef GCL_TRANSLATE_PAGE_STYLE_H
#define GCL_TRANSLATE_PAGE_STYLE_H

static const char gcl_page_style[] =
    ":root{color-scheme:light dark;--back:#fbfbfa;--card:#fff;--text:#1d2126;--faint:#66707a;"
    "--line:#e1e4e8;--v0:#17795e;--v1:#c98a12;--v2:#b3423a;--bar:#d9dee3}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#15181c;--card:#1d2126;--text:#e4e7ea;"
    "--faint:#97a1ab;--line:#333a42;--v0:#3fae8c;--v1:#e0ab47;--v2:#e0756c;--bar:#39414a}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:2rem 1.5rem 4rem;max-width:72rem;background:var(--back);"
    "color:var(--text);font:15px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2.5rem 0 .6rem}\n"
    "p{margin:.2rem 0 .6rem}code,.place{font-family:ui-monospace,monospace;font-size:.87em;"
    "unicode-bidi:isolate;overflow-wrap:anywhere}\n"
    ".place,.note,.path{color:var(--faint)}.note{font-size:.87em}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.9rem;"
    "margin-top:1.4rem}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:8px;"
    "padding:.8rem 1rem}.card b{display:block;font-size:1.7rem;line-height:1.2}\n"
    "svg.bar{width:100%;height:7px;border-radius:4px;background:var(--bar);margin:.45rem 0}svg.bar "
    "rect{fill:var(--v0)}\n"
    "table{width:100%;border-collapse:collapse;background:var(--card);font-size:.93em}\n"
    "th,td{text-align:left;vertical-align:top;padding:.45rem .6rem;"
    "border-bottom:1px solid var(--line)}th{font-weight:600;color:var(--faint)}\n"
    "td p{margin:0 0 .3rem}td.number,th.number{text-align:right;white-space:nowrap;"
    "font-variant-numeric:tabular-nums}.worse,.bad{color:var(--v2)}.good{color:var(--v0)}\n"
    ".kernels td:first-child{width:26%}.kernels th{white-space:nowrap}\n"
    "tr:target{outline:2px solid var(--v1)}.code{font-weight:600}\n"
    "details summary{cursor:pointer;color:var(--faint);font-size:.87em}"
    ".arguments{margin:.2rem 0;padding-left:1.2rem}\n"
    "i.v0,i.v1,i.v2{display:inline-block;width:.8em;height:.8em;border-radius:3px}\n"
    "i.v0{background:var(--v0)}i.v1{background:var(--v1)}i.v2{background:var(--v2)}\n"
    "svg.map{max-width:100%;height:auto;display:block}svg text{font:600 12px "
    "ui-monospace,monospace;"
    "fill:#fff}svg text.file{font-weight:400;fill:var(--faint)}\n"
    "g.v0 rect{fill:var(--v0)}g.v1 rect{fill:var(--v1)}g.v2 rect{fill:var(--v2)}\n"
    "a:hover rect{stroke:var(--text);stroke-width:2}\n"
    ".legend span{margin-right:1.4rem;white-space:nowrap}pre{white-space:pre-wrap;"
    "overflow-wrap:anywhere;margin:.2rem 0}\n";

#endif
