/** Writes web/editor/alert-grades.css from the grades of alerts. A test fails when it is out of date. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { alertStyle } from "#core/markdown/alert-grades.ts";

writeFileSync(join(import.meta.dirname, "../web/editor/alert-grades.css"), alertStyle());
