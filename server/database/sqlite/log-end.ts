/**
 * Reads the write-ahead log to its end. SQLite stops at the first frame with a wrong checksum and silently ignores all
 * later frames. After a power cut, those are unconfirmed changes. After damage to the log, they are confirmed changes,
 * which are lost.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";

const headerSize = 32;
const frameHead = 24;
export const pageSize = 4096;
const frameSize = frameHead + pageSize;
/** The log's first word if its checksums read numbers as big-endian. */
const bigEndian = 0x377f0683;

type WalChecksum = readonly [number, number];

export interface WalPages {
  /** The number of the database's pages after the last change; null if the log has no complete change. */
  pages: number | null;
  /** The pages of complete changes → the offset of each page in the log. */
  places: ReadonlyMap<number, number>;
  /** The number of complete changes after the first damaged frame, which are lost. */
  dropped: number;
}

export function readWriteAheadLog(databaseFile: string): WalPages {
  const file = `${databaseFile}-wal`;
  const places = new Map<number, number>();
  const log = { pages: null as number | null, places, dropped: 0 };
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < headerSize + frameSize) return log;
  const descriptor = openSync(file, "r");
  try {
    const readAt = (length: number, at: number) => {
      const bytes = Buffer.alloc(length);
      readSync(descriptor, bytes, 0, length, at);
      return bytes;
    };
    const header = readAt(headerSize, 0);
    const isBig = header.readUInt32BE(0) === bigEndian;
    const isWhole = isStoredChecksum(header, 24, walChecksum(header.subarray(0, 24), [0, 0], isBig));
    let [before, isDropped]: [WalChecksum, boolean] = [storedChecksum(header, 24), !isWhole];
    let salt = isWhole ? header.subarray(16, 24) : null;
    let ofChange: [page: number, at: number][] = [];
    for (let at = headerSize; at + frameSize <= size; at += frameSize) {
      const frame = readAt(frameSize, at);
      // the header is damaged, so take the salt, which identifies the present use of the log, from the first frame
      salt ??= frame.subarray(8, 16);
      const isOld = !salt.equals(frame.subarray(8, 16));
      // this frame is left from an earlier use of the log
      if (isOld && !isDropped) break;
      const sum = walChecksum(frame.subarray(frameHead), walChecksum(frame.subarray(0, 8), before, isBig), isBig);
      const isRight = !isOld && isStoredChecksum(frame, 16, sum);
      const pages = frame.readUInt32BE(4);
      if (!isRight) isDropped = true;
      else if (isDropped) log.dropped += pages > 0 ? 1 : 0;
      else {
        ofChange.push([frame.readUInt32BE(0), at + frameHead]);
        if (pages > 0) {
          for (const [page, place] of ofChange) places.set(page, place);
          log.pages = pages;
          ofChange = [];
        }
      }
      before = storedChecksum(frame, 16);
    }
    return log;
  } finally {
    closeSync(descriptor);
  }
}

const storedChecksum = (bytes: Buffer, at: number): WalChecksum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];

function isStoredChecksum(bytes: Buffer, at: number, [first, second]: WalChecksum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}

/** https://sqlite.org/fileformat.html#checksum_algorithm */
function walChecksum(bytes: Buffer, [first, second]: WalChecksum, isBig: boolean): WalChecksum {
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0;
    second = (second + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0;
  }
  return [first, second];
}
