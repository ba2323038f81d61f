/** Tables of any shape, made into what a Markdown table can be: a head, rows of one length, cells of lines. */

export function readTables(body: HTMLElement): void {
  // the innermost first: a table in a cell becomes lines of that cell
  for (const table of [...body.querySelectorAll("table")].toReversed()) {
    for (const cell of table.querySelectorAll("td, th")) makeLines(cell);
    if (table.parentElement?.closest("td, th")) table.replaceWith(...linesOf(table));
    else {
      fillSpans(table);
      const around = table.parentElement;
      if (around?.localName === "div" && around.children.length === 1) around.replaceWith(...around.childNodes);
    }
  }
}

/** A row is a line. */
function linesOf(table: HTMLTableElement): Node[] {
  const page = table.ownerDocument;
  const rows = [...table.rows].map((row) => {
    const line = page.createElement("p");
    [...row.cells].forEach((cell, index) => line.append(...(index === 0 ? [] : [" · "]), ...cell.childNodes));
    for (const end of line.querySelectorAll("br")) end.replaceWith(" ");
    return line;
  });
  return table.caption ? [...table.caption.childNodes, ...rows] : rows;
}

const blocks =
  "p, div, ul, ol, li, dl, dt, dd, h1, h2, h3, h4, h5, h6, pre, blockquote, figure, figcaption, section, article, header, footer, aside, main, nav, address, details, summary, form, fieldset, center, hr";

/** Blocks and the text between them, in one line with breaks: a cell has no blocks. */
function makeLines(cell: Element): void {
  if (!cell.querySelector(blocks)) return;
  const page = cell.ownerDocument;
  const lines: Node[][] = [];
  let [line, sign]: [Node[], string] = [[], ""];
  const end = (): void => {
    if (line.some((one) => (one.textContent ?? "").trim() !== "" || holdsPicture(one))) {
      lines.push(sign === "" ? line : [page.createTextNode(sign), ...line]);
      sign = "";
    }
    line = [];
  };
  const walk = (parent: Node, around: readonly Element[]): void => {
    for (const child of Array.from(parent.childNodes)) {
      const element = child instanceof Element ? child : null;
      if (element?.matches(blocks)) {
        end();
        if (element.localName === "li") sign = signOf(element);
        walk(element, around);
        end();
        if (element.localName === "li") sign = "";
      } else if (element?.localName === "br") end();
      else if (element?.querySelector(blocks)) walk(element, [element, ...around]);
      else line.push(around.reduce(wrapped, child));
    }
  };
  walk(cell, []);
  end();
  cell.replaceChildren(...lines.flatMap((one, index) => (index === 0 ? one : [breakIn(page), ...one])));
}

/** A link or bold around several blocks is around the words of each. */
function wrapped(content: Node, around: Element): Node {
  const own = around.cloneNode(false);
  own.appendChild(content);
  return own;
}

function breakIn(page: Document): Node {
  const made = page.createElement("br");
  made.dataset["html"] = "<br>";
  return made;
}

const holdsPicture = (node: Node): boolean =>
  node instanceof Element && (node.localName === "img" || node.querySelector("img") !== null);

function signOf(item: Element): string {
  const list = item.parentElement;
  if (list?.localName !== "ol") return "• ";
  return `${(Number(list.getAttribute("start")) || 1) + [...list.children].filter((one) => one.localName === "li").indexOf(item)}. `;
}

/** A cell that spans several leaves its words in the first and empty cells for the others. */
function fillSpans(table: HTMLTableElement): void {
  const rows = [...table.rows];
  const grid: HTMLElement[][] = rows.map(() => []);
  rows.forEach((row, at) => {
    let column = 0;
    for (const cell of row.cells) {
      while (grid[at]?.[column]) column += 1;
      const [across, down] = [span(cell.colSpan), span(cell.rowSpan)];
      for (let below = 0; below < Math.min(down, rows.length - at); below += 1) {
        for (let right = 0; right < across; right += 1) {
          const place = grid[at + below];
          if (place) place[column + right] = below + right === 0 ? cell : table.ownerDocument.createElement("td");
        }
      }
      column += across;
    }
  });
  const width = Math.max(0, ...grid.map((cells) => cells.length));
  const page = table.ownerDocument;
  const made = grid.flatMap((cells, at) => {
    if (cells.length === 0) return [];
    const row = page.createElement("tr");
    if (at === 0) row.dataset["isHeader"] = "true";
    const all = Array.from({ length: width }, (_, column) => cells[column] ?? page.createElement("td"));
    row.append(...all.map((cell) => asCell(cell, at === 0 ? "th" : "td")));
    return [row];
  });
  const whole = page.createElement("tbody");
  whole.append(...made);
  const title = table.caption?.textContent.trim();
  table.replaceChildren(whole);
  if (title) table.before(Object.assign(page.createElement("p"), { textContent: title }));
}

const span = (value: number): number => Math.min(Math.max(1, value), 50);

/** A head is bold by itself. */
function asCell(cell: HTMLElement, name: "th" | "td"): HTMLElement {
  const made = cell.ownerDocument.createElement(name);
  const align = cell.getAttribute("align");
  if (align) made.setAttribute("align", align);
  made.append(...cell.childNodes);
  if (name === "th") for (const bold of made.querySelectorAll("b, strong")) bold.replaceWith(...bold.childNodes);
  return made;
}
