/** Forward-only steps, run once each in this order and recorded; never edited after a release. */
import type { Collections } from "./documents.ts";
import type { Migration } from "./port.ts";

export const migrations: readonly Migration<Collections>[] = [
  {
    number: 1,
    name: "permissions, grants and company settings",
    async run(tx) {
      await tx
        .collection("users")
        .updateMany({ permissions: { $exists: false } }, { $set: { permissions: [], mailChoices: {} } });
      await tx.collection("sops").updateMany({ grants: { $exists: false } }, { $set: { grants: [], grantees: [] } });
      await tx.collection("companies").updateMany(
        { "settings.roleOverrides": { $exists: false } },
        {
          $set: {
            "settings.approvalRule": { kind: "all", count: null },
            "settings.allowSelfApproval": false,
            "settings.reviewMonths": 12,
            "settings.aiEnabled": true,
            "settings.passwordMinimum": null,
            "settings.roleOverrides": {},
          },
        },
      );
    },
  },
  {
    number: 2,
    name: "rows of the audit log wait for their place in its chain",
    async run(tx) {
      await tx.collection("audit_logs").updateMany({ seq: { $exists: false } }, { $set: { pending: true } });
    },
];
