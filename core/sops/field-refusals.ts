import { sentences } from "../language/catalog.ts";

/** Messages about fields of an SOP. */
export const fieldRefusals = sentences("core.sops.field-refusals", {
  title: "Title is required",
  description: "Description is required",
  content: "Content is required",
  language: "Language must be a tag such as en or de-AT",
  category: "Category is required",
  status: "Status is required",
  leastMinutes: "Read time must be at least 1 minute",
  mostMinutes: "Read time must be at most {most} minutes",
  longText: "Use at most {most, number} characters",
  number: "Write a number, or leave it out",
  standard: "Only a PDF has a standard",
});
