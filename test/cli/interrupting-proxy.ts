/** A proxy to the server that reports the first request with documents to write, before it passes the request on. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export async function interruptingProxy(server: string, onWrite: () => void) {
  let isFirst = true;
  const proxy = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const headers = new Headers();
      for (const name of ["authorization", "content-type", "idempotency-key"]) {
        const value = request.headers[name];
        if (typeof value === "string") headers.set(name, value);
      }
      const isWrite = request.url === "/api/sops/import" && !body.includes('"dryRun":true');
      if (isWrite && isFirst) {
        isFirst = false;
        onWrite();
      }
      const answer = await fetch(server + (request.url ?? ""), {
        method: request.method ?? "GET",
        headers,
        ...(body.length > 0 && { body }),
      });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.bytes());
    })().catch(() => response.destroy());
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close };
}
