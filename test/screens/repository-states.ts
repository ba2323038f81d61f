/** States of the screens about the repository: proposals and the mirror. */
import type { Page } from "playwright-core";
import { proposed, proposedInConflict } from "./deeds.ts";
import { admin, dialog, heading, inTurn, press, system, type Screen } from "./screens.ts";

/** A mirror at a host that no test can reach. */
function mirrorIn(state: "current" | "failing" | "stopped" | "paused") {
  const [at, url] = ["2026-01-05T12:00:00.000Z", "https://github.com/brackenfold/sops.git"];
  const [theirs, ours, ref] = ["a".repeat(40), "b".repeat(40), "refs/heads/main"];
  const command = `git push --force-with-lease=${ref}:${theirs} ${url} ${ours}:${ref}`;
  return {
    state,
    hosts: ["github.com", "gitlab.com"],
    settings: {
      url,
      username: "sop",
      provider: "github",
      history: false,
      witness: false,
      incoming: "proposals",
      updatedAt: at,
      updatedBy: "Helen Marsh",
    },
    lag: state === "current" ? 0 : 3,
    pushedAt: at,
    pushedMain: ours,
    checkedAt: at,
    problem: state === "failing" ? "There is no such repository, or the token can't see it" : null,
    retryAt: state === "failing" ? at : null,
    diverged: state === "stopped" ? [{ ref, theirs, ours, command }] : [],
    taking: false,
    stoppedTaken: null,
    incoming: {
      taken: { ref, commit: theirs, at, proposed: 2, refused: 1, lines: ["sops/mix.md: refused. line 2"] },
      open: 2,
      problem: null,
    },
    webhook: { url: "https://sop.example.org/git/brackenfold.git/webhook", hasSecret: false },
  };
}

export const repositoryStates: readonly Screen[] = [
  {
    name: "proposals-empty",
    address: "/proposals",
    as: system,
    ready: inTurn(heading("Proposals"), (page) => page.getByText("No open proposals").waitFor()),
  },
  {
    name: "proposal-merge",
    address: async (demo) => `/proposals/${await proposedInConflict(demo)}`,
    as: admin,
    ready: inTurn(heading(/Induct/), (page) => page.locator("ins, del").first().waitFor()),
  },
  {
    name: "proposal-dismiss",
    address: async (demo) => `/proposals/${await proposed(demo)}`,
    as: admin,
    ready: inTurn(heading(/Induct/), press(/^Dismiss$/), dialog),
  },
  ...(["current", "failing", "stopped", "paused"] as const).map((state) => ({
    name: `company-mirror-${state}`,
    address: "/admin/company/mirror",
    as: admin,
    before: (page: Page) => page.route("**/api/company/mirror", (route) => route.fulfill({ json: mirrorIn(state) })),
    ready: (page: Page) => page.getByRole("button", { name: "Remove mirror" }).waitFor(),
  })),
];
