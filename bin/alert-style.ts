/** Writes web/editor/alert-grades.css from the grades of alerts. A test fails when it is out of date. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { alertStylesheet } from "#core/markdown/alert-grades.ts";

writeFileSync(join(import.meta.dirname, "../web/editor/alert-grades.css"), alertStylesheet());
