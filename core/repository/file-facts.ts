/**
 * Reads facts from a version's file without a YAML parser, because the server writes each of them as JSON on one line.
 */

/** Facts of a version's front matter. */
export interface VersionFileFacts {
  id: string;
  /** The number, such as `SOP-0042`. */
  number: string;
  version: number;
  title: string;
  owner: string | null;
}

/** @returns null for a file without id, number or version */
export function readVersionFacts(text: string): VersionFileFacts | null {
  const facts = new Map<string, unknown>();
  const end = text.indexOf("\n---\n");
  for (const line of text.slice(0, Math.max(end, 0)).split("\n").slice(1)) {
    const [, key = "", value = ""] = /^(sop|id|version|title|owner): (.*)$/.exec(line) ?? [];
    if (key !== "" && !facts.has(key)) facts.set(key, parseJsonOrNull(value));
  }
  const [id, number, version] = [facts.get("id"), facts.get("sop"), facts.get("version")];
  if (typeof id !== "string" || typeof number !== "string" || typeof version !== "number") return null;
  const [title, owner] = [facts.get("title"), facts.get("owner")];
  return {
    id,
    number,
    version,
    title: typeof title === "string" ? title : "",
    owner: typeof owner === "string" ? owner : null,
  };
}

function parseJsonOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
