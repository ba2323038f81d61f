/** Lists as word processors put them on the clipboard, made into lists as HTML has them. Styles are in `data-pasted-style`. */

const matchStyle = (element: Element, style: RegExp): RegExpExecArray | null =>
  style.exec((element as HTMLElement).dataset["pastedStyle"] ?? "");

const mark = /(?:^|;)\s*mso-list\s*:\s*(l\d+)\s+level(\d)/i;
const ignored = /(?:^|;)\s*mso-list\s*:\s*ignore/i;

interface OpenList {
  level: number;
  id: string;
  list: HTMLElement;
}

/** Word has no lists: paragraphs that say their level, and show their number as text. */
export function readWordLists(body: HTMLElement): void {
  let open: OpenList[] = [];
  let last: Element | null = null;
  for (const paragraph of body.querySelectorAll<HTMLElement>("p, h1, h2, h3, h4, h5, h6")) {
    const [, id = "", depth = ""] = matchStyle(paragraph, mark) ?? [];
    if (isContinued(paragraph, last) && id === "") {
      open.at(-1)?.list.lastElementChild?.append(paragraph);
      continue;
    }
    // a heading that is numbered is a heading
    if (id === "" || /^h/i.test(paragraph.tagName)) {
      dropNumber(paragraph);
      continue;
    }
    if (paragraph.previousElementSibling !== last) open = [];
    const number = dropNumber(paragraph);
    const level = Number(depth);
    const name = isNumber(number) ? "ol" : "ul";
    while (open.some((one) => one.level > level)) open.pop();
    const same = open.at(-1);
    if (same?.level === level && (same.id !== id || same.list.localName !== name)) open.pop();
    if (open.at(-1)?.level !== level) {
      const list = paragraph.ownerDocument.createElement(name);
      if (name === "ol" && /^\d+/.test(number)) list.setAttribute("start", String(Number.parseInt(number, 10)));
      const item = open.at(-1)?.list.lastElementChild;
      if (item) item.append(list);
      else paragraph.before(list);
      open.push({ level, id, list });
    }
    const item = paragraph.ownerDocument.createElement("li");
    open.at(-1)?.list.append(item);
    item.append(paragraph);
    last = open[0]?.list ?? null;
  }
}

/** Words below an item, without a number of their own. */
function isContinued(paragraph: Element, list: Element | null): boolean {
  return list !== null && paragraph.previousElementSibling === list && /^MsoListParagraph/i.test(paragraph.className);
}

function dropNumber(paragraph: Element): string {
  const number = [...paragraph.querySelectorAll("[data-pasted-style]")].find((span) => matchStyle(span, ignored));
  const text = (number?.textContent ?? "").replace(/\s+/g, " ").trim();
  number?.remove();
  return text;
}

/** `1.`, `a)`, `iv.`, `1.2.3`; an `o` alone is one of Word's bullets. */
const isNumber = (text: string): boolean => /^\(?(?:\d+(?:\.\d+)*[.)]?|[a-z]{1,4}[.)])$/i.test(text);

/** Google Docs puts an inner list beside the item it belongs to, and says that an item is to be ticked by its role. */
export function readDocsLists(body: HTMLElement): void {
  for (const inner of body.querySelectorAll(":is(ol, ul) > :is(ol, ul)")) {
    const before = inner.previousElementSibling;
    if (before?.localName === "li") before.append(inner);
  }
  for (const item of body.querySelectorAll<HTMLElement>("li")) {
    const box = item.querySelector<HTMLInputElement>(
      ":scope > input[type=checkbox], :scope > p > input[type=checkbox]",
    );
    const checked = box ? box.hasAttribute("checked") : item.getAttribute("aria-checked") === "true";
    if (!box && item.getAttribute("role") !== "checkbox") continue;
    box?.remove();
    for (const sign of item.querySelectorAll("img[aria-roledescription=checkbox]")) sign.remove();
    item.dataset["itemType"] = "task";
    item.dataset["checked"] = String(checked);
  }
}
