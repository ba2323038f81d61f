import process from "node:process";
import { ConfigError, readConfig } from "./config.ts";
import { DataFolderInUseError } from "./database/sqlite/lock.ts";
import { serve } from "./serve.ts";

async function main(): Promise<void> {
  const server = await serve({ config: readConfig() });
  if (server.setupToken !== null) {
    console.log(`create the first administrator: ${server.url}/setup?token=${server.setupToken}`);
  }
  console.log(`listening on ${server.url}`);
  const stop = () => {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof DataFolderInUseError || isAddressInUse(error);
  console.error(known ? (error as Error).message : error);
  process.exit(1);
});

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
