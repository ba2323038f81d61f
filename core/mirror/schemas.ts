import { Done } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Mirror, MirrorUpdate, WebhookSecret } from "./schema.ts";

export const mirrorSchemas = schemaGroup({
  get: {
    summary: "Get the mirror of your company's repository: where it is, its last push and its lag",
    output: Mirror,
  },
  update: {
    summary: "Set up the mirror, or update it. The token is stored encrypted and never answered",
    body: MirrorUpdate,
    output: Mirror,
  },
  take: {
    summary: "Take the commits that stopped the mirror as proposals. The remote's branch stays as it is",
    output: Mirror,
  },
  secret: { summary: "Get a new secret for calls from the remote. It is shown once", output: WebhookSecret },
  remove: { summary: "Remove the mirror and its token. The remote stays as it is", output: Done },
  check: { summary: "Check the remote again, also after it diverged, and push what it lacks", output: Mirror },
});
