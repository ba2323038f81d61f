import { expect, test } from "vitest";
import { meaningChangesBetween, textOfMeaningChange } from "./changes.ts";

const marks = (before: string, after: string) => meaningChangesBetween(before, after, "en").map(textOfMeaningChange);

test.each([
  ["Open the valve.", "Open the value.", "word valve → value"],
  ["Use drawing rev. B.", "Use drawing rev. C.", "part B → C"],
  ["Move it to line 4a.", "Move it to line 4c.", "figure 4a → 4c"],
  ["Each bag has to be weighed by the clerk.", "The clerk has to weigh one bag.", "word Each → one"],
  ["The red hose is the one that is connected.", "Connect the black hose.", "word red → black"],
  ["The shelf is to be wiped with a sponge.", "Wipe the shelf with a scraper.", "word sponge → scraper"],
  ["Wipe it with isopropyl alcohol.", "Wipe it with acetone.", "word isopropyl alcohol → acetone"],
  [
    "It is necessary to do a check of the level. Then open the valve.",
    "Check the level. Then open the value.",
    "word valve → value",
  ],
])("%s and %s differ", (before, after, mark) => expect(marks(before, after)).toContain(mark));

test.each([
  ["Utilize a brush.", "Use a brush."],
  ["The tank is rinsed by the operator.", "The operator rinses the tank."],
  ["Heat to 60 degrees C.", "Heat to 60 °C."],
  ["Clean the area. A dry cloth is enough.", "Clean the area. a dry cloth is enough."],
  ["Cleaning of the lens is performed with a brush.", "Clean the lens with a brush."],
])("%s and %s say the same", (before, after) => expect(marks(before, after)).toEqual([]));
