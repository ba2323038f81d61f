import { xmlTags } from "./xml-tags.ts";

/** Tags that only surround text: the converter would drop it with them. */
const around = new Set(["w:dir", "w:bdo", "w:ruby", "w:rubyBase"]);
const others: Record<string, string> = { "w:cr": "<w:br/>", "w:ptab": "<w:tab/>" };

/**
 * Tags of Word that the converter doesn't know, written with those it does: fields in their short form, directions of
 * text, breaks, and readings above words, which come after them in parentheses.
 */
export function readableTags(xml: string): string {
  const out: string[] = [];
  let done = 0;
  /** Where the reading begins: in the file it is before its word. */
  let reading: number | undefined;
  let spoken: string[] = [];
  for (const { name, kind, attributes, start, end } of xmlTags(xml)) {
    const replace = (text: string) => {
      out.push(xml.slice(done, start), text);
      done = end;
    };
    if (name === "w:fldSimple") replace(kind === "start" ? fieldStart(attributes) : kind === "end" ? field("end") : "");
    else if (around.has(name)) {
      replace("");
      if (name === "w:rubyBase" && kind === "end") out.push(...spoken.splice(0));
    } else if (name === "w:rt" && kind !== "empty") {
      replace("");
      if (kind === "start") reading = out.length;
      else if (reading !== undefined) spoken = [text("("), ...out.splice(reading), text(")")];
    } else if (name === "w:tblHeader" && /\bw:val="(?:0|false|off)"/.test(attributes)) {
      // it says that a row is no header; the converter takes the tag for a yes
      replace("");
    } else if (others[name] !== undefined) replace(kind === "end" ? "" : others[name]);
  }
  return out.join("") + xml.slice(done);
}

const text = (value: string) => `<w:t>${value}</w:t>`;
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

function fieldStart(attributes: string): string {
  const [, double, single] = /\bw:instr\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes) ?? [];
  const instruction = `<w:r><w:instrText xml:space="preserve">${double ?? single ?? ""}</w:instrText></w:r>`;
  return `${field("begin")}${instruction}${field("separate")}`;
}
