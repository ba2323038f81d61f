import process from "node:process";
import { readConfig } from "./config.ts";
import { setPrivateUmask } from "./data-folder/modes.ts";
import { continueAsOwner } from "./data-folder/owner.ts";
import { misspelledSettingWarnings, ineffectiveSettingWarnings } from "./misspelled-names.ts";
import { runUntilStopped } from "./run-until-stopped.ts";
import { explainFailure } from "./start-failure.ts";

/** The exit code for a bug of this program; the `sop` command has the same one. */
const bug = 70;

// with arguments, this program is the command `sopwright-server`
if (process.argv.length > 2) await import("./program.ts");
else await serveUntilStopped();

async function serveUntilStopped(): Promise<never> {
  setPrivateUmask();
  for (const line of [...misspelledSettingWarnings(process.env), ...ineffectiveSettingWarnings(process.env)])
    console.error(`warning: ${line}`);
  try {
    // the configuration is read as root, because other users may not be able to read files of secrets
    const config = readConfig();
    const owner = continueAsOwner(config.dataDir);
    if (owner !== null) console.error(`warning: started as root, runs as user ${owner}, who owns DATA_DIR`);
    await runUntilStopped({ config });
    process.exit(0);
  } catch (error) {
    const failure = explainFailure(error);
    console.error(failure?.message ?? error);
    process.exit(failure?.exit ?? bug);
  }
}
