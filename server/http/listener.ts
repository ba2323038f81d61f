/** The HTTP server below the app, and how long it waits for a client. */
import { serverLimits } from "../capacity/resources.ts";
import { createServer, type RequestListener, type Server } from "node:http";

export interface ConnectionTimeouts {
  headersMs: number;
  /** For a whole request, an import of 16 MiB on a slow line included. */
  requestMs: number;
  /** Longer than a proxy in front keeps its own end open. */
  keepAliveMs: number;
  /** How often it looks who is late. */
  lookEveryMs: number;
}

export const patience: ConnectionTimeouts = {
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 65_000,
  lookEveryMs: 5_000,
};

export function createListener(listener: RequestListener, waits: ConnectionTimeouts = patience): Server {
  const server = createServer(
    {
      headersTimeout: waits.headersMs,
      requestTimeout: waits.requestMs,
      keepAliveTimeout: waits.keepAliveMs,
      // Node's default is 30 s, which would give each slow client that long
      connectionsCheckingInterval: waits.lookEveryMs,
      requireHostHeader: true,
    },
    listener,
  );
  server.maxConnections = serverLimits.connections.atMost;
  return server;
}
