/**
 * The input of `git fast-import` for planned commits. Its branches carry a token in their names and are reset at the
 * end, so no ref appears.
 */
import type { Branch } from "#core/repository/event.ts";
import { committer } from "#core/repository/objects.ts";
import type { PlannedCommit } from "#core/repository/project.ts";

const noCommit = "0".repeat(40);

export class ImportStream {
  /** Bytes waiting in `take()`. */
  size = 0;
  private readonly token: string;
  private readonly branches = new Set<Branch>();
  private parts: Uint8Array[] = [];
  private marks = 0;

  constructor(token: string) {
    this.token = token;
  }

  blob(content: Uint8Array): void {
    this.text("blob\n");
    this.data(content);
  }

  /** @param parent the branch's head when the stream begins @returns the commit's mark */
  commit(plan: PlannedCommit, parent: string | null): number {
    this.marks += 1;
    const when = `${plan.seconds} +0000`;
    this.text(`commit ${this.ref(plan.branch)}\nmark :${this.marks}\n`);
    this.text(`author ${plan.author} ${when}\ncommitter ${committer} ${when}\n`);
    this.data(Buffer.from(plan.message));
    if (!this.branches.has(plan.branch) && parent !== null) this.text(`from ${parent}\n`);
    const changes = plan.changes.map(({ path, oid }) => (oid === null ? `D ${path}\n` : `M 100644 ${oid} ${path}\n`));
    this.text(`${changes.join("")}\n`);
    this.branches.add(plan.branch);
    return this.marks;
  }

  end(): void {
    for (const branch of this.branches) this.text(`reset ${this.ref(branch)}\nfrom ${noCommit}\n\n`);
    this.text("done\n");
  }

  take(): Buffer {
    const taken = Buffer.concat(this.parts, this.size);
    this.parts = [];
    this.size = 0;
    return taken;
  }

  private ref(branch: Branch): string {
    return `refs/sopwright/${this.token}/${branch}`;
  }

  private data(content: Uint8Array): void {
    this.text(`data ${content.length}\n`);
    this.push(content);
    this.text("\n");
  }

  private text(text: string): void {
    this.push(Buffer.from(text));
  }

  private push(bytes: Uint8Array): void {
    this.parts.push(bytes);
    this.size += bytes.length;
  }
}
