import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alertKinds } from "../markdown/alert-grades.ts";
import { dutch } from "../ai/words/nl.ts";
import { english } from "../ai/words/en.ts";
import { french } from "../ai/words/fr.ts";
import { german } from "../ai/words/de.ts";
import { italian } from "../ai/words/it.ts";
import { portuguese } from "../ai/words/pt.ts";
import { spanish } from "../ai/words/es.ts";
import { isInKnownLanguage } from "./known-language.ts";
import { foldedStartFlags, isAlwaysVisible, isTooShortToFold } from "./folded-start.ts";
import { hasSafetyContent } from "./protection.ts";
import type { ReadingElement } from "./element.ts";
import { readingSteps } from "./reading-steps.ts";

interface Piece extends ReadingElement<Piece> {
  children: Piece[];
}

const piece = (tagName: string, textContent = "", className = "", children: Piece[] = []): Piece => ({
  id: "",
  tagName,
  textContent,
  children,
  getAttribute: (name) => (name === "class" ? className : null),
});

const background = [
  ["Purpose", "Zweck", "Objet", "Objetivo", "Scopo", "Doel", "Finalidade"],
  ["Scope", "Geltungsbereich", "Domaine d’application", "Alcance", "Ambito", "Toepassingsgebied", "Âmbito"],
  ["Roles and responsibilities", "Zuständigkeiten", "Responsabilités", "Responsabilidades", "Responsabilità"],
  ["Definitions", "Begriffe", "Définitions", "Definiciones", "Definizioni", "Begrippen", "Definições"],
  ["References", "Mitgeltende Unterlagen", "Références", "Referencias", "Riferimenti", "Verwijzingen", "Referências"],
].flat();
const protection = [
  ["Equipment", "Ausrüstung", "Matériel", "Equipos", "Attrezzature", "Benodigdheden", "Equipamentos"],
  ["PPE", "Persönliche Schutzausrüstung", "Équipements de protection individuelle", "Equipo de protección personal"],
  ["Dispositivi di protezione individuale", "Persoonlijke beschermingsmiddelen", "Equipamento de proteção individual"],
  ["Safety", "Gefahrenhinweise", "Sécurité", "Peligros", "Sicurezza", "Veiligheid", "Segurança"],
  ["Materials", "Limits", "Grenzwerte", "Purpose and limits", "Scope, PPE", "Zweck und Schutzkleidung", "Introduction"],
  ["What to wear", "Chemicals", "", "Übersicht"],
].flat();

const long = "This text says for whom the plan of the plant is kept, and by whom it is signed. ".repeat(5);

/** Headings that mean "Scope" and the like in languages whose names we don't know. */
const unknown = [
  "Zakres",
  "Omfattning",
  "Formål",
  "Soveltamisala",
  "Rozsah",
  "適用範囲",
  "范围",
  "적용 범위",
  "Область применения",
];

const titles = fc.constantFrom(...background, ...protection);
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constant(piece("p", long)) },
  { weight: 2, arbitrary: fc.constant(piece("UL", "Gloves", "", [piece("LI", "Gloves")])) },
  fc.constant(piece("table", "80 °C")),
  fc.constant(piece("P", "", "", [piece("IMG")])),
  fc.constantFrom(...alertKinds).map((kind) => piece("div", "Hot", `alert alert-${kind}`)),
);
const sections = fc.array(
  fc
    .tuple(fc.integer({ min: 2, max: 4 }), titles, fc.array(texts, { maxLength: 3 }))
    .map(([level, title, own]) => [piece(`h${level}`, title), ...own]),
  { maxLength: 7 },
);
const steps = [piece("h2", "Procedure"), piece("ol", "Open", "", [piece("li", "Open")])];

const isHeading = ({ tagName }: Piece | undefined = piece("")) => /^h[1-6]$/i.test(tagName);

describe("what a phone folds before the steps", () => {
  it.each(background)("is %s", (title) => {
    const all = [piece("h2", title), piece("p", long), ...steps];
    expect(foldedStartFlags(all, 2)).toEqual([true, true, false, false]);
  });

  it.each(protection)("is never %s", (title) => {
    const all = [piece("h2", title), piece("p", long), ...steps];
    expect(foldedStartFlags(all, 2)).toEqual([false, false, false, false]);
  });

  it.each([
    ["Zweck", "Handschuhe tragen."],
    ["Scope", "Never work alone."],
    ["References", "Do not exceed 5 bar."],
    ["Scope", "The oven reaches 250\u00a0°C."],
    ["Purpose", "Keep below 80 degrees."],
    ["Objet", "Porter des gants et des lunettes."],
    ["Alcance", "No tocar."],
    ["Ambito", "È vietato entrare."],
    ["Doel", "Draag een veiligheidsbril."],
    ["Âmbito", "Use luvas."],
    ["Zuständigkeiten", "Vorsicht: Hochspannung."],
    ["Definitions", "PPE: gloves and goggles."],
  ])("is never %s with the words: %s", (title, words) => {
    const all = [piece("h2", title), piece("p", long + words), ...steps];
    expect(foldedStartFlags(all, 2)).toEqual([false, false, false, false]);
  });

  it.each(unknown)("is never below a heading that the lists don't know: %s", (title) => {
    const all = [piece("h2", title), piece("p", long), ...steps];
    expect(foldedStartFlags(all, 2)).toEqual([false, false, false, false]);
  });

  it("is nothing if it is a few sentences altogether, with any words", () => {
    const words = "Tuck your sleeves in ere the drum turns.";
    const short = [piece("h2", "Purpose"), piece("p", words), piece("h2", "Scope"), piece("p", words), ...steps];
    expect(foldedStartFlags(short, 4)).toEqual(short.map(() => false));
    const longer = [...short.slice(0, 3), piece("p", words + long), ...steps];
    expect(foldedStartFlags(longer, 4)).toEqual([true, true, true, true, false, false]);
  });

  it.each([
    "Załóż rękawice i okulary ochronne. Trzymaj ręce z dala od bębna. ".repeat(6),
    "Użyj rękawic. ".repeat(30),
    "Pidä kädet poissa koneesta, ja käytä suojalaseja. ".repeat(8),
    "手袋を着用し、回転部に近づかないでください。".repeat(20),
    "Надевайте перчатки и очки. ".repeat(15),
  ])("is never in a language whose words we don't know: %s", (words) => {
    const all = [piece("h2", "Scope"), piece("p", words), ...steps];
    expect(foldedStartFlags(all, 2)).toEqual([false, false, false, false]);
  });

  it("knows each prohibition that a proposed change is checked for", () => {
    const patterns = [english, german, french, spanish, italian, dutch, portuguese].flatMap(({ strict }) =>
      (["not", "never", "forbidden", "avoid"] as const).flatMap((name) => strict[name]?.split(" ") ?? []),
    );
    const unknown = patterns.filter(
      (pattern) => !hasSafetyContent(`x ${pattern.replace("*", "").replaceAll("_", " ")} x`),
    );
    expect(patterns.length).toBeGreaterThan(80);
    expect(unknown).toEqual([]);
  });

  it.each([
    "ISO 9001, clause 7",
    "It covers 3 buildings.",
    "Reviewed every 2 years.",
    "SOP-0012 Notes",
    "Helmut Nowak",
  ])("can be: %s", (words) => {
    expect(hasSafetyContent(words)).toBe(false);
  });

  it("holds background alone, for any text, and leaves no heading without its content", () => {
    const check = (parts: Piece[][]) => {
      const all = [...parts.flat(), ...steps];
      const { begin } = readingSteps(all);
      const folded = foldedStartFlags(all, begin);
      const isBackgroundTitle = ({ textContent }: Piece) => background.includes(textContent ?? "");
      for (const [at, element] of all.entries()) {
        if (!folded[at]) continue;
        expect(isAlwaysVisible(element)).toBe(false);
        expect(at).toBeLessThan(begin);
        expect(isTooShortToFold(all.filter((_, place) => folded[place]))).toBe(false);
        const heading = all.slice(0, at + 1).findLast(isHeading) as Piece;
        const isEmpty = heading === element && isHeading(all[at + 1]);
        if (!isEmpty) expect(isBackgroundTitle(heading)).toBe(true);
      }
      // what a heading had below it stays with it
      const level = (element: Piece) => Number(element.tagName.slice(1));
      for (const [at, element] of all.entries()) {
        if (!isHeading(element)) continue;
        const end = all.findIndex((other, place) => place > at && isHeading(other) && level(other) <= level(element));
        const below = folded.slice(at + 1, end < 0 ? all.length : end);
        if (folded[at]) expect(below.every(Boolean)).toBe(true);
        else if (below.length > 0) expect(below.some((one) => !one)).toBe(true);
      }
    };
    fc.assert(fc.property(sections, check), { numRuns: 1000 });
  });
});

describe("a language is known only if each sentence is in one", () => {
  const english = "This procedure is for the staff of the kitchen. It says how to clean the machine with care.";

  it.each([
    ["Polish", "Zawsze noś rękawice i okulary."],
    ["Chinese", "操作时必须戴手套和护目镜。"],
    ["Russian", "Носите перчатки и очки."],
    ["Basque", "Eraman eskularruak eta betaurrekoak lanean."],
    ["Catalan", "Porteu guants i ulleres en tot moment."],
  ])("in English with a sentence in %s it is unknown", (_, sentence) => {
    expect(isInKnownLanguage(english)).toBe(true);
    expect(isInKnownLanguage(`${english} ${sentence}`)).toBe(false);
    expect(isInKnownLanguage(`${sentence} ${english}`)).toBe(false);
  });

  it.each([
    "Purtați mănuși și ochelari de protecție. Procedura este pentru personalul din bucătărie și se aplică la toate mașinile.",
    "Porteu guants i ulleres. Aquest procediment és per a tot el personal de la cuina i les màquines de la sala.",
  ])("Romanian and Catalan are unknown: %s", (text) => {
    expect(isInKnownLanguage(text)).toBe(false);
  });
});
