/** Reports the state of proposals as the status of their commit, by the API of GitHub, GitLab or Gitea. */
import type { CommitStatus, MirrorProvider } from "#core/mirror/providers.ts";
import { catalog } from "#core/language/catalog.ts";
import { RemoteProblem, type OutgoingHost } from "../outgoing/addresses.ts";
import { postJson, type JsonRequest } from "../outgoing/post-json.ts";
import { parseMirrorAddress } from "./hosts.ts";
import type { RemoteRepository } from "./remote.ts";
import type { TakePass } from "./take.ts";
import { refusals } from "./refusals.ts";

/** A git host has one text for all readers, so it is in the server's language. */
const texts = catalog("server.mirror.statuses", {
  refused: "{count, plural, one {# document} other {# documents}} refused",
  open: "{count, plural, one {# proposal} other {# proposals}} to decide",
  dismissed: "{count, plural, one {# proposal} other {# proposals}} dismissed",
  decided: "{count, plural, one {# proposal} other {# proposals}} decided",
  replaced: "A later commit replaces it",
  none: "No SOP changes",
});

/** The present status of a commit. */
export interface CommitState {
  state: CommitStatus;
  description: string;
  /** The address where people decide about the proposals. */
  link: string;
}

/**
 * Loads the proposals of a commit, and returns the commit's state.
 * @param refused the number of documents that couldn't become proposals
 */
export async function loadCommitState(
  { services, mirror }: Pick<TakePass, "services" | "mirror">,
  commit: string,
  refused: number,
): Promise<CommitState> {
  const proposals = await services.db
    .forCompany(mirror._id)
    .collection("proposals")
    .find({ commit, source: "mirror" }, { projection: { number: 1, state: 1 }, limit: 2_000 });
  const countInState = (state: string) => proposals.filter((one) => one.state === state).length;
  const [only, ...others] = proposals;
  const { url } = services.address;
  const link = only && others.length === 0 ? `${url}/proposals/${only.number}` : `${url}/proposals`;
  const open = countInState("open");
  if (refused > 0) return { state: "failure", description: texts.refused({ count: refused }), link };
  if (open > 0) return { state: "pending", description: texts.open({ count: open }), link };
  const dismissed = countInState("dismissed");
  if (dismissed > 0) return { state: "failure", description: texts.dismissed({ count: dismissed }), link };
  if (proposals.length === 0) return { state: "success", description: texts.none, link };
  const isReplaced = proposals.every((one) => one.state === "superseded");
  const description = isReplaced ? texts.replaced : texts.decided({ count: proposals.length });
  return { state: "success", description, link };
}

const context = "sopwright";

/**
 * Creates the request of the provider's API.
 * @returns null for a provider whose API isn't supported
 */
function commitStatusRequest(
  provider: MirrorProvider,
  { token, address: { origin, pathname, host } }: { token: string; address: URL },
  commit: string,
  { state, ...told }: CommitState,
): Pick<JsonRequest, "url" | "headers" | "content"> | null {
  const project = pathname.replace(/^\/|\.git$/g, "");
  const about = { description: told.description, target_url: told.link };
  switch (provider) {
    case "github": {
      const api = host === "github.com" ? "https://api.github.com" : `${origin}/api/v3`;
      return {
        url: `${api}/repos/${project}/statuses/${commit}`,
        headers: { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
        content: JSON.stringify({ state, context, ...about }),
      };
    }
    case "gitlab":
      return {
        url: `${origin}/api/v4/projects/${encodeURIComponent(project)}/statuses/${commit}`,
        headers: { "private-token": token },
        content: JSON.stringify({ state: state === "failure" ? "failed" : state, name: context, ...about }),
      };
    case "gitea":
      return {
        url: `${origin}/api/v1/repos/${project}/statuses/${commit}`,
        headers: { authorization: `token ${token}` },
        content: JSON.stringify({ state, context, ...about }),
      };
    case "other":
      return null;
  }
}

/**
 * Sends the status of a commit.
 * @throws RemoteProblem when the host refuses it
 */
export async function sendStatus(
  { hosts, provider, signal }: { hosts: readonly OutgoingHost[]; provider: MirrorProvider; signal: AbortSignal },
  remote: RemoteRepository,
  commit: string,
  state: CommitState,
): Promise<void> {
  const address = parseMirrorAddress(remote.url, hosts);
  const request = commitStatusRequest(provider, { token: remote.token, address }, commit, state);
  if (request === null) return;
  // GitHub's API has another host than its repositories
  const api = hosts.some(({ origin }) => origin === "https://github.com")
    ? [{ origin: "https://api.github.com", address: null }]
    : [];
  const status = await postJson({ ...request, hosts: [...hosts, ...api], signal });
  if (status === 401 || status === 403) throw new RemoteProblem(refusals.statusForbidden());
  if (status < 200 || status > 299) throw new RemoteProblem(refusals.statusRefused({ status }));
}
