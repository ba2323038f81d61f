import { readFileSync, globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { aiKinds } from "#core/ai/kinds.ts";
import { errorTable } from "#core/errors.ts";
import { suggestionStatuses } from "#core/suggestions/schema.ts";
import { actionNames, actionText, entityText, entityTypes, valueLabelsOf } from "./texts.ts";

describe("words of the audit log", () => {
  it("has some for every kind of AI call, for suggestions, and for what is done about comments and readers", () => {
    const others = [
      "suggestion.suggest",
      "suggestion.create",
      "suggestion.status",
      "sop.comment",
      "sop.comment_edit",
      "sop.comment_remove",
      "sop.comment_resolve",
      "sop.comment_reopen",
      "sop.acknowledge",
      "sop.acknowledgement_ask",
      "sop.acknowledgement_end",
      "sop.acknowledgement_export",
      "sop.request_approval",
      "sop.approve",
      "sop.reject",
      "sop.request_changes",
      "sop.replace_approver",
      "sop.withdraw",
      "sop.review",
      "sop.schedule",
      "sop.lapse",
    ];
    const nameless = [...aiKinds.map((kind) => `ai.${kind}`), ...others].filter((name) => !actionNames.includes(name));
    expect(nameless).toEqual([]);
    expect(actionText("ai.generate")).toBe("AI wrote a draft");
    expect(entityTypes).toEqual(expect.arrayContaining(["ai_call", "suggestion"]));
    expect(entityText("ai_call")).toBe("AI call");
  });

  it("has some for every action named where the server records it", () => {
    const sources = globSync("server/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
    const named = sources.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/action: "([a-z]+\.[a-z_]+)"/g)].map(([, name = ""]) => name),
    );
    expect(named).toContain("user.create");
    named.push("user.suspend", "user.activate", "user.delete");
    expect([...new Set(named)].filter((name) => !actionNames.includes(name))).toEqual([]);
  });

  it("says how a call ended, and what became of a suggestion", () => {
    const outcomes = ["ok", "cancelled", "lost", ...Object.keys(errorTable).filter((code) => code.startsWith("ai_"))];
    expect(outcomes.filter((outcome) => valueLabelsOf("outcome")[outcome] === undefined)).toEqual([]);
    expect(suggestionStatuses.filter((status) => valueLabelsOf("status")[status] === undefined)).toEqual([]);
  });
});
