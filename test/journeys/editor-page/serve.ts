/** Builds the editor's page in memory and serves it under the product's content security policy. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import tailwindcss from "@tailwindcss/vite";
import { build, type Rollup } from "vite";
import { compileMessages } from "../../../bin/compile-messages.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const types: Record<string, string> = { js: "text/javascript", css: "text/css", html: "text/html; charset=utf-8" };

/** A PNG of 48 × 32 pixels in one color. */
const image = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAADbtmxLAAAAMUlEQVR42u3OQQ0AAAgEoEtnHNMZ0BbOBxsBSPW8EiEhISEhISEhISEhISEhISGhSwv5KHB5BCZ51gAAAABJRU5ErkJggg==",
  "base64",
);
export const imageUrl = `/api/assets/${"a".repeat(64)}.png`;

export interface EditorPage {
  url: string;
  /** Content types and sizes of the uploaded images. */
  uploads: { type: string; size: number }[];
  close(): void;
}

export async function serveEditorPage(): Promise<EditorPage> {
  const files = await buildPage();
  const uploads: EditorPage["uploads"] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (request.method === "POST" && path === "/api/assets") {
      let size = 0;
      request.on("data", (chunk: Buffer) => (size += chunk.length));
      request.on("end", () => {
        uploads.push({ type: request.headers["content-type"] ?? "", size });
        response.writeHead(201, { "content-type": "application/json" });
        response.end(JSON.stringify({ sha256: "a".repeat(64), url: imageUrl, type: "image/png", size }));
      });
      return;
    }
    if (path === imageUrl) {
      response.writeHead(200, { "content-type": "image/png" });
      return void response.end(image);
    }
    const file = files.get(path === "/" ? "/index.html" : path);
    const type = types[path === "/" ? "html" : (path.split(".").at(-1) ?? "")];
    response.writeHead(file === undefined ? 204 : 200, {
      "content-security-policy": policy,
      ...(type && { "content-type": type }),
    });
    response.end(file);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    uploads,
    close: () => void server.close(),
  };
}

async function buildPage(): Promise<Map<string, string | Uint8Array>> {
  // a test runner's NODE_ENV would load React's development build
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  const built = (await build({
    configFile: false,
    logLevel: "error",
    root: fileURLToPath(new URL(".", import.meta.url)),
    plugins: [compileMessages(), react(), tailwindcss()],
    build: { write: false, assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2000 },
  }).finally(() => {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  })) as Rollup.RollupOutput;
  return new Map(built.output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]));
}
