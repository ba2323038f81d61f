import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latinSlug, defaultNumberLabel, sopPath, versionTag } from "./names.ts";
import { slugify } from "./slugs.ts";

describe("slugify", () => {
  it.each([
    ["Reset a user password: service desk", "reset-a-user-password-service-desk"],
    ["Größe prüfen & Maß nehmen", "grosse-prufen-and-mass-nehmen"],
    ["Don't panic", "dont-panic"],
    ["  --Ångström--  ", "angstrom"],
    ["CON", "con-document"],
    ["lpt1", "lpt1-document"],
    ["安全手順", "anquanshoushun"],
    ["Проверка насоса", "proverka-nasosa"],
    ["Έλεγχος αντλίας", "elegchos-antlias"],
    ["서버 재시작", "seobeo-jaesijag"],
    ["サーバー", "saba"],
    ["ｻｰﾊﾞｰ 1", "saba-1"],
    ["إجراء السلامة", "jr-lslmh"],
    ["Pumpe プンプ prüfen", "pumpe-punpu-prufen"],
    ["安".repeat(80), "an".repeat(30)],
    ["", "document"],
    ["🔥🔥", "document"],
    ["../../etc/passwd", "etc-passwd"],
  ])("%j → %j", (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  it("gives names in Latin letters the slug they always had", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 80 }), (title) => {
        expect(slugify(title)).toBe(latinSlug(title));
      }),
    );
    expect(slugify("E\u0301te\u0301")).toBe("ete");
  });

  it("gives a portable file name for any title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (title) => {
        const slug = slugify(title);
        expect(slug).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
        expect(slug.length).toBeLessThanOrEqual(60);
        expect(slug).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/);
        expect(slugify(slug)).toBe(slug);
      }),
    );
  });
});

describe("paths", () => {
  it("labels with at least four digits", () => {
    expect(defaultNumberLabel(42)).toBe("SOP-0042");
    expect(defaultNumberLabel(123456)).toBe("SOP-123456");
    expect(versionTag("SOP-0042", 3)).toBe("sop-0042/v3");
  });

  it.each([
    [{ categorySlug: "it", isTemplate: false, archived: false }, "sops/it/sop-0042-reset.md"],
    [{ categorySlug: "it", isTemplate: true, archived: false }, "templates/it/sop-0042-reset.md"],
    [{ categorySlug: "it", isTemplate: true, archived: true }, "archive/it/sop-0042-reset.md"],
    [{ categorySlug: null, isTemplate: false, archived: false }, "sops/uncategorized/sop-0042-reset.md"],
  ])("%j → %s", (place, path) => {
    expect(sopPath({ label: "SOP-0042", slug: "reset", ...place })).toBe(path);
  });
});
