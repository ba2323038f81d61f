/** Creates the HTTP server, and sets how long it waits for a client. */
import { serverLimits } from "../capacity/resources.ts";
import { createServer, type RequestListener, type Server } from "node:http";

export interface ConnectionTimeouts {
  headersMs: number;
  /**
   * Milliseconds to wait for the rest of a body after the request was answered. Before that, `pacedChunks` limits how
   * slowly a body may arrive.
   */
  unreadMs: number;
  /**
   * Milliseconds that an idle connection stays open: longer than a proxy in front of the server keeps the connection.
   */
  keepAliveMs: number;
  /** Milliseconds between two checks for clients that are too late. */
  lookEveryMs: number;
}

export const defaultTimeouts: ConnectionTimeouts = {
  headersMs: 10_000,
  unreadMs: 10_000,
  keepAliveMs: 65_000,
  lookEveryMs: 5_000,
};

export function createHttpServer(listener: RequestListener, waits: ConnectionTimeouts = defaultTimeouts): Server {
  const server = createServer(
    {
      headersTimeout: waits.headersMs,
      // no limit on the whole request, because a push of 100 MiB takes long on a slow connection
      requestTimeout: 0,
      keepAliveTimeout: waits.keepAliveMs,
      // with Node's default of 30 s, each slow client would get up to 30 s more
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
