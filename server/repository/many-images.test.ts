import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRepositories, type RepositoriesOptions } from "./repositories.ts";
import { createCompanyStory, type CompanyStory } from "./testing/company-story.ts";
import { countingLedger } from "./testing/counting-ledger.ts";
import { silentLog } from "./testing/memory-ledger.ts";
import { binary, nativeGit, scratchFolder } from "./testing/scratch.ts";

const writers: [string, Pick<RepositoriesOptions, "git">][] = [["no git", { git: null }]];
if (binary !== null) writers.push(["a git binary", { git: binary }]);

/** Some are compressed at once, some in the thread pool. */
const sizes = [300, 70_000, 1_200_000];
const images = 6;

function image(story: CompanyStory, size: number): string {
  return `${story.ledger.putAsset(randomBytes(size))}.png`;
}

/** One save that links many new images. */
function saveWithImages(): CompanyStory {
  const story = createCompanyStory();
  const assets = Array.from({ length: images }, (_, index) => image(story, sizes[index % sizes.length] ?? 0));
  story.save(story.create("Assemble the press", "one\n"), "Assemble the press", "two\n", assets);
  return story;
}

/** One import, so one event, of documents with an image each. */
function importWithImages(): CompanyStory {
  const story = createCompanyStory();
  const documents = Array.from({ length: images }, (_, index) => ({
    title: `Document ${index}`,
    body: `${index}\n`,
    assets: [image(story, sizes[index % sizes.length] ?? 0)],
  }));
  story.importBatch(documents);
  return story;
}

const stories: [string, () => CompanyStory][] = [
  ["a save with many new images", saveWithImages],
  ["an import of documents with new images", importWithImages],
];

/** The images that a pack holds as a difference from another one. */
function imagesAsDifferences(path: string): string[] {
  const listed = nativeGit(path, "ls-tree", "-r", "history", "assets").trim().split("\n");
  const images = listed.map((line) => line.split(/[ \t]/)[2]);
  expect(images).toHaveLength(3);
  const indexes = readdirSync(`${path}/objects/pack`).filter((name) => name.endsWith(".idx"));
  return indexes
    .flatMap((name) => nativeGit(path, "verify-pack", "-v", `objects/pack/${name}`).split("\n"))
    .map((line) => line.trim().split(/ +/))
    .flatMap(([oid = "", , , , , depth]) => (images.includes(oid) && depth !== undefined ? [oid] : []));
}

it.skipIf(binary === null)("git spends no time on differences between images, in rebuilds and repacks", async () => {
  const story = createCompanyStory();
  const bytes = randomBytes(1_000_000);
  const assets = [0, 1, 2].map(
    (value) => `${story.ledger.putAsset(Buffer.from(bytes.fill(value, bytes.length - 1)))}.png`,
  );
  story.save(story.create("Similar images", "one\n"), "Similar images", "two\n", assets);
  const repositories = createRepositories({ dir: scratchFolder(), ledger: story.ledger, log: silentLog, git: binary });
  await repositories.rebuild(story.companyId);
  expect(imagesAsDifferences(repositories.path(story.companyId))).toEqual([]);
  await repositories.repack(story.companyId, true);
  expect(imagesAsDifferences(repositories.path(story.companyId))).toEqual([]);
  await repositories.close();
});

describe.each(writers)("with %s", (_name, writer) => {
  describe.each(stories)("%s", (_what, play) => {
    it("is committed, verified and rebuilt with one image in memory at a time", async () => {
      const story = play();
      const heldBy = async (act: (repositories: ReturnType<typeof createRepositories>) => Promise<unknown>) => {
        const ledger = countingLedger(story.ledger);
        const repositories = createRepositories({ dir, ledger, log: silentLog, ...writer });
        await act(repositories);
        await repositories.close();
        return ledger.most.assets;
      };
      const dir = scratchFolder();
      const most = {
        commit: await heldBy((repositories) => repositories.drain(story.companyId)),
        verify: await heldBy(async (repositories) =>
          expect((await repositories.verify(story.companyId)).findings).toEqual([]),
        ),
        rebuild: await heldBy((repositories) => repositories.rebuild(story.companyId)),
      };
      // the image that is asked for, and perhaps the one before it
      for (const held of Object.values(most)) expect(held).toBeLessThanOrEqual(2);
    });

    it("continues after an image that can't be read", async () => {
      const story = play();
      let left = images >> 1;
      const ledger = {
        ...story.ledger,
        asset: (companyId: string, sha256: string) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error("the database is away")) : story.ledger.asset(companyId, sha256);
        },
      };
      const dir = scratchFolder();
      const repositories = createRepositories({ dir, ledger, log: silentLog, ...writer });
      await expect(repositories.drain(story.companyId)).rejects.toThrow("the database is away");
      left = Number.POSITIVE_INFINITY;
      await repositories.drain(story.companyId);
      expect(await repositories.head(story.companyId)).toMatchObject({ lag: 0 });
      expect((await repositories.verify(story.companyId)).findings).toEqual([]);
      if (binary !== null) {
        expect(nativeGit(repositories.path(story.companyId), "fsck", "--full", "--strict")).toBe("");
      }
      await repositories.close();
    });
  });

  it("many imports are committed and verified with the texts of one import in memory at a time", async () => {
    const documentsOfImport = 50;
    const story = createCompanyStory();
    for (let batch = 0; batch < 8; batch += 1) {
      story.importBatch(
        Array.from({ length: documentsOfImport }, (_, index) => ({
          title: `Document ${batch} ${index}`,
          body: `${batch} ${index} ${"x".repeat(8_000)}\n`,
        })),
      );
    }
    const ledger = countingLedger(story.ledger);
    const repositories = createRepositories({ dir: scratchFolder(), ledger, log: silentLog, ...writer });
    await repositories.drain(story.companyId);
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
    await repositories.close();
    // those that are asked for, and perhaps those before them
    expect(ledger.most.texts).toBeLessThanOrEqual(2 * documentsOfImport);
  });
});
