/** The timeline above the list: one mark for each dated moment, in order, and an open end while the request waits. */
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { anApproval, anApprover } from "../testing/approval-records.ts";
import { Timeline } from "./Timeline.tsx";

afterEach(cleanup);

const at = (day: number) => `2026-06-0${day}T08:00:00.000Z`;

function picture(approval: Parameters<typeof Timeline>[0]["approval"]) {
  const { container } = render(<Timeline approval={approval} />);
  const figure = container.querySelector("figure");
  const marks = [...(figure?.querySelectorAll("svg > svg") ?? [])].filter((mark) =>
    mark.querySelector("circle[r='11']"),
  );
  return {
    figure,
    places: marks.map((mark) => Number.parseFloat(mark.getAttribute("x") ?? "")),
    icons: marks.map((mark) => /lucide-([a-z-]+)/.exec(mark.querySelector("svg")?.getAttribute("class") ?? "")?.[1]),
    caption: figure?.querySelector("figcaption")?.textContent,
    isOpen: figure?.querySelector("line[stroke-dasharray]") !== null,
  };
}

it("of a request that is over shows its moments where they were in time", () => {
  const approvers = [
    anApprover({ name: "Cy", status: "approved", respondedAt: at(2) }),
    anApprover({ name: "Dora", status: "approved", respondedAt: at(9) }),
  ];
  const shown = picture(
    anApproval({ createdAt: at(1), status: "approved", outcome: "approved", resolvedAt: at(9), approvers }),
  );
  expect(shown.icons).toEqual(["send", "check", "check", "flag"]);
  expect(shown.places).toEqual(shown.places.toSorted((a, b) => a - b));
  const [requested = 0, first = 0, second = 0, end = 0] = shown.places;
  expect([requested, end]).toEqual([5, 95]);
  // the first answer came one day after the request, the second later
  expect(first - requested).toBeLessThan(second - first);
  expect(shown.isOpen).toBe(false);
  expect(shown.caption).toBe("Jun 1, 2026Jun 9, 2026");
  // screen readers read the list
  expect(shown.figure?.getAttribute("aria-hidden")).toBe("true");
  expect(screen.getByRole("list", { name: "Approval timeline" }).children).toHaveLength(4);
});

it("of one that waits goes on to now", () => {
  const shown = picture(anApproval({ createdAt: at(1), approvers: [anApprover({ name: "Cy" })] }));
  expect(shown.icons).toEqual(["send"]);
  expect(shown.isOpen).toBe(true);
  expect(shown.caption).toBe("Jun 1, 2026Now");
});

it("of one that was withdrawn ends with who did", () => {
  const endedBy = { id: "a", name: "Ann Archer", comment: "Too early" };
  const ended = { status: "rejected", outcome: "withdrawn", resolvedAt: at(3), endedBy } as const;
  const shown = picture(anApproval({ createdAt: at(1), ...ended, approvers: [anApprover({ name: "Cy" })] }));
  expect(shown.icons).toEqual(["send", "ban"]);
  expect(screen.getByText("Ann Archer withdrew the request")).toBeTruthy();
  expect(screen.getByText("Too early")).toBeTruthy();
  expect(screen.getByText("Cy didn't decide")).toBeTruthy();
});
