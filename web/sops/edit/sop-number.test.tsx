/** The number of an SOP in the properties. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Sop } from "#core/sops/schema.ts";
import { openProperties, showSource } from "../../testing/edit-screen.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { aCategory, aControl, aSop, aUser } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(() => {
  resetBrowser();
  vi.restoreAllMocks();
});

const id = "01980000-0000-7000-8000-00000000abcd";
const put = `PUT /api/sops/${id}` as const;
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open", status: "draft", version: 3, number: "SOP-0042" }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
  ...change,
});
const me = aUser();
const ofCompany = { user: { ...me, company: { ...me.company, numberScheme: "{category}-{seq:3}" } } };

function open(change: Partial<Sop> = {}, replies: Partial<Replies> = {}, path = `/sop/${id}/edit`) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/categories": [aCategory({ id: "cat-fin", name: "Finance", slug: "finance" })],
    "GET /api/auth/me": ofCompany,
    [`GET /api/sops/${id}`]: stored(change),
    [`GET /api/sops/${id}/versions`]: [],
    [put]: ({ body }: RecordedRequest) => stored({ ...(body as Partial<Sop>), version: 4 }),
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}

type User = ReturnType<typeof showApp>["user"];
const field = async (user: User) =>
  within(await openProperties(user)).findByLabelText<HTMLInputElement | HTMLOutputElement>("Number");
const saveKey = (user: User) => user.keyboard("{Control>}s{/Control}");
const sent = ({ body }: RecordedRequest) => (body as { number?: string }).number;

describe("the number of an SOP", () => {
  it("can be chosen for a new one; the server's refusal is shown at the field", async () => {
    const reason = "\"HR-1\" doesn't fit the company's numbers. Write one such as FINANCE-007";
    const { user, server, address } = open(
      {},
      { "POST /api/sops": new FakeRefusal("invalid_input", reason, { number: reason }) },
      "/sop/new",
    );
    await user.type(await screen.findByLabelText("Title"), "Open");
    await user.type(screen.getByLabelText("Description"), "Every morning.");
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await showSource(user);
    fireEvent.change(screen.getByRole("textbox", { name: "Content" }), { target: { value: "One\n" } });
    const number = (await field(user)) as HTMLInputElement;
    expect([number.value, number.placeholder]).toEqual(["", "Next number"]);
    await screen.findByText("Such as FINANCE-007");
    await user.type(number, "HR-1");
    await user.click(screen.getByRole("button", { name: "Properties" }));
    await saveKey(user);
    // the drawer opens with it
    const again = await screen.findByLabelText("Number");
    await waitFor(() => expect(document.activeElement).toBe(again));
    expect(again.getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByText(reason).id).toBe(again.getAttribute("aria-describedby")?.split(" ")[0]);
    server.reply({ "POST /api/sops": stored({ number: "FINANCE-012", version: 1 }) });
    await user.clear(again);
    await user.type(again, "finance-12");
    expect(screen.queryByText(reason)).toBeNull();
    await saveKey(user);
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    expect(server.requestsFor("POST /api/sops").map(sent)).toEqual(["HR-1", "finance-12"]);
  });

  it("of a draft can change: one that is taken is refused at the field, and the stored spelling is shown", async () => {
    const taken = "SOP-0007 is taken. Choose another number";
    const { user, server } = open({}, { [put]: new FakeRefusal("conflict", "SOP-0007 is taken", { number: taken }) });
    const number = (await field(user)) as HTMLInputElement;
    expect(number.value).toBe("SOP-0042");
    await user.clear(number);
    expect(number.placeholder).toBe("SOP-0042");
    await user.type(number, "sop-7");
    await saveKey(user);
    await screen.findByText(taken);
    expect(number.value).toBe("sop-7");
    server.reply({ [put]: stored({ number: "SOP-0008", version: 4 }) });
    await user.clear(number);
    await user.type(number, "sop-8");
    await saveKey(user);
    await screen.findByText("· version 4");
    await waitFor(() => expect(number.value).toBe("SOP-0008"));
    expect(server.requestsFor(put).map(sent)).toEqual(["sop-7", "sop-8"]);
  });

  it("is saved by the key where the properties are over the page", async () => {
    const { user, server } = open();
    await screen.findByLabelText("Title");
    vi.spyOn(window, "matchMedia").mockReturnValue({
      matches: false,
      addEventListener: () => {},
      removeEventListener: () => {},
    } as unknown as MediaQueryList);
    await user.click(screen.getByRole("button", { name: "Properties" }));
    const number = within(await screen.findByRole("dialog", { name: "Properties" })).getByLabelText("Number");
    await user.clear(number);
    await user.type(number, "sop-8");
    await saveKey(user);
    await waitFor(() => expect(server.requestsFor(put).map(sent)).toEqual(["sop-8"]));
    // Enter submits or publishes from the page alone
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.queryByRole("dialog", { name: /Publish|Submit/ })).toBeNull();
  });

  it.each<[string, Partial<Sop>]>([
    ["published", { status: "published", published: { version: 3, effectiveAt: null } }],
    ["published before its draft", { published: { version: 2, effectiveAt: null } }],
    ["scheduled", { scheduled: { version: 3, effectiveAt: "2030-01-01T00:00:00.000Z" } }],
    ["under review", { status: "under_review" }],
  ])("is only shown once it is %s, and not sent", async (_, change) => {
    const { user, server } = open(change);
    const number = await field(user);
    expect([number.tagName, number.textContent]).toEqual(["OUTPUT", "SOP-0042"]);
    await user.type(screen.getByLabelText("Title"), " it");
    await saveKey(user);
    await screen.findByText("· version 4");
    expect(server.requestsFor(put).map(sent)).toEqual([undefined]);
  });
});
