/** The first version of Node that runs `sop`, as in `engines` of the package. Before it, `styleText` colors files and pipes. */
export const oldestNode = "22.13";

export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
