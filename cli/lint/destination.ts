/** Writes a report to stdout, or to a file that appears only when the report is complete. */
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { invalidInputError } from "../exit.ts";

export interface Destination {
  write(piece: string): Promise<void>;
  end(): Promise<void>;
  /** Ends without writing the file, and deletes the temporary file. */
  discard(): Promise<void>;
}

const bufferedCharacters = 1 << 16;

export async function openDestination(
  output: string | undefined,
  cwd: string,
  stdout: (data: string) => Promise<void>,
): Promise<Destination> {
  return output === undefined
    ? bufferedDestination(
        stdout,
        async () => {},
        async () => {},
      )
    : await openFileDestination(resolve(cwd, output));
}

async function openFileDestination(path: string): Promise<Destination> {
  await mkdir(dirname(path), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST" && error.code !== "ENOTDIR") throw error;
    throw invalidInputError("file", `${path}: a part of the path is not a folder`, { path });
  });
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, "wx").catch((error: unknown) => {
    throw Object.assign(error as Error, { path });
  });
  return bufferedDestination(
    async (data) => void (await file.write(data)),
    async () => {
      await file.close();
      try {
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw Object.assign(error as Error, { path });
      }
    },
    async () => {
      await file.close();
      await rm(temporary, { force: true });
    },
  );
}

/** Returns a destination that collects small pieces and writes them together. */
function bufferedDestination(
  write: (data: string) => Promise<void>,
  end: () => Promise<void>,
  discard: () => Promise<void>,
): Destination {
  let waiting = "";
  const flushText = async () => {
    const data = waiting;
    waiting = "";
    if (data !== "") await write(data);
  };
  return {
    write: async (piece) => {
      waiting += piece;
      if (waiting.length >= bufferedCharacters) await flushText();
    },
    end: async () => {
      await flushText();
      await end();
    },
    discard,
  };
}
