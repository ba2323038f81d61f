/** Small inputs after public bug reports: what is right in each way that applies. */
import { describe, expect, it } from "vitest";
import { openTypesetter } from "../../server/export/typst.ts";
import { printPdf } from "../../server/export/print-pdf.ts";
import { renderHtml } from "../../core/markdown/render.ts";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import {
  aDocument,
  asPage,
  caseBytes,
  formatted,
  imported,
  saved,
  sent,
  throughWord,
  way,
  wordsSeen,
  type Way,
} from "./ways.ts";

interface Case {
  /** What a reader finds, in this order: words, numbers of list items, boxes, struck words. */
  says: readonly string[];
  /** What no reader finds. */
  never?: readonly string[];
  title?: string;
  /** The beginning of the description. */
  description?: string;
  /** Each has a note. */
  names?: readonly RegExp[];
  /** `fmt` leaves the file alone, and says so. */
  isForeign?: true;
  /** Paper needs fonts of other scripts, which a test machine may lack. */
  needsFonts?: true;
  /** What \`fmt\` leaves in the file, where views show it otherwise. */
  keeps?: string;
}

const cases: Record<string, Case> = {
  "m01-br.md": {
    title: "Heat the oven",
    description: "Set point: 80 °C for 10 min.",
    says: ["Set point: 80 °C for 10 min.", "Wait", "Station Check A1 Torque 12 Nm Paint mark Sign A2"],
  },
  "m04-pipes.md": {
    says: ["^(open|shut)$", "two", "literal bar", "share", "plain"],
  },
  "m08-legal.md": {
    says: [
      "8.",
      "Leave is asked for",
      "9.",
      "The lead answers",
      "within five days, or",
      "on the same day",
      "9a.",
      "See 9a and 9(b).",
    ],
  },
  "m10-cjk-bold.md": {
    says: ["この「重要」を読む。注意：正文。", "밸브(주)를"],
    names: [/\*\*Achtung:\*\*/],
    needsFonts: true,
  },
  "m12-tildes.md": {
    says: [
      "Keep 20~25°C。Then 5~7 bar. It costs $61 per MWh, less than gas at $76/MWh.",
      "A1~A5 10~15 min, then 20~30 min",
    ],
    never: ["~~"],
    needsFonts: true,
  },
  "r1-club-rules.md": {
    says: ["4. holds a reserve; 7. files the tax form.", "It helps if the treasurer 1. was a member"],
    names: [/4 to 7/],
    keeps: "7. files the tax form.",
  },
  "e03-tall-row.md": {
    says: ["Line 001 of", "Line 180 of", "Row 001", "Row 046", "Row 090", "The end."],
  },
  "e04-wide.md": { says: ["Nr. Req. Text Needs Input Output Owner Link", "T-1 7 Only by HTTPS"] },
  "s01-words.md": {
    needsFonts: true,
    title: "Bluetooth Transmitter/Receiver comparison",
    says: ["AB-1200.4/X,", "E=mc²,"],
  },
  "m10-cjk-bold.html": { needsFonts: true, says: ["この「重要」を読む。", "3(!)mal, *a."] },
  "m13-bare-markers.html": { says: ["1. + #", "1.", "[x]", "Line A Line B", "1. One two"] },
  "p01-word-clipboard.html": {
    says: ["1. Stop the mill.", "1. Press Stop 2. Turn the key. 2. Lock it. Wait until it stands still. 3. Sign."],
  },
  "p02-gdocs-clipboard.html": {
    says: ["Before. 1. Stop the mill. 1. Press it. 2. Lock it.", "Part Limit Oil 40 l 60 °C Between. X Y"],
  },
  "p03-office-softbreak.html": { says: ["Check the lamp red = stop green = go", "Note: call the lead"], never: ["*"] },
  "w06-page.html": {
    title: "Oven check",
    description: "Limits: 80 85 °C",
    says: ["Limits: 80 85 °C", "Date: 7/27, Operator: sign it here now. Stop! Then go.", "Line A Line B"].concat(
      "Step Check Alarm red lamp 12 Nm 8 bar Stop Wait Go 20~25 °C a | b 4. Fourth 1. sub 5. Fifth",
    ),
    never: ["**"],
  },
  "w07-confluence.xml": {
    says: [
      "Restart – short 1. Stop it. 1. Tell IT. 2. Wait. 1. 5 min 2. Run: if (( a[b[0]]>1 )); then echo",
      "Hot. 3. Look:",
      "4. Sign. ☐ Bag tags ☒ Log Limits Oil 40 l 60 °C blue",
    ],
  },
  "w02-hyphens.docx": { says: ["°", "≥"] },
  "w05-form.docx": { says: ["☒"] },
  "w08-merged.docx": { says: ["cy"] },
};

let typesetter: ReturnType<typeof openTypesetter> | undefined;

async function inPdf({ markdown, title }: Way): Promise<string> {
  const document = aDocument(markdown, title);
  const { bytes } = printPdf(
    await (typesetter ??= openTypesetter()),
    { format: "pdf", document, html: renderHtml(markdown), standard: null },
    {},
  );
  return pdfPages(bytes).join("\n");
}

const decoder = new TextDecoder();

async function waysOf(name: string, { isForeign }: Case): Promise<Record<string, Way>> {
  const bytes = caseBytes(name);
  const own = await imported(name, bytes);
  const ways: Record<string, Way> = {
    import: own,
    "import again": await imported("again.md", Buffer.from(own.markdown)),
  };
  if (name.endsWith(".md")) {
    const text = decoder.decode(bytes);
    if (isForeign === undefined) ways["fmt"] = formatted(name, text);
    ways["API markdown"] = saved(text.replace(/^---\n[^]*?\n---\n/, ""), own.title);
  }
  if (name.endsWith(".html")) ways["API content"] = sent(decoder.decode(bytes), own.title);
  ways["Word"] = await throughWord(own);
  ways["HTML"] = { ...way(""), seen: asPage(own) };
  return ways;
}

const squeezed = (text: string) => text.replace(/\s+/g, " ");
/** Paper breaks lines where it wants, and letters of right-to-left scripts have forms of their own. */
const letters = (text: string) => text.normalize("NFKC").replace(/[\s\u00AD]+/g, "");

describe.each(Object.entries(cases))("%s", (name, expected) => {
  it("reads right in every way", async () => {
    const ways = await waysOf(name, expected);
    for (const [wayName, found] of Object.entries(ways)) {
      if (wayName === "fmt" && expected.keeps !== undefined) {
        expect(found.markdown).toContain(expected.keeps);
        continue;
      }
      const words = squeezed(wordsSeen(found.seen));
      let at = 0;
      for (const part of expected.says) {
        const next = words.indexOf(squeezed(part), at);
        expect(next, `${wayName}: "${part}" after place ${at} in: ${words.slice(0, 600)}`).toBeGreaterThanOrEqual(0);
        at = next + part.length;
      }
      for (const part of expected.never ?? []) expect(words, wayName).not.toContain(part);
      expect(found.markdown, wayName).not.toMatch(/&#x?[\da-f]+;/i);
    }
    const own = ways["import"];
    if (expected.title !== undefined) expect(own?.title).toBe(expected.title);
    if (expected.description !== undefined)
      expect(own?.description.slice(0, expected.description.length)).toBe(expected.description);
    for (const note of expected.names ?? []) expect(own?.notes.join("\n")).toMatch(note);
  });

  it.skipIf(!canReadPdfs || expected.needsFonts === true)("has its words on paper", async () => {
    const own = await imported(name, caseBytes(name));
    const paper = letters(await inPdf(own));
    for (const part of expected.says) {
      for (const word of part.split(" ").filter((one) => !/^(?:\d+\.|[☐☒])$/.test(one)))
        expect(paper, word).toContain(letters(word));
    }
  });
});
