/** Reads objects of a clone with `git cat-file --batch`. Many can be requested before the first one arrives. */
import type { ClonedRepository } from "#core/repository/cloned-facts.ts";
import { startGit } from "../limited-program.ts";
import type { ClosedRepository } from "./closed-git.ts";

/** The size limit of an object in bytes. The server's largest is an image of 5 MB, or the index of a large company. */
const largestObject = 16 * 1024 * 1024;

type ObjectOrNull = Awaited<ReturnType<ClonedRepository["read"]>>;

interface ObjectRequest {
  oid: string;
  answer(object: ObjectOrNull): void;
}

export function createObjectReader({ gitdir, env, settings }: Pick<ClosedRepository, "gitdir" | "env" | "settings">): {
  read: ClonedRepository["read"];
  close(): void;
} {
  const asked: ObjectRequest[] = [];
  let unsent: string[] = [];
  let child: ReturnType<typeof startCatFile> | null = null;
  let isOpen = true;

  function startCatFile() {
    const git = startGit([...settings, "cat-file", "--batch"], { cwd: gitdir, env });
    // The close event below handles a failed start.
    git.on("error", () => undefined);
    git.stdin.on("error", () => undefined);
    git.stdout.on(
      "data",
      createObjectParser(
        (object) => asked.shift()?.answer(object),
        () => git.kill(),
      ),
    );
    git.on("close", () => {
      // git ends at an object that is damaged or too large. A new process reads the objects after it.
      child = null;
      asked.shift()?.answer(null);
      unsent = asked.map(({ oid }) => oid);
      sendRequests();
    });
    return git;
  }

  function sendRequests(): void {
    if (!isOpen || unsent.length === 0) return;
    child ??= startCatFile();
    child.stdin.write(`${unsent.join("\n")}\n`);
    unsent = [];
  }

  return {
    read: (oid) =>
      new Promise((answer) => {
        asked.push({ oid, answer });
        if (unsent.push(oid) === 1) setImmediate(sendRequests);
      }),
    close() {
      isOpen = false;
      child?.kill();
    },
  };
}

/** @param take gets the next object, or null if it is missing @param end called at an object that is too large */
function createObjectParser(take: (object: ObjectOrNull) => void, end: () => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = 0;
  let isEnded = false;
  return (chunk) => {
    if (isEnded) return;
    chunks.push(chunk);
    held += chunk.length;
    // A large object arrives in many pieces, so this waits for all of them.
    if (held < wanted) return;
    const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    let at = 0;
    for (;;) {
      const line = bytes.indexOf("\n", at);
      if (line === -1) break;
      const [, type = "", size] = bytes.toString("latin1", at, line).split(" ");
      if (Number(size) > largestObject) {
        isEnded = true;
        return end();
      }
      const last = size === undefined ? line : line + 1 + Number(size);
      wanted = last + 1 - at;
      if (last >= bytes.length) break;
      take(size === undefined ? null : { type, content: bytes.subarray(line + 1, last) });
      at = last + 1;
      wanted = 0;
    }
    chunks = [bytes.subarray(at)];
    held = bytes.length - at;
  };
}
