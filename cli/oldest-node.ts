/**
 * The oldest version of Node that runs `sop`, the same as `engines` in the package. Older ones color files and pipes in
 * `styleText`.
 */
export const oldestNode = "22.13";

export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
