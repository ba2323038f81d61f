/** Writes docs/rules.md from the lint rules. A test fails when the page is out of date. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rulesPage } from "#core/lint/rules-page.ts";

writeFileSync(join(import.meta.dirname, "../docs/rules.md"), rulesPage());
