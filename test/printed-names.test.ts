/** Each place that prints a person's name: a record prints it with its username, and the rest is listed with a reason. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { project } from "./node-program.ts";

const people =
  "actor|approver|approver\\.user|author|by|changedBy|decidedBy|endedBy|grantedBy|lastReview|me|member|newer\\.control\\.changedBy|no|owner|person|requestedBy|resolvedBy|reviewedBy|signature|user|writer";
const bare = new RegExp(
  `\\b(?:${people})\\??\\.name\\b|\\b(?:author|changedBy|invitedBy|requestedBy|usedBy)Name\\b|_id, name \\}\\) => \\[_id, name\\]`,
  "g",
);
/** Where names are printed: on screens, in the terminal, in files, emails and git. Other files of the server store them. */
const printing =
  "{web,cli,core/{export,notifications,repository},server/{export,git,mail,mirror,notifications,stats,suggestions}}/**/*.{ts,tsx}";

/** Why a name without its username can't be taken for another person's there. */
const known: Record<string, string> = {
  "cli/commands/login.ts": "the user's own name",
  "cli/commands/whoami.ts": "has the username beside it",
  "cli/sign-in.ts": "the user's own name",
  "cli/import/git-source.ts": "an author of a repository of others",
  "core/repository/event.ts": "an event's author has the username in the name",
  "core/repository/project.ts": "an event's author has the username in the name",
  "server/git/proposal-refs.ts": "goes on with the username",
  "server/mirror/incoming.ts": "a setting of git",
  "server/notifications/digest.ts": "an email to this person",
  "server/stats/replies.ts": "has the username beside it",
  "server/suggestions/suggest-with-ai.ts": "names of categories",
  "web/acknowledgements/UnconfirmedReaders.tsx": "sorts by the name",
  "web/approvals/RequestTimeline.tsx": "makes initials of it",
  "web/comments/MentionField.tsx": "has the username beside it",
  "web/permissions/ShareDialog.tsx": "the person as of today: the audit log has the record",
  "web/permissions/UserPermissionsDialog.tsx": "the person as of today: the audit log has the record",
  "web/shell/Sidebar.tsx": "the user's own name",
  "web/sign-in/InvitationPage.tsx": "the user's own name",
  "web/start/CompanyStep.tsx": "the user's own name",
  "web/sops/edit/PropertiesDrawer.tsx": "the user's own name",
  "web/sops/list/PersonName.tsx": "has the username below it where two people share the name",
  "web/teams/MembersDialog.tsx": "members of today, each in a row",
  "web/users/Invitations.tsx": "an invitation's record has the username in the name",
  "web/users/UserConfirmDialog.tsx": "the specification's question: the sentence below has the username",
  "web/users/UserDialog.tsx": "a field that is filled in",
  "web/users/UserList.tsx": "the link of the user who was just created",
  "web/users/user-columns.tsx": "has the username beside it",
};

test("a record prints the username beside the name", () => {
  const found = globSync(printing, { cwd: project })
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .filter((file) => bareNames(readFileSync(path.join(project, file), "utf8")).length > 0);
  expect(found.sort()).toEqual(Object.keys(known).sort());
});

function bareNames(source: string): string[] {
  return source.match(bare) ?? [];
}
