/** Writes a file completely or not at all: under a temporary name in the same folder, then by a rename. */
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Keeps the mode of an existing file unless the caller gives one. */
export async function writeFileAtomically(path: string, data: string | Uint8Array, mode?: number): Promise<void> {
  // A file that only its owner can read gets a folder that only its owner can open.
  await mkdir(dirname(path), { recursive: true, ...(mode === 0o600 && { mode: 0o700 }) });
  const newMode = mode ?? (await stat(path).catch(() => null))?.mode;
  const temporary = join(dirname(path), `.sop-${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, "wx", mode ?? 0o666);
    try {
      if (newMode !== undefined) await file.chmod(newMode & 0o777);
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw withTargetPath(error, path);
  }
}

/** Makes an error name the target file instead of the temporary one. */
function withTargetPath(error: unknown, path: string): unknown {
  if (error instanceof Error && "code" in error) return Object.assign(error, { path });
  return error;
}

/** Returns the file's bytes, or null if the file doesn't exist. */
export async function readIfExists(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
