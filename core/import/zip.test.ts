import { strFromU8, strToU8, zipSync } from "fflate";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readerOfBytes, openZip, createZipBudget } from "./zip.ts";

const open = (bytes: Uint8Array, limits = {}) => openZip(readerOfBytes(bytes), createZipBudget(limits));

async function read(bytes: Uint8Array): Promise<[string, Uint8Array][]> {
  const read: [string, Uint8Array][] = [];
  for (const entry of await open(bytes)) read.push([entry.path, await entry.read()]);
  return read;
}

/** The refusal of an archive, either when it is opened or when its files are read. */
const refusal = (bytes: Uint8Array) =>
  read(bytes).then(
    () => "nothing was refused",
    (error: Error) => `${error.name}: ${error.message}`,
  );

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

const bomb = zipSync({ "a.md": new Uint8Array(20 * 1024 * 1024) }, { level: 9 });

/** The directory's row and the file's header both have this size. */
function lying(bytes: Uint8Array, size: number): Uint8Array {
  const copy = patched(bytes, 24, size, 4);
  new DataView(copy.buffer).setUint32(22, size, true);
  return copy;
}

describe("openZip", () => {
  test("reads packed and stored files", async () => {
    expect((await read(plain)).map(([path, bytes]) => [path, strFromU8(bytes)])).toEqual([
      ["a.md", "# A\n"],
      ["dir/b.md", "# B\n".repeat(100)],
      ["c.md", "x"],
    ]);
  });

  test("reads files with any content", async () => {
    const files = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.uint8Array({ maxLength: 5_000 }));
    await fc.assert(
      fc.asyncProperty(files, async (files) => {
        expect(await read(zipSync(files))).toEqual(Object.entries(files));
      }),
      { numRuns: 40 },
    );
  });

  test("reads names in UTF-8 and in Windows' letters, with or without a flag", async () => {
    const accents = zipSync({ "Prüfung.md": strToU8("x") });
    const name = strToU8("Prüfung.md");
    const western = zipSync({ "Pr_fung.md": strToU8("x") });
    for (let at = 0; at < western.length; at += 1) if (western[at] === 0x5f) western[at] = 0xfc;
    expect(name).toHaveLength(11);
    expect((await open(patched(accents, 8, 0)))[0]?.path).toBe("Prüfung.md");
    expect((await open(patched(accents, 8, 0x800)))[0]?.path).toBe("Prüfung.md");
    expect((await open(western))[0]?.path).toBe("Prüfung.md");
  });

  test("reads folders of Windows as folders", async () => {
    const archive = zipSync({ "docs\\": new Uint8Array(), "docs\\a.md": strToU8("x"), "./b.md": strToU8("y") });
    expect((await read(archive)).map(([path]) => path)).toEqual(["docs/a.md", "b.md"]);
  });

  test.each([
    ["../x.md", "leads out"],
    ["a/../../x.md", "leads out"],
    ["/etc/x.md", "leads out"],
    ["C:\\x.md", "leads out"],
    ["..\\x.md", "leads out"],
    ["a\u0007.md", "leads out"],
  ])("refuses the path %s", async (name, why) => {
    await expect(open(zipSync({ [name]: strToU8("x") }))).rejects.toThrow(why);
  });

  test("refuses two files of one name", async () => {
    await expect(open(zipSync({ "a.md": strToU8("x"), "./a.md": strToU8("y") }))).rejects.toThrow("holds a.md twice");
  });

  test("refuses symbolic links", async () => {
    const link = zipSync({ "a.md": [strToU8("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] });
    await expect(open(link)).rejects.toThrow("symbolic link (a.md)");
  });

  test("refuses what is encrypted, before it unpacks anything", async () => {
    await expect(open(patched(plain, 8, 1))).rejects.toThrow("encrypted");
  });

  test("refuses unknown methods", async () => {
    await expect(open(patched(plain, 10, 99))).rejects.toThrow("method that is not read (99)");
  });

  test("refuses a bomb by its directory", async () => {
    expect(bomb.length).toBeLessThan(30_000);
    await expect(open(bomb)).rejects.toThrow("far more than");
  });

  test("stops a bomb that lies about its size while it unpacks", async () => {
    const [entry] = await open(lying(bomb, 1_000));
    await expect(entry?.read()).rejects.toThrow("far more than");
  });

  test("refuses a file whose two sizes differ, and one that unpacks to less than it says", async () => {
    expect(await refusal(patched(bomb, 24, 1_000, 4))).toContain("damaged");
    expect(await refusal(lying(plain, 9))).toMatch(/damaged|far more/);
  });

  test("refuses too many files, too much unpacked, too large an archive", async () => {
    await expect(open(plain, { entries: 2 })).rejects.toThrow("holds more than 2 files");
    await expect(open(plain, { unpacked: 100 })).rejects.toThrow("would unpack to");
    await expect(open(plain, { packed: 100 })).rejects.toThrow("at most");
    await expect((await open(plain))[1]?.read(10)).rejects.toThrow("at most");
  });

  test("archives inside an archive share what may be unpacked", async () => {
    const budget = createZipBudget({ entries: 5 });
    await openZip(readerOfBytes(plain), budget);
    await expect(openZip(readerOfBytes(plain), budget)).rejects.toThrow("more than 2 files");
  });

  test("refuses entries on top of each other", async () => {
    expect(await refusal(patched(plain, 42, 30, 4))).toContain("damaged");
  });

  test("finds changed bytes by their checksum", async () => {
    expect(await refusal(patched(plain, 16, 12345, 4))).toContain("damaged");
    const changed = patched(plain, 16, 12345, 4);
    new DataView(changed.buffer).setUint32(14, 12345, true);
    expect(await refusal(changed)).toContain("damaged");
  });

  test("refuses a directory that would fill the memory, before it reads it", async () => {
    const size = 150 * 1024 * 1024;
    const end = new Uint8Array(22);
    const view = new DataView(end.buffer);
    view.setUint32(0, 0x06054b50, true);
    view.setUint16(8, 2_000, true);
    view.setUint16(10, 2_000, true);
    view.setUint32(12, size - end.length, true);
    let most = 0;
    const read = (offset: number, length: number) => {
      most = Math.max(most, length);
      const bytes = new Uint8Array(Math.min(length, size - offset));
      if (offset + bytes.length === size) bytes.set(end, bytes.length - end.length);
      return bytes;
    };
    await expect(openZip({ size, read })).rejects.toThrow("damaged");
    expect(most).toBeLessThan(1024 * 1024);
  });

  test("refuses what is no zip, or only a part of one", async () => {
    await expect(open(strToU8("hello"))).rejects.toThrow("zip archive, or its end is missing");
    await expect(open(plain.subarray(0, plain.length - 30))).rejects.toThrow("zip archive, or its end is missing");
    await expect(open(new Uint8Array())).rejects.toThrow("zip archive, or its end is missing");
  });

  test("answers or refuses any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(plain.length - 1), fc.nat(255), async (at, value) => {
        const copy = plain.slice();
        copy[at] = value;
        expect(await refusal(copy)).toMatch(/^nothing was refused$|^AppError: /);
      }),
      { numRuns: 300 },
    );
  });
});
