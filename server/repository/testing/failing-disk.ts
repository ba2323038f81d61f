/**
 * A disk that loses power: the n-th call is interrupted (half written, or done but not reported), and all later calls
 * fail.
 */
import { realDisk, type Disk, type OpenFile } from "../disk.ts";

export interface FailingDisk {
  disk: Disk;
  /** The number of calls so far. */
  calls(): number;
  /** Counts other work as a call too, such as the ledger's acknowledgement. */
  pull<T>(work: () => Promise<T>): Promise<T>;
}

class PowerLost extends Error {
  constructor() {
    super("the power is gone");
  }
}

export function failingDisk(failAt: number, after = false): FailingDisk {
  let calls = 0;
  const step = async <T>(
    work: () => Promise<T>,
    half: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<T> => {
    calls += 1;
    if (calls > failAt) throw new PowerLost();
    if (calls < failAt) return work();
    await (after ? work() : half()).catch(() => undefined);
    throw new PowerLost();
  };
  const half = (data: Uint8Array | string): Uint8Array | string => data.slice(0, data.length >> 1);
  const openFile = (file: OpenFile): OpenFile => ({
    read: (buffer, offset, length, position) => step(() => file.read(buffer, offset, length, position)),
    // closing always works, because the test would leak files otherwise
    close: () => file.close(),
  });
  const disk: Disk = {
    readFile: (path) => step(() => realDisk.readFile(path)),
    writeFile: (path, data, flag) =>
      step(
        () => realDisk.writeFile(path, data, flag),
        () => realDisk.writeFile(path, half(data), flag),
      ),
    open: async (path) => {
      const opened: OpenFile[] = [];
      try {
        return await step(async () => {
          const file = await realDisk.open(path);
          opened.push(file);
          return openFile(file);
        });
      } catch (error) {
        for (const file of opened) await file.close();
        throw error;
      }
    },
    rename: (from, to) => step(() => realDisk.rename(from, to)),
    unlink: (path) => step(() => realDisk.unlink(path)),
    mkdir: (path) => step(() => realDisk.mkdir(path)),
    rmdir: (path) => step(() => realDisk.rmdir(path)),
    remove: (path) => step(() => realDisk.remove(path)),
    readdir: (path) => step(() => realDisk.readdir(path)),
    stat: (path) => step(() => realDisk.stat(path)),
  };
  return { disk, calls: () => calls, pull: step };
}
