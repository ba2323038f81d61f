/** The commands that check and shape texts, and their flags. */
import { Option } from "commander";
import { collect, wholeNumber } from "../option-values.ts";
import type { Declaring } from "../workspace/declare.ts";
import { formats } from "./report/report.ts";

export function declareText({ program, add, action }: Declaring): void {
  add(program, "fmt [paths...]", "rewrite Markdown in its canonical form; - is stdin")
    .option("--check", "change nothing, exit 1 when a file would change")
    .option("--diff", "change nothing, show what would change")
    .action(action("fmt", async () => (await import("../commands/fmt.ts")).fmt));

  add(program, "lint [paths...]", "check SOPs; - is stdin")
    .option("--fix", "write what can be mended without changing the meaning")
    .option("--unsafe-fixes", "mend also what should be read again afterwards")
    .option("--diff", "change nothing, show what --fix would write")
    .addOption(new Option("--format <format>", "how findings are printed (pretty)").choices(formats))
    .option("-o, --output <file>", "write the findings there")
    .addOption(new Option("--preset <name>", "which rules").choices(["minimal", "recommended", "regulated"]))
    .option("--rule <id=severity>", "set a rule to error, warning, info or off", collect)
    .addOption(
      new Option("--fail-on <severity>", "what makes it exit 1")
        .choices(["error", "warning", "never"])
        .default("error"),
    )
    .option("--max-warnings <n>", "exit 1 above this many warnings", wholeNumber)
    .option("--changed [ref]", "only files that git says changed: since the last commit, or since leaving a branch")
    .option("--baseline <file>", "leave out the findings this file knows")
    .option("--update-baseline", "write the findings there are into the baseline")
    .option("--stdin-filename <path>", "the name of what comes on stdin")
    .option("--no-cache", "check every file, whatever is known of it")
    .option("--watch", "check again whenever a file changes")
    .option("--list-rules", "the rules, and how much each weighs here")
    .option("--explain <rule>", "what a rule wants, and why")
    .action(action("lint", async () => (await import("../commands/lint.ts")).lintFiles));

  const config = add(program, "config", "what sop.config.yaml says, and where");
  add(config, "print", "every setting that holds here, and where it comes from")
    .option("--for <file>", "what holds for this document")
    .action(action("config.print", async () => (await import("../commands/config.ts")).printConfig));
  add(config, "check", "read every config of the workspace and tell all that is wrong").action(
    action("config.check", async () => (await import("../commands/config.ts")).checkConfig),
  );
  add(config, "schema", "the JSON Schema of sop.config.yaml, for editors").action(
    action("config.schema", async () => (await import("../commands/config.ts")).printSchema),
  );
}
