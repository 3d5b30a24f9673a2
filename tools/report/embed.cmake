# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ file with the page of the report as one text; the style sheet and the script are put in.
file(READ "${SOURCE_DIR}/report.html" page)
file(READ "${SOURCE_DIR}/report.css" css)
file(READ "${SOURCE_DIR}/report.js" js)
string(REPLACE "@@CSS@@" "${css}" page "${page}")
string(REPLACE "@@JS@@" "${js}" page "${page}")
# A string literal may not be longer than 64 KiB everywhere; adjacent ones are one.
string(LENGTH "${page}" length)
set(text "// Made from tools/report/web by embed.cmake.\n#include \"report/html_report.h\"\n\nnamespace cairn::report {\n\nconst char kReportPage[] =\n")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${page}" ${at} 8000 part)
  string(APPEND text "R\"~~~(${part})~~~\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
string(APPEND text ";\n\n}  // namespace cairn::report\n")
file(WRITE "${OUTPUT}" "${text}")
