import { expect, it } from "vitest";
import { linkFaults } from "../../test/faithful/links.ts";

it("every link and image of a folder arrives after the import and in a site, or is named", async () => {
  expect(await linkFaults(1, 61)).toEqual([]);
});
