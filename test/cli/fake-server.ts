/** A small server with the contract's routes. Tests see the requests of the program and script the answers. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { errorSentences } from "#core/error-sentences.ts";
import { errorTable, type ErrorCode } from "#core/errors.ts";
import { ImportRequest, type ImportDocument, type ImportResult } from "#core/sops/import-schema.ts";

export const goodToken = "sop_pat_good";

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string | string[]>;
  /** The body. It is sent as JSON, except text and bytes. */
  body?: unknown;
  /** Breaks the connection instead of answering. */
  hangUp?: boolean;
}

export interface FakeServer {
  url: string;
  seen: SeenRequest[];
  /** The SOPs by path. */
  sops: Map<string, { id: string; number: string; sha256: string; text: string; version: number }>;
  room: number;
  /** Answers in place of the server, unless it returns null. */
  intercept: (request: SeenRequest) => Reply | null | Promise<Reply | null>;
  imports(): ImportRequest[];
  close(): Promise<void>;
}

export function refusal(code: ErrorCode, details?: unknown): Reply {
  const { status } = errorTable[code];
  const message = errorSentences[code]().text;
  return { status, body: { code, message, ...(details !== undefined && { details }) } };
}

export async function startFakeServer(): Promise<FakeServer> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const url = new URL(request.url ?? "/", "http://x");
      const seen: SeenRequest = {
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      fake.seen.push(seen);
      const reply = (await fake.intercept(seen)) ?? answer(fake, seen);
      if (reply.hangUp) return request.socket.destroy();
      const raw = typeof reply.body === "string" || reply.body instanceof Uint8Array;
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
      response.end(raw ? reply.body : JSON.stringify(reply.body ?? null));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fake: FakeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    sops: new Map(),
    room: 1_000,
    intercept: () => null,
    imports: () => fake.seen.filter(isImport).map(({ body }) => ImportRequest.parse(JSON.parse(body))),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return fake;
}

export function isImport({ path }: SeenRequest): boolean {
  return path === "/api/sops/import";
}

const user = {
  id: "u1",
  companyId: "c1",
  username: "grace",
  name: "Grace Hopper",
  role: "company_admin",
  company: {
    id: "c1",
    name: "Navy",
    slug: "navy",
    documentControl: "flexible",
    numberScheme: "SOP-{seq:4}",
    readingDays: 14,
  },
};
const categories = [
  { id: "k1", companyId: "c1", name: "Safety Protocols", slug: "safety-protocols", color: "primary" },
];

function answer(fake: FakeServer, request: SeenRequest): Reply {
  const { method, path, headers } = request;
  const call = `${method} ${path}`;
  if (call === "POST /api/auth/login") return logIn(request);
  const session = headers.cookie?.includes("sid=session") === true;
  if (call === "POST /api/auth/logout") return { body: { ok: true } };
  if (headers.authorization !== `Bearer ${goodToken}` && !session) return refusal("unauthenticated");
  if (call === "GET /api/auth/me") return { body: { user } };
  if (call === "POST /api/tokens") return session ? makeToken(request) : refusal("forbidden");
  if (call === "GET /api/tokens") return { body: [tokenRow] };
  if (method === "DELETE" && path.startsWith("/api/tokens/")) return { body: { ok: true } };
  if (isImport(request)) return importDocuments(fake, ImportRequest.parse(JSON.parse(request.body)));
  if (call === "GET /api/categories") return { body: categories };
  if (call === "GET /api/sops") return listSops(fake, request);
  const [, id, part] = /^\/api\/sops\/([^/]+)(\/export)?$/.exec(path) ?? [];
  const sop = rowsOf(fake).find((row) => row.id === id);
  if (sop === undefined) return refusal("not_found");
  const asJson = part === undefined || request.query.get("format") === "json";
  return asJson ? { body: sop } : { body: sop.markdown, headers: { "content-type": "text/markdown" } };
}

function logIn({ body }: SeenRequest): Reply {
  const { username, password } = JSON.parse(body) as Record<string, string>;
  if (username !== "grace" || password !== "cobol") return refusal("unauthenticated");
  return { body: { user }, headers: { "set-cookie": ["sid=session; HttpOnly", "sid.sig=abc; HttpOnly"] } };
}

const tokenRow = {
  id: "t1",
  name: "sop on host",
  hint: "sop_pat_…ood",
  scopes: ["sops:read"],
  createdAt: "2026-11-01T00:00:00.000Z",
  expiresAt: "2027-02-01T00:00:00.000Z",
  lastUsedAt: null,
};

function makeToken({ body }: SeenRequest): Reply {
  const { name, scopes } = JSON.parse(body) as { name: string; scopes: string[] };
  return { status: 201, body: { ...tokenRow, name, scopes, token: goodToken } };
}

function importDocuments(fake: FakeServer, request: ImportRequest): Reply {
  const results = request.documents.map((document) => importOne(fake, request, document));
  const needed = results.filter(({ outcome }) => outcome === "create").length;
  const free = fake.room - fake.sops.size + (request.dryRun || request.reserveNumbers ? 0 : needed);
  return { body: { results, quota: { free, needed } } };
}

function importOne({ sops }: FakeServer, request: ImportRequest, document: ImportDocument): ImportResult {
  const { path, sha256, text } = document;
  const known = sops.get(path);
  const title = /^# (.*)$/m.exec(text ?? "")?.[1];
  const named = { path, notes: [], ...(title !== undefined && { title }) };
  if (known?.sha256 === sha256) return { ...named, outcome: "unchanged", id: known.id };
  if (text === undefined) return { ...named, outcome: "unknown" };
  if (text.includes("REFUSE"))
    return { ...named, outcome: "refused", reason: "the front matter can't be read (line 2)" };
  if (text.includes("CLASH")) return { ...named, outcome: "conflict", reason: "changed on the server since version 1" };
  const number = known?.number ?? `SOP-${String(sops.size + 1).padStart(4, "0")}`;
  const version = (known?.version ?? 0) + 1;
  const id = known?.id ?? `00000000-0000-7000-8000-${String(sops.size + 1).padStart(12, "0")}`;
  if (!request.dryRun && !request.reserveNumbers) sops.set(path, { id, number, sha256, text, version });
  return { ...named, outcome: known ? "update" : "create", id, number, version };
}

function rowsOf({ sops }: FakeServer) {
  return [...sops].map(([path, { id, number, text }], index) => ({
    id,
    number,
    slug: path.replace(/^.*\/|\.md$/g, ""),
    title: path,
    categoryId: index === 0 ? "k1" : null,
    isTemplate: false,
    status: "draft",
    markdown: text,
  }));
}

/** The list of SOPs, with two rows a page. */
function listSops(fake: FakeServer, { query }: SeenRequest): Reply {
  const at = Number(query.get("cursor") ?? 0);
  const rows = rowsOf(fake).map((row) => ({ ...row, markdown: undefined }));
  const more = at + 2 < rows.length;
  return { body: { data: rows.slice(at, at + 2), ...(more && { nextCursor: String(at + 2) }) } };
}
