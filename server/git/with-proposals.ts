/**
 * Creates a repository for a user who can read the whole company's repository, with the proposals that this user can
 * see.
 */
import path from "node:path";
import type { Services } from "../http/services.ts";
import { writeAtomically } from "../repository/atomic-fs.ts";
import { realDisk } from "../repository/disk.ts";
import { readGitOutput } from "../repository/git-process.ts";
import { createObjectWriter } from "../repository/loose-writer.ts";
import type { RepositoryCopy, RepositoryCache } from "./repository-cache.ts";
import { proposalFactsForKey, putProposals, type FetchableProposal } from "./proposal-refs.ts";
import { sha256 } from "../hashing.ts";

const header = "# pack-refs with: peeled fully-peeled sorted \n";
const format = "%(objectname) %(refname)%00%(*objectname)";

/**
 * Creates a repository that borrows the objects of the company's repository and has its own refs.
 * @param whole.onFailure called when git can't read the refs, because an object may be damaged
 */
export async function createRepositoryWithProposals(
  services: Pick<Services, "db">,
  cache: RepositoryCache,
  whole: { git: string; gitdir: string; companyId: string; onFailure: () => void },
  proposals: readonly FetchableProposal[],
): Promise<RepositoryCopy> {
  const listed = await readGitOutput(whole.git, whole.gitdir, ["for-each-ref", `--format=${format}`]).catch(
    (error: unknown) => {
      whole.onFailure();
      throw error;
    },
  );
  const refs = listed.toString("utf8").split("\n").filter(Boolean);
  const facts = JSON.stringify([whole.companyId, refs, proposalFactsForKey(proposals)]);
  const key = sha256(facts);
  return cache.repositoryFor(key, async (gitdir) => {
    await realDisk.writeFile(`${gitdir}/objects/info/alternates`, `${path.resolve(whole.gitdir)}/objects\n`);
    const objects = createObjectWriter(realDisk, gitdir);
    const proposed = await putProposals(services, whole.companyId, objects, proposals);
    await objects.flush();
    const lines = [...refs, ...[...proposed].map(([name, oid]) => `${oid} ${name}\0`)].map((ref) => {
      const [line = "", peeled = ""] = ref.split("\0");
      return { name: line.slice(41), text: peeled === "" ? `${line}\n` : `${line}\n^${peeled}\n` };
    });
    lines.sort((a, b) => (a.name < b.name ? -1 : 1));
    const packed = header + lines.map(({ text }) => text).join("");
    await writeAtomically(realDisk, `${gitdir}/objects`, `${gitdir}/packed-refs`, packed);
  });
}
