import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";

/** Objects are repacked later, which compresses better: speed counts. */
export const fastest = 1;
const deflateAside = promisify<Uint8Array, { level: number }, Buffer>(deflate);
/** Below this, compressing here is quicker than a trip to the thread pool. */
const smallObject = 64 * 1024;

export function compress(bytes: Uint8Array): Promise<Buffer> | Buffer {
  return bytes.length < smallObject ? deflateSync(bytes, { level: fastest }) : deflateAside(bytes, { level: fastest });
}
