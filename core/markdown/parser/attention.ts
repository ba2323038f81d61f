import type { Nodes } from "mdast";
import { attention } from "micromark-core-commonmark";
import { gfm as gfmWith } from "micromark-extension-gfm";
import type { Code, Construct, Extension, TokenizeContext } from "micromark-util-types";
import {
  characterAfter,
  characterBefore,
  dialectFlanks,
  tildeFlanks,
  type Flanks,
  type DelimiterRun,
} from "../flanking.ts";

export const gfmOptions = { singleTilde: false };
export const gfm = gfmWith(gfmOptions);

/** The emphasis marks of this product's dialect, for micromark. They replace the marks of GFM if added after GFM. */
export const ownMarks: Extension = {
  text: {
    42: withFlanks(attention, dialectFlanks),
    95: withFlanks(attention, dialectFlanks),
    126: [gfm.text?.[126] ?? []].flat().map((strikethrough) => withFlanks(strikethrough, tildeFlanks)),
  },
};

/** Makes micromark decide by `flanks`, because its own rules treat the halves of an emoji as letters. */
function withFlanks(construct: Construct, flanks: (run: DelimiterRun) => Flanks): Construct {
  return {
    ...construct,
    name: `own-${construct.name}`,
    tokenize(effects, ok, nok) {
      const start = this.now();
      const before = characterBeforeCode(this, this.previous);
      return construct.tokenize.call(
        this,
        effects,
        (code) => {
          const token = this.events.at(-1)?.[1];
          if (token) {
            const length = token.end.offset - start.offset;
            const character = this.sliceSerialize({ start, end: { ...start, _bufferIndex: start._bufferIndex + 1 } });
            const { opens, closes } = flanks({ character, length, before, after: characterAfterCode(this, code) });
            Object.assign(token, { _open: opens, _close: closes });
          }
          return ok(code);
        },
        nok,
      );
    },
  };
}

/** Converts micromark's codes: line ends and tabs are negative, and the edge of a text is null. */
function characterOfCode(code: Code): string {
  if (code === null) return "";
  return code < 0 ? " " : String.fromCharCode(code);
}

function characterBeforeCode(context: TokenizeContext, code: Code): string {
  const end = context.now();
  if (code === null || code < 0xdc00 || code > 0xdfff || end._bufferIndex < 2) return characterOfCode(code);
  const pair = context.sliceSerialize({ start: { ...end, _bufferIndex: end._bufferIndex - 2 }, end });
  return characterBefore(pair, pair.length);
}

function characterAfterCode(context: TokenizeContext, code: Code): string {
  if (code === null || code < 0xd800 || code > 0xdbff) return characterOfCode(code);
  const start = context.now();
  return context.sliceSerialize({ start, end: { ...start, _bufferIndex: start._bufferIndex + 2 } });
}

/** Tells whether a GFM tree has emphasis or strikethrough whose marks are text in this product's dialect. */
export function hasForeignMarks(node: Nodes, text: string): boolean {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? 0;
  if (node.type === "delete" && text[start + 1] !== "~") return true;
  if (
    (node.type === "emphasis" || node.type === "strong") &&
    text[start] === "*" &&
    !(starFlanksAt(text, start).opens && starFlanksAt(text, end - 1).closes)
  ) {
    return true;
  }
  return "children" in node && node.children.some((child) => hasForeignMarks(child, text));
}

function starFlanksAt(text: string, at: number): ReturnType<typeof dialectFlanks> {
  let [start, end] = [at, at + 1];
  while (text[start - 1] === "*" && text[start - 2] !== "\\") start -= 1;
  while (text[end] === "*") end += 1;
  const [before, after] = [characterBefore(text, start), characterAfter(text, end)];
  return dialectFlanks({ character: "*", length: end - start, before, after });
}
