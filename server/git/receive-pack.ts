/**
 * Implements the server's part of a push (`gitprotocol-pack`): the refs that it shows, the commands that it reads, the
 * report that it answers.
 */
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Context } from "koa";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { crowdedPace } from "../capacity/resources.ts";
import type { FairQueue } from "../capacity/fair-queue.ts";
import { smallBody } from "../http/body.ts";
import { receiveFile, type ReceivedFile } from "../http/received-file.ts";
import { pacedChunks } from "../http/paced.ts";
import { readGitOutput } from "../repository/git-process.ts";
import { flushPacket, pktLine, pktLines } from "./pkt-line.ts";
import { refusals } from "./refusals.ts";

export const receivePack = "git-receive-pack";

/**
 * The capabilities that the server announces. It announces `delete-refs` so that it can refuse deletions with advice;
 * otherwise git itself refuses them.
 */
const capabilities = "report-status delete-refs side-band-64k ofs-delta object-format=sha1 agent=sopwright";
const noObject = "0".repeat(40);
/** The maximum number of bytes of the commands, which are at the start of the body. */
const commandBytes = 1024 * 1024;
/** The maximum number of bytes of a refused push's commands, which are read into memory. */
const refusedBytes = 64 * 1024;

/** Reads the refs of a bare repository, in the form that a push expects. */
export async function readPushAdvertisement(binary: string, gitdir: string): Promise<string> {
  const listed = await readGitOutput(binary, gitdir, ["for-each-ref", "--format=%(objectname) %(refname)"]);
  const refs = listed.toString("utf8").split("\n").filter(Boolean);
  const lines = refs.map((ref, index) => pktLine(index === 0 ? `${ref}\0${capabilities}\n` : `${ref}\n`));
  return pktLine(`# service=${receivePack}\n`) + flushPacket + lines.join("") + flushPacket;
}

export interface PushCommand {
  ref: string;
  /** The object id that the client expects; null to create the ref. */
  from: string | null;
  /** The new object id; null to delete the ref. */
  to: string | null;
}

export interface PushRequest {
  commands: PushCommand[];
  /** True if the client can show lines to its user in addition to the report. */
  sideBand: boolean;
  /** The offset of the pack in the body. */
  packAt: number;
  /** The number of objects that the pack announces; 0 without a pack. */
  objects: number;
}

const commandLine = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0\n]{1,500})\n?$/;

/** Reads the commands at the start of a body on disk. @throws AppError invalid_input */
export async function readPushRequest(file: string): Promise<PushRequest> {
  return parsePush(await readFirstBytes(file, commandBytes));
}

function parsePush(bytes: Buffer): PushRequest {
  const commands: PushCommand[] = [];
  let sideBand = false;
  let packAt = 0;
  let isComplete = false;
  for (const line of pktLines(bytes)) {
    packAt += 4 + (line?.length ?? 0);
    if (line === null) {
      isComplete = true;
      break;
    }
    const [command = "", wanted = ""] = line.toString("utf8").split("\0");
    if (/^shallow [0-9a-f]{40}\n?$/.test(command)) continue;
    const [, from = "", to = "", ref = ""] = commandLine.exec(command) ?? [];
    if (ref === "") throw new AppError("invalid_input", refusals.unreadablePush());
    if (wanted.split(/[ \n]/).includes("side-band-64k")) sideBand = true;
    commands.push({ ref, from: from === noObject ? null : from, to: to === noObject ? null : to });
  }
  if (!isComplete || commands.length > limits.pushRefs) throw new AppError("invalid_input", refusals.unreadableNames());
  const head = bytes.subarray(packAt, packAt + 12);
  const hasPack = head.length === 12 && head.toString("latin1", 0, 4) === "PACK";
  return { commands, sideBand, packAt, objects: hasPack ? head.readUInt32BE(8) : 0 };
}

async function readFirstBytes(file: string, most: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const bytes = Buffer.alloc(most);
    const { bytesRead } = await handle.read(bytes, 0, most, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The reason why each ref is refused, in the wording of git's list of refs; null for an accepted ref. */
export type RefReport = Map<string, string | null>;

/** An answer that sends `remote:` lines while the push runs, then the report. */
export interface PushAnswer {
  /** Sends lines for the user. Clients without a side band don't get them. */
  say(...lines: string[]): void;
  /** Sends the report. @param unpackProblem why the pack is refused */
  report(refs: RefReport, unpackProblem?: string): void;
}

export function createPushAnswer(send: (bytes: Buffer) => void, sideBand: boolean): PushAnswer {
  return {
    say(...lines) {
      if (!sideBand) return;
      for (const line of lines) send(sideBandPacket(2, Buffer.from(`${replaceControlCharacters(line)}\n`)));
    },
    report(refs, unpackProblem) {
      const lines = [...refs].map(([ref, reason]) =>
        reason === null ? `ok ${ref}` : `ng ${ref} ${replaceControlCharacters(reason)}`,
      );
      const report = [`unpack ${replaceControlCharacters(unpackProblem ?? "ok")}`, ...lines]
        .map((line) => pktLine(`${line}\n`))
        .join("");
      const bytes = Buffer.from(report + flushPacket);
      if (!sideBand) return send(bytes);
      for (let at = 0; at < bytes.length; at += bandBytes) send(sideBandPacket(1, bytes.subarray(at, at + bandBytes)));
      send(Buffer.from(flushPacket));
    },
  };
}

export function setPushBody(ctx: Context, body: Buffer | Readable | ""): void {
  ctx.type = `application/x-${receivePack}-result`;
  ctx.status = 200;
  ctx.body = body;
}

/**
 * Receives the body of a push into a file.
 * @param within the folder in which the body's folder is created
 * @returns null when the push is already answered
 * @throws AppError from `receiveFile`, except for a missing slot
 */
export async function receivePush(
  ctx: Context,
  places: Pick<FairQueue, "enter">,
  within: string,
): Promise<ReceivedFile | null> {
  // git first sends an empty request to find out whether it may push much. It needs no slot
  if (ctx.request.length === flushPacket.length) {
    setPushBody(ctx, "");
    return null;
  }
  const isSmall = (ctx.request.length ?? Infinity) <= smallBody;
  try {
    return await receiveFile(ctx, limits.pushPacked, isSmall ? null : places, within);
  } catch (error) {
    if (!isSlotRefusal(error)) throw error;
    refusePush(ctx, await discardPush(ctx), error);
    return null;
  }
}

function isSlotRefusal(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === "rate_limited" || error.code === "busy");
}

/**
 * Reads the commands of a body without storing it. Reads the whole body, because git sends all of it before it reads
 * the answer.
 */
async function discardPush(ctx: Context): Promise<PushRequest> {
  const first: Buffer[] = [];
  let size = 0;
  for await (const chunk of pacedChunks(ctx.req as AsyncIterable<Buffer>, () => crowdedPace)) {
    if (size < refusedBytes) first.push(chunk.subarray(0, refusedBytes - size));
    size += chunk.length;
    if (size > limits.pushPacked) throw new AppError("too_large");
  }
  return parsePush(Buffer.concat(first));
}

/**
 * Refuses a push that found no slot, in git's report, because git doesn't show the text of an error status.
 * @throws any other error
 */
export function refusePush(
  ctx: Context,
  { commands, sideBand }: Pick<PushRequest, "commands" | "sideBand">,
  error: unknown,
): void {
  if (!isSlotRefusal(error)) throw error;
  const { message, details } = error;
  const parts: Buffer[] = [];
  const respond = createPushAnswer((bytes) => void parts.push(bytes), sideBand);
  const wait = (details as { retryAfterSeconds?: number } | undefined)?.retryAfterSeconds;
  respond.say(`${message}.`, ...(wait === undefined ? [] : [`  Push again in ${wait} seconds.`]));
  respond.report(new Map(commands.map(({ ref }) => [ref, message])));
  setPushBody(ctx, Buffer.concat(parts));
}

const bandBytes = 32_000;

function sideBandPacket(band: number, data: Buffer): Buffer {
  const cut = data.subarray(0, bandBytes);
  const length = (cut.length + 5).toString(16).padStart(4, "0");
  return Buffer.concat([Buffer.from(length), Buffer.from([band]), cut]);
}

/**
 * Replaces control characters. The client chooses the names, and they must not control the terminal of an operator or
 * user.
 */
function replaceControlCharacters(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}
