/**
 * `node bin/renamed-tests.ts`: renamed or moved tests get their likeliest new name in `test/security-tests.yaml`. Read
 * the printed lines.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { missingTests, newName, readEvidence, readEvidenceText, withNames } from "../test/security-tests.ts";

const names = new Map<string, string>();
const text = readEvidenceText();
for (const old of missingTests(readEvidence(text))) {
  const name = newName(old);
  console.log(name === null ? `no test is like "${old}"` : `renamed: ${old}\n      →  ${name}`);
  if (name !== null) names.set(old, name);
}
if (names.size > 0) writeFileSync(join(import.meta.dirname, "../test/security-tests.yaml"), withNames(text, names));
