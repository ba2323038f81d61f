/** A whole file sent as the text keeps its front matter as words: the answer says so. */
import { expect, test } from "vitest";
import { describeServer } from "../../../test/server.ts";

describeServer("a whole file as the text", (server) => {
  const notesOf = async (markdown: string) => {
    const boss = await (await server().company()).user("manager");
    return (await boss.client.sops.create({ body: { title: "Valve", description: "D", markdown } })).notes ?? [];
  };

  test("gets a note on its front matter", async () => {
    const note = expect.objectContaining({ code: "front-matter", line: 1 });
    expect(await notesOf("---\ntitle: Valve\nlang: en\n---\n\nOpen it.\n")).toContainEqual(note);
    for (const text of ["---\n\nOpen it.\n\n---\n", "---\nNote: open it.\n\n---\n", "Open it.\n"])
      expect(await notesOf(text)).not.toContainEqual(note);
  });
});
