import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { searchIndexScript, searchScript, searchText } from "./site-search.ts";

interface Node {
  tag: string;
  textContent: string;
  children: Node[];
  append(...nodes: Node[]): void;
  [name: string]: unknown;
}

/** Only what the page's script uses. */
async function searchPage(all: Parameters<typeof searchIndexScript>[0]) {
  const node = (tag = "div"): Node => {
    const children: Node[] = [];
    return {
      tag,
      textContent: "",
      children,
      append: (...nodes: Node[]) => void children.push(...nodes),
      replaceChildren: (...nodes: Node[]) => void children.splice(0, Infinity, ...nodes),
      addEventListener: (name: string, heard: () => void) => void listeners.set(name, heard),
    };
  };
  const listeners = new Map<string, () => unknown>();
  const field = { ...node("input"), value: "" };
  const form = { ...node("form"), elements: { q: field } };
  const byId: Record<string, Node> = { results: node("ul"), all: node("ul"), "search-status": node("p") };
  const self: Record<string, unknown> = {};
  const document = {
    querySelector: () => form,
    getElementById: (id: string) => byId[id],
    createElement: (tag: string) => node(tag),
    head: {
      append: (script: { src: string; onload(): void }) => {
        // oxlint-disable-next-line no-implied-eval -- what a browser does with the index's script
        if (script.src.endsWith("index.js")) new Function("self", searchIndexScript(all))(self);
        script.onload();
      },
    },
  };
  const location = { search: "", pathname: "/" };
  // oxlint-disable-next-line no-implied-eval -- and with the page's own
  new Function("document", "self", "location", "history", "MiniSearch", searchScript)(
    document,
    self,
    location,
    {},
    MiniSearch,
  );
  return async (words: string) => {
    field.value = words;
    listeners.get("input")?.();
    await new Promise((done) => setTimeout(done));
    return (byId["results"]?.children ?? []).map(({ children }) => children[0]?.textContent);
  };
}

const steps = ["Open.", "Stop.", "Wait.", "Filter out.", "Rinse.", "Put it back.", "Tighten the wingnut."];
const doc = (name: string, title: string, text: string) => ({
  name,
  number: `SOP-${name}`,
  title,
  description: "D",
  text,
});

it("finds a word of the seventh step, by its beginning and with one slip, also in short words", async () => {
  const search = await searchPage([
    doc("0001", "Clean the mill", steps.map((step, at) => `${at + 1}. ${step}`).join("\n")),
    doc("0002", "Start the press", "1. Look.\n2. Turn the valve."),
  ]);
  for (const words of ["wingnut", "wing", "wi", "wingnit", "wignut", "Wingnuts", "tighten wingnut", "filtr"]) {
    expect([words, await search(words)]).toEqual([words, ["Clean the mill"]]);
  }
  for (const words of ["valve", "vavle", "vlave", "prss", "prees", "SOP-0002"]) {
    expect([words, await search(words)]).toEqual([words, ["Start the press"]]);
  }
  expect(await search("zebra")).toEqual([]);
});

it("finds words inside others and in scripts without spaces, after those that begin so", async () => {
  const search = await searchPage([
    doc("0001", "Thai", "เราเริ่มงานเวลา"),
    doc("0002", "Chinese", "这是认证系统使用手册"),
    doc("0003", "Japanese", "停止"),
    doc("0004", "Emergency", "緊急停止ボタンを押す"),
    doc("0005", "Formula", "E=mc² and H₂O"),
    doc("0006", "Ventil", "Kurz."),
    doc("0007", "Valve", "Sicherheitsventil und Sicher\u00ADheits\u00ADgurt"),
  ]);
  for (const [words, ...found] of [
    ["เริ่มงาน", "Thai"],
    ["系统使用", "Chinese"],
    ["停止", "Japanese", "Emergency"],
    ["押", "Emergency"],
    ["ボタン 停止", "Emergency"],
    ["mc2", "Formula"],
    ["H2O", "Formula"],
    ["ventil", "Ventil", "Valve"],
    ["sicherheitsgurt", "Valve"],
  ] as const)
    expect([words, ...(await search(words))]).toEqual([words, ...found]);
});

it("finds the words of a text, not its tags or attributes", () => {
  const html = '<p>Give <strong>5 mg</strong> <img src="/x" alt="a > b"> &#x26; stop</p><p title="no">now</p>';
  expect(searchText(html)).toBe("Give 5 mg & stop now");
  expect(searchText("<p>H<sub>2</sub>O, <b>Not</b>aus<br>x</p><table><tr><td>a</td><td>b</td></tr></table>")).toBe(
    "H2O, Notaus x a b",
  );
});
