/**
 * Reads an HTML page like a person: its words in order, and the place of each. For tests; it shares no code with the
 * product.
 */
import type { Element, ElementContent, Nodes, Root } from "hast";

export interface SeenWord {
  text: string;
  bold: boolean;
  struck: boolean;
  italic: boolean;
  /** The target of the word's link; "" without one. */
  href: string;
  /** `row:column` in the outermost table, counted from 0 with merged cells; "" outside. */
  cell: string;
  /** The numbers and bullets of the items around the word: `1/•`. `*` for a list whose form doesn't matter. */
  items: string;
  /** True in a heading, a header cell or code, in which bold is decoration. */
  heading: boolean;
  /** `sub` or `sup` for a lowered or raised word, "" for others. */
  shift: string;
  /** True in a block of code, in which words have no marks. */
  pre: boolean;
}

export interface SeenPage {
  words: SeenWord[];
  /** Each block of code with its line ends. */
  code: string[];
  images: string[];
}

interface State extends Omit<SeenWord, "text"> {
  inTable: boolean;
  inRuby: boolean;
}

const hiddenNames = new Set(
  (
    "script style template noscript iframe object embed title head datalist video audio canvas area param source track " +
    "link meta base col colgroup rp"
  ).split(" "),
);
const blockNames = new Set(
  (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search " +
    "section summary table tbody td tfoot th thead tr ul xmp"
  ).split(" "),
);

function attribute(node: Element, name: string): string {
  const value = node.properties[name];
  return value === undefined || value === null || value === false
    ? ""
    : Array.isArray(value)
      ? value.join(" ")
      : String(value);
}

const has = (node: Element, name: string): boolean => {
  const value = node.properties[name];
  return value !== undefined && value !== null && value !== false;
};

function raw(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map((child) => raw(child as Nodes)).join("") : "";
}

/** Reads a parsed page or fragment as a browser shows it. */
export function seenIn(root: Root): SeenPage {
  const page: SeenPage = { words: [], code: [], images: [] };
  let open: SeenWord | undefined;
  const end = (): void => void (open = undefined);
  const say = (value: string, state: State): void => {
    for (const part of value.split(/(\s+)/)) {
      if (part === "") continue;
      if (/^\s/.test(part)) end();
      else if (open) open.text += part;
      else {
        const { inTable: _, inRuby: __, ...rest } = state;
        page.words.push((open = { text: part, ...rest }));
      }
    }
  };

  function walk(nodes: readonly (ElementContent | Root["children"][number])[], state: State): void {
    for (const node of nodes) {
      if (node.type === "text") say(node.value, state);
      if (node.type === "element") visit(node, state);
    }
  }

  function visit(node: Element, outer: State): void {
    const name = node.tagName;
    const style = attribute(node, "style").replace(/\s+/g, "");
    if (hiddenNames.has(name) || has(node, "hidden") || /display:none|visibility:hidden/.test(style)) return;
    if (name === "dialog" && !has(node, "open")) return;
    if (/(?:^| )(?:alert-title|sr-only)(?: |$)/.test(attribute(node, "className"))) return;
    const state = inside(node, style, outer);
    const isBlock = blockNames.has(name);
    if (isBlock || name === "br") end();
    if (name === "img") {
      if (attribute(node, "src") === "") say(attribute(node, "alt"), state);
      else page.images.push(attribute(node, "src"));
    } else if (name === "input") field(node, state);
    else if (name === "textarea") say(raw(node).trim() === "" ? "" : raw(node), state);
    else if (name === "select") say(optionsOf(node), state);
    else if (name === "svg") drawing(node, state);
    else if (name === "math") formula(node, state);
    else if (name === "q") {
      say('"', state);
      walk(node.children, state);
      say('"', state);
    } else if (name === "rt" && outer.inRuby) {
      say("(", state);
      walk(node.children, state);
      say(")", state);
    } else if (outer.pre) walk(node.children, state);
    else if (name === "table") table(node, state);
    else if (["ol", "ul", "menu", "dir"].includes(name)) list(node, state);
    else if (["pre", "listing", "xmp", "plaintext"].includes(name) && !outer.pre) {
      page.code.push(codeOf(node).replace(/\n+$/, ""));
      walk(node.children, { ...state, pre: true });
    } else if (name === "li") walk(node.children, { ...state, items: join(state.items, "•") });
    else if (name === "details") {
      const summary = node.children.find((child) => child.type === "element" && child.tagName === "summary");
      walk(summary ? [summary, ...node.children.filter((child) => child !== summary)] : node.children, state);
    } else walk(node.children, state);
    if (isBlock) end();
  }

  function inside(node: Element, style: string, outer: State): State {
    const name = node.tagName;
    const state = { ...outer };
    if (name === "strong" || name === "b") state.bold = true;
    if (/(?:^|;)font-weight:(?:bold|[6-9]00)/.test(style)) state.bold = true;
    if (/(?:^|;)font-weight:(?:normal|[1-4]00)/.test(style)) state.bold = false;
    if (name === "em" || name === "i") state.italic = true;
    if (/(?:^|;)font-style:italic/.test(style)) state.italic = true;
    if (["del", "s", "strike"].includes(name) || /line-through/.test(style)) state.struck = true;
    if (name === "a" && attribute(node, "href") !== "") state.href = attribute(node, "href");
    if (name === "sub" || name === "sup") state.shift = name;
    if (/^h[1-6]$|^th$|^code$/.test(name)) state.heading = true;
    // a list of terms has no form of its own in Markdown, so its words count as plain text
    state.inRuby = name === "ruby";
    if (name === "dl" || name === "dt" || name === "dd") state.items = "*";
    return state;
  }

  function field(node: Element, state: State): void {
    const type = attribute(node, "type").toLowerCase();
    if (type === "checkbox" || type === "radio") say(has(node, "checked") ? " ☒ " : " ☐ ", state);
    else if (!["hidden", "image", "file", "password", "color"].includes(type)) say(attribute(node, "value"), state);
  }

  function drawing(node: Element, state: State): void {
    for (const child of node.children) {
      if (child.type !== "element" || ["title", "desc", "style", "script", "defs", "metadata"].includes(child.tagName))
        continue;
      if (/^(?:text|foreignobject)$/i.test(child.tagName)) {
        end();
        say(raw(child), state);
        end();
      } else drawing(child, state);
    }
  }

  function formula(node: Element, state: State): void {
    for (const child of node.children) {
      if (child.type !== "element" || child.tagName.startsWith("annotation")) continue;
      if (/^m(?:i|n|o|s|text)$/.test(child.tagName)) say(raw(child).trim(), state);
      else formula(child, state);
    }
  }

  function list(node: Element, state: State): void {
    const items = node.children.filter((child) => child.type === "element" && child.tagName === "li");
    const style = attribute(node, "style");
    const isOrdered = node.tagName === "ol" && !/list-style(?:-type)?:\s*(?:none|disc|circle|square)/.test(style);
    const step = has(node, "reversed") ? -1 : 1;
    let number = has(node, "start") ? Number(attribute(node, "start")) : step < 0 ? items.length : 1;
    let last: string | undefined;
    const show = (child: ElementContent): void => {
      if (child.type === "text")
        say(child.value, { ...state, items: last === undefined ? state.items : join(state.items, last) });
      if (child.type !== "element") return;
      if (child.tagName === "li") {
        if (has(child, "value")) number = Number(attribute(child, "value"));
        last = isOrdered ? String(number) : "•";
        number += step;
        end();
        const own = inside(child, attribute(child, "style").replace(/\s+/g, ""), state);
        walk(child.children, { ...own, items: join(state.items, last) });
        end();
      } else if (
        !/^(?:ul|ol|menu|dir|table)$/.test(child.tagName) &&
        child.children.some((inner) => inner.type === "element" && inner.tagName === "li")
      )
        child.children.forEach(show);
      else visit(child, { ...state, items: last === undefined ? state.items : join(state.items, last) });
    };
    node.children.forEach(show);
  }

  function table(node: Element, outer: State): void {
    // a frame around another table doesn't count as a table, and a table inside a cell has no form in Markdown
    if (cellsIn(node) <= 1 && holds(node, "table")) {
      walk(node.children, outer);
      return;
    }
    const state = outer.inTable ? { ...outer, items: "*" } : outer;
    const rows: { row: Element; rank: number }[] = [];
    const collect = (parent: Element, rank: number): void => {
      for (const child of parent.children) {
        if (child.type !== "element") continue;
        if (child.tagName === "caption") {
          end();
          walk(child.children, { ...state, inTable: true, cell: state.inTable ? state.cell : "caption" });
          end();
        } else if (child.tagName === "tr") rows.push({ row: child, rank });
        else if (/^t(?:head|body|foot)$/.test(child.tagName))
          collect(child, child.tagName === "thead" ? 0 : child.tagName === "tbody" ? 1 : 2);
      }
    };
    collect(node, 1);
    rows.sort((one, other) => one.rank - other.rank);
    const taken: boolean[][] = rows.map(() => []);
    rows.forEach(({ row }, at) => {
      let column = 0;
      for (const cell of row.children) {
        if (cell.type !== "element" || !/^t[dh]$/.test(cell.tagName)) continue;
        while (taken[at]?.[column]) column += 1;
        const across = Math.max(1, Number(attribute(cell, "colSpan")) || 1);
        const down = Math.max(1, Number(attribute(cell, "rowSpan")) || 1);
        for (let y = at; y < Math.min(rows.length, at + down); y += 1)
          for (let x = column; x < column + across; x += 1) (taken[y] as boolean[])[x] = true;
        end();
        const style = attribute(cell, "style").replace(/\s+/g, "");
        walk(cell.children, {
          ...inside(cell, style, state),
          inTable: true,
          cell: state.inTable ? state.cell : `${at}:${column}`,
        });
        end();
        column += across;
      }
    });
  }

  walk(root.children, {
    bold: false,
    struck: false,
    italic: false,
    href: "",
    cell: "",
    items: "",
    heading: false,
    shift: "",
    pre: false,
    inTable: false,
    inRuby: false,
  });
  return page;
}

/** The options that a drop-down list shows. */
function optionsOf(node: Element): string {
  const all: Element[] = [];
  const collect = (parent: Element): void => {
    for (const child of parent.children) {
      if (child.type !== "element") continue;
      if (child.tagName === "option") all.push(child);
      collect(child);
    }
  };
  collect(node);
  const chosen = all.filter((option) => has(option, "selected"));
  const shown = has(node, "multiple") ? chosen : [chosen.at(-1) ?? all[0]];
  return shown.map((option) => (option ? raw(option) : "")).join(", ");
}

function holds(node: Element, name: string): boolean {
  return node.children.some((child) => child.type === "element" && (child.tagName === name || holds(child, name)));
}

/** The cells of a table, without those of tables inside it. */
function cellsIn(node: Element): number {
  let count = 0;
  for (const child of node.children) {
    if (child.type !== "element" || child.tagName === "table") continue;
    count += /^t[dh]$/.test(child.tagName) ? 1 : cellsIn(child);
  }
  return count;
}

function join(items: string, item: string): string {
  if (items === "*") return items;
  return items === "" ? item : `${items}/${item}`;
}

function codeOf(node: Element): string {
  let out = "";
  for (const child of node.children) {
    if (child.type === "text") out += child.value;
    if (child.type !== "element" || hiddenNames.has(child.tagName)) continue;
    if (child.tagName === "br") out += "\n";
    else if (child.tagName === "input") out += has(child, "checked") ? " ☒ " : " ☐ ";
    else if (child.tagName === "select") out += optionsOf(child);
    else if (blockNames.has(child.tagName)) out = `${out}\n${codeOf(child)}\n`;
    else out += codeOf(child);
  }
  return out;
}
