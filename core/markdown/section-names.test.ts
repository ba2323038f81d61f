import { expect, test } from "vitest";
import { sectionKindsOf, type SectionKind } from "./section-names.ts";

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
