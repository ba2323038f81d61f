/** An AI provider on loopback that knows one key; a test says how else it behaves. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeProvider {
  /** For OPENAI_BASE_URL. */
  url: string;
  knownKey: string;
  /** Every request that came. */
  readonly asked: { path: string; authorization: string; headers: IncomingMessage["headers"] }[];
  /** Answers the next requests in its place; null goes back to normal. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  stop(): Promise<void>;
}

export async function startFakeProvider(knownKey: string): Promise<FakeProvider> {
  const provider: FakeProvider = { url: "", knownKey, asked: [], answer: null, stop: () => Promise.resolve() };
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? "";
    provider.asked.push({ path: request.url ?? "", authorization, headers: request.headers });
    if (provider.answer) return provider.answer(request, response);
    if (authorization !== `Bearer ${provider.knownKey}`) {
      // the real one quotes the key in its refusal
      return send(response, 401, { error: { message: `Incorrect API key provided: ${authorization}`, type: "x" } });
    }
    send(response, 200, { object: "list", data: [{ id: "small", object: "model", created: 0, owned_by: "us" }] });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  provider.stop = () =>
    new Promise((stopped) => {
      server.closeAllConnections();
      server.close(() => stopped());
    });
  return provider;
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
