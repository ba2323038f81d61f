/** Answers clones and fetches with native git: `git upload-pack` on a bare repository. */
import type { Readable } from "node:stream";
import { startGit } from "../repository/git-process.ts";
import { flushPacket, pktLine, pktLines } from "./pkt-line.ts";

export const uploadPack = "git-upload-pack";

/**
 * Settings that limit git's threads and memory, so that the clone of a large repository doesn't use up the server's
 * memory.
 */
const modest = ["pack.threads=1", "pack.windowMemory=32m", "pack.deltaCacheSize=16m"];
/** The maximum milliseconds of a clone. */
const longestMs = 30 * 60_000;

export interface ServedRepository {
  git: string;
  gitdir: string;
  /** True if partial clones are allowed. Such a clone fetches missing files later, by id. */
  partial: boolean;
  /** The client's `Git-Protocol` header, if it is valid. */
  protocol: string | undefined;
  /** Aborted when the client has disconnected. Git is then ended. */
  signal: AbortSignal;
  /** Called when git has ended. */
  onEnd: () => void;
  /** Called when git has failed, because an object may be damaged. */
  onFailure: () => void;
  /** Called when git has sent objects. If the client disconnected, one of the objects may be damaged. */
  onSent: () => void;
}

/** Reads the refs that git shows; with protocol 2, the server's capabilities. */
export async function readAdvertisement(served: ServedRepository): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of runUploadPack(served, ["--http-backend-info-refs"])) chunks.push(chunk as Buffer);
  const isNew = served.protocol !== undefined && /version=[2-9]/.test(served.protocol);
  return Buffer.concat([Buffer.from(isNew ? "" : pktLine(`# service=${uploadPack}\n`) + flushPacket), ...chunks]);
}

/** Answers one request of a clone or fetch. */
export function answerUploadPack(served: ServedRepository, request: Buffer): Readable {
  const sent = runUploadPack(served, [], request);
  if (parseWants(request).wants.length > 0) sent.once("close", served.onSent);
  return sent;
}

function runUploadPack(
  { git, gitdir, partial, protocol, signal, onEnd, onFailure }: ServedRepository,
  args: readonly string[],
  input?: Buffer,
): Readable {
  const settings = [...modest, `uploadpack.allowFilter=${partial}`];
  const child = startGit(git, gitdir, ["upload-pack", "--stateless-rpc", "--strict", ...args, gitdir], {
    as: "clone",
    settings,
    protocol,
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  child.stderr.resume();
  const killChild = () => child.kill();
  AbortSignal.any([signal, AbortSignal.timeout(longestMs)]).addEventListener("abort", killChild, { once: true });
  // a pack that ends early is invalid, so break the connection to show the failure to the client
  child.once("error", (error) => child.stdout.destroy(error));
  child.once("close", (code, by) => {
    onEnd();
    if (code !== 0 && by === null && !signal.aborted) onFailure();
    if (by !== null) child.stdout.destroy(new Error(`git ended by ${by}`));
  });
  return child.stdout;
}

export interface WantedObjects {
  /** The ids of the objects that the client asks for. */
  wants: string[];
  /** True if the client has some commits already. */
  has: boolean;
}

/** Returns the objects that a request asks for; none if it only lists refs. */
export function parseWants(request: Buffer): WantedObjects {
  const lines = [...pktLines(request)].map((line) => line?.toString("latin1", 0, 60) ?? "");
  const wants = lines.flatMap((line) => /^want ([0-9a-f]{40})/.exec(line)?.[1] ?? []);
  return { wants, has: lines.some((line) => line.startsWith("have ")) };
}
