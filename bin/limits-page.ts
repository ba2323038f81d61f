/**
 * Writes docs/limits.md from the table of shared resources and core's limits. A test fails when the page is out of
 * date.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { limitsPage } from "../server/capacity/limits-page.ts";

writeFileSync(join(import.meta.dirname, "../docs/limits.md"), limitsPage());
