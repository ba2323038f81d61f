/** A TCP proxy between a server and its MongoDB. It can cut, silence and restore the connection. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";

export interface Proxy {
  /** The URI with the proxy in place of the server. */
  uri: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps connections open and accepts new ones, but forwards nothing. */
  silence(): void;
  /** Forwards requests, but no answers. */
  dropAnswers(): void;
  /** @param connections with `fresh`, older connections stay dead, as behind a firewall that forgot them */
  restore(connections?: "fresh" | "all"): Promise<void>;
  stop(): Promise<void>;
}

type Mode = "open" | "silent" | "deaf";

export async function startProxy(uri: string): Promise<Proxy> {
  const target = new URL(uri);
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: Mode = "open";

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    client.on("data", (data) => upstream.write(data));
    upstream.on("data", (data) => client.write(data));
    apply(pair);
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  function apply([client, upstream]: readonly [Socket, Socket]): void {
    for (const socket of [client, upstream]) socket.resume();
    if (mode === "silent") client.pause();
    if (mode !== "open") upstream.pause();
  }
  const set = (next: Mode) => {
    mode = next;
    for (const pair of pairs) apply(pair);
  };
  const drop = () => {
    for (const [client] of pairs) client.destroy();
  };
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    drop();
    await closed;
  };

  const through = new URL(uri);
  through.port = String(port);
  through.searchParams.delete("replicaSet");
  through.searchParams.set("directConnection", "true");
  return {
    uri: through.href,
    cut: close,
    silence: () => set("silent"),
    dropAnswers: () => set("deaf"),
    async restore(connections = "all") {
      if (connections === "fresh") {
        // dropped silently, so that neither side gets a close
        for (const [client, upstream] of pairs) {
          client.removeAllListeners("data").resume();
          upstream.removeAllListeners("data").resume();
        }
        pairs.clear();
      }
      set("open");
      if (!server.listening) await listen(port);
    },
    stop: close,
  };
}
