/** Random tables whose words identify their cell. */
import { seeded, type Random } from "../audit-tamper.ts";
import { stored } from "../export-words.ts";

/** A cell as it is written, and the words that a reader finds in it. */
export interface MadeCell {
  column: number;
  columns: number;
  row: number;
  rows: number;
  header: boolean;
  html: string;
  words: string[];
  /** Words that begin an item of a numbered list, with the number before each. */
  numbered: [word: string, number: number][];
}

export interface MadeTable {
  name: string;
  html: string;
  cells: MadeCell[];
  fromRight: boolean;
}

export interface TableOptions {
  /** True to include Han, a script beside Latin, Hebrew and Arabic for which the typesetter has fonts. */
  han?: boolean;
  /** True if the whole document is read from the right. */
  fromRight?: boolean;
}

export const small = `${"cd".repeat(32)}.png`;
export const large = stored;

// the first letters of words. A word has a letter that is unique to its kind of place, then its number in five letters,
// so that no word contains another one
const scripts = {
  latin: ["q", "abcdefghik"],
  hebrew: ["\u05e7", "\u05d0\u05d1\u05d2\u05d3\u05d4\u05d5\u05d6\u05d7\u05d8\u05d9"],
  arabic: ["\u0642", "\u0628\u062a\u062c\u062d\u062f\u0631\u0633\u0634\u0635\u0639"],
  han: ["\u7b2c", "\u5927\u5c0f\u4e2d\u4e0a\u4e0b\u5de6\u53f3\u6c34\u706b\u571f"],
} as const;

type Say = (script?: keyof typeof scripts) => string;

export function words(): Say {
  let made = 0;
  return (script = "latin") => {
    const [mark, letters] = scripts[script];
    made += 1;
    return mark + [...String(made).padStart(5, "0")].map((digit) => letters[Number(digit)]).join("");
  };
}

export function madeTable(seed: number, word: Say, { han = false, fromRight = false }: TableOptions): MadeTable {
  const below = seeded(seed + 1);
  const chance = (share: number) => below(1_000) < share * 1_000;
  const wide = chance(0.08);
  const columns = wide ? 8 + below(18) : 1 + below(6);
  const long = !wide && chance(0.15);
  const rows = long ? 30 + below(70) : 1 + below(8);
  const headRows = below(3);
  const plain = wide || long;

  const cells: MadeCell[] = [];
  const taken = new Set<string>();
  /** a span can't leave the head */
  const endOf = (row: number) => (row < headRows ? headRows : headRows + rows);
  const lines: string[] = [];
  for (let row = 0; row < headRows + rows; row += 1) {
    const own: string[] = [];
    for (let column = 0; column < columns; column += 1) {
      if (taken.has(`${row} ${column}`)) continue;
      // this row has fewer cells than others
      if (column > 0 && chance(0.03) && !hasTakenAfter(taken, row, column, columns)) break;
      let across = 1;
      const wanted = chance(0.12) ? 1 + below(3) : 1;
      while (across < wanted && column + across < columns && !taken.has(`${row} ${column + across}`)) across += 1;
      const left = endOf(row) - row;
      const down = chance(0.12) ? 1 + below(Math.min(left, chance(0.5) ? left : 4)) : 1;
      for (let y = row; y < row + down; y += 1) {
        for (let x = column; x < column + across; x += 1) taken.add(`${y} ${x}`);
      }
      const header = row < headRows || (column === 0 && chance(0.2));
      const content = madeContent(below, word, { plain: plain || row < headRows, han, deep: 0 });
      const tag = header ? "th" : "td";
      const align = chance(0.15) ? ` align="${["left", "right", "center"][below(3)]}"` : "";
      own.push(
        `<${tag}${across > 1 ? ` colspan="${across}"` : ""}${down > 1 ? ` rowspan="${down}"` : ""}${align}>${content.html}</${tag}>`,
      );
      cells.push({ column, columns: across, row, rows: down, header, ...content });
    }
    lines.push(`<tr>${own.join("")}</tr>`);
  }
  const head = headRows === 0 ? "" : `<thead>${lines.slice(0, headRows).join("")}</thead>`;
  const html = `<table>${head}<tbody>${lines.slice(headRows).join("")}</tbody></table>`;
  return { name: `table ${seed}`, html, cells, fromRight };
}

function hasTakenAfter(taken: ReadonlySet<string>, row: number, column: number, columns: number): boolean {
  for (let x = column; x < columns; x += 1) if (taken.has(`${row} ${x}`)) return true;
  return false;
}

type Content = Pick<MadeCell, "html" | "words" | "numbered">;

function madeContent(
  below: Random,
  word: Say,
  { plain, han, deep }: { plain: boolean; han: boolean; deep: number },
): Content {
  const words: string[] = [];
  const numbered: Content["numbered"] = [];
  const say: Say = (script) => {
    const one = word(script);
    words.push(one);
    return one;
  };
  const some = (most: number, script?: keyof typeof scripts) =>
    Array.from({ length: 1 + below(most) }, () => say(script));
  const inner = (): string => {
    const one = madeContent(below, word, { plain: true, han, deep: deep + 1 });
    words.push(...one.words);
    numbered.push(...one.numbered);
    return one.html;
  };
  const list = (level: number): string => {
    const start = below(3) === 0 ? below(120) : 1;
    const items = Array.from({ length: 1 + below(4) }, (_, index) => {
      const first = say();
      numbered.push([first, start + index]);
      const nested = level < 2 && below(4) === 0 ? list(level + 1) : "";
      return `<li>${[first, ...some(3)].join(" ")}${nested}</li>`;
    });
    return `<ol start="${start}">${items.join("")}</ol>`;
  };
  const longer = (length: number): string => {
    const one = `${word()}${"mnoprst".repeat(20)}`.slice(0, length);
    words.push(one);
    return one;
  };
  const kinds: (() => string)[] = [
    () => some(6).join(" "),
    () => some(6).join(" "),
    () => some(4).join("<br>"),
    () => `<strong>${say()}</strong> ${some(3).join(" ")} <em>${say()}</em>`,
    () => `<code>${say()}_${say()}</code> ${say()}`,
    () => `<kbd>${say()}</kbd> ${say()}<sub>2</sub> ${say()}<sup>3</sup>`,
    () => some(5, "hebrew").join(" "),
    () => `${say()} ${some(3, "hebrew").join(" ")} ${say()}`,
    () => longer(12 + below(14)),
    () => (han ? some(4, "han").join("") : say()),
    () => "",
  ];
  const larger: (() => string)[] = [
    () => longer(30 + below(90)),
    () => some(120).join(" "),
    () => Array.from({ length: 20 + below(80) }, () => say()).join("<br>"),
    () => list(0),
    () =>
      `<ul>${some(4)
        .map((one) => `<li>${one}</li>`)
        .join("")}</ul>`,
    () =>
      `<ul>${some(4)
        .map((one) => `<li><input type="checkbox" disabled> ${one}</li>`)
        .join("")}</ul>`,
    () => `<pre><code>${some(6).join("\n")}</code></pre>`,
    () => `<p>${some(5).join(" ")}</p><p>${some(5).join(" ")}</p>`,
    () => `${say()} <img src="/api/assets/${small}" alt=""> ${say()}`,
    () => `${say()} <img src="/api/assets/${large}" alt=""> ${say()}`,
    () => `<blockquote>${some(5).join(" ")}</blockquote>`,
    () => `<details><summary>${say()}</summary>${some(4).join(" ")}</details>`,
    () =>
      deep > 0
        ? say()
        : `<table>${[0, 1].map(() => `<tr><td>${inner()}</td><td>${inner()}</td></tr>`).join("")}</table>`,
  ];
  const all = plain ? kinds : [...kinds, ...larger];
  const make = all[below(all.length)];
  return { html: make?.() ?? "", words, numbered };
}
