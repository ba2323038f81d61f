import { expect, test } from "vitest";
import { readHtmlFile } from "./html/html-file.ts";
import { readMarkdownDocument } from "./markdown/markdown-file.ts";
import { createReport } from "./markdown/report.ts";

const english =
  "Close the valve before you start the pump. The temperature must not be above 80 °C, and the pressure is checked with the gauge on the wall. If it is not, stop and call.";
const german =
  "Schließen Sie das Ventil, bevor die Anlage gestartet wird. Die Temperatur darf nicht über 80 °C steigen, und der Druck ist mit dem Manometer an der Wand zu prüfen.";

test("a language is set and said by an import, unless the file or English says it", () => {
  const read = (text: string) => readMarkdownDocument({ path: "a.md", text });
  const ventil = read(`# Ventil\n\n${german}\n`);
  expect(ventil.frontMatter.lang).toBe("de");
  expect(ventil.report.map(({ message }) => message)).toContain(
    "the language is German (de), by the words of the text",
  );
  expect(read(`---\nlang: fr\n---\n\n${german}\n`).frontMatter.lang).toBe("fr");
  expect(read("# Ventil prüfen\n\nDas Ventil schließen und den Druck ablesen.\n").frontMatter.lang).toBe("de");
  expect(read(`# Valve\n\n${english}\n`).frontMatter.lang).toBeUndefined();
});

test("a page's own language counts", () => {
  const read = (html: string) => {
    const report = createReport("a.html");
    const { text } = readHtmlFile(new TextEncoder().encode(html), report);
    return { text, notes: report.lines.map(({ message }) => message) };
  };
  const page = (lang: string) => `<html lang="${lang}"><body><p>Ventil V7</p></body></html>`;
  expect(read(page("de-AT")).text).toMatch(/^---\nlang: "?de-AT"?\n---\n/);
  expect(read(page("de-AT")).notes).toEqual(["the language is de-AT, as the page says"]);
  expect(read(page("en-US")).text).toBe("Ventil V7\n");
  expect(read(page("not a tag")).text).toBe("Ventil V7\n");
});
