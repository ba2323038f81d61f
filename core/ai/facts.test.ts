import { expect, test } from "vitest";
import { sentencesOf } from "./facts.ts";

test.each([
  ["Heat to max. 60 °C. Wait.", ["Heat to max. 60 °C.", "Wait."]],
  ["Wait 5 min. 3 people lift it.", ["Wait 5 min.", "3 people lift it."]],
  ["Use rev. B of fig. D. Close it.", ["Use rev. B of fig. D.", "Close it."]],
  ["Close the lid. A clean cloth is there.", ["Close the lid.", "A clean cloth is there."]],
  ["Open it. V3 stays shut.", ["Open it.", "V3 stays shut."]],
])("%s has its sentences", (text, sentences) => expect(sentencesOf(text)).toEqual(sentences));
