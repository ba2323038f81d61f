/** Makes an HTTP request with its headers exactly as written: `fetch` would add and hide some. */
import { Agent, request } from "node:http";

export interface Exchange {
  method?: string;
  /** The path with the query string. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
}

export interface Received {
  status: number;
  statusText: string;
  headers: { get(name: string): string | null; all(name: string): readonly string[] };
  bytes: Buffer;
  body: string;
  text(): Promise<string>;
  json(): unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 });

export function exchange(origin: string, { method = "GET", path, headers = {}, body, signal }: Exchange) {
  return new Promise<Received>((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request(
      { host: hostname, port, method, path, agent, headers: { ...length, ...headers }, ...(signal ? { signal } : {}) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString("utf8");
          const values = (name: string) => incoming.headersDistinct[name.toLowerCase()] ?? [];
          resolve({
            status: incoming.statusCode ?? 0,
            statusText: incoming.statusMessage ?? "",
            headers: { get: (name) => values(name)[0] ?? null, all: values },
            bytes,
            body: text,
            text: async () => text,
            json: () => JSON.parse(text) as unknown,
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
