/** The words of a line of Markdown without its marks, as a reader sees them. */
const marks = /[\\`*_~![\]<&]/;

export function plainInline(line: string): string {
  if (!marks.test(line)) return line;
  return line
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 ? part.replace(/^`+ ?| ?`+$/g, "") : withoutMarks(part)))
    .join("");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

function withoutMarks(text: string): string {
  const escaped: string[] = [];
  const kept = text.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => `\ue000${escaped.push(sign) - 1}\ue001`);
  return kept
    .replace(/!\[[^\]]*\]\([^)\s]*(?:\s+"([^"]*)")?\)/g, "$1")
    .replace(/\[\^[^\]]+\]/g, "")
    .replace(/\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replace(/^\s*\[[ xX]\]\s/, "")
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, "$1")
    .replace(/<\/?[a-z][^>]*>/gi, "")
    .replace(/\*+|~~/g, "")
    .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => entities[name] ?? "")
    .replace(/\ue000(\d+)\ue001/g, (_, index: string) => escaped[Number(index)] ?? "");
}
