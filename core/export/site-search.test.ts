import fc from "fast-check";
import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { searchWordsOf } from "../search/analyse.ts";
import { exportDocumentOfFile } from "./of-file.ts";
import { searchResultFacts } from "./site.ts";
import { siteWords } from "./site-words.ts";
import { searchIndexScript, searchScript, searchableTextOf } from "./site-search.ts";

interface Node {
  tag: string;
  textContent: string;
  children: Node[];
  append(...nodes: Node[]): void;
  [name: string]: unknown;
}

/** Only what the page's script uses. */
async function searchPage(all: Parameters<typeof searchIndexScript>[0]) {
  const results = await searchRows(all);
  return async (words: string) => (await results(words)).map(({ children }) => children[0]?.textContent);
}

async function searchRows(all: Parameters<typeof searchIndexScript>[0]) {
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
  new Function("document", "self", "location", "history", "MiniSearch", searchScript())(
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
    return byId["results"]?.children ?? [];
  };
}

const steps = ["Open.", "Stop.", "Wait.", "Filter out.", "Rinse.", "Put it back.", "Tighten the wingnut."];
const doc = (name: string, title: string, text: string) => ({
  name,
  number: `SOP-${name}`,
  title,
  description: "D",
  text,
  facts: "",
  status: "",
  marked: false,
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

it("shows number, version and status of each result, and marks what isn't published", async () => {
  const document = exportDocumentOfFile({
    name: "a",
    frontMatter: { title: "Clean", description: "D", sop: "SOP-0001", version: 3 },
    markdown: "Wingnut.\n",
    contentHash: "",
    category: null,
    company: null,
  });
  const server = { ...document, workingCopy: false };
  const shownOf = async (...facts: Parameters<typeof searchResultFacts>) => {
    const search = await searchRows([{ ...doc("0001", "Clean", "Wingnut"), ...searchResultFacts(...facts) }]);
    return (await search("wingnut")).map(({ children: [, , about] }) => {
      const [status] = about?.children ?? [];
      return [about?.textContent, status?.textContent, status?.["className"] ?? ""];
    });
  };
  const version = { ...server, version: 3 };
  expect(await shownOf({ ...version, state: "draft" }, true)).toEqual([
    [`${server.number} · version 3 · `, "Draft", "status marked"],
  ]);
  expect(await shownOf({ ...version, state: "scheduled" }, false)).toEqual([
    ["", "Not yet effective", "status marked"],
  ]);
  expect(await shownOf({ ...version, state: "published" }, true)).toEqual([
    [`${server.number} · version 3 · `, "Published", ""],
  ]);
  expect(await shownOf({ ...version, state: "published" }, false)).toEqual([["", "", ""]]);
  const [[, status, name] = []] = await shownOf(document, true);
  expect([status, name]).toEqual(["Draft", "status marked"]);
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

it("finds each part of Korean text without spaces", async () => {
  const text = "밸브를잠그고전원을차단하십시오";
  const search = await searchPage([doc("0001", "Korean", text), doc("0002", "Other", "고객 불만 처리")]);
  for (let start = 0; start < text.length; start++)
    for (let end = start + 2; end <= text.length; end++) {
      const part = text.slice(start, end);
      expect([part, await search(part)]).toEqual([part, ["Korean"]]);
    }
  expect(await search("오")).toEqual(["Korean"]);
  expect(await search("고객")).toEqual(["Other"]);
});

it("finds the words of a text, not its tags or attributes", () => {
  const html = '<p>Give <strong>5 mg</strong> <img src="/x" alt="a > b"> &#x26; stop</p><p title="no">now</p>';
  expect(searchableTextOf(html)).toBe("Give 5 mg & stop now");
  expect(
    searchableTextOf("<p>H<sub>2</sub>O, <b>Not</b>aus<br>x</p><table><tr><td>a</td><td>b</td></tr></table>"),
  ).toBe("H2O, Notaus x a b");
});

it("finds what the app finds: scripts without spaces, words after signs, other spellings and hidden letters", async () => {
  const texts: [title: string, text: string, words: string[]][] = [
    ["Token", "刷新令牌后登录系统使用JWT认证。", ["令牌", "JWT", "系统使用", "登录", "jwt 认证"]],
    ["Stop", "機械を停止してから、カバーを閉める。手順", ["停止", "閉める", "手順", "カバー", "ｶﾊﾞｰ"]],
    ["Work", "ก่อนเริ่มงานให้ตรวจสอบปั๊ม", ["เริ่มงาน", "ตรวจสอบ", "ปั๊ม"]],
    ["Lao", "ກົດປຸ່ມສີແດງ", ["ປຸ່ມ"]],
    [
      "Signs",
      "Set E=mc2, flow→pump, 3×filter, a|belt, x+hose, /list?id=77",
      ["mc2", "pump", "3", "belt", "hose", "77"],
    ],
    [
      "Valve",
      "Das Sicher\u00adheits\u200bventil der Straße prüfen: 12 m² bei 40 °C",
      ["Sicherheitsventil", "strasse", "PRUFEN", "m2"],
    ],
    ["Lock", "Lock-out the operator’s panel with key 0042", ["lockout", "lock-out", "operator", "42"]],
  ];
  const search = await searchPage(texts.map(([title, text], index) => doc(`9${index}`, title, text)));
  for (const [title, , asked] of texts) {
    for (const words of asked) expect([words, await search(words)]).toEqual([words, [title]]);
  }
  for (const words of ["令系", "止停", "เงาน"]) expect([words, await search(words)]).toEqual([words, []]);
});

const signs = [
  "a",
  "Prüf",
  "Straße",
  "ø",
  "JWT",
  "0042",
  "09",
  " m² ",
  " operator's ",
  " men’s ",
  "e\u0301",
  "co\u00adop",
  "co\u200bop",
  "-",
  "‑",
  " ",
  ".",
  ",",
  "=",
  "+",
  "|",
  "→",
  "×",
  "?",
  "&",
  "#",
  "%",
  "·",
  "°",
  "㎏",
  " ½ ",
  "令",
  "牌",
  "停止",
  "手順",
  "カバー",
  "ひら",
  "ปั๊ม",
  "งาน",
  "ປຸ່ມ",
  " 안전 ",
  " жир ",
  " سلام ",
  " ٣ ",
];

it("reads every text as the page does, which has only the source of the function", () => {
  // oxlint-disable-next-line no-implied-eval -- what the page's script holds
  const ofPage = new Function(`return ${siteWords.toString()}`)() as typeof siteWords;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...signs), { maxLength: 30 }).map((found) => found.join("")),
      (text) => {
        expect(ofPage(text)).toEqual(siteWords(text));
        // who types a word of the text finds the text
        const known = new Set(siteWords(text));
        for (const { start, end } of searchWordsOf(text)) {
          expect(
            siteWords(text.slice(start, end)).filter((part) => /..|[^a-z]/.test(part) && !known.has(part)),
          ).toEqual([]);
        }
      },
    ),
    { numRuns: 300, examples: [["a-a牌a"]] },
  );
});

it("finds a number with its unit, with a space or without, in any case and with both micro signs", async () => {
  const search = await searchPage([doc("0001", "Spaced", "Add 5 µL now."), doc("0002", "Glued", "Add 7μl, at 60°C.")]);
  for (const words of ["5µl", "5µL", "5μl", "5 μL", "5 µl"])
    expect([words, await search(words)]).toEqual([words, ["Spaced"]]);
  for (const words of ["7µl", "7 µL", "7μL", "60 °c"]) expect([words, await search(words)]).toEqual([words, ["Glued"]]);
});
