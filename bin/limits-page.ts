/** Writes docs/limits.md from the table of shared resources and the limits of core; a test says when it is due. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { limitsPage } from "../server/capacity/limits-page.ts";

writeFileSync(join(import.meta.dirname, "../docs/limits.md"), limitsPage());
