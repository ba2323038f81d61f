import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { ApiError } from "../api/client.ts";
import { AppError } from "../errors.ts";
import { catalog, sentences, translatedSentenceText } from "./catalog.ts";
import { listText, numberText } from "./formats.ts";
import { english, setSpokenLanguage } from "./spoken.ts";

const texts = catalog("test", {
  title: "Teams",
  failed: "Couldn't load",
  menu: "Actions for {name}",
  count: "{count, plural, one {# team} other {# teams}}",
  amount: "{bytes, number} of {limit, number}",
  by: "{who, select, me {You} other {{who}}} saved version {version}",
  roles: { lead: "Lead", of: "Role of {name}" },
});
const german = {
  code: "de",
  texts: {
    test: {
      title: "Gruppen",
      menu: "Aktionen für {name}",
      count: "{count, plural, one {# Gruppe} other {# Gruppen}}",
      amount: "{bytes, number} von {limit, number}",
      roles: { of: "Rolle von {name}" },
    },
  },
};

afterEach(() => setSpokenLanguage(english));

describe("texts of a catalog", () => {
  it("are English at first, with values, plurals, choices and numbers", () => {
    expect(texts.title).toBe("Teams");
    expect(texts.menu({ name: "Red" })).toBe("Actions for Red");
    expect([0, 1, 2, 1234].map((count) => texts.count({ count }))).toEqual([
      "0 teams",
      "1 team",
      "2 teams",
      "1,234 teams",
    ]);
    expect(texts.by({ who: "me", version: 1234 })).toBe("You saved version 1234");
    expect(texts.by({ who: "Ann", version: 2 })).toBe("Ann saved version 2");
    expect(texts.roles.of({ name: "Ann" })).toBe("Role of Ann");
    expect(Object.entries(texts.roles)[0]).toEqual(["lead", "Lead"]);
  });

  it("change with the language, and stay English where it lacks them", () => {
    const { menu, roles } = texts;
    setSpokenLanguage(german);
    expect(texts.title).toBe("Gruppen");
    expect(menu({ name: "Rot" })).toBe("Aktionen für Rot");
    expect(texts.count({ count: 1234 })).toBe("1.234 Gruppen");
    expect(roles.of({ name: "Ann" })).toBe("Rolle von Ann");
    expect(roles.lead).toBe("Lead");
    expect(texts.failed).toBe("Couldn't load");
    expect(texts.by({ who: "Ann", version: 2 })).toBe("Ann saved version 2");
  });

  it("keep the plural of the language that they are written in", () => {
    setSpokenLanguage({ code: "ja", texts: {} });
    expect(texts.count({ count: 1 })).toBe("1 team");
  });

  it("keep English where the other text has another form", () => {
    setSpokenLanguage({ code: "de", texts: { test: { title: { a: "b" }, roles: "Rollen" } } });
    expect([texts.title, texts.roles.lead]).toEqual(["Teams", "Lead"]);
  });

  it("are typed by the message", () => {
    expectTypeOf(texts.title).toEqualTypeOf<string>();
    expectTypeOf(texts.count).parameter(0).toEqualTypeOf<{ count: number }>();
    expectTypeOf(texts.roles.of).parameter(0).toEqualTypeOf<{ name: string | number }>();
    // @ts-expect-error the message needs a name
    expect(() => texts.menu({})).not.toThrow("never");
  });
});

it("numbers and lists go by the language", () => {
  expect([numberText(12345.5), listText(["Ann", "Ben", "Cem"])]).toEqual(["12,345.5", "Ann, Ben, and Cem"]);
  setSpokenLanguage(german);
  expect([numberText(12345.5), listText(["Ann", "Ben", "Cem"])]).toEqual(["12.345,5", "Ann, Ben und Cem"]);
});

it("a refusal has its id and values, and another language writes it", () => {
  const refusals = sentences("test.refusals", {
    closed: "This request is closed",
    few: "It needs {needed, plural, one {# approval} other {# approvals}}",
  });
  const error = new AppError("conflict", refusals.few({ needed: 2 }));
  expect(error.toBody()).toEqual({
    code: "conflict",
    message: "It needs 2 approvals",
    reason: { id: "test.refusals.few", values: { needed: 2 } },
  });
  const sent = () => new ApiError(409, JSON.stringify(error.toBody()), "Conflict").serverMessage;
  expect(sent()).toBe("It needs 2 approvals");
  ApiError.sentenceOf = translatedSentenceText;
  setSpokenLanguage({
    code: "de",
    texts: { "test.refusals": { few: "{needed, plural, one {# Zusage fehlt} other {# Zusagen fehlen}}" } },
  });
  expect(sent()).toBe("2 Zusagen fehlen");
  expect(translatedSentenceText(refusals.closed())).toBeNull();
  ApiError.sentenceOf = () => null;
});
