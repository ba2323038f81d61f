/** The timeline of a request: who did what, who is asked, and what happens next. */
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { anApproval, anApprover } from "../testing/approval-records.ts";
import { RequestTimeline } from "./RequestTimeline.tsx";

afterEach(cleanup);

const at = (day: number) => `2026-06-0${day}T08:00:00.000Z`;
const entries = () => screen.getAllByRole("listitem").map((item) => item.textContent);

it("says to the user whose decision it is that they decide, and what happens next", () => {
  const approvers = [
    anApprover({ name: "Dora", status: "approved", respondedAt: at(2), comment: "Good" }),
    anApprover({ name: "Cy", userId: "me" }),
  ];
  render(
    <RequestTimeline
      approval={anApproval({ createdAt: at(1), approvers, requestNote: "New valve" })}
      deciding="me"
      withoutNote
      next="Then published"
    />,
  );
  const told = entries();
  expect(told).toHaveLength(4);
  expect(told[0]).toContain("Ben Baker requested approval");
  // it is above the changes already
  expect(told[0]).not.toContain("New valve");
  expect(told[1]).toContain("“Good”");
  expect(told.slice(2)).toEqual(["CYYou decide", "Then published"]);
});

it("of a request that was withdrawn ends with who did", () => {
  const endedBy = { id: "a", name: "Ann Archer", comment: "Too early" };
  const ended = { status: "rejected", outcome: "withdrawn", resolvedAt: at(3), endedBy } as const;
  render(
    <RequestTimeline approval={anApproval({ createdAt: at(1), ...ended, approvers: [anApprover({ name: "Cy" })] })} />,
  );
  expect(screen.getByText("Ann Archer withdrew the request")).toBeTruthy();
  expect(screen.getByText("“Too early”")).toBeTruthy();
  expect(screen.getByText("Cy didn't decide")).toBeTruthy();
});
