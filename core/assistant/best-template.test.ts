import { describe, expect, it } from "vitest";
import { bestTemplate, titleFromPrompt } from "./best-template.ts";

const templates = [
  {
    id: "lockout",
    title: "Lock out and tag out a machine",
    description: "Keep energy off during work",
    tags: ["loto"],
  },
  { id: "password", title: "Reset a user's password", description: "At the service desk", tags: [] },
  { id: "drill", title: "Hold an evacuation drill", description: "Twice a year, every employee", tags: ["fire"] },
];
const chosen = (prompt: string) => bestTemplate(prompt, templates)?.template.id ?? null;

describe("the template a sentence asks for", () => {
  it.each([
    ["Write an SOP for locking out a machine", "lockout"],
    ["loto", "lockout"],
    ["please create a procedure about a fire drill", "drill"],
    ["reset passwords of users", "password"],
    ["calibrate the spectrometer every Monday", null],
    ["every employee cleans the desk after work and takes the waste to the yard", null],
    ["keep a record of work", null],
    ["", null],
  ])("%s", (prompt, id) => expect(chosen(prompt)).toBe(id));

  it("says which words chose it", () => {
    expect(bestTemplate("an SOP for a fire drill", templates)?.found).toEqual(["fire", "drill"]);
  });
});

describe("what it is called", () => {
  it.each([
    ["Write an SOP for draining tank 4. It is done on Mondays.", "Draining tank 4"],
    ["drain tank 4!", "Drain tank 4"],
    ["Please draft me a standard operating procedure on how to purge", "How to purge"],
    ["SOP", "SOP"],
  ])("%s", (prompt, title) => expect(titleFromPrompt(prompt)).toBe(title));
});
