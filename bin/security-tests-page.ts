/**
 * Writes docs/security-tests.md from test/security-tests.yaml. A test fails when the page is out of date. Renamed or
 * moved tests get their likeliest new name in the YAML file: read the printed lines.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  missingTests,
  newName,
  readEvidence,
  readEvidenceText,
  securityTestsPage,
  withNames,
} from "../test/security-tests.ts";

const names = new Map<string, string>();
let text = readEvidenceText();
for (const old of missingTests(readEvidence(text))) {
  const name = newName(old);
  console.log(name === null ? `no test is like "${old}"` : `renamed: ${old}\n      →  ${name}`);
  if (name !== null) names.set(old, name);
}
if (names.size > 0) {
  text = withNames(text, names);
  writeFileSync(join(import.meta.dirname, "../test/security-tests.yaml"), text);
}
writeFileSync(join(import.meta.dirname, "../docs/security-tests.md"), securityTestsPage(readEvidence(text)));
