/** No one borrows the identity of another user: by a name, by one that looks the same, by an email address. */
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { limits } from "#core/limits.ts";
import { notificationSentence } from "#core/notifications/texts.ts";
import { roleLabel, roles } from "#core/permissions/roles.ts";
import { committer } from "#core/repository/objects.ts";
import {
  hasAllWordsOfName,
  doNamesLookAlike,
  looksToStore,
  looksOfName,
  readingsWithDigitsAsLetters,
} from "#core/users/looks.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => "done",
    (error: unknown) => (error instanceof ApiError ? [error.status, error.details] : error),
  );
const taken = "This name looks like another user's, or contains it. Ask an administrator";
const ofProduct = "Sopwright shows this name itself. Use the person's own name";
const emailTaken = [409, { email: "Another user of this company has this email address" }];

describe("names that look the same", () => {
  test.each([
    ["Ada Boss", "ada  boss"],
    ["Ada Boss", "ADA BOSS."],
    ["Ada Boss", "Аԁа Воѕѕ"],
    ["Ian", "lan"],
    ["Bo0", "BoO"],
    ["Ada Boss", "Ada\u00adBoss"],
    ["Ada Lovelace", "Ada Love|ace"],
    ["Ada Lovelace", "Ada Lovelac\u1eb9"],
    ["Ada Lovelace", "Ada Lovelace\u0332"],
    ["Bea Boss", "Bea 8oss"],
    ["Walker", "Vvalker"],
    ["Max Cox", "Cox Max"],
    ["Max Cox", "Cox, Max"],
    ["Max Cox", "Max Cöx"],
    ["Max Cox", "Сох Мах"],
    ["Anna Müller", "Anna Muller"],
    ["Erik Berg", "Eriĸ Berg"],
  ])("%s and %s", (one, other) =>
    expect([doNamesLookAlike(one, other), doNamesLookAlike(other, one)]).toEqual([true, true]),
  );

  test.each([
    ["Ada Boss", "Ada B. Boss"],
    ["Max Cox", "Max Cox Jr"],
    ["山田 太郎", "山田 次郎"],
  ])("%s and %s don't", (one, other) => expect(doNamesLookAlike(one, other)).toBe(false));
});

const isReadAs = (name: string, other: string) =>
  readingsWithDigitsAsLetters(name).some((one) => doNamesLookAlike(one, other));

test.each([
  ["Anna Ber9", "Anna Berg"],
  ["4nna Berg", "Anna Berg"],
  ["4nn4 8er9", "Anna Berg"],
  ["1nna Berg", "Inna Berg"],
  ["0livia", "Olivia"],
  ["0LIVIA", "Olivia"],
  ["M1a", "Mia"],
  ["0liv1a 570n3", "Olivia Stone"],
  ["54m 5070", "Sam Soto"],
  ["6itta 80", "Gitta Bo"],
])("%s can be read as %s", (name, other) => expect(isReadAs(name, other)).toBe(true));

test("honest names with other numbers aren't read as each other", () => {
  const word = fc.constantFrom("Line", "R", "Room", "Anna Berg", "Station", "Halle", "T", "Ü");
  const number = fc.integer({ min: 0, max: 120 });
  const gap = fc.constantFrom(" ", "", "-");
  fc.assert(
    fc.property(word, gap, number, number, (name, between, one, other) => {
      fc.pre(one !== other);
      const [mine, theirs] = [one, other].map((n) => `${name}${between}${n}`) as [string, string];
      const looks = looksToStore({ name: theirs, username: "hm" });
      expect([
        isReadAs(mine, theirs),
        readingsWithDigitsAsLetters(mine).some((reading) => hasAllWordsOfName(reading, looks)),
      ]).toEqual([false, false]);
    }),
    { numRuns: 5_000 },
  );
});

describe("names that have all words of another one", () => {
  const has = (name: string, other: string) => hasAllWordsOfName(name, looksToStore({ name: other, username: "hm" }));
  test.each([
    ["Dr. Helen Marsh", "Helen Marsh"],
    ["Helen Marſh", "Helen Marsh"],
    ["Helen Marsh™", "Helen Marsh"],
    ["Helenʼs Marsh", "Helen Marsh"],
    ["Helen d'Marsh", "Helen Marsh"],
    ["Helen Marsh's deputy", "Helen Marsh"],
    ["Mrs Helen Marsh, Operations Director", "Helen Marsh"],
    ["Helen Marsh - Director", "Helen Marsh"],
    ["Helen Marsh–Director", "Helen Marsh"],
    ["Helen Marsh (QA)", "Helen Marsh"],
    ["Helen J. Marsh", "Helen Marsh"],
    ["Marsh, Helen Jr.", "Helen Marsh"],
    ["Director Marsh, Dr. Helen", "Helen Marsh"],
    ["HelenMarsh Director", "Helen Marsh"],
    ["Director Hel en Marsh", "Helen Marsh"],
    ["Mrs HeIen Marsh", "Helen Marsh"],
    ["Mrs ВОВ НЕТТ", "Bob Hett"],
    ["Mrs lan Mill", "Ian Mill"],
    ["Dr. Нелен Marsh", "Нелен Marsh"],
    ["Helen Märsh Jr", "Helen Marsh"],
    ["Helen Marsh", "Dr. Helen J. Marsh (QA)"],
    ["Miss Jean Luc Picard", "Jean-Luc Picard"],
    ["山田 太郎 部長", "山田 太郎"],
  ])("%s has %s", (name, other) => expect(has(name, other)).toBe(true));

  test.each([
    ["Helen Marshall", "Helen Marsh"],
    ["Helen", "Helen Marsh"],
    ["Helen Marsh", "Helen Maria Marsh"],
    ["Helen Smith", "Helen"],
    ["Dr. Helen Marsh", "Dr. Helen"],
    ["Anna Marsh", "J. Marsh"],
  ])("%s doesn't have %s", (name, other) => expect(has(name, other)).toBe(false));
});

test("a user who changes names without end keeps the looks of the present one and the latest others", () => {
  let looks: string[] = [];
  for (let n = 0; n < 200; n++)
    looks = looksToStore({ name: `Name ${"abcdefghij"[n % 10]} ${n}`, username: "ada" }, looks);
  expect(looks.length).toBe(700);
  expect(looks).toEqual(expect.arrayContaining(["Name j 199", "Name i 198", "ada"].flatMap(looksOfName)));
});

describeServer("own identity", (server) => {
  let company: Company;
  let admin: TestUser;
  let boss: TestUser;
  let user: TestUser;

  beforeEach(async () => {
    company = await server().company();
    admin = await company.user("company_admin", { name: "Olga Admin" });
    boss = await company.user("manager", { name: "Ada Boss" });
    user = await company.user("reviewer", { name: "Rita Reviewer" });
  });

  const rename = (who: TestUser, name: string) => who.client.account.update({ body: { name } });
  const account = (username: string, more: object = {}) => ({
    username,
    name: `User ${username}`,
    password: "a long walk to the river",
    role: "viewer" as const,
    ...more,
  });

  test.each(["Ada Boss", "ada boss", "Ada  Boss", "Аԁа Воѕѕ", "Ada. Boss", "4da Boss", "Dr. 4da Boss", "4da 8055"])(
    "a user can't take the name of another one: %s",
    async (name) => {
      expect(await refusal(rename(user, name))).toEqual([409, { name: taken }]);
    },
  );

  test.each(["Dr. Ada Boss", "Mrs Ada Boss", "Ada Boss - Director", "Ada Boss (QA)", "Ada B. Boss", "Boss, Ada, Jr."])(
    "a user can't write words around the name of another one: %s",
    async (name) => {
      expect(await refusal(rename(user, name))).toEqual([409, { name: taken }]);
      // an administrator can, and is told
      const { note } = await admin.client.companyUsers.create({
        body: account(`${boss.username}-third`, { name: `${name} Third` }),
      });
      expect(note).toBe(`The name of Ada Boss (${boss.username}) is a part of this name`);
      // signatures show an earlier name
      await rename(boss, "Ada Married");
      expect(await refusal(rename(user, name))).toEqual([409, { name: taken }]);
    },
  );

  test("a user can write words around the own name", async () => {
    for (const name of ["Dr. Rita Reviewer", "Rita Reviewer, QA", "Rita Ada Reviewer"])
      expect([name, await refusal(rename(user, name))]).toEqual([name, "done"]);
  });

  test("an administrator gets a note on a rename that looks like another user's name", async () => {
    const update = async (name: string) =>
      (await admin.client.companyUsers.update({ params: { id: user.id }, body: { name } })).note;
    expect(await update("Rita Other")).toBeUndefined();
    expect(await update("Prof. Ada Boss")).toBe(`The name of Ada Boss (${boss.username}) is a part of this name`);
    expect(await update("Boss, Ada")).toBe(`Ada Boss (${boss.username}) has a name or username that looks the same`);
    expect(await update("Boss, Ada")).toBeUndefined();
    expect(await update("4da Boss")).toBe(`Ada Boss (${boss.username}) has a name or username that looks the same`);
  });

  test("a user can't write another one's signature into a longer name", async () => {
    for (const name of [
      `Ada Boss (${boss.username}) and`,
      `Ada (${boss.username.toUpperCase()}`,
      `A [${boss.username}]`,
    ])
      expect([name, await refusal(rename(user, name))]).toEqual([name, [409, { name: taken }]]);
    await rename(user, "Rita Reviewer (QA)");
  });

  test("a user can't take another one's username or signature as a name", async () => {
    expect(await refusal(rename(user, boss.username))).toEqual([409, { name: taken }]);
    expect(await refusal(rename(user, `Ada Boss (${boss.username})`))).toEqual([409, { name: taken }]);
    // an administrator is no exception for the own name
    const body = { name: "Ada Boss" };
    const own = admin.client.companyUsers.update({ params: { id: admin.id }, body });
    expect(await refusal(own)).toEqual([409, { name: taken }]);
  });

  test("a name of another company is free", async () => {
    await (await server().company()).user("viewer", { name: "Nora Elsewhere" });
    expect(await refusal(rename(user, "Nora Elsewhere"))).toBe("done");
  });

  test("names of deleted users and earlier names stay reserved, as signatures show them", async () => {
    await rename(boss, "Ada Married");
    for (const name of ["Ada Boss", "Ada Married"])
      expect(await refusal(rename(user, name))).toEqual([409, { name: taken }]);
    expect(await refusal(rename(boss, "Ada Boss"))).toBe("done");
    await admin.client.companyUsers.remove({ params: { id: boss.id } });
    for (const name of ["Ada Boss", "Boss, Ada", "Ada Married"])
      expect(await refusal(rename(user, name))).toEqual([409, { name: taken }]);
  });

  test("an administrator can have two people of the same name", async () => {
    const body = account("second.ada", { name: "Ada Boss" });
    expect(await refusal(admin.client.companyUsers.create({ body }))).toBe("done");
    const renamed = admin.client.companyUsers.update({ params: { id: user.id }, body: { name: "Ada Boss" } });
    expect(await refusal(renamed)).toBe("done");
    // they keep the name with other changes of their own
    expect(await refusal(user.client.account.update({ body: { name: "Ada Boss", title: "Auditor" } }))).toBe("done");
  });

  test("an administrator gets a note on a new user who looks like another one", async () => {
    const { note: none } = await admin.client.companyUsers.create({ body: account("zoe-mia", { name: "Zoe Oslo" }) });
    expect(none).toBeUndefined();
    const noteOf = async (username: string, name: string) =>
      (await admin.client.companyUsers.create({ body: account(username, { name }) })).note;
    const note = "Zoe Oslo (zoe-mia) has a name or username that looks the same";
    expect(await noteOf("zoe-m1a", "Rn Other")).toBe(note);
    expect(await noteOf("second.zoe", "Oslo, Zoe")).toBe(note);
  });

  test("who joins can't take a name or an email address of the company", async () => {
    await admin.client.companyUsers.update({ params: { id: boss.id }, body: { email: "ada@lab.example" } });
    const { link } = await admin.client.invitations.create({ body: { role: "viewer" } });
    const invite = new URL(link).searchParams.get("invite") ?? "";
    const { role: _role, ...form } = account("joins");
    const join = (more: object) =>
      server()
        .clientWith({})
        .auth.register({ body: { ...form, invite, ...more } });
    expect(await refusal(join({ name: "Ada Boss" }))).toEqual([409, { name: taken }]);
    expect(await refusal(join({ email: "ADA@lab.example" }))).toEqual(emailTaken);
    expect(await refusal(join({ email: "joins@lab.example" }))).toBe("done");
  });

  test("a name that the product prints is no name of a user, nor one that looks like it", async () => {
    const [product = ""] = notificationSentence({ kind: "comment", actor: null, sop: null, detail: {} }).text.split(
      " ",
    );
    const printed = [product, committer.replace(/ <.*/, ""), "Unknown", "The system", "AI Assistant"];
    const disguised = [
      "ADMINISTRATOR.",
      "Adm1nistrator",
      "Administratör",
      "Syst3m",
      "Server, SOP",
      "S0P bot",
      "Sopwr1ght",
      "Sopwright System",
      "The Sopwright Team",
      "System II",
      "Server 2",
      "Dr. System",
      "The Administrators",
      "System (Sopwright)",
    ];
    for (const name of [...roles.map(roleLabel), ...printed, ...disguised]) {
      const asked = [
        () => rename(user, name),
        () => admin.client.companyUsers.create({ body: account("printed", { name }) }),
        () => admin.client.companyUsers.update({ params: { id: user.id }, body: { name } }),
      ];
      for (const one of asked) expect([name, await refusal(one())]).toEqual([name, [409, { name: ofProduct }]]);
    }
    const { role: _role, ...form } = account("founds");
    const founding = server()
      .clientWith({})
      .auth.register({ body: { ...form, name: "System" } });
    expect(await refusal(founding)).toEqual([409, { name: ofProduct }]);
  });

  test("a role in another language is no name of a user, beside a first name it is", async () => {
    const roleNames = [
      ["Prüferin", "Systemadministrator", "Der Genehmiger"],
      ["L’administrateur", "Réviseur", "Approbateur 2"],
      ["Administradora", "El Revisor"],
      ["Amministratore", "Revisore", "Il Sistema"],
      ["Beheerder", "De Goedkeurder", "Leitora"],
      ["Chief Administrator", "Lead Reviewer", "Admin01", "IT Support", "Deleted user"],
      ["QA Manager", "Shift Manager", "Line 4 Manager", "Senior QA Reviewer", "Plant Admin", "QA Viewer 2"],
      ["Администратор", "管理者", "관리자", "Ylläpitäjä"],
    ];
    for (const name of roleNames.flat())
      expect([name, await refusal(rename(user, name))]).toEqual([name, [409, { name: ofProduct }]]);
    for (const name of ["Anna Prüfer", "María Lectora", "Luca Gestore"])
      expect([name, await refusal(rename(user, name))]).toEqual([name, "done"]);
  });

  test("a username of the product, of a role or of an operator is free for no one", async () => {
    const taken = "Sopwright shows this name itself. Choose another username";
    const { link } = await admin.client.invitations.create({ body: { role: "viewer" } });
    const invite = new URL(link).searchParams.get("invite") ?? "";
    const { client } = await server().signUp();
    const reserved = ["system", "admin", "sop", "support", "root", "sop-server", "5ystem", "r00t", "approver"];
    for (const username of [...reserved, "sysadmin", "admin1", "mailer-daemon", "deleted-user"]) {
      const { role: _role, ...form } = account(username);
      const asked = [
        () =>
          server()
            .clientWith({})
            .auth.register({ body: { ...form, name: "Nora Elsewhere" } }),
        () =>
          server()
            .clientWith({})
            .auth.register({ body: { ...form, name: "Nora Elsewhere", invite } }),
        () => admin.client.companyUsers.create({ body: account(username, { name: "Nora Elsewhere" }) }),
        () => client.companyUsers.create({ body: account(username, { name: "Nora Elsewhere" }) }),
      ];
      for (const one of asked) expect([username, await refusal(one())]).toEqual([username, [409, { username: taken }]]);
    }
    for (const username of ["system-anna", "ann.admin", "sophie", "rootes"])
      expect([
        username,
        await refusal(admin.client.companyUsers.create({ body: account(username, { name: `Jo ${username.length}` }) })),
      ]).toEqual([username, "done"]);
  });

  test("a user who has such a name keeps it, and longer names are free", async () => {
    const { db } = server();
    await db.collection("users").updateOne({ _id: user.id }, { $set: { name: "System" } });
    const body = { name: "System", title: "Clerk" };
    expect(await refusal(user.client.account.update({ body }))).toBe("done");
    expect(await refusal(admin.client.companyUsers.update({ params: { id: user.id }, body }))).toBe("done");
    for (const name of ["Rita Admin", "Systema Otto", "Bo Manager", "Line Holm Manager", "QA Lead"])
      expect([name, await refusal(rename(user, name))]).toEqual([name, "done"]);
  });

  test("hidden and mixed characters are refused in each call that takes a name", async () => {
    const name = "Аnn Person";
    const mixed = [400, { name: "Write each word of the name in one alphabet" }];
    expect(await refusal(rename(user, name))).toEqual(mixed);
    expect(await refusal(admin.client.companyUsers.create({ body: account("one", { name }) }))).toEqual(mixed);
    expect(await refusal(admin.client.companyUsers.update({ params: { id: user.id }, body: { name } }))).toEqual(mixed);
    const hidden = "Remove the invisible characters, or type the name again";
    expect(await refusal(rename(user, "A\u0000B"))).toEqual([400, { name: hidden }]);
    expect(await refusal(user.client.account.update({ body: { title: "Boss\u202e" } }))).toEqual([
      400,
      { title: hidden },
    ]);
    for (const bad of ["I\u202eT", "I\nT", "I\u200bT"]) {
      const asked = [
        () => admin.client.teams.create({ body: { name: bad } }),
        () => admin.client.categories.create({ body: { name: bad } }),
        () => admin.client.company.update({ body: { name: bad } }),
        () => admin.client.tokens.create({ body: { name: bad, scopes: ["sops:read"] } }),
      ];
      for (const one of asked) expect(await refusal(one())).toEqual([400, { name: hidden }]);
    }
  });

  describe("an email address", () => {
    test("belongs to one user of a company, by each call that sets it", async () => {
      const set = (id: string, email: string) => admin.client.companyUsers.update({ params: { id }, body: { email } });
      await set(boss.id, "ada@lab.example");
      expect(await refusal(set(user.id, "Ada@Lab.Example"))).toEqual(emailTaken);
      const body = account("second", { email: "ada@lab.example" });
      expect(await refusal(admin.client.companyUsers.create({ body }))).toEqual(emailTaken);
      const own = { email: "ada@lab.example" };
      expect(await refusal(user.client.account.update({ body: own }))).toEqual(emailTaken);
      // a deleted user's address is free, and the user comes back without it
      await admin.client.companyUsers.remove({ params: { id: boss.id } });
      expect(await refusal(set(user.id, "ada@lab.example"))).toBe("done");
      const back = (email?: string) => ({ params: { id: boss.id }, body: { status: "active" as const, email } });
      expect(await refusal(admin.client.companyUsers.update(back()))).toEqual(emailTaken);
      expect(await refusal(admin.client.companyUsers.update(back("")))).toBe("done");
    });

    test("of another company is no one's business", async () => {
      const other = await server().company();
      const theirs = await other.user("company_admin");
      await theirs.client.companyUsers.create({ body: account("elsewhere", { email: "same@lab.example" }) });
      const body = account("here", { email: "same@lab.example" });
      expect(await refusal(admin.client.companyUsers.create({ body }))).toBe("done");
    });

    test("that two users had before stays, and both keep changing other fields", async () => {
      const users = server().db.collection("users");
      const $set = { email: "both@lab.example" };
      await users.updateMany({ _id: { $in: [user.id, boss.id] } }, { $set });
      const body = { email: "both@lab.example", title: "Auditor" };
      expect(await refusal(user.client.account.update({ body }))).toBe("done");
      expect(await refusal(admin.client.companyUsers.update({ params: { id: boss.id }, body }))).toBe("done");
    });

    test("goes to one of two who ask at once", async () => {
      const bodies = ["left", "right"].map((name) => account(name, { email: "once@lab.example" }));
      const asked = await Promise.all(bodies.map((body) => refusal(admin.client.companyUsers.create({ body }))));
      expect(asked.filter((one) => one === "done")).toHaveLength(1);
      expect(asked).toContainEqual(emailTaken);
    });
  });

  describe("of a user who changes the own name again and again", () => {
    const tooOften = `You changed your name ${limits.ownRenamesDay} times today`;
    const notes = async (who: TestUser) => (await who.client.notifications.list({ query: {} })).data;
    const renames = async () =>
      (await admin.client.audit.list({ query: { action: "account.update" } })).data.map(({ changes }) => changes);

    test("each administrator has one open note, with each name since the one that they know", async () => {
      const second = await company.user("company_admin", { name: "Sven Second" });
      await rename(user, "Rita One");
      const [first] = await notes(admin);
      await admin.client.notifications.read({ params: { id: first?.id ?? "" } });
      for (const name of ["Rita Two", "Rita Three"]) await rename(user, name);
      await rename(boss, "Ada Other");
      const signed = `(${user.username}) is named Rita Three now. In between: `;
      const ofBoss = `Ada Boss (${boss.username}) is named Ada Other now`;
      expect((await notes(second)).map(({ text }) => text)).toEqual([
        ofBoss,
        `Rita Reviewer ${signed}Rita One → Rita Two`,
      ]);
      expect((await notes(admin)).map(({ text, readAt }) => [text, readAt === null])).toEqual([
        [ofBoss, true],
        [`Rita One ${signed}Rita Two`, true],
        [`Rita Reviewer (${user.username}) is named Rita One now`, false],
      ]);
      expect(await second.client.notifications.count()).toEqual({ unread: 2 });
      // a name that comes back says which ones it was meanwhile
      await rename(user, "Rita Reviewer");
      expect((await notes(second))[0]?.text).toBe(
        `Rita Reviewer (${user.username}) is named Rita Reviewer now. In between: Rita One → Rita Two → Rita Three`,
      );
      expect(await renames()).toHaveLength(5);
    });

    test("no note grows without end, and each name is in one", async () => {
      const second = await company.user("company_admin", { name: "Sven Second" });
      const names = Array.from({ length: 25 }, (_, n) => `Rita ${"abcdefghijklmnopqrstuvwxyz"[n]}`);
      for (const name of names) await second.client.companyUsers.update({ params: { id: user.id }, body: { name } });
      const all = (await notes(admin)).map(({ text }) => text);
      expect(all).toHaveLength(3);
      for (const name of names) expect([name, all.join(" ").includes(name)]).toEqual([name, true]);
      for (const text of all) expect(text.split("→").length).toBeLessThanOrEqual(10);
    });

    test("has a limit a day, which only new names count for", async () => {
      for (let n = 0; n < limits.ownRenamesDay; n++) {
        expect(await refusal(rename(user, "Ada Boss"))).toEqual([409, { name: taken }]);
        await user.client.account.update({ body: { title: `Title ${n}` } });
        await rename(user, `Rita ${"abcdefghijk"[n]}`);
      }
      const over = { code: "rate_limited", serverMessage: tooOften };
      await expect(rename(user, "Rita More")).rejects.toMatchObject(over);
      await user.client.account.update({ body: { name: (await user.client.auth.me()).user?.name, title: "T" } });
      expect(await renames()).toHaveLength(2 * limits.ownRenamesDay + 1);
      // an administrator helps, and has the same limit for the own name
      await admin.client.companyUsers.update({ params: { id: user.id }, body: { name: "Rita More" } });
      const own = (name: string) => admin.client.companyUsers.update({ params: { id: admin.id }, body: { name } });
      for (let n = 0; n < limits.ownRenamesDay; n++) await own(`Olga ${"abcdefghijk"[n]}`);
      await expect(own("Olga More")).rejects.toMatchObject(over);
      server().clock.advance(25 * 3_600_000);
      await rename(user, "Rita Again");
    });
  });

  test("administrators hear of a rename, and the audit log has both names", async () => {
    await rename(user, "Rita Renamed");
    const { data } = await admin.client.notifications.list({ query: {} });
    expect(data.map(({ text, link }) => [text, link])).toEqual([
      [`Rita Reviewer (${user.username}) is named Rita Renamed now`, "/admin/users"],
    ]);
    expect((await user.client.notifications.list({ query: {} })).data).toEqual([]);
    const [row] = (await admin.client.audit.list({ query: { action: "account.update" } })).data;
    expect(row?.changes).toMatchObject({ name: { from: "Rita Reviewer", to: "Rita Renamed" } });
    const second = await company.user("company_admin", { name: "Sven Second" });
    await admin.client.companyUsers.update({ params: { id: user.id }, body: { name: "Rita Again" } });
    const told = (await second.client.notifications.list({ query: {} })).data;
    expect(told.map(({ text }) => text)).toEqual([`Rita Renamed (${user.username}) is named Rita Again now`]);
    expect((await admin.client.notifications.list({ query: {} })).data).toHaveLength(1);
  });
});
