/**
 * Serves `GET /cli/sopwright.tgz`: the `sop` command of this server's version, as an npm package. The package needs no
 * sign-in, because it contains no data of the server.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import { terminalPackagePath } from "#core/terminal-package.ts";
import { refusals } from "./refusals.ts";

interface TerminalPackage {
  name: string;
  bytes: Buffer;
  sha512: Buffer;
}

/** Loads the package. @param dir the folder with the built packages @returns null if nothing is built */
export async function loadTerminalPackage(dir: string): Promise<TerminalPackage | null> {
  const names = await readdir(dir).catch(() => [] as string[]);
  const name = names.find((one) => /^sopwright-\d.*\.tgz$/.test(one));
  if (name === undefined) return null;
  const bytes = await readFile(path.join(dir, name));
  return { name, bytes, sha512: createHash("sha512").update(bytes).digest() };
}

/**
 * Creates the middleware that serves the package.
 * @param built null if no package was built: requests then get not_found
 */
export function createTerminalPackageMiddleware(built: TerminalPackage | null) {
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== terminalPackagePath || (ctx.method !== "GET" && ctx.method !== "HEAD")) return next();
    if (built === null) {
      throw new AppError("not_found", refusals.packageNotBuilt());
    }
    // the bytes change only with the server's version, and CI compares them with a known SHA-512
    ctx.set("Cache-Control", "public, no-cache");
    ctx.set("ETag", `"${built.sha512.toString("base64url")}"`);
    ctx.set("Repr-Digest", `sha-512=:${built.sha512.toString("base64")}:`);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.attachment(built.name);
    ctx.type = "application/gzip";
    ctx.body = built.bytes;
  };
}
