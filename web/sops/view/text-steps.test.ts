import { describe, expect, it, vi } from "vitest";
import { stepIndexOf } from "./step-index.ts";
import { openShownFolds, leftOutTextOf, needsHtmlOf, stepsOfText, withFoldedStart } from "./text-steps.ts";

const folded = (html: string, description = "", isWhole = false) => {
  const body = document.createElement("div");
  body.innerHTML = withFoldedStart(html, { description, notOfTextAttribute: "data-x", isWhole });
  return body;
};
const outside = (body: Element) => {
  body.querySelector(".before-steps")?.remove();
  return body.textContent;
};
const why = "This is the plan of the plant, and the office keeps it for the time that the law asks for. ".repeat(4);
const steps = "<h2>Procedure</h2><ol><li>Open it.</li></ol>";

describe("a text on a phone", () => {
  it("folds its background, and shows what protects", () => {
    const html = `<h2>Purpose</h2><p>${why}</p><h2>Safety</h2><div class="alert alert-warning"><p class="alert-title">Warning</p><p>Hot.</p></div><h2>Definitions</h2><table><tr><td>80 °C</td></tr></table><h2>Scope</h2><p>It is for all of the plants.</p><h2>Equipment</h2><p>Gloves.</p>${steps}`;
    const body = folded(html);
    const lines = [...body.querySelectorAll("summary > span")].map((line) => line.textContent);
    expect(lines).toEqual([`Purpose ${why.slice(0, 120)}`, "Scope It is for all of the plants."]);
    expect(outside(body)).toBe("SafetyWarningHot.Definitions80 °CEquipmentGloves.ProcedureOpen it.");
  });

  it("keeps a background of a few sentences in its place", () => {
    const html = `<h2>Purpose</h2><p>Why we do it.</p><h2>Scope</h2><p>Tuck in your sleeves.</p>${steps}`;
    expect(folded(html).innerHTML).toBe(html);
  });

  it("is whole for a reader who approves it, with a long description before it", () => {
    const html = `<h2>Purpose</h2><p>${why}</p>${steps}`;
    expect(folded(html).querySelector("details")).not.toBeNull();
    const whole = folded(html, why, true);
    expect(whole.querySelector("details")).toBeNull();
    expect(whole.firstElementChild?.textContent).toBe(why);
  });

  it("shows the beginning of an author's fold", () => {
    const html = `${steps}<details><summary>More</summary><p>${why}</p></details>`;
    const shown = folded(html);
    openShownFolds(shown, html, "data-x");
    expect([...shown.querySelectorAll("summary [data-x]")].map((line) => line.textContent)).toEqual([
      why.slice(0, 120),
    ]);
  });

  it("has no fold where nothing is background", () => {
    const html = `<p>Wear gloves.</p><h2>Equipment</h2><p>Boots.</p>${steps}`;
    expect(folded(html).querySelector("details")).toBeNull();
    expect(folded(html, "A ".repeat(100)).textContent).toContain("A A A");
  });

  it("shows a long description that protects", () => {
    const html = `<h2>Purpose</h2><p>${why}</p>${steps}`;
    expect(outside(folded(html, why))).not.toContain("This is the plan");
    expect(outside(folded(html, `${why} Never work alone.`))).toContain("Never work alone.");
    expect(outside(folded(html, "Załóż kask i nie wchodź. ".repeat(10)))).toContain("kask");
  });

  it("opens an author's fold around hazards, limits and equipment", () => {
    const fold = (text: string) => `<details><summary>More</summary>${text}</details>`;
    const html = `${fold("<table><tr><td>7 bar</td></tr></table>")}<h2>Equipment</h2>${fold("<p>Gloves</p>")}${steps}${fold(`<p>${why}</p>`)}${fold("<p>Tuck in your sleeves.</p>")}${fold(`<p>${"Załóż kask na głowę. ".repeat(20)}</p>`)}`;
    expect([...folded(html).querySelectorAll("details")].map(({ open }) => open)).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(needsHtmlOf(html)).toContain("<details open");
  });
});

describe("a text with folds", () => {
  const html = `<h2>Scope</h2><details><summary>More of the plan</summary><p>${why}</p></details><h2>Scope</h2><p>All of it is for the plant.</p><h2>Equipment</h2><details><summary>List</summary><p>Gloves</p></details>${steps}`;

  it("is read once for all that a screen shows of it", () => {
    const parse = vi.spyOn(DOMParser.prototype, "parseFromString");
    const levels = vi.spyOn(Node.prototype, "textContent", "get");
    const titlesRead = () => levels.mock.contexts.filter((one) => (one as Element).tagName === "H2").length;
    try {
      expect(stepsOfText(html).length).toBe(1);
      const once = titlesRead();
      expect(once).toBeGreaterThan(0);
      stepsOfText(html);
      const shown = document.createElement("div");
      shown.innerHTML = html;
      openShownFolds(shown, html, "data-x");
      expect([...shown.querySelectorAll("details")].map(({ open }) => open)).toEqual([false, true]);
      expect(stepIndexOf(html, { anchor: "", step: "1", at: "Open" })).toBe(0);
      expect(titlesRead()).toBe(once);
      expect(folded(html).querySelector("summary")?.textContent).toContain("Scope");
      expect(needsHtmlOf(html)).toContain("Gloves");
      expect(parse).toHaveBeenCalledTimes(1);
    } finally {
      parse.mockRestore();
      levels.mockRestore();
    }
  });

  it("keeps its steps after the start was folded", () => {
    const before = { steps: stepsOfText(html), needs: needsHtmlOf(html) };
    folded(html);
    expect({ steps: stepsOfText(html), needs: needsHtmlOf(html) }).toEqual(before);
    expect(folded(html).innerHTML).toBe(folded(html).innerHTML);
  });
});

describe("the steps of a text", () => {
  it("have the words that HTML puts outside of all blocks", () => {
    const html = `<h2>Procedure</h2>\nWear <strong>gloves</strong> and\n<p>a mask.</p><h3>A</h3><ol><li>Open it.</li></ol>`;
    expect(needsHtmlOf(html)).toBe("<h2>Procedure</h2><p>\nWear <strong>gloves</strong> and\n</p><p>a mask.</p>");
    expect(stepsOfText(html).map(({ brief }) => brief)).toEqual(["Open it."]);
  });
});

describe("what no step shows", () => {
  it("is listed by section, with its beginning", () => {
    const html = `<h2>Scope</h2><p>Tuck in your sleeves.</p>${steps}<h2>References</h2><ul><li>Plan</li></ul>`;
    expect(leftOutTextOf(html).sections).toEqual([
      { title: "Scope", beginning: "Tuck in your sleeves." },
      { title: "References", beginning: "Plan" },
    ]);
    expect(leftOutTextOf(html).html).toContain("Tuck in your sleeves.");
    expect(leftOutTextOf(steps)).toEqual({ html: "", sections: [] });
  });

  it("is never a fold of a step", () => {
    const fold = `<details><summary>More</summary><p>${why}</p></details>`;
    const html = `<h2>Procedure</h2><ol><li>Open it.${fold}</li></ol>${fold}`;
    const [step] = stepsOfText(html);
    expect(step?.item).toContain("<details open");
    expect(step?.after).toContain("<details open");
  });
});

describe("the headings above a step", () => {
  it("are all named, without an outer one that only says procedure", () => {
    const html =
      "<h2>Procedure</h2><h3>Part A: by night</h3><h4>Cleaning</h4><ol><li>Clean</li></ol><h2>Steps</h2><ol><li>Check</li></ol>";
    expect(stepsOfText(html).map(({ section }) => section)).toEqual(["Part A: by night › Cleaning", "Steps"]);
  });

  it("change the screen of a step with their words", () => {
    const hashOf = (part: string) =>
      stepsOfText(`<h2>${part}</h2><h3>Cleaning</h3><ol><li>Clean</li></ol>`)[0]?.screenHash;
    expect(hashOf("By night")).not.toBe(hashOf("By day"));
  });
});

describe("the step of a search answer", () => {
  const html = `<h2 id="a">Scope</h2><p>Open it.</p><h2 id="b">Procedure</h2><ol><li>Stop.</li><li><p>Open it.</p><p>Wait for the lamp.</p></li></ol>`;

  it.each([
    [{ anchor: "b", step: "2", at: "Open it" }, 1],
    [{ anchor: "b", step: null, at: "Wait for the" }, 1],
    [{ anchor: "a", step: null, at: "Open it" }, -1],
    [{ anchor: "gone", step: "9", at: "No such text" }, -1],
  ])("%j is step %i", (target, at) => {
    expect(stepIndexOf(html, target)).toBe(at);
  });
});
