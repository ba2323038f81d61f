import { readFileSync } from "node:fs";
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { PageSpinner } from "./ui/Spinner.tsx";

const asShown = (html: string | undefined) => html?.replaceAll(/>\s+|\s+</g, (gap) => gap.trim());

it("the page waits as the guard does, from its first line on", () => {
  const page = new DOMParser().parseFromString(readFileSync("web/index.html", "utf8"), "text/html");
  const { container } = render(<PageSpinner />);
  expect(asShown(page.querySelector("#root")?.innerHTML)).toBe(container.innerHTML);
  expect(page.querySelectorAll("[style], style")).toHaveLength(0);
});
