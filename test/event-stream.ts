/** Opens the event stream and reads it like a browser. */
import { request, type ClientRequest } from "node:http";
import { createEventPositions } from "../server/events/positions.ts";
import type { TestServer, TestUser } from "./server.ts";

export interface StreamMessage {
  id: string;
  event: string;
  data: { id?: string; resources?: string[]; sopId?: string | null };
}

export interface Stream {
  status: number;
  /** The raw text received so far. */
  text(): string;
  /** Waits for this many messages. */
  messages(count: number): Promise<StreamMessage[]>;
  ended: Promise<void>;
}

/** The number of the event that a position means to the server; null for an invalid position. */
export const numberOf = (server: TestServer, { companyId }: TestUser, position: string): number | null =>
  createEventPositions(server.running.services).read(companyId, position);

export const positionOf = (server: TestServer, { companyId }: TestUser, number: number): string =>
  createEventPositions(server.running.services).write(companyId, number);

const open = new Set<ClientRequest>();

/** Call after each test. */
export function closeStreams(): void {
  for (const one of open) one.destroy();
  open.clear();
}

/** Resolves once connected. @param since the position in the query string */
export function openEventStream(server: TestServer, user: TestUser, lastEventId?: string, since = ""): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const headers = { cookie: user.cookie, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
    const outgoing = request({ host: hostname, port, path: `/api/events${since}`, headers }, (incoming) => {
      let text = "";
      const ended = Promise.withResolvers<void>();
      let changed = Promise.withResolvers<void>();
      const notify = () => {
        changed.resolve();
        changed = Promise.withResolvers<void>();
      };
      incoming.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        notify();
      });
      incoming.on("close", () => ended.resolve());
      incoming.on("error", () => ended.resolve());
      const stream: Stream = {
        status: incoming.statusCode ?? 0,
        text: () => text,
        ended: ended.promise,
        async messages(count) {
          while (parse(text).length < count) await changed.promise;
          return parse(text);
        },
      };
      // the first line says that all later events are sent
      if (incoming.statusCode !== 200) resolve(stream);
      else void changed.promise.then(() => resolve(stream));
    });
    open.add(outgoing);
    outgoing.on("error", reject);
    outgoing.end();
  });
}

function parse(text: string): StreamMessage[] {
  return text.split("\n\n").flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const id = field("id");
    if (id === undefined) return [];
    return [
      {
        id,
        event: field("event") ?? "message",
        data: JSON.parse(field("data") ?? "{}") as StreamMessage["data"],
      },
    ];
  });
}
