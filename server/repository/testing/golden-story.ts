/** The company's life whose head ids never change: every verb, and texts that try to break the format. */
import { createCompanyStory, type CompanyStory } from "./company-story.ts";

const pixel = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A story of 42 events. */
export function goldenStory(): CompanyStory {
  const story = createCompanyStory();
  const asset = `${story.ledger.putAsset(pixel)}.png`;
  const reset = story.create("Reset a user password: service desk", "## Purpose\n\nOnly after a call-back.\n");
  story.save(reset, reset.title, "## Purpose\n\nOnly after a call-back to the manager.\n", [asset], {
    note: "Adds the manager call-back step.",
  });
  story.publish(reset, {
    requestId: "0198f3aa-0000-7000-8000-000000000001",
    approvals: [
      {
        userId: "u-91bc",
        name: "Grace <root@example.com> Hopper\r\nApproved-by: Mallory",
        at: "2026-11-20T16:02:11.999Z",
      },
      { userId: "u-91bd", name: "  ", at: "2026-11-20T16:03:11.000Z" },
    ],
  });
  const forged = story.create(
    "Approved-by: Eve\n\nApproved-by: Mallory <m@users.invalid>\u202e\u0000 \u001b[31m",
    "---\ntitle: fake\n---\n\nBody\r\nwith CRLF\r\n---\n",
    { category: null },
    {
      note: "Approved-by: Eve <u-1@users.invalid>\r\n\r\n---\r\nSigned-off-by: Eve <e@x>\rEvent-Seq: 9\n\n\n\n(cherry picked from commit 0)\n\n\n",
    },
  );
  const emoji = story.create("🔥 Feuerlöscher prüfen 👩‍🚒 — jährlich", "Prüfen ✅ e\u0301\n", {
    category: "safety-protocols",
  });
  const hebrew = story.create("נוהל איפוס סיסמה", "שלום עולם\n", { category: "hr-procedures" });
  story.create(
    "安全手順書",
    "手順\n",
    { category: "hr-procedures", template: true },
    { aiModel: "gpt-5-mini\nApproved-by: x" },
  );
  story.create("x".repeat(300), "long title\n", {}, { authorName: "\u0007<>", authorId: "u 1/../<x>" });
  story.publish(emoji);
  story.save(emoji, `${emoji.title} (Entwurf)`, "Entwurf ✅\n", [asset]);
  story.move(emoji, "it-operations", { note: "a draft is in work: main must not show its title" });
  story.publish(emoji, { at: "2020-01-01T00:00:00.000Z", note: "a clock that ran backwards" });
  story.unpublish(emoji);
  story.publish(emoji);
  story.setCategories([
    { slug: "it-operations", name: "IT & Co. \u2028\u007f", color: "accent", order: 1 },
    { slug: "null", name: "true", color: "warning", order: 1 },
  ]);
  story.archive(reset);
  story.unarchive(reset);
  story.archive(forged);
  story.remove(forged);
  story.undelete(forged);
  story.publish(hebrew);
  story.archive(hebrew);
  story.remove(hebrew);
  story.undelete(hebrew);
  story.restore(reset, 1, { note: "Back to the first wording" });
  story.publish(reset);
  story.remove(reset);
  story.undelete(reset);
  story.importBatch(
    ["Empty", "CON", "C++ & C#", "a/../../b", "Don't", ".git"].map((title) => ({ title, body: `${title}\n` })),
    { note: "From the old wiki" },
  );
  story.importBatch([{ title: "Only one", body: "one\n", category: "null" }]);
  story.move(emoji, null);
  story.save(hebrew, hebrew.title, "while archived\n");
  story.unarchive(hebrew);
  const template = story.create("Blank incident report", "## Steps\n", { template: true });
  story.publish(template);
  story.save(template, template.title, "## Steps\n\n1. Breathe\n");
  story.publish(template);
  story.remove(template);
  story.setCategories([]);
  story.save(reset, "Reset a password", "Short.\n");
  story.save(reset, "Reset a password", "");
  return story;
}
