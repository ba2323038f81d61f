import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { categoriesFileText, repoFileText } from "./repo-files.ts";

describe(".sop files", () => {
  it("orders categories by order, then slug", () => {
    const entry = (slug: string, order: number) => ({ slug, name: slug.toUpperCase(), color: "primary", order });
    expect(categoriesFileText([entry("b", 2), entry("a", 2), entry("c", 1)])).toBe(
      ["c", "a", "b"]
        .map(
          (slug) =>
            `"${slug}":\n  name: "${slug.toUpperCase()}"\n  color: "primary"\n  order: ${slug === "c" ? 1 : 2}\n`,
        )
        .join(""),
    );
  });

  it("reads back as it was, with any name", () => {
    const entry = fc.record({
      slug: fc.stringMatching(/^[a-z0-9-]{1,10}$/),
      name: fc.string({ unit: "binary" }).filter((name) => name.isWellFormed()),
      color: fc.constantFrom("primary", "warning"),
      order: fc.nat(99),
    });
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: (category) => category.slug }), (categories) => {
        const expected = categories.map(({ slug, name, color, order }) => [
          slug,
          { name: name.normalize("NFC"), color, order },
        ]);
        expect(parse(categoriesFileText(categories))).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  it("names the category around one", () => {
    const it = { slug: "it", name: "IT", color: "accent", order: 0 };
    const servers = { slug: "servers", name: "Servers", color: "accent", order: 1, parent: "it" };
    expect(parse(categoriesFileText([it, servers]))).toEqual({
      it: { name: "IT", color: "accent", order: 0 },
      servers: { name: "Servers", color: "accent", order: 1, parent: "it" },
    });
  });

  it("is a mapping even when empty", () => {
    expect(parse(categoriesFileText([]))).toEqual({});
    expect(parse(repoFileText("c-1", 2))).toEqual({ format: 1, company: "c-1", epoch: 2 });
  });
});
