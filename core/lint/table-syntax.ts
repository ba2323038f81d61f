import { gfmTable } from "micromark-extension-gfm-table";

type Syntax = ReturnType<typeof gfmTable>;
type Construct = Extract<NonNullable<NonNullable<Syntax["flow"]>[string]>, { tokenize: unknown }>;

const marksOnly = /^[ \t>*+\d.)|:-]+$/gm;
const lineEnd = /\r\n|\n|\r/g;

/** The lines (from 1) above something like a delimiter row, also inside quotes or lists. */
export function tableHeads(text: string): ReadonlySet<number> {
  const heads = new Set<number>();
  let line = 1;
  let counted = 0;
  for (const { 0: marks, index } of text.matchAll(marksOnly)) {
    if (!marks.includes("-") || !/[|:]/.test(marks)) continue;
    line += text.slice(counted, index).match(lineEnd)?.length ?? 0;
    counted = index;
    heads.add(line - 1);
  }
  return heads;
}

/** Looks for GFM tables only where one can start. Otherwise the first line of every paragraph would be read twice. */
export function tableSyntax(heads: ReadonlySet<number>): Syntax {
  const { flow } = gfmTable();
  const table = flow?.["null"] as Construct;
  const tokenize: Construct["tokenize"] = function (effects, ok, nok) {
    const start = table.tokenize.call(this, effects, ok, nok);
    return (code) => (heads.has(this.now().line) || goesOn(this.events) ? start(code) : nok(code));
  };
  return { flow: { null: { ...table, tokenize } } };
}

/** Is the line before this one a row? */
function goesOn(events: readonly (readonly [string, { type: string }, unknown])[]): boolean {
  const last = events.findLast(([, { type }]) => type !== "lineEnding" && type !== "linePrefix")?.[1].type;
  return last === "tableHead" || last === "tableRow";
}
