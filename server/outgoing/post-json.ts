/** Sends JSON to another server at a checked address. */
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { resolveAllowedAddresses, RemoteProblem, type OutgoingHost } from "./addresses.ts";
import { refusals } from "./refusals.ts";

export interface JsonRequest {
  url: string;
  headers: Record<string, string>;
  /** The body as text, because a signature covers its bytes. */
  content: string;
  hosts: readonly OutgoingHost[];
  signal: AbortSignal;
}

const longestMs = 15_000;

/**
 * Sends the request to the checked address only, and follows no redirect.
 * @returns the status of the answer
 * @throws RemoteProblem if the address isn't allowed or can't be reached
 */
export async function postJson({ url, headers, content, hosts, signal }: JsonRequest): Promise<number> {
  const [address = ""] = await resolveAllowedAddresses(url, hosts);
  const { request } = url.startsWith("https:") ? https : http;
  const pinned = { address, family: isIP(address) };
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
      lookup: (_name, options, found) =>
        options.all ? found(null, [pinned]) : found(null, pinned.address, pinned.family),
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(content),
        "user-agent": "sopwright",
      },
    });
    sent.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("error", (cause) =>
      reject(new RemoteProblem(refusals.unreachable({ host: new URL(url).host }), { cause })),
    );
    sent.end(content);
  });
}
