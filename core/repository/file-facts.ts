/** What a version's file states of itself, read without a YAML parser: the server writes each of these as JSON on one line. */

/** Facts of the front matter. */
export interface FileFacts {
  id: string;
  /** `SOP-0042` */
  number: string;
  version: number;
  title: string;
  owner: string | null;
}

/** @returns null where the file has no id, number or version */
export function fileFacts(text: string): FileFacts | null {
  const facts = new Map<string, unknown>();
  const end = text.indexOf("\n---\n");
  for (const line of text.slice(0, Math.max(end, 0)).split("\n").slice(1)) {
    const [, key = "", value = ""] = /^(sop|id|version|title|owner): (.*)$/.exec(line) ?? [];
    if (key !== "" && !facts.has(key)) facts.set(key, parsed(value));
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

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
