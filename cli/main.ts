/** The `sop` command. The program is imported after the cache is on, so that starting stays quick. */
import { enableCompileCache } from "node:module";

enableCompileCache();
const { main } = await import("./program.ts");
process.exitCode = await main(process.argv.slice(2));
