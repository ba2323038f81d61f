/**
 * An S3-compatible store for tests: objects in memory, in a single bucket. It checks each request's signature (SigV4)
 * by a computation of its own, with the dates, hashes and answers that Amazon documents.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface S3 {
  /** The settings of a server that uses the store. */
  env: Record<string, string>;
  /** The objects by key. */
  objects: Map<string, Buffer>;
  /** The requests in order, such as `PUT key`. */
  requests: string[];
  /**
   * The trouble that the store makes instead of answering: it cuts connections, stays silent, or answers this status
   * and code.
   */
  trouble: "cut" | "silent" | { status: number; code: string; times?: number; method?: string } | null;
  stop(): Promise<void>;
}

export const bucket = "sops";
const [region, accessKeyId, secretAccessKey] = [
  "eu-central-1",
  "AKIDEXAMPLE",
  "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
];

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Buffer | string, text: string) => createHmac("sha256", key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** @returns an error's code; null if the request is signed correctly */
function signatureFault({ method = "", url = "", headers }: IncomingMessage, body: Buffer): string | null {
  const [, id, day = "", scopeRegion = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (signature === undefined) return "AccessDenied";
  if (id !== accessKeyId) return "InvalidAccessKeyId";
  const [at, hash] = [String(headers["x-amz-date"]), String(headers["x-amz-content-sha256"])];
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - time) < 15 * 60_000) || !at.startsWith(day)) return "RequestTimeTooSkewed";
  if (scopeRegion !== region) return "AuthorizationHeaderMalformed";
  const signed = names.split(";");
  if (!["host", "x-amz-date", "x-amz-content-sha256"].every((name) => signed.includes(name))) return "AccessDenied";
  if (method === "PUT" && hash !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const [path = "", query = ""] = url.split("?");
  const canonical = [
    method,
    path.split("/").map(decodeURIComponent).map(encoded).join("/"),
    query.split("&").sort().join("&"),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, " ")}`),
    "",
    names,
    hash,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [region, "s3", "aws4_request"].reduce<Buffer>(hmac, hmac(`AWS4${secretAccessKey}`, day));
  const expected = hmac(key, ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n")).toString("hex");
  return expected === signature ? null : "SignatureDoesNotMatch";
}

export async function startS3(): Promise<S3> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const refuse = (answer: ServerResponse, status: number, code: string) => {
    answer.writeHead(status, { "content-type": "application/xml" });
    answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  };
  const server = createServer((request, answer) => {
    void (async () => {
      const body = await buffer(request);
      const { method = "" } = request;
      const [first, ...rest] = (request.url ?? "").slice(1).split("/").map(decodeURIComponent);
      const key = rest.join("/");
      requests.push(`${method} ${key}`);
      const { trouble } = s3;
      if (trouble === "silent") return;
      if (trouble === "cut") return request.socket.destroy();
      if (trouble !== null && (trouble.method ?? method) === method && trouble.times !== 0) {
        if (trouble.times !== undefined) trouble.times -= 1;
        return refuse(answer, trouble.status, trouble.code);
      }
      const fault = signatureFault(request, body);
      if (fault !== null) return refuse(answer, fault === "XAmzContentSHA256Mismatch" ? 400 : 403, fault);
      if (first !== bucket) return refuse(answer, 404, "NoSuchBucket");
      if (key === "") return answer.end();
      if (method === "PUT") objects.set(key, body);
      else if (method === "DELETE") {
        objects.delete(key);
        answer.statusCode = 204;
      } else {
        const found = objects.get(key);
        if (found === undefined) return refuse(answer, 404, "NoSuchKey");
        return answer.end(found);
      }
      answer.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const s3: S3 = {
    env: {
      ASSET_STORE: `s3://${bucket}/files/of-sopwright`,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    objects,
    requests,
    trouble: null,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return s3;
}
