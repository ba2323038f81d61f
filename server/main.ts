import process from "node:process";
import { misspelledNames, readConfig } from "./config.ts";
import { setPrivateUmask } from "./data-folder/modes.ts";
import { runUntilStopped } from "./run-until-stopped.ts";
import { startFailure } from "./start-failure.ts";

/** A defect of this program, as `sop` has it. */
const bug = 70;

setPrivateUmask();
for (const line of misspelledNames()) console.error(`warning: ${line}`);
try {
  await runUntilStopped({ config: readConfig() });
  process.exit(0);
} catch (error) {
  const failure = startFailure(error);
  console.error(failure?.message ?? error);
  process.exit(failure?.exit ?? bug);
}
