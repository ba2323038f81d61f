import { formatMarkdown } from "../../core/markdown/format.ts";
import type { Random } from "../audit-tamper.ts";
import { stored } from "../export-words.ts";
import { latin, pick, words } from "./words.ts";

/** A text as authors write it, in canonical form. */
export function makeText(random: Random): string {
  const maker = new TextMaker(random);
  const blocks = Array.from({ length: 1 + random(5) }, () => maker.block(0));
  return formatMarkdown(`${[...blocks, ...maker.notes].join("\n\n")}\n`);
}

class TextMaker {
  readonly notes: string[] = [];
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  block(deep: number): string {
    const { random } = this;
    const kind = random(deep > 2 ? 4 : 12);
    switch (kind) {
      case 0:
      case 1:
      case 2:
        return this.line();
      case 3:
        return `\`\`\`${pick(random, ["", "sh", "c++", "js"])}\n${words(random)}\n\n  ${words(random)}\n\`\`\``;
      case 4:
        return quoted(`[!${pick(random, ["NOTE", "WARNING", "DANGER"])}]\n${this.blocks(deep)}`);
      case 5:
        return quoted(this.blocks(deep));
      case 6:
        return deep > 0 ? this.line() : `## ${words(random)}`;
      case 7:
        return this.table();
      case 8:
        return deep > 0
          ? `![${pick(random, latin)}](/api/assets/${stored} "${pick(random, latin)}")`
          : `<details>\n<summary>${pick(random, latin)}</summary>\n\n${this.blocks(3)}\n\n</details>`;
      default:
        return this.list(deep);
    }
  }

  private blocks(deep: number): string {
    return Array.from({ length: 1 + this.random(2) }, () => this.block(deep + 1)).join("\n\n");
  }

  private list(deep: number): string {
    const { random } = this;
    const isOrdered = random(2) === 0;
    const start = random(4) === 0 ? 5 : 1;
    const isTask = random(3) === 0;
    const items = Array.from({ length: 1 + random(3) }, (_, index) => {
      const mark = isOrdered ? `${start + index}.` : "-";
      const box = isTask ? pick(random, ["[ ] ", "[x] "]) : "";
      const rest = random(2) === 0 ? `\n\n${this.blocks(deep)}` : "";
      return `${mark} ${box}${this.line()}${rest}`.replace(/\n(?!\n)/g, `\n${" ".repeat(mark.length + 1)}`);
    });
    return items.join("\n");
  }

  private table(): string {
    const { random } = this;
    if (random(2) === 0) {
      const columns = 1 + random(4);
      const row = () =>
        `| ${Array.from({ length: columns }, () => (random(5) === 0 ? "" : this.cell())).join(" | ")} |`;
      return [row(), `|${" --- |".repeat(columns)}`, ...Array.from({ length: random(4) }, row)].join("\n");
    }
    const cell = (name: string, more = "") => `<${name}${more}>${words(random)}</${name}>`;
    return pick(random, [
      `<table><thead><tr>${cell("th", ' rowspan="2"')}${cell("th", ' colspan="2"')}</tr>\n<tr>${cell("th")}${cell("th")}</tr></thead>\n<tbody><tr>${cell("td")}${cell("td")}${cell("td")}</tr></tbody></table>`,
      `<table><tbody><tr>${cell("td", ' rowspan="2"')}${cell("td")}</tr>\n<tr><td><ol><li>${words(random)}</li><li>${words(random)}</li></ol></td></tr></tbody></table>`,
      `<table><tbody><tr>${cell("td")}<td>☐ ${words(random)}</td></tr>\n<tr><td>a<br>b</td>${cell("td")}</tr></tbody></table>`,
    ]);
  }

  private cell(): string {
    return this.random(5) === 0
      ? `${words(this.random, 2)}<br>${words(this.random, 2)}`
      : this.line().replace(/\\\n/g, " ");
  }

  private line(): string {
    return Array.from({ length: 1 + this.random(3) }, () => this.inline()).join(" ");
  }

  private inline(): string {
    const { random } = this;
    const text = words(random);
    switch (random(16)) {
      case 0:
        return `**${text}**`;
      case 1:
        return `~~${text}~~`;
      case 2:
        return `\`${pick(random, latin)}  x\``;
      case 3:
        return `[${pick(random, latin)}](https://example.org/a)`;
      case 4:
        return `10<sup>3</sup> H<sub>2</sub>O`;
      case 5:
        return `${pick(random, latin)}\\\n${pick(random, latin)}`;
      case 6: {
        const id = this.notes.length + 1;
        if (id < 3) this.notes.push(`[^n${id}]: ${words(random)}`);
        return `${pick(random, latin)}[^n${Math.min(id, 2)}]`;
      }
      case 7:
        return `☐ ${pick(random, latin)} ☒ ${pick(random, latin)}`;
      case 8:
        return "<kbd>Ctrl</kbd>";
      default:
        return text;
    }
  }
}

function quoted(text: string): string {
  return text.replace(/^/gm, "> ").replace(/^> $/gm, ">");
}
