/**
 * The preview's HTTP server: for this machine only, read-only, and only for files that the workspace lists. Other users
 * of the machine reach its port too. So the address has a key, which the browser then keeps as a cookie.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { invalidInputError } from "../exit.ts";
import { readDocumentStyle, readBundledFile } from "../workspace/bundled-files.ts";
import { escapeHtml } from "../workspace/page.ts";
import { renderDocumentPage, renderListPage, notFoundPage, type PreviewedWorkspace } from "./pages.ts";

const host = "127.0.0.1";

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const commonHeaders = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

const staticFileTypes: Readonly<Record<string, string>> = {
  "document.css": "text/css",
  "preview.css": "text/css",
  "preview.js": "text/javascript",
};

interface PreviewReply {
  status?: number;
  type: string;
  body: string | Uint8Array;
}

export interface PreviewServer {
  /** The address with the key. */
  url: string;
  /** Tells every open page to reload. */
  reloadPages(): void;
  close(): Promise<void>;
}

/** @throws exit 2 with a free port as a hint if `port` is taken */
export async function startPreview(preview: PreviewedWorkspace, port: number): Promise<PreviewServer> {
  const pages = new Set<ServerResponse>();
  const key = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    const asked = previewAccessOf(request, key);
    if (asked === "given" && request.url === "/events") return openEventStream(response, pages);
    if (asked === "key")
      response.setHeader("set-cookie", `${previewCookieName(request)}=${key}; Path=/; HttpOnly; SameSite=Strict`);
    void (
      asked === "given" ? answerPreviewRequest(preview, request) : Promise.resolve(replyWithoutAccess(asked, request))
    )
      .catch((error: unknown): PreviewReply => ({
        status: 500,
        type: "text/plain",
        body: `${(error as Error).message}\n`,
      }))
      .then(({ status = 200, type, body }) => {
        const bytes = Buffer.from(body);
        const charset = type.startsWith("text/") ? "; charset=utf-8" : "";
        const headers = { ...commonHeaders, "content-type": type + charset, "content-length": bytes.length };
        response.writeHead(status, headers);
        response.end(request.method === "HEAD" ? undefined : bytes);
      });
  });
  const taken = await listenOnPreviewPort(server, port);
  return {
    url: `http://${host}:${taken}/?key=${key}`,
    reloadPages: () => {
      for (const page of pages) page.write("event: change\ndata: {}\n\n");
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerPreviewRequest(preview: PreviewedWorkspace, request: IncomingMessage): Promise<PreviewReply> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return { status: 405, type: "text/plain", body: "The preview is read-only\n" };
  }
  const path = requestPathOf(request.url ?? "/");
  if (path === "/favicon.ico") return { status: 204, type: "image/x-icon", body: "" };
  if (path === "/") return { type: "text/html", body: await renderListPage(preview) };
  const [, room = "", name = ""] = /^\/(doc|static|api\/assets)\/(.+)$/s.exec(path ?? "") ?? [];
  if (room === "static" && Object.hasOwn(staticFileTypes, name)) {
    const body = name === "document.css" ? readDocumentStyle() : readBundledFile("workspace", "preview", name);
    return { type: staticFileTypes[name] ?? "", body: await body };
  }
  const image = room === "api/assets" ? await preview.images.read(name) : null;
  if (image !== null) return { type: image.type, body: image.bytes };
  const page = room === "doc" ? await renderDocumentPage(preview, name) : null;
  return page === null
    ? { status: 404, type: "text/html", body: notFoundPage(preview) }
    : { type: "text/html", body: page };
}

/**
 * `given`: the cookie is right. `key`: the address has the key. `none`: the request has neither. `elsewhere`: the
 * request comes from another site or names another host.
 */
type RequestAccess = "given" | "key" | "none" | "elsewhere";

/** Classifies a request. Another site can reach a local server through a host name of its own (DNS rebinding). */
function previewAccessOf(request: IncomingMessage, key: string): RequestAccess {
  const { headers, url = "" } = request;
  const name = headers.host?.replace(/:\d+$/, "");
  if (name !== host && name !== "localhost") return "elsewhere";
  const shown = /[?&]key=([\w-]+)/.exec(url)?.[1];
  if (shown !== undefined) return isEqualInConstantTime(shown, key) ? "key" : "none";
  if (headers["sec-fetch-site"] === "cross-site") return "elsewhere";
  const cookies = headers.cookie?.split(/; */) ?? [];
  const kept = cookies.find((cookie) => cookie.startsWith(`${previewCookieName(request)}=`));
  return kept !== undefined && isEqualInConstantTime(kept.slice(kept.indexOf("=") + 1), key) ? "given" : "none";
}

/** Returns a cookie name with the port, because a browser sends a host's cookies to all its ports. */
function previewCookieName({ socket }: IncomingMessage): string {
  return `sop-preview-${socket.localPort}`;
}

function isEqualInConstantTime(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}

/**
 * Returns the reply to a request without the cookie. With the right key, a small page opens the address without the
 * key. After a redirect, the browser wouldn't send the new cookie if another site had linked here.
 */
function replyWithoutAccess(asked: Exclude<RequestAccess, "given">, { url = "/" }: IncomingMessage): PreviewReply {
  if (asked === "elsewhere")
    return { status: 421, type: "text/plain", body: "This preview works only on this machine\n" };
  if (asked === "none")
    return { status: 401, type: "text/plain", body: "Open the whole address that `sop serve` printed, with its key\n" };
  const path = `/${url.replace(/[?#].*$/s, "").replace(/^\/+/, "")}`;
  return { type: "text/html", body: `<!doctype html><meta http-equiv="refresh" content="0;url=${escapeHtml(path)}">` };
}

function requestPathOf(url: string): string | null {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/s, ""));
  } catch {
    return null;
  }
}

function openEventStream(response: ServerResponse, pages: Set<ServerResponse>): void {
  response.writeHead(200, { ...commonHeaders, "content-type": "text/event-stream" });
  response.write(": open\n\n");
  pages.add(response);
  response.once("close", () => pages.delete(response));
}

async function listenOnPreviewPort(server: Server, port: number): Promise<number> {
  try {
    return await listenOn(server, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    const free = await findFreePort();
    const why = code === "EACCES" ? "can't be used" : "is in use";
    throw invalidInputError("port", `port ${port} ${why}`, { hint: `${free} is free: sop serve --port ${free}` });
  }
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOn(server, 0);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
