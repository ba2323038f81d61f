/** Fetches the package that CI installs, to record its hash, from the server of the flags or the sign-in. */
import { createHash } from "node:crypto";
import { ApiError } from "#core/api/client.ts";
import { terminalPackagePath } from "#core/terminal-package.ts";
import type { CommandContext } from "../context.ts";
import { CliError, exit } from "../exit.ts";
import { fetchFromServer, findConnection, isLoopback } from "../server.ts";
import type { CiPackage } from "./init-files.ts";

/**
 * Prints a note if CI can't reach the server's address.
 * @throws exit 5 without an answer or if the answer isn't a package, ApiError if the server refuses
 */
export async function fetchCiPackage(context: CommandContext): Promise<CiPackage> {
  const { server } = await findConnection(context);
  const request = { method: "GET", url: terminalPackagePath, headers: {} } as const;
  const response = await fetchFromServer(server, context.signal, request, {});
  if (!response.ok) throw new ApiError(response.status, await response.text(), response.statusText);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!bytes.subarray(0, 2).equals(gzip)) {
    throw new CliError(exit.network, {
      code: "unexpected_answer",
      message: `${server}${terminalPackagePath} isn't a package`,
      hint: "check that --server or SOP_SERVER names a Sopwright server",
    });
  }
  if (isLoopback(new URL(server).hostname)) {
    context.out.note(`CI can't reach ${server}: run it again with --server and the address that others use`);
  }
  return { server, sha512: createHash("sha512").update(bytes).digest("hex") };
}

const gzip = Buffer.from([0x1f, 0x8b]);
