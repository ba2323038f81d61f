import process from "node:process";
import { readConfig } from "./config.ts";
import { keepPrivate } from "./data-folder/modes.ts";
import { runUntilStopped } from "./run-until-stopped.ts";
import { startFailure } from "./start-failure.ts";

keepPrivate();
try {
  await runUntilStopped({ config: readConfig() });
  process.exit(0);
} catch (error) {
  console.error(startFailure(error)?.message ?? error);
  process.exit(1);
}
