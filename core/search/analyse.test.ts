import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stemLanguageOf, stemInLanguage, searchWordsOf, wordTextsOf } from "./analyse.ts";

const texts = (text: string) => searchWordsOf(text).map((word) => word.text);

describe("words", () => {
  it.each([
    ["Crème BRÛLÉE, Łódź & Straße", ["creme", "brulee", "lodz", "strasse"]],
    ["ＦＵＬＬ width ﬁlter", ["full", "width", "filter"]],
    ["the operator's don’t O’Neil", ["the", "operator", "dont", "oneil"]],
    ["lock-out of e-mail", ["lock", "out", "lockout", "of", "e", "mail", "email"]],
    ["2026-01-02 and covid-19", ["2026", "1", "2", "and", "covid", "19", "covid19"]],
    ["SOP-0042", ["sop", "42", "sop42"]],
    ["a ﷺ b", ["a", "صلىاللهعليهوسلم", "b"]],
    ["Sicher\u00adheits\u200bventil", ["sicherheitsventil"]],
    ["Not\u2060aus \u200eein", ["notaus", "ein"]],
    ["H₂O CO₂", ["h2o", "co2"]],
    ["5µl 5µL 5μL 5 µL", ["5", "μl", "5", "μl", "5", "μl", "5", "μl"]],
    ["60°C 250ml 0.5mL é", ["60", "c", "250", "ml", "0", "5", "ml", "e"]],
    ["the 2nd 5ml-bottle 12th B12 3dmodel", ["the", "2nd", "5ml", "bottle", "5mlbottle", "12th", "b12", "3dmodel"]],
    ["5.5 °C [link](x)", ["5", "5", "c", "link", "x"]],
    ["고객 불만 처리", ["고객", "불만", "처리"]],
    ["밸브를 5잠금 문", ["밸브", "브를", "밸브를", "잠금", "5잠금", "문"]],
    ["%$ .*", []],
    ["", []],
  ])("of %j", (text, expected) => expect(texts(text)).toEqual(expected));

  it("are found where no spaces part them", () => {
    expect(texts("設備を点検する")).toContain("点検");
    expect(texts("ตรวจสอบเครื่องจักร").length).toBeGreaterThan(1);
    expect(texts("การตรวจสอบเครื่องจักร")).toContain("เครื่องจักร");
  });

  it("are placed in the text that has invisible signs", () => {
    const text = "Ein Sicher\u00adheits\u00adventil\u200b, \u200bzu";
    expect(searchWordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "Ein",
      "Sicher\u00adheits\u00adventil",
      "zu",
    ]);
  });

  it("stand where their offsets say, and are folded alike alone and in a text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        for (const word of searchWordsOf(text)) {
          expect(word.start).toBeLessThan(word.end);
          expect(word.end).toBeLessThanOrEqual(text.length);
        }
        // the fast path for ASCII gives the same result as the other one
        const short = text.replace(/[^\0-\u007f]/g, "");
        expect(searchWordsOf(`${short} é`).slice(0, -1)).toEqual(searchWordsOf(`${short} e`).slice(0, -1));
      }),
      { numRuns: 200 },
    );
  });

  it("are the same without their places", () => {
    const parts = fc.constantFrom(
      "lock",
      "-",
      " ",
      "o'neil",
      "5ml",
      "7µL",
      "2nd",
      "'",
      "42",
      "007",
      "É",
      "日本",
      "operator's",
      "a".repeat(30),
      "’",
      "‑",
      "°",
      "\u0301",
      "ﬁ",
      "ตรวจสอบ",
      "😀",
      "𝒳",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (found) => {
        const text = found.join("");
        expect(wordTextsOf(text).toSorted()).toEqual(texts(text).toSorted());
      }),
      { numRuns: 300 },
    );
  });

  it("are cut at 40 characters", () => expect(texts("a".repeat(90))).toEqual(["a".repeat(40)]));
});

describe("stems", () => {
  it("join the forms of an English word, and leave other languages alone", () => {
    expect(
      new Set(["calibrate", "calibrated", "calibrating", "calibration"].map((word) => stemInLanguage(word, "en"))).size,
    ).toBe(1);
    expect(stemInLanguage("leitungen", "none")).toBe("leitungen");
    expect(stemInLanguage("1234", "en")).toBe("1234");
  });

  it("are English where the document or its words say so", () => {
    const english = wordTextsOf(
      "Close the valve and wait for the pressure to fall. Open the cover of the filter with the key.",
    );
    const german = wordTextsOf(
      "Schließen Sie das Ventil und warten Sie, bis der Druck sinkt. Öffnen Sie dann die Abdeckung des Filters.",
    );
    expect(stemLanguageOf(null, english)).toBe("en");
    expect(stemLanguageOf(null, german)).toBe("none");
    expect(stemLanguageOf("en-GB", german)).toBe("en");
    expect(stemLanguageOf("de", english)).toBe("none");
    expect(stemLanguageOf(null, wordTextsOf("Reset a password"))).toBe("en");
  });
});
