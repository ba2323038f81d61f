/** Writes the generated part of `docs/cli.md`: `node bin/cli-page.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withReference } from "../cli/help/reference.ts";
import { buildProgram } from "../cli/program.ts";

const file = path.join(import.meta.dirname, "..", "docs", "cli.md");
writeFileSync(file, withReference(readFileSync(file, "utf8"), buildProgram()));
