/** A short warning in another language keeps a background section open, at any place in it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { renderWithTree } from "../markdown/render.ts";
import { foldedStartFlags } from "./folded-start.ts";
import { foldsToOpen } from "./open-folds.ts";
import { readingSteps } from "./reading-steps.ts";
import { treeElements } from "./tree-element.ts";

/** Some have a word that is also frequent in a known language: "het", "is", "de", "el", "van". */
const warnings = Object.values({
  Polish: "Uwaga, wysokie napięcie!|Zakaz wstępu!|Nosić kask|Nie wkładać rąk|Zakaz palenia|Dotykanie to śmierć",
  Czech: "Pozor, žíravina!|Zákaz vstupu|Nos rukavice|Vstup do haly zakázán|Pozor schod",
  Slovak: "Noste prilbu|Zákaz fajčiť|Nedotýkať sa",
  Swedish: "Livsfara!|Varning: klämrisk|Het yta|Använd hjälm|Rör inte den|Rök inte",
  Danish: "Livsfare!|Brug handsker|Brug de rigtige handsker|Varm damp|Brug hjelm",
  Norwegian: "Bruk hansker|La maskinen stå|Varm overflate|Hold avstand",
  Finnish: "Vaara!|Kuuma pinta|Hengenvaara|Varo koneen osia",
  Turkish: "Dikkat, ölüm tehlikesi!|Girmek yasak|Sicak yuzey|Eldiven giy|El koruyucu tak",
  Romanian: "Pericol de moarte!|Atenție la mâini|Fumatul interzis|Pericol de electrocutare",
  Hungarian: "Vigyázat, forró!|Életveszély!|Kesztyű is kell|Áram alatt van|Belépni tilos",
  Croatian: "Opasnost od smrti!|Zabranjen ulaz|Nosi kacigu|Ne diraj|Pazi da ne padne",
  Slovene: "Nevarno za roke|Vstop prepovedan|Nosi rokavice in masko",
  Catalan: "Perill de mort!|Porteu guants|Porteu el casc|Aparteu les mans",
  Estonian: "Ohtlik!|Kandke kiivrit|Kuum pind",
  Latvian: "Uzmanību!|Ieeja aizliegta",
  Lithuanian: "Pavojinga gyvybei!|Neliesti",
  Indonesian: "Awas!|Dilarang masuk|Pakai helm|Dilarang merokok di area",
  Russian: "Осторожно!|Не влезай",
  Greek: "Προσοχή!",
  Chinese: "危险|禁止入内",
}).flatMap((all) => all.split("|"));

const backgrounds = {
  Scope:
    "This text tells the operators of the packing hall how the line is made ready for the first shift of the week. It is the basis of the training of new colleagues and is read again by the team each year. The quality team owns the text and keeps it in the system. All of this is decided by the head of the site.",
  Zweck:
    "Diese Anweisung ist für die Kollegen der Packhalle und sagt, wie die Linie für die erste Schicht der Woche vorbereitet wird. Sie ist die Grundlage der Schulung und wird jedes Jahr von dem Team gelesen. Das Team der Qualität pflegt den Text und legt ihn in dem System ab. Die Liste aller Kollegen wird von dem Leiter der Produktion geführt.",
  Objet:
    "Cette procédure décrit pour les opérateurs de la halle la préparation de la ligne pour le premier poste de la semaine. Elle est la base de la formation et est relue chaque année par l’équipe avec les nouveaux collègues. Les responsables de la qualité tiennent le texte dans le système et informent chaque équipe de la halle.",
};

const places: ((text: string, warning: string) => string)[] = [
  (text, warning) => `${warning}. ${text}`,
  (text, warning) => text.replace(". ", `. ${warning}. `),
  (text, warning) => text.replace(". ", ` (${warning}). `),
  (text, warning) => text.replace(". ", `, ${warning}. `),
  (text, warning) => text.replace(". ", ` – ${warning}. `),
  (text, warning) => text.replace(". ", ` - ${warning}. `),
  (text, warning) => text.replace(". ", `: “${warning}”. `),
  (text, warning) => text.replace(/ (?=\S+ \S+\. )/, ` **${warning}** `),
  (text, warning) => text.replace(/ (?=\S+ \S+\. )/, ` *${warning}* `),
  (text, warning) => text.replace(". ", `.<br>${warning}<br>`),
  (text, warning) => `- ${text}\n- ${warning}\n`,
  (text, warning) => `- ${text}\n  - ${warning}\n`,
  (text, warning) => `${text}\n\n${warning}\n\n${text}`,
  (text, warning) => `${text} ${warning}`,
  (text, warning) => `${text}\n\n<details><summary>${warning}</summary>\n\n${text}\n\n</details>\n`,
];

const isFolded = (title: string, text: string): boolean => {
  const all = treeElements(renderWithTree(`## ${title}\n\n${text}\n\n## Procedure\n\n1. Open\n`).tree().children);
  return foldedStartFlags(all, readingSteps(all).begin).some(Boolean);
};
const isClosed = (text: string): boolean => {
  const all = treeElements(
    renderWithTree(`<details><summary>More</summary>\n\n${text}\n\n</details>\n`).tree().children,
  );
  return foldsToOpen(all).length === 0;
};

it.each(Object.entries(backgrounds))("folds background without a warning: %s", (title, text) => {
  expect([isFolded(title, text), isFolded(title, `- ${text}`)]).toEqual([true, true]);
});

it("never folds a warning in another language", () => {
  expect(warnings.length).toBeGreaterThan(60);
  const arbitrary = fc.record({
    section: fc.constantFrom(...Object.entries(backgrounds)),
    warning: fc.constantFrom(...warnings),
    place: fc.constantFrom(...places),
  });
  fc.assert(
    fc.property(arbitrary, ({ section: [title, text], warning, place }) => {
      const changed = place(text, warning);
      expect(changed).toContain(warning);
      expect({ warning, changed, isFolded: isFolded(title, changed) }).toMatchObject({ isFolded: false });
      expect({ warning, changed, isClosed: isClosed(changed) }).toMatchObject({ isClosed: false });
    }),
    { numRuns: 1500 },
  );
});

it.each(["Limit: 4.5", "The pH is between 6 and 8.", "It takes at most 12 of them.", "Stay behind the yellow line."])(
  "never folds a limit without a unit: %s",
  (limit) => expect(isFolded("Scope", `${backgrounds.Scope} ${limit}`)).toBe(false),
);
