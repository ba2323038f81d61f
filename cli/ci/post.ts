/** Posts a review to the summary of a GitHub step, to a file, or as a comment on a GitLab merge request. */
import { appendFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CommandContext } from "../context.ts";
import { CliError, exit } from "../exit.ts";

/** A later run finds its earlier comment by this mark and replaces it. */
const mark = "<!-- sop ci -->";

/** @returns the names of the places that got the review, for the user */
export async function postReview(
  { cwd, env, signal }: CommandContext,
  text: string,
  output?: string,
): Promise<string[]> {
  const places: string[] = [];
  if (output !== undefined) {
    await writeFile(resolve(cwd, output), text);
    places.push(output);
  }
  const summary = env["GITHUB_STEP_SUMMARY"];
  if (summary) {
    await appendFile(summary, text);
    places.push("the summary of this step");
  }
  const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: request, SOP_COMMENT_TOKEN: token } = env;
  if (api && project && request && token) {
    await commentOnMergeRequest(
      `${api}/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(request)}/notes`,
      {
        token,
        text,
        signal,
      },
    );
    places.push(`a comment on merge request ${request}`);
  }
  return places;
}

interface CommentOptions {
  token: string;
  text: string;
  signal: AbortSignal;
}

async function commentOnMergeRequest(notes: string, { token, text, signal }: CommentOptions): Promise<void> {
  const callGitLab = async (method: string, url: string, body?: string): Promise<unknown> => {
    const headers = { "private-token": token, "content-type": "application/json" };
    const answer = await fetch(url, { method, headers, signal, redirect: "error", ...(body && { body }) }).catch(
      (error: unknown) => Promise.reject(commentFailedError(error instanceof Error ? error.message : String(error))),
    );
    if (!answer.ok) throw commentFailedError(`GitLab answered ${answer.status}`);
    return answer.json();
  };
  const known = (await callGitLab("GET", `${notes}?per_page=100&sort=desc`)) as { id: number; body: string }[];
  const old = known.find(({ body }) => body.startsWith(mark));
  const body = JSON.stringify({ body: `${mark}\n${text}` });
  await (old === undefined ? callGitLab("POST", notes, body) : callGitLab("PUT", `${notes}/${old.id}`, body));
}

function commentFailedError(reason: string): CliError {
  return new CliError(exit.network, {
    code: "comment",
    message: `couldn't comment on the merge request: ${reason}`,
    hint: "SOP_COMMENT_TOKEN needs the scope api; leave it out for no comment",
  });
}
