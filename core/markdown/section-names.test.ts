import { expect, test } from "vitest";
import { isBackgroundTitle, isProcedureTitle, sectionKindsOf, type SectionKind } from "./section-names.ts";

test.each<[string, SectionKind[]]>([
  ["Purpose", ["purpose"]],
  ["1. Purpose and scope", ["purpose", "scope"]],
  ["3. Roles and responsibilities:", ["responsibilities"]],
  ["IV. Records", ["records"]],
  ["2 Zweck und Geltungsbereich", ["purpose", "scope"]],
  ["Abschnitt 5: Durchführung", ["procedure"]],
  ["Mitgeltende Dokumente", ["references"]],
  ["Objet et domaine d’application", ["purpose", "scope"]],
  ["Mode opératoire", ["procedure"]],
  ["Matériel et équipement", ["equipment"]],
  ["Objetivo y alcance", ["purpose", "scope"]],
  ["Procedimiento", ["procedure"]],
  ["Responsabilità", ["responsibilities"]],
  ["Doel en toepassingsgebied", ["purpose", "scope"]],
  ["Werkwijze", ["procedure"]],
  ["Objetivo e âmbito", ["purpose", "scope"]],
  ["Se\u0301curite\u0301", ["safety"]],
  ["Overview of tank 4", []],
  ["Personal protective equipment (PPE)", ["equipment"]],
  ["Required PPE", ["equipment"]],
  ["Tools required", ["equipment"]],
  ["Erforderliche PSA", ["equipment"]],
  ["⚠ Potential hazards", ["safety"]],
  ["3 Safety first", ["safety"]],
  ["Safety measures", ["safety"]],
  ["Warnings!", ["safety"]],
  ["Sicherheitsvorkehrungen", ["safety"]],
  ["Before starting work", ["prerequisites"]],
  ["Safety valve", []],
  ["Clean the equipment", []],
  ["Butter", []],
  ["", []],
])("%j announces %j", (title, kinds) => {
  expect(sectionKindsOf(title)).toEqual(kinds);
});

/** Headings of protective equipment, hazards and limits in languages that have no names of background. */
const protectionElsewhere = {
  Polish: ["Środki ochrony indywidualnej", "Zagrożenia", "Bezpieczeństwo", "Wartości graniczne"],
  Swedish: ["Personlig skyddsutrustning", "Skyddsutrustning", "Faror och risker", "Säkerhet", "Gränsvärden"],
  Danish: ["Personlige værnemidler", "Farer", "Sikkerhed", "Grænseværdier"],
  Norwegian: ["Personlig verneutstyr", "Verneutstyr", "Fare", "Sikkerhet", "Grenseverdier"],
  Finnish: ["Henkilönsuojaimet", "Suojavarusteet", "Vaarat", "Turvallisuus", "Raja-arvot"],
  Czech: ["Osobní ochranné pracovní prostředky", "Nebezpečí", "Bezpečnost", "Mezní hodnoty"],
  Ukrainian: ["Засоби індивідуального захисту", "Небезпеки", "Безпека", "Граничні значення"],
  Russian: ["Средства индивидуальной защиты", "СИЗ", "Опасности", "Безопасность", "Предельные значения"],
  Japanese: ["保護具", "個人用保護具", "危険", "安全", "限界値"],
  Chinese: ["个人防护装备", "個人防護裝備", "危险", "安全", "限值"],
  Korean: ["개인 보호구", "보호 장비", "위험", "안전", "한계값"],
  "the known ones": ["Limits", "Grenzwerte", "Valeurs limites", "Valores límite", "Valori limite", "Grenswaarden"],
};

test.each(Object.values(protectionElsewhere).flat())("a heading that protects in any language: %s", (title) => {
  expect(sectionKindsOf(`2. ${title}`).some((kind) => kind === "safety" || kind === "equipment")).toBe(true);
  expect(isBackgroundTitle(title)).toBe(false);
  expect(isBackgroundTitle(`Scope / ${title}`)).toBe(false);
});

test.each([
  ["Procedure", true],
  ["4. Steps", true],
  ["Vorgehen", true],
  ["Night shift procedure", false],
  ["Part A: only on the night shift", false],
  ["Procedure and safety", false],
])("%s says only that steps follow: %s", (title, expected) => {
  expect(isProcedureTitle(title)).toBe(expected);
});
