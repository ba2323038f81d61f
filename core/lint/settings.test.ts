import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors.ts";
import { lintText } from "./engine.ts";
import { withDefaultSettings, defaultSettings, readLintSettings } from "./settings.ts";

describe("readLintSettings", () => {
  it("takes what a company decides, and leaves other keys to others", () => {
    const settings = readLintSettings({
      preset: "recommended",
      idPattern: "QM-\\d{3}",
      terms: { utilize: "use" },
      acronyms: ["CAPA"],
      sections: ["Purpose"],
      lang: "en-GB",
      limits: { stepWords: 15 },
    });
    expect(settings).toEqual({
      idPattern: "QM-\\d{3}",
      terms: { utilize: "use" },
      acronyms: ["CAPA"],
      sections: { default: ["Purpose"] },
      lang: "en-GB",
      limits: { stepWords: 15 },
    });
    expect(withDefaultSettings(settings).limits).toEqual({ ...defaultSettings.limits, stepWords: 15 });
    expect(readLintSettings({})).toEqual({});
  });

  it.each([
    [{ idPattern: "[" }, "idPattern"],
    [{ idPattern: "(a+)+" }, "idPattern"],
    [{ idPattern: 7 }, "idPattern"],
    [{ terms: ["a"] }, "terms"],
    [{ terms: { a: 1 } }, "terms"],
    [{ terms: { " ": "b" } }, "terms"],
    [{ acronyms: "KPI" }, "acronyms"],
    [{ sections: { policy: "Purpose" } }, "sections"],
    [{ lang: "" }, "lang"],
    [{ limits: { words: 5 } }, "limits"],
    [{ limits: { stepWords: 0 } }, "limits"],
    [{ limits: { stepWords: "20" } }, "limits"],
  ])("refuses %j and names the key", (config, key) => {
    let refusal: unknown;
    try {
      readLintSettings(config);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: "invalid_input", details: { key } });
  });
});

describe("presets and languages", () => {
  const head = (more = ""): string => `---\ntitle: T\ndescription: D\nowner: ann\n${more}---\n\n`;
  const step = "## Procedure\n\n1. The operator shall open it.\n";
  const rulesOf = (text: string, preset: "minimal" | "recommended" | "regulated", settings = {}): string[] =>
    lintText(text, { path: "a.md", preset, settings: { sections: { default: [] }, ...settings } }).map(
      ({ rule, severity }) => `${rule} ${severity}`,
    );

  it("asks for more, and weighs it heavier, the stricter the preset is", () => {
    expect(rulesOf(head() + step, "minimal")).toEqual([]);
    expect(rulesOf(head() + step, "recommended")).toEqual(["step/imperative warning"]);
    expect(rulesOf(head() + step, "regulated")).toEqual([
      "meta/required error",
      "meta/required error",
      "step/imperative error",
    ]);
  });

  it("leaves English rules out of other languages and says so once", () => {
    expect(rulesOf(head("lang: de\n") + step + step, "recommended")).toEqual(["lint/language info"]);
    expect(rulesOf(head() + step, "recommended", { lang: "fr" })).toEqual(["lint/language info"]);
    expect(rulesOf(head("lang: en-GB\n") + step, "recommended", { lang: "fr" })).toEqual(["step/imperative warning"]);
    expect(rulesOf(head("lang: de\n") + step, "minimal")).toEqual([]);
  });

  it("asks for sections in languages whose names of sections it knows, or by the company's own names", () => {
    const missing = (lang: string, settings = {}) =>
      lintText(`${head(`lang: ${lang}\n`)}## Порядок\n\n1. Открыть.\n`, {
        path: "a.md",
        preset: "recommended",
        settings,
      }).filter(({ rule }) => rule === "struct/sections").length;
    expect(missing("de")).toBeGreaterThan(0);
    expect(missing("ru")).toBe(0);
    expect(missing("ru", { sections: { default: ["Порядок", "Цель"] } })).toBe(1);
  });

  it("doesn't take labels of steps for roles in other languages", () => {
    const text =
      "## Zuständigkeiten\n\n- **Bediener:** fährt sie\n\n## Ablauf\n\n1. **Bediener:** Öffnen.\n2. **Warten**: Uhr.\n";
    expect(rulesOf(head("lang: de\n") + text, "regulated")).not.toContain("step/actor error");
    expect(rulesOf(head("lang: de\n") + text, "recommended")).toEqual(["lint/language info"]);
  });

  it("asks for a reason of each suppression under regulated", () => {
    const text = `${head("effective: 2026-01-01\nreview_by: 2027-01-01\n")}## Notes\n\n<!-- sop-disable-next-line text/placeholder -->\n\nTODO\n`;
    expect(rulesOf(text, "recommended")).toEqual([]);
    expect(rulesOf(text, "regulated")).toEqual(["suppress/reason error"]);
  });
});
