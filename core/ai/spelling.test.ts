import { expect, test } from "vitest";
import type { FactLanguage } from "./fact-words.ts";
import { isSameWord } from "./spelling.ts";

const pairsOf = (text: string) =>
  text.split(", ").map((line): [string, string, FactLanguage] => {
    const [one = "", other = "", language = "en"] = line.split(" ");
    return [one, other, language as FactLanguage];
  });

test.each(
  pairsOf(
    "presure pressure, temprature temperature, recieve receive, teh the, colour color, organise organize, label labels, check checked, " +
      "Filtter Filter de, schliessen schließen de, gedruckt drucken de, abzustellen abstellen de, stopped stop, clipped clips, reemplazo reemplace es, getekend tekenen nl, eingefüllt füllt de, verifiez vérifiez fr, vidé videz fr, touchée toucher fr, " +
      "valvula válvula es, revisan revisa es, ochiali occhiali it, controllano controlla it, temperatur temperatuur nl, genoteerd noteert nl",
  ),
)("%s and %s are one word (%s)", (one, other, language) => expect(isSameWord(one, other, language)).toBe(true));

test.each(
  pairsOf(
    "valve value, form from, bolt belt, lab lap, chloride chlorite, hypochlorite hypochlorate, filling filing, thermometer thermostat, " +
      "hydrochloric hydrofluoric, absorption adsorption, teh red, B C, Leitung Leistung de, Wartung Warnung de, drucken drücken de, Masse Maße de, " +
      "eingeschaltet ausgeschaltet de, pots ports fr, puerta puerto es, cuna cuña es, nitrito nitrato es, solfito solfato it, kraan kraag nl, zak zaak nl",
  ),
)("%s and %s are two words (%s)", (one, other, language) => expect(isSameWord(one, other, language)).toBe(false));
