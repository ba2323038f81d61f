/** Turns links between the files of the example company into links between its SOPs. */
import { sopUrl } from "#core/markdown/sop-links.ts";
import { numberLabel } from "#core/repository/names.ts";
import type { DemoCompany } from "./company.ts";
import { storyEvents } from "./story.ts";

/** Computes the numbers in advance. SOPs get them in the order of their creation, whenever the story ends. */
export function linkDemoSops(company: DemoCompany): DemoCompany {
  const created = storyEvents(company, 0).filter(({ deed }) => deed.verb === "create");
  const numbers = new Map(created.map(({ sop }, index) => [sop.file, numberLabel(index + 1)]));
  const linked = (text: string) =>
    text.replace(/\]\(([\w-]+\.md)\)/g, (written, file: string) => {
      const number = numbers.get(file);
      return number === undefined ? written : `](${sopUrl(number)})`;
    });
  return { ...company, sops: company.sops.map((sop) => ({ ...sop, body: linked(sop.body) })) };
}
