import { xmlTags } from "./xml-tags.ts";

/** Tags around text that the converter doesn't know. It would drop such tags with their text. */
const around = new Set(["w:dir", "w:bdo", "w:ruby", "w:rubyBase"]);
const others: Record<string, string> = { "w:cr": "<w:br/>", "w:ptab": "<w:tab/>" };

/**
 * Returns the XML with tags that the converter knows in place of others: short fields, text directions, breaks, and
 * ruby text, which moves behind its word in parentheses.
 */
export function withReadableTags(xml: string): string {
  const out: string[] = [];
  let done = 0;
  /** The position of the ruby text in `out`. The file has this text before the word that it annotates. */
  let reading: number | undefined;
  let spoken: string[] = [];
  for (const { name, kind, attributes, start, end } of xmlTags(xml)) {
    const replaceTag = (text: string) => {
      out.push(xml.slice(done, start), text);
      done = end;
    };
    if (name === "w:fldSimple")
      replaceTag(kind === "start" ? complexFieldStart(attributes) : kind === "end" ? fieldCharXml("end") : "");
    else if (around.has(name)) {
      replaceTag("");
      if (name === "w:rubyBase" && kind === "end") out.push(...spoken.splice(0));
    } else if (name === "w:rt" && kind !== "empty") {
      replaceTag("");
      if (kind === "start") reading = out.length;
      else if (reading !== undefined) spoken = [wordTextTag("("), ...out.splice(reading), wordTextTag(")")];
    } else if (name === "w:tblHeader" && /\bw:val="(?:0|false|off)"/.test(attributes)) {
      // remove the tag, because it says that a row is no header, but the converter makes a header of any row with the
      // tag
      replaceTag("");
    } else if (others[name] !== undefined) replaceTag(kind === "end" ? "" : others[name]);
  }
  return out.join("") + xml.slice(done);
}

const wordTextTag = (value: string) => `<w:t>${value}</w:t>`;
const fieldCharXml = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

function complexFieldStart(attributes: string): string {
  const [, double, single] = /\bw:instr\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes) ?? [];
  const instruction = `<w:r><w:instrText xml:space="preserve">${double ?? single ?? ""}</w:instrText></w:r>`;
  return `${fieldCharXml("begin")}${instruction}${fieldCharXml("separate")}`;
}
