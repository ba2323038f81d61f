/** The HTTP server below the app, and how long it waits for a client. */
import { serverLimits } from "../capacity/resources.ts";
import { createServer, type RequestListener, type Server } from "node:http";

export interface ConnectionTimeouts {
  headersMs: number;
  /** The wait for the rest of a body whose request has its answer. Until then, `assertPace` bounds each body by its pace. */
  unreadMs: number;
  /** Longer than a proxy in front keeps its idle connections open. */
  keepAliveMs: number;
  /** The interval of the check for late clients. */
  lookEveryMs: number;
}

export const patience: ConnectionTimeouts = {
  headersMs: 10_000,
  unreadMs: 10_000,
  keepAliveMs: 65_000,
  lookEveryMs: 5_000,
};

export function createListener(listener: RequestListener, waits: ConnectionTimeouts = patience): Server {
  const server = createServer(
    {
      headersTimeout: waits.headersMs,
      // Node's request timeout would bound a whole body, but a pack of 100 MiB takes long on a slow line
      requestTimeout: 0,
      keepAliveTimeout: waits.keepAliveMs,
      // Node's default of 30 s would give that time to each slow client
      connectionsCheckingInterval: waits.lookEveryMs,
      requireHostHeader: true,
    },
    (request, response) => {
      response.once("finish", () => {
        if (request.complete) return;
        const late = setTimeout(() => request.socket.destroy(), waits.unreadMs);
        request.once("close", () => clearTimeout(late));
      });
      listener(request, response);
    },
  );
  server.maxConnections = serverLimits.connections.atMost;
  return server;
}
