/** The built web app from memory: hashed files for ever, everything else that is not the API gets the app's page. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Context, Next } from "koa";

interface StaticFile {
  type: string;
  etag: string;
  immutable: boolean;
  plain: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

export async function loadStaticFiles(dir: string): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  const names = await readdir(dir, { recursive: true }).catch(() => [] as string[]);
  const known = new Set(names);
  for (const name of names) {
    const type = types[path.extname(name)];
    if (type === undefined) continue;
    const plain = await readFile(path.join(dir, name));
    const packed = (suffix: string) => (known.has(name + suffix) ? readFile(path.join(dir, name + suffix)) : null);
    files.set(`/${name.split(path.sep).join("/")}`, {
      type,
      etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 27)}"`,
      immutable: name.startsWith("assets/"),
      plain,
      br: await packed(".br"),
      gzip: await packed(".gz"),
    });
  }
  return files;
}

const notForTheApp = /^\/(api|git|mcp|scim|cli|\.well-known|healthz|readyz|metrics|assets)(\/|$)/;
/** A screen's address never ends like a file; a missing file must not look like a page. */
const namesAFile = /\.[a-z0-9]{1,12}$/i;

export function staticFiles(files: ReadonlyMap<string, StaticFile>) {
  return async (ctx: Context, next: Next) => {
    if (ctx.path.startsWith("/api/") || (ctx.method !== "GET" && ctx.method !== "HEAD")) return next();
    const named = files.get(ctx.path);
    const file =
      named ?? (notForTheApp.test(ctx.path) || namesAFile.test(ctx.path) ? undefined : files.get("/index.html"));
    if (!file) return next();
    send(ctx, file);
  };
}

function send(ctx: Context, file: StaticFile): void {
  ctx.set("Cache-Control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache");
  ctx.set("ETag", file.etag);
  ctx.vary("Accept-Encoding");
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = file.type;
  const encoding = ctx.acceptsEncodings("br", "gzip", "identity");
  if (encoding === "br" && file.br) {
    ctx.set("Content-Encoding", "br");
    ctx.body = file.br;
  } else if (encoding !== false && file.gzip && ctx.acceptsEncodings("gzip", "identity") === "gzip") {
    ctx.set("Content-Encoding", "gzip");
    ctx.body = file.gzip;
  } else {
    ctx.body = file.plain;
  }
}
