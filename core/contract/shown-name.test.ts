import { expect, test } from "vitest";
import { displayNameSchema, withoutHiddenCharacters } from "./shown-name.ts";
import { sentences } from "../language/catalog.ts";

const { nameMissing } = sentences("shown-name.test", { nameMissing: "Name is required" });
const name = displayNameSchema(nameMissing);

test.each(["Produktion & Technik", "㈱山田", "🧑‍🔬 Lab", "❤️ Care", "A–B / C", "نیم‌فاصله"])(
  "a name shows all its characters: %s",
  (text) => {
    expect(name.parse(text)).toBe(text);
    expect(withoutHiddenCharacters(text)).toBe(text);
  },
);

test.each(["IT\u202e", "I\u200bT", "I\nT", "IT\u200d", "a\ufe0f", "\u00adIT"])(
  "a hidden character is refused: %j",
  (text) => {
    expect(name.safeParse(text).error?.issues[0]?.message).toBe(
      "Remove the invisible characters, or type the name again",
    );
    expect(withoutHiddenCharacters(text)).toMatch(/^(?:IT|a)$/);
  },
);
