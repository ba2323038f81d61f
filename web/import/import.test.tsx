import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { strFromU8, unzipSync } from "fflate";
import { afterEach, describe, expect, it, vi } from "vitest";
import { limits } from "#core/limits.ts";
import type { ConvertedFile, ImportRequest } from "#core/sops/import-schema.ts";
import { aUser } from "../testing/records.ts";
import { fakeServer, FakeRefusal, signedInReplies, type RecordedRequest } from "../testing/fake-server.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(() => {
  vi.unstubAllGlobals();
  resetBrowser();
});

const hash = "1".repeat(64);
const importId = "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10";
const document = (path: string, more: Partial<ConvertedFile["documents"][number]> = {}) => ({
  path,
  sha256: hash,
  text: `# ${path}\n`,
  links: [],
  images: 0,
  notes: [],
  ...more,
});

/** The converter's answers by file name; the calls are kept. */
function convertsTo(answers: Record<string, ConvertedFile | FakeRefusal>, received: File[] = []) {
  const calls: URL[] = [];
  vi.stubGlobal("fetch", async (path: string, { body }: { body: unknown }) => {
    const url = new URL(path, "http://localhost");
    calls.push(url);
    received.push(body as File);
    const answer = answers[url.searchParams.get("name") ?? ""];
    if (answer instanceof FakeRefusal) return Response.json(answer.refused.toBody(), { status: 400 });
    return Response.json(answer);
  });
  return calls;
}

function importing(
  outcomeOf: (
    path: string,
    body: ImportRequest,
  ) => { outcome: string; reason?: string; id?: string; resembling?: string },
) {
  return fakeServer({
    ...signedInReplies(),
    "POST /api/sops/import": ({ body }: RecordedRequest) => {
      const request = body as ImportRequest;
      const results = request.documents.map(({ path }) => ({
        path,
        title: path,
        notes: [],
        ...outcomeOf(path, request),
      }));
      return { results, quota: { free: 100, needed: 0 } };
    },
  });
}

function aFile(name: string, text: string): FileSystemEntry {
  const file = (done: (file: File) => void) => done(new File([text], name));
  return { name, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
}

/** As in a browser, its reader gives the entries once and then none. */
function aFolder(name: string, content: FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    const rest = [content, []];
    return { readEntries: (done: (entries: FileSystemEntry[]) => void) => done(rest.shift() ?? []) };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

const bodies = (server: ReturnType<typeof fakeServer>) =>
  server.requestsFor("POST /api/sops/import").map(({ body }) => body as ImportRequest);

async function choose(user: ReturnType<typeof showApp>["user"], ...names: string[]) {
  await user.click(await screen.findByRole("button", { name: "Import" }));
  const files = names.map((name) => new File(["x"], name));
  await user.upload(await screen.findByLabelText("Files"), files);
}

describe("the import dialog", () => {
  it("shows the plan with its reasons, changes nothing before a confirmation, and links what it created", async () => {
    const calls = convertsTo({
      "tree.zip": {
        importId,
        documents: [
          document("a.md", {
            text: "[b](b.md)",
            links: [{ start: 4, end: 8, path: "b.md", fragment: "#x" }],
            images: 1,
          }),
          document("b.md", { notes: [{ code: "x", message: "Something was mapped" }] }),
        ],
        files: [],
        leftOut: [
          { path: "c.docx", outcome: "refused", reason: "it is encrypted", hint: "save it without a password" },
        ],
      },
      "bad.zip": new FakeRefusal("invalid_input", "it isn't a zip archive"),
    });
    const server = importing((path) => ({ outcome: "create", id: `id-${path}` }));
    const { user } = showApp(server, "/sops");
    await choose(user, "tree.zip", "bad.zip");
    const list = within(
      await screen
        .findByText("it is encrypted; save it without a password")
        .then((node) => node.closest("ul") as HTMLElement),
    );
    expect(list.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Newa.mda.md",
      "Newb.mdb.md1 noteSomething was mapped",
      "Refusedc.docxit is encrypted; save it without a password",
      "Refusedbad.zipit isn't a zip archive",
    ]);
    expect(bodies(server).every(({ dryRun }) => dryRun)).toBe(true);
    expect(calls.map((url) => url.searchParams.get("store"))).toEqual(["false", "false"]);
    await user.click(screen.getByRole("button", { name: "Import 2 documents" }));
    await screen.findByText("2 documents imported as drafts");
    expect(screen.getByRole("link", { name: "b.md" }).getAttribute("href")).toBe("/sop/id-b.md");
    expect(calls.at(-1)?.searchParams.get("store")).toBe("true");
    expect(calls).toHaveLength(3);
    const real = bodies(server).filter(({ dryRun }) => !dryRun);
    const texts = ["[b](/sop/id-b.md#x)", "# b.md\n"];
    expect(
      real.map(({ importId: id, reserveNumbers, documents }) => [
        id,
        reserveNumbers,
        documents.map(({ text }) => text),
      ]),
    ).toEqual([
      // links to documents of later requests need their numbers
      [importId, true, texts],
      [importId, undefined, texts],
    ]);
    await user.click(screen.getAllByRole("button", { name: "Close" }).at(-1) as HTMLElement);
    await waitFor(() => expect(screen.queryByText("Import documents")).toBeNull());
  });

  it("sends large documents in more than one request", async () => {
    const large = "x".repeat(limits.document);
    const documents = Array.from({ length: 18 }, (_, index) => document(`${index}.md`, { text: large }));
    convertsTo({ "large.zip": { importId, documents, files: [], leftOut: [] } });
    const server = importing(() => ({ outcome: "create" }));
    const { user } = showApp(server, "/sops");
    await choose(user, "large.zip");
    await screen.findByRole("button", { name: "Import 18 documents" });
    expect(bodies(server).map((body) => body.documents.length)).toEqual([15, 3]);
    for (const body of bodies(server)) expect(JSON.stringify(body).length).toBeLessThan(limits.importRequest);
  });

  it("takes a dropped folder as one zip, with what its documents show", async () => {
    const received: File[] = [];
    const converted = { importId, documents: [document("a.md")], files: [], leftOut: [] };
    convertsTo({ "Handbook.zip": converted }, received);
    const { user } = showApp(
      importing(() => ({ outcome: "create" })),
      "/sops",
    );
    await user.click(await screen.findByRole("button", { name: "Import" }));
    const place = await screen.findByText(/^Drop a folder/);
    const tree = aFolder("Handbook", [
      aFile("a.md", "# A"),
      aFile(".DS_Store", "x"),
      aFolder("images", [aFile("p.png", "picture")]),
      aFile("film.mp4", "long"),
    ]);
    fireEvent.drop(place, { dataTransfer: { items: [{ webkitGetAsEntry: () => tree }] } });
    await screen.findByRole("button", { name: "Import 1 document" });
    const [zip] = received;
    const entries = unzipSync(new Uint8Array((await zip?.arrayBuffer()) ?? []));
    expect(Object.fromEntries(Object.entries(entries).map(([path, bytes]) => [path, strFromU8(bytes)]))).toEqual({
      "a.md": "# A",
      "images/p.png": "picture",
      // left out for its name: its content isn't sent
      "film.mp4": "-",
    });
  });

  it("shows what folders become and what is split, before anything is stored", async () => {
    const path = "Safety/Fire/Drills/a.md";
    const calls = convertsTo({
      "Handbook.zip": { importId, documents: [document(path)], files: [], leftOut: [] },
      "b.md": { importId, documents: [document("b.md")], files: [], leftOut: [] },
    });
    const server = importing(() => ({ outcome: "create" }));
    const { user } = showApp(server, "/sops");
    await user.click(await screen.findByRole("button", { name: "Import" }));
    const place = await screen.findByText(/^Drop a folder/);
    const tree = aFolder("Handbook", [
      aFolder("Safety", [aFolder("Fire", [aFolder("Drills", [aFile("a.md", "# A")])])]),
    ]);
    fireEvent.drop(place, { dataTransfer: { items: [{ webkitGetAsEntry: () => tree }] } });
    await user.selectOptions(await screen.findByLabelText("Folders become"), "Categories");
    await screen.findByText("Category: Safety › Fire");
    await screen.findByText("Tags: Drills");
    expect(bodies(server).at(-1)).toMatchObject({
      createCategories: true,
      documents: [{ path, folders: ["Safety", "Fire"], tags: ["Drills"] }],
    });
    await user.selectOptions(screen.getByLabelText("Folders become"), "Tags");
    await screen.findByText("Tags: Safety, Fire, Drills");
    expect(calls).toHaveLength(1);
    await user.selectOptions(screen.getByLabelText("Split long documents at"), "Headings");
    await waitFor(() => expect(calls.at(-1)?.searchParams.get("split")).toBe("heading"));
    await screen.findByText("Tags: Safety, Fire, Drills");
    expect(bodies(server).every(({ dryRun }) => dryRun)).toBe(true);
    await user.click(await screen.findByRole("button", { name: "Import 1 document" }));
    await screen.findByText("1 document imported as a draft");
    const sent = bodies(server).at(-1);
    expect(sent?.documents[0]).toMatchObject({ tags: ["Safety", "Fire", "Drills"] });
    expect(sent?.createCategories ?? false).toBe(false);
    await user.click(screen.getAllByRole("button", { name: "Close" }).at(-1) as HTMLElement);
    await choose(user, "b.md");
    await screen.findByLabelText("Split long documents at");
    expect(screen.queryByLabelText("Folders become")).toBeNull();
  });

  it("never overwrites local changes unless asked to", async () => {
    convertsTo({ "a.md": { importId, documents: [document("a.md")], files: [], leftOut: [] } });
    const server = importing((_, { dryRun, onConflict }) =>
      !dryRun && onConflict === "copy"
        ? { outcome: "create" }
        : { outcome: "conflict", reason: "The SOP is at version 3" },
    );
    const { user } = showApp(server, "/sops");
    await choose(user, "a.md");
    await screen.findByText("The SOP is at version 3");
    expect(screen.getByRole("button", { name: "Import 0 documents" })).toHaveProperty("disabled", true);
    await user.selectOptions(screen.getByLabelText("Documents in conflict"), "Import as copies");
    await user.click(screen.getByRole("button", { name: "Import 1 document" }));
    await screen.findByText("1 document imported as a draft");
    expect(bodies(server).at(-1)).toMatchObject({ dryRun: false, onConflict: "copy" });
  });

  it("offers to replace no SOP that a document only resembles", async () => {
    const documents = [document("a.md"), document("b.md")];
    convertsTo({ "a.zip": { importId, documents, files: [], leftOut: [] } });
    const server = importing((path) => ({ outcome: "conflict", resembling: path === "a.md" ? "text" : "path" }));
    const { user } = showApp(server, "/sops");
    await choose(user, "a.zip");
    await user.selectOptions(await screen.findByLabelText("Documents in conflict"), "Import as the next version");
    screen.getByRole("button", { name: "Import 1 document" });
    await user.selectOptions(screen.getByLabelText("Documents in conflict"), "Import as copies");
    screen.getByRole("button", { name: "Import 2 documents" });
  });

  it.each([
    [8, "The images and PDFs need 7 MB, but your company has 6.9 MB left. Choose fewer files.", 2 ** 20],
    [1, "This creates 2 new SOPs, but your company has room for 1. Choose fewer files.", 0],
  ])("says before anything is stored that the files don't fit together", async (free, why, taken) => {
    const image = (number: number) => ({ sha256: String(number).repeat(64), size: 3.5 * 2 ** 20 });
    const file = (path: string, files: ConvertedFile["files"]) => {
      return { importId, documents: [document(path, { images: 1 })], files, leftOut: [] };
    };
    const calls = convertsTo({
      "a.zip": file("a.md", [image(1)]),
      // an image that both use is stored once
      "b.zip": file("b.md", [image(1), image(2)]),
    });
    const server = importing(() => ({ outcome: "create" }));
    server.reply({
      "POST /api/sops/import": ({ body }: RecordedRequest) => {
        const { documents, files = [] } = body as ImportRequest;
        const needed = files.reduce((sum, { size }) => sum + size, 0);
        return {
          results: documents.map(({ path }) => ({ path, title: path, notes: [], outcome: "create" })),
          quota: { free, needed: 1, bytes: { used: 2 ** 20 + 1, needed, limit: 9 * 2 ** 20 - taken } },
        };
      },
    });
    const { user } = showApp(server, "/sops");
    await choose(user, "a.zip", "b.zip");
    await screen.findByText(why);
    expect(screen.getByRole("button", { name: "Import 2 documents" })).toHaveProperty("disabled", true);
    expect(calls.every((url) => url.searchParams.get("store") === "false")).toBe(true);
    expect(bodies(server).every(({ dryRun }) => dryRun)).toBe(true);
    expect(bodies(server).flatMap(({ files }) => files ?? [])).toEqual([image(1), image(2)]);
  });

  it("says that nothing is to be done, and what went wrong", async () => {
    convertsTo({ "a.md": { importId, documents: [document("a.md")], files: [], leftOut: [] } });
    const server = importing(() => ({ outcome: "unchanged" }));
    const { user } = showApp(server, "/sops");
    await choose(user, "a.md");
    await screen.findByText("Nothing to import.");
    await user.click(screen.getByRole("button", { name: "Other files" }));
    server.reply({ "POST /api/sops/import": new FakeRefusal("limit_reached", "The company has room for no more") });
    await user.upload(screen.getByLabelText("Files"), [new File(["x"], "a.md")]);
    expect((await screen.findByRole("alert")).textContent).toContain("room for no more");
  });

  it("is offered to those who may create SOPs", async () => {
    const viewer = { user: { ...aUser(), role: "viewer", permissions: [] } };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/auth/me": viewer }), "/sops");
    await screen.findByRole("heading", { level: 1, name: "Standard Operating Procedures" });
    expect(screen.queryByRole("button", { name: "Import" })).toBeNull();
  });
});
