/** Reads the pkt-lines of git's protocol (`gitprotocol-common`): four hexadecimal digits of length, then the data. */

/**
 * Yields the data of each line; null for a flush or another marker of the protocol. Stops at the first incomplete line.
 */
export function* pktLines(bytes: Buffer): Generator<Buffer | null> {
  let at = 0;
  while (at + 4 <= bytes.length) {
    const digits = bytes.toString("latin1", at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) return;
    const length = Number.parseInt(digits, 16);
    if (length < 4) {
      yield null;
      at += 4;
      continue;
    }
    if (at + length > bytes.length) return;
    yield bytes.subarray(at + 4, at + length);
    at += length;
  }
}

/** Encodes a text as a line. @param text at most 65,516 bytes */
export function pktLine(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, "0") + text;
}

export const flushPacket = "0000";
