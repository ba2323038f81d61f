/**
 * Serves the built web app from memory. Browsers cache files with a hash in their name forever; paths of screens get
 * the app's page.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Context, Next } from "koa";
import { sha256 } from "../hashing.ts";

interface StaticFile {
  type: string;
  etag: string;
  immutable: boolean;
  br: Buffer | null;
  gzip: Buffer | null;
  /**
   * The uncompressed bytes, only for files without a compressed form. Almost every client accepts compressed files, so
   * this saves most of the memory.
   */
  plain: Buffer | null;
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

export async function loadStaticFiles(dir: string): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  const names = await readdir(dir, { recursive: true }).catch(() => [] as string[]);
  const known = new Set(names);
  for (const name of new Set(names.map((one) => one.replace(/\.gz$/, "")))) {
    const type = types[path.extname(name)];
    if (type === undefined) continue;
    const readVariant = (suffix: string) => (known.has(name + suffix) ? readFile(path.join(dir, name + suffix)) : null);
    const gzip = await readVariant(".gz");
    const plain = gzip === null ? await readVariant("") : null;
    const bytes = gzip ?? plain;
    if (bytes === null) continue;
    files.set(`/${name.split(path.sep).join("/")}`, {
      type,
      etag: `"${sha256(bytes, "base64url").slice(0, 27)}"`,
      immutable: name.startsWith("assets/"),
      br: await readVariant(".br"),
      gzip,
      plain,
    });
  }
  return files;
}

const notForTheApp = new Set(["api", "git", "mcp", "scim", "cli", "healthz", "readyz", "metrics", "assets"]);

/**
 * Says whether a path can be a screen's address: it has no dot and no control character, so that file names, hidden
 * folders and `..` don't get the page. Decodes the path and ignores case, because other programs may read it that way.
 */
function isScreen(encoded: string): boolean {
  let path: string;
  try {
    path = decodeURIComponent(encoded).toLowerCase();
  } catch {
    return false;
  }
  if (/[.\p{Cc}]/u.test(path)) return false;
  const first = path.split(/[/\\;]/).find((part) => part.trim() !== "");
  return first === undefined || !notForTheApp.has(first.trim());
}

/**
 * Creates the middleware that serves the files.
 * @param built the files of the web app by path; its page `/index.html` is only served for paths of screens
 */
export function createStaticFilesMiddleware(built: ReadonlyMap<string, StaticFile>) {
  const files = new Map(built);
  const page = files.get("/index.html");
  files.delete("/index.html");
  return async (ctx: Context, next: Next) => {
    if (ctx.path.startsWith("/api/") || (ctx.method !== "GET" && ctx.method !== "HEAD")) return next();
    const file = isScreen(ctx.path) ? page : files.get(ctx.path);
    if (!file) return next();
    await sendStaticFile(ctx, file);
  };
}

async function sendStaticFile(ctx: Context, file: StaticFile): Promise<void> {
  ctx.set("Cache-Control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache");
  ctx.set("ETag", file.etag);
  ctx.vary("Accept-Encoding");
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = file.type;
  const { br, gzip, plain } = file;
  const encoding = ctx.acceptsEncodings("br", "gzip", "identity");
  if (encoding === "br" && br) {
    ctx.set("Content-Encoding", "br");
    ctx.body = br;
  } else if (encoding !== false && gzip && ctx.acceptsEncodings("gzip", "identity") === "gzip") {
    ctx.set("Content-Encoding", "gzip");
    ctx.body = gzip;
  } else {
    ctx.body = plain ?? (gzip && (await promisify(gunzip)(gzip)));
  }
}
