/** Declares the commands that check and format texts, and their flags. */
import { Option } from "commander";
import { collectValues, extFlag, parseWholeNumber } from "../option-values.ts";
import type { CommandDeclaration } from "../workspace/declare.ts";
import { formats } from "./report/report.ts";

export function declareTextCommands({ program, add, action }: CommandDeclaration): void {
  add(program, "fmt [paths...]", "rewrite Markdown in its standard format; - reads stdin", (command) =>
    command
      .option("--check", "change nothing, exit 1 if a file would change")
      .option("--diff", "change nothing, show what would change")
      .option(...extFlag)
      .action(action("fmt", async () => (await import("../commands/fmt.ts")).formatFiles)),
  );

  add(program, "lint [paths...]", "check SOPs; - reads stdin", (command) =>
    command
      .option("--fix", "apply fixes that don't change the meaning")
      .option("--unsafe-fixes", "also apply fixes that you should review")
      .option("--diff", "change nothing, show what --fix would write")
      .addOption(new Option("--format <format>", "how issues are printed (default: pretty)").choices(formats))
      .option("-o, --output <file>", "write the issues to this file")
      .addOption(new Option("--preset <name>", "the set of rules").choices(["minimal", "recommended", "regulated"]))
      .option("--rule <id=severity>", "set a rule to error, warning, info or off", collectValues)
      .addOption(
        new Option("--fail-on <severity>", "exit 1 from this severity on")
          .choices(["error", "warning", "never"])
          .default("error"),
      )
      .option("--max-warnings <n>", "exit 1 above this many warnings", parseWholeNumber)
      .option(...extFlag)
      .option("--changed [ref]", "only files changed since the last commit, or since branching off a ref")
      .option("--baseline <file>", "ignore the issues in this file")
      .option("--update-baseline", "write the current issues to the baseline")
      .option("--stdin-filename <path>", "the file name of the text on stdin")
      .option("--no-cache", "check every file, without the cache")
      .option("--watch", "check again when a file changes")
      .option("--list-rules", "list rules and their severities")
      .option("--explain <rule>", "explain a rule")
      .action(action("lint", async () => (await import("../commands/lint.ts")).lintFiles)),
  );

  add(program, "ci [paths...]", "review a pull request: issues, changes, preview, import plan", (command) =>
    command
      .option("--base <ref>", "the branch that the change goes to (default: the one that GitHub or GitLab names)")
      .option("-o, --output <file>", "write the review to this file, as Markdown")
      .action(action("ci", async () => (await import("../commands/ci.ts")).reviewInCi)),
  );

  add(program, "config", "show and check sop.config.yaml", (config) => {
    add(config, "print", "show all settings and where they come from", (command) =>
      command
        .option("--for <file>", "the settings for this document")
        .action(action("config.print", async () => (await import("../commands/config.ts")).printConfig)),
    );
    add(config, "check", "check every config file in the workspace").action(
      action("config.check", async () => (await import("../commands/config.ts")).checkConfigFiles),
    );
    add(config, "schema", "print the JSON Schema of sop.config.yaml, for editors").action(
      action("config.schema", async () => (await import("../commands/config.ts")).printSchema),
    );
  });
}
