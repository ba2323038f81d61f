/** Compares the indents and blank lines around tags, which have a meaning to another tool but none in Markdown. */
import { leadingSpaceOf } from "./boxes.ts";
import { fencedLineFlags, isBlankLine, toLines, type SourceLine } from "../text/lines.ts";

export interface TextWithMappedLines {
  text: string;
  /** Line numbers (1-based) of constructs whose content is Markdown. */
  mapped: ReadonlySet<number>;
}

interface TagPosition {
  line: number;
  key: string;
}

/**
 * Returns the line, from 1 in `before`, of the first tag or attribute list whose indent or neighbors changed; undefined
 * if none did.
 */
export function firstMovedLine(before: TextWithMappedLines, after: TextWithMappedLines): number | undefined {
  const [was, is] = [tagPositionsOf(before), tagPositionsOf(after)];
  return was.find(({ key }, index) => key !== is[index]?.key)?.line;
}

/** Matches `{: .note }` and `{ #id }` alone on a line. Such attributes belong to the block directly above or below. */
const attributes = /^[ \t]*\{(?::|[ \t]*[#.])[^{}]*\}[ \t]*$/;

function tagPositionsOf({ text, mapped }: TextWithMappedLines): TagPosition[] {
  const lines = toLines(text, 1);
  const fenced = fencedLineFlags(lines);
  const pairs = tagPairs(lines, fenced).filter(({ start }) => !mapped.has(start + 1));
  const around = new Map<number, number>();
  for (const { start, end } of pairs) for (let at = start + 1; at < end; at += 1) around.set(at, start);
  return lines.flatMap(({ text: line }, index): TagPosition[] => {
    if (fenced[index] || isBlankLine(line)) return [];
    const start = around.get(index);
    if (attributes.test(line)) {
      const touches = [index - 1, index + 1].map((at) => !isBlankLine(lines[at]?.text ?? ""));
      return [{ line: index + 1, key: `${leadingSpaceOf(line)}${touches.join()}` }];
    }
    return start === undefined ? [] : [{ line: start + 1, key: leadingSpaceOf(line) }];
  });
}

const tags = [
  /^[ \t]*\{%-?[ \t]*(end)?([A-Za-z]\w*)(?:[ \t].*)?%\}[ \t]*$/,
  /^[ \t]*\{\{[<%][ \t]*(\/)?[ \t]*([A-Za-z][\w./-]*)(?:[ \t].*)?[>%]\}\}[ \t]*$/,
  /^[ \t]*\{\{(\/|[#^])[ \t]*([A-Za-z][\w.-]*)[^{}]*\}\}[ \t]*$/,
];

/** Finds pairs of an opening and a closing tag, each alone on a line. Pairs inside another pair are left out. */
function tagPairs(lines: readonly SourceLine[], fenced: readonly boolean[]): { start: number; end: number }[] {
  const open = new Map<string, number[]>();
  const pairs: { start: number; end: number }[] = [];
  lines.forEach(({ text }, index) => {
    if (fenced[index]) return;
    tags.forEach((pattern, kind) => {
      const [found, mark, name = ""] = pattern.exec(text) ?? [];
      if (found === undefined) return;
      const key = `${kind} ${name}`;
      const isEnd = mark === "end" || mark === "/";
      if (!isEnd) open.set(key, [...(open.get(key)?.slice(-50) ?? []), index]);
      const start = isEnd ? open.get(key)?.pop() : undefined;
      if (start === undefined) return;
      while ((pairs.at(-1)?.start ?? -1) > start) pairs.pop();
      pairs.push({ start, end: index });
    });
  });
  return pairs;
}
