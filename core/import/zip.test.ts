import { strToU8, zipSync } from "fflate";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inMemory, openZip, zipBudget } from "./zip.ts";

const open = (bytes: Uint8Array, limits = {}) => openZip(inMemory(bytes), zipBudget(limits));
const read = (bytes: Uint8Array) => open(bytes).map((entry) => [entry.path, new TextDecoder().decode(entry.read())]);

/** Changes a field of the central directory's first row. */
function patched(bytes: Uint8Array, at: number, value: number, width: 2 | 4 = 2): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  let row = 0;
  while (view.getUint32(row, true) !== 0x02014b50) row += 1;
  if (width === 2) view.setUint16(row + at, value, true);
  else view.setUint32(row + at, value, true);
  return copy;
}

const plain = zipSync({
  "a.md": strToU8("# A\n"),
  "dir/b.md": strToU8("# B\n".repeat(100)),
  "c.md": [strToU8("x"), { level: 0 }],
});

describe("openZip", () => {
  test("reads packed and stored files", () => {
    expect(read(plain)).toEqual([
      ["a.md", "# A\n"],
      ["dir/b.md", "# B\n".repeat(100)],
      ["c.md", "x"],
    ]);
  });

  test("reads what it is given, whatever is in it", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.uint8Array({ maxLength: 5_000 })), (files) => {
        const entries = open(zipSync(files));
        expect(Object.fromEntries(entries.map((entry) => [entry.path, [...entry.read()]]))).toEqual(
          Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, [...bytes]])),
        );
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ["../x.md", "leads out"],
    ["a/../../x.md", "leads out"],
    ["/etc/x.md", "leads out"],
    ["C:\\x.md", "leads out"],
    ["..\\x.md", "leads out"],
  ])("refuses the path %s", (name, why) => {
    expect(() => open(zipSync({ [name]: strToU8("x") }))).toThrow(why);
  });

  test("refuses symbolic links", () => {
    const link = zipSync({ "a.md": [strToU8("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] });
    expect(() => open(link)).toThrow("symbolic link (a.md)");
  });

  test("refuses what is encrypted, before it unpacks anything", () => {
    expect(() => open(patched(plain, 8, 1))).toThrow("encrypted");
  });

  test("refuses unknown methods", () => {
    expect(() => open(patched(plain, 10, 99))).toThrow("method that is not read (99)");
  });

  test("refuses a bomb by its directory", () => {
    const bomb = zipSync({ "a.md": new Uint8Array(20 * 1024 * 1024) }, { level: 9 });
    expect(bomb.length).toBeLessThan(30_000);
    expect(() => open(bomb)).toThrow("far more than");
  });

  test("stops a bomb that lies about its size while it unpacks", () => {
    const bomb = zipSync({ "a.md": new Uint8Array(20 * 1024 * 1024) }, { level: 9 });
    const [entry] = open(patched(bomb, 24, 1_000, 4));
    expect(() => entry?.read()).toThrow("far more than");
  });

  test("refuses too many files, too much unpacked, too large an archive", () => {
    expect(() => open(plain, { entries: 2 })).toThrow("holds 3 files, at most 2");
    expect(() => open(plain, { unpacked: 100 })).toThrow("would unpack to");
    expect(() => open(plain, { packed: 100 })).toThrow("at most");
    expect(() => open(plain)[1]?.read(10)).toThrow("at most");
  });

  test("archives inside an archive share what may be unpacked", () => {
    const budget = zipBudget({ entries: 5 });
    openZip(inMemory(plain), budget);
    expect(() => openZip(inMemory(plain), budget)).toThrow("at most 2");
  });

  test("refuses entries on top of each other", () => {
    const twice = patched(plain, 42, 30, 4);
    expect(() => open(twice)).toThrow("damaged");
  });

  test("finds changed bytes by their checksum", () => {
    const [entry] = open(patched(plain, 16, 12345, 4));
    expect(() => entry?.read()).toThrow("damaged");
  });

  test("refuses what is no zip, or only a part of one", () => {
    expect(() => open(strToU8("hello"))).toThrow("zip archive, or its end is missing");
    expect(() => open(plain.subarray(0, plain.length - 30))).toThrow("zip archive, or its end is missing");
    expect(() => open(new Uint8Array())).toThrow("zip archive, or its end is missing");
  });

  test("whatever the bytes, it answers or refuses", () => {
    fc.assert(
      fc.property(fc.nat(plain.length - 1), fc.nat(255), (at, value) => {
        const copy = plain.slice();
        copy[at] = value;
        try {
          for (const entry of open(copy)) entry.read();
        } catch (error) {
          expect((error as Error).name).toBe("AppError");
        }
      }),
      { numRuns: 300 },
    );
  });
});
