/**
 * Stores bytes as objects of an S3-compatible store: `<prefix>/<installation>/<company>/<id>`. Each installation has
 * its own id, even a restored one, so several installations can share a bucket.
 */
import { setTimeout } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import type { Config } from "../config.ts";
import { sha256 } from "../hashing.ts";
import { BlobsUnavailableError, type Blobs, type BlobKey } from "./port.ts";

export type S3Settings = NonNullable<Config["assetStore"]>;

/** A function that gets the reason when the store stops answering, and null when the store answers again. */
export type ReportAvailability = (reason: string | null) => void;

const answerWithinMs = 10_000;
/** The maximum number of bytes of an answer: more than any stored file or part of a snapshot has. */
const largestAnswer = 8 * 1024 * 1024;
/** Milliseconds to wait before each new try after a failed connection, status 429 or status 5xx. */
const pausesMs = [100, 400];
/** The status for a missing object, if the account has the right to list the bucket. */
const missing = 404;

export function createS3Blobs(
  settings: S3Settings,
  installation: string,
  report: ReportAvailability = () => undefined,
): Blobs {
  const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });
  const bucketAddress = `${endpoint}/${bucket}`;
  const addressOf = ({ companyId, _id }: BlobKey) =>
    [bucketAddress, ...[...prefix, installation, companyId, _id].map(encodeURIComponent)].join("/");
  let answers = true;

  async function sendRequest(url: string, method: string, body?: Uint8Array): Promise<Uint8Array | null> {
    try {
      const received = await retryRequest(async () => sendOnce(url, method, body));
      if (!answers) report(null);
      answers = true;
      return received;
    } catch (error) {
      if (answers && error instanceof BlobsUnavailableError) report(error.message);
      answers = false;
      throw error;
    }
  }

  /** Sends one request without a retry. @returns null if the object doesn't exist */
  async function sendOnce(url: string, method: string, body?: Uint8Array): Promise<Uint8Array | null> {
    const signed = await client.sign(url, {
      method,
      // the store compares the body with this hash, and so refuses bytes that were damaged in transit
      ...(body ? { body: new Uint8Array(body), headers: { "x-amz-content-sha256": sha256(body) } } : {}),
      // a redirect to another region or host means that the settings are wrong
      redirect: "manual",
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const answer = await fetch(signed);
    const received = await readAnswerBytes(answer);
    if (answer.ok) return received;
    const code = /<Code>(\w{1,60})<\/Code>/.exec(Buffer.from(received).toString("utf8", 0, 2_000))?.[1] ?? "";
    if (answer.status === missing && url !== bucketAddress && code !== "NoSuchBucket") return null;
    throw new S3Refusal(answer.status, code);
  }

  return {
    kind: "s3",
    async put(key, bytes) {
      if ((await sendRequest(addressOf(key), "PUT", bytes)) === null) throw new BlobsUnavailableError("it answers 404");
      return {};
    },
    get: (keys) => Promise.all(keys.map((key) => sendRequest(addressOf(key), "GET"))),
    async remove(key) {
      await sendRequest(addressOf(key), "DELETE");
    },
    async ping() {
      await sendRequest(bucketAddress, "HEAD");
    },
  };
}

/**
 * Reads the bytes of an answer.
 * @throws BlobsUnavailableError beyond the largest answer, which this server can't have stored
 */
async function readAnswerBytes(answer: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > largestAnswer) throw new BlobsUnavailableError(`it answers more than ${largestAnswer / 2 ** 20} MiB`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

class S3Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(`it answers ${status}${code === "" ? "" : ` ${code}`}`);
    this.status = status;
  }
}

async function retryRequest<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of [...pausesMs, null]) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof BlobsUnavailableError) throw error;
      if (pause === null || !isTemporaryFailure(error)) throw new BlobsUnavailableError(s3FailureReason(error), error);
      await setTimeout(pause);
    }
  }
  throw new Error("unreachable");
}

function isTemporaryFailure(error: unknown): boolean {
  if (error instanceof S3Refusal) return error.status >= 500 || error.status === 429;
  // fetch reports a failed connection as a TypeError. A timeout isn't retried, because it has used up the time
  return error instanceof TypeError;
}

function s3FailureReason(error: unknown): string {
  if (error instanceof S3Refusal) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return `no answer in ${answerWithinMs / 1000} seconds`;
  // the error of fetch only says that the request failed; its cause says why
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  return String(cause?.code ?? cause?.message ?? error);
}
