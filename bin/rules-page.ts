/** Writes docs/rules.md from the lint rules; a test says when it is due. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rulesPage } from "#core/lint/rules-page.ts";

writeFileSync(join(import.meta.dirname, "../docs/rules.md"), rulesPage());
