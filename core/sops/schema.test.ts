import { expect, test } from "vitest";
import { sopFormValuesOf } from "./form-values.ts";
import { SopForm } from "./schema.ts";

const filled = {
  ...sopFormValuesOf(null),
  title: "Open the kitchen",
  description: "Every morning.",
  markdown: "One",
  categoryId: "c",
};
const messages = (change: object) =>
  SopForm.safeParse({ ...filled, ...change }).error?.issues.map(({ message }) => message) ?? [];

test("the form asks for what is missing in the seed's words", () => {
  expect(messages({})).toEqual([]);
  expect(messages({ title: " " })).toEqual(["Title is required"]);
  expect(messages({ description: "" })).toEqual(["Description is required"]);
  expect(messages({ markdown: "\n" })).toEqual(["Content is required"]);
  for (const categoryId of ["", undefined]) expect(messages({ categoryId })).toEqual(["Category is required"]);
  for (const status of ["", undefined, "done"]) expect(messages({ status })).toEqual(["Status is required"]);
  for (const readTime of [0, -1, undefined, Number.NaN]) {
    expect(messages({ readTime })).toEqual(["Read time must be at least 1 minute"]);
  }
});
