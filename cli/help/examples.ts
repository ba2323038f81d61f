/** What each command is for, beyond its summary, and how it is used: shown by `--help`, and in `docs/cli.md`. */

export interface Guide {
  /** One paragraph. */
  about?: string;
  /** The command line, and what it does. */
  examples: readonly (readonly [string, string])[];
}

export const guides: Readonly<Record<string, Guide>> = {
  login: {
    about:
      "Asks for name and password, makes a personal access token and ends the session. The token is kept in the system's keyring, else in a file that only you can read.",
    examples: [
      ["sop login --server https://sops.example.com", "sign in there; later commands go there too"],
      ["sop login --profile test --server https://test.example.com", "a second sign-in, used with --profile test"],
      ["sop login --token-stdin < token.txt", "keep a token that was made elsewhere"],
    ],
  },
  logout: {
    examples: [
      ["sop logout", "forget the token of the last sign-in, and end it on the server"],
      ["sop logout --profile test", "that of a profile"],
    ],
  },
  whoami: {
    examples: [
      ["sop whoami", "the user, the server, and where the token comes from"],
      ["sop whoami --json", "for scripts"],
    ],
  },
  token: { examples: [["sop token create ci --scope sops:read", "a token that reads, for a pipeline"]] },
  "token create": {
    about: "Asks for the password: a token never makes a token. The new one is printed once.",
    examples: [
      ["sop token create ci --scope sops:read --scope sops:write --expires 365", "for a pipeline that imports"],
      ["sop token create --scope sops:read", "named after this machine, valid for 90 days"],
    ],
  },
  "token list": { examples: [["sop token list", "what there is, until when it is valid, when it was used"]] },
  "token revoke": { examples: [["sop token revoke 0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10", "end a token at once"]] },
  import: {
    about:
      "A document is known by the id in its front matter, else by its path. The plan says what becomes of each; nothing is ever written over, and a refused document never stops the others. A second run changes nothing.",
    examples: [
      ["sop import docs", "every document of a folder, as drafts"],
      ["sop import handbook.docx --category Safety", "a Word file into a category"],
      ["sop import notion-export.zip --dry-run", "what an import would do"],
      ["sop import docs --dry-run --detailed-exitcode", "in CI: 10 when there is something to import"],
      ["sop import old-handbook --to-dir sops", "convert to files, without a server"],
    ],
  },
  search: {
    about:
      "The best first, each with the step that has the words. The last word may be the beginning of one; a word with a slip in it is taken for the one that was meant, and said so on stderr.",
    examples: [
      ["sop search lock out the filler", "SOPs about it, and the step"],
      ["sop search SOP-0042", "one by its number"],
      ["sop search ammonia --status published --json", "what is in force, as one JSON document"],
    ],
  },
  export: {
    about:
      "From the server, or with --from-dir from files. What is not published carries a DRAFT mark; two exports of the same state are the same bytes.",
    examples: [
      [
        "sop export SOP-0042 --format pdf -o sop.pdf",
        "one SOP as a PDF whose every page names number, version and status",
      ],
      ["sop export --from-dir sops --format pdf -o out", "a workspace, without a server"],
      ["sop export --status published --format site -o site", "a site that works without a server, search included"],
      ["sop export -o backup", "every SOP as Markdown, byte for byte what git holds"],
    ],
  },
  submit: {
    examples: [
      ['sop submit SOP-0042 --approver "Max Manager" --note "New step 3"', "ask one person"],
      ["sop submit SOP-0042 --approver eve --approver max", "ask two"],
    ],
  },
  approve: {
    examples: [
      ['sop approve SOP-0042 --comment "Checked on line 2"', "by the number of the SOP"],
      ["sop approve SOP-0042 --if-match 3", "only while it is at version 3"],
    ],
  },
  reject: { examples: [['sop reject SOP-0042 --comment "Step 4 lacks the limit"', "it is a draft again"]] },
  init: {
    about:
      "Writes sop.config.yaml with a schema for editors, a template to begin with, and .gitignore; on request the files for CI and a git hook. A workspace works without a server.",
    examples: [
      ["sop init", "make this folder a workspace"],
      ["sop init sops --git --hooks", "a new folder with a git repository whose commits are checked"],
      ["sop init --ci github", "pull requests are checked, merges are imported"],
    ],
  },
  new: {
    about:
      "Without --template the document holds every section an auditor looks for; lint says what is still to be written.",
    examples: [
      ['sop new "Reset a password" --category "IT Operations"', "from templates/standard.md"],
      ['sop new "Lock out the filler" --template lockout-tagout --open', "from the library, and open it"],
      ["sop new --list-templates", "what one can begin with"],
    ],
  },
  generate: {
    about:
      "The result is always a draft that a person reads and approves. Without AI it begins with the template whose title, description and tags have the words; where none has half of them, with the plain one.",
    examples: [
      ['sop generate "Clean the coffee machine every evening"', "a draft in the workspace"],
      ['sop generate "Hand over a shift" --no-ai', "the template that fits best"],
    ],
  },
  improve: {
    about:
      "Whom it asks: the server that --server or --profile names, else the provider of OPENAI_API_KEY (OPENAI_BASE_URL, OPENAI_MODEL), else the server you are signed in to. A proposal that would lose a figure, a link, a warning or a must is left out and named; front matter stays as it is. The diff is on stdout, reasons are on stderr.",
    examples: [
      ["sop improve sops/it/reset.md", "what an AI would put right, and why"],
      ["sop improve sops/it/reset.md --kind clarity --write", "clearer wording, written into the file"],
      ["sop improve sops/it/reset.md --rules", "safe fixes and what the rules still find, without AI"],
      ["sop improve sops/it/reset.md > better.patch", "for git apply, after a look"],
      ["sop improve - --rules --write < draft.md", "stdin to stdout"],
    ],
  },
  serve: {
    about:
      "Shows documents as readers will see them, with their findings, and follows every change. It answers on this machine only.",
    examples: [
      ["sop serve --open", "at http://127.0.0.1:4321"],
      ["sop serve --port 0", "on a free port"],
    ],
  },
  pull: {
    about:
      "What changed on the server alone replaces the file; what changed here alone stays; changes of both are merged. Where both changed the same words the file stays as it is, and a merge with markers stands beside it as <file>.merge: decide there, then pull or push again.",
    examples: [
      ["sop pull", "bring the workspace up to date"],
      ["sop pull --dry-run", "what that would do"],
      ["sop pull --only SOP-0042 --on-conflict theirs", "give up the changes to one SOP"],
    ],
  },
  push: {
    about:
      "Documents with errors are not sent, and neither is one that somebody else saved since the last pull. A new document gets its number and the server's file name.",
    examples: [
      ['sop push --note "New limits of 2027"', "everything that changed, with a note for the history"],
      ["sop push --only sops/it --dry-run", "what a push of one folder would do"],
      ['sop push --submit --approver "Max Manager"', "and ask for approval"],
    ],
  },
  status: {
    examples: [
      ["sop status", "what changed here"],
      ["sop status --remote", "and what changed on the server"],
      ["sop status --short", "for scripts: two letters and a path a line"],
    ],
  },
  diff: {
    about:
      "An SOP is compared on the server, without versions from what is in force to the newest. A file is compared with what was pulled, else with git's last commit; a version may be a number (the server's), base, or anything git knows.",
    examples: [
      ["sop diff SOP-0042", "what the newest version changes"],
      ["sop diff SOP-0042 2 5 --word", "between two versions, word by word"],
      ["sop diff sops/it/sop-0042-reset.md", "what I changed"],
      ["sop diff sops/it/sop-0042-reset.md HEAD~3 --stat", "how much since three commits ago"],
      ["sop diff SOP-0042 --html > diff.html", "a page for somebody without a terminal"],
    ],
  },
  log: {
    examples: [
      ["sop log SOP-0042", "every version: who, when, why, and which is in force"],
      ["sop log SOP-0042 --approvals --since 2026-01-01", "with who approved it"],
      ["sop log sops/it/sop-0042-reset.md -n 5", "the last commits of a file"],
    ],
  },
  fmt: {
    about: "Only the form changes, never a word: a file whose text would read differently is left alone.",
    examples: [
      ["sop fmt", "every document below this folder"],
      ["sop fmt --check sops", "in CI: exit 1 when something would change"],
      ["sop fmt - < draft.md", "stdin to stdout"],
    ],
  },
  lint: {
    about:
      "The rules are those of the editor and of the server's gate before an approval; sop.config.yaml chooses them. docs/rules.md explains each.",
    examples: [
      ["sop lint", "every document below this folder"],
      ["sop lint --fix sops", "mend what can be mended safely"],
      ["sop lint --changed main", "what this branch changed"],
      ["sop lint --format sarif -o sop.sarif", "for code scanning"],
      ["sop lint --explain step/imperative", "why a rule exists, with examples"],
      ["sop lint - --stdin-filename sops/it/a.md < draft.md", "a text that is not saved yet"],
    ],
  },
  config: { examples: [["sop config check", "is every sop.config.yaml right?"]] },
  "config print": {
    examples: [["sop config print --for sops/it/a.md", "what holds for a file, and where each value comes from"]],
  },
  "config check": { examples: [["sop config check", "is every sop.config.yaml right?"]] },
  "config schema": {
    examples: [["sop config schema > sop.config.schema.json", "the file that editors check the config with"]],
  },
  verify: {
    examples: [
      ["sop verify log.ndjson", "prove an exported audit log by the keys it carries"],
      ["sop verify log.ndjson --public-key k.pem --checkpoints audit-checkpoints.ndjson", "by what was kept elsewhere"],
    ],
  },
  api: {
    examples: [
      ["sop api", "every call there is"],
      ["sop api sops.list --query status=published --query limit=5", "a list"],
      ["sop api sops.get --param id=0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10", "one SOP"],
      ['sop api categories.create --body \'{"name": "Quality"}\'', "a write"],
    ],
  },
  admin: {
    about: "Runs beside the data, on DATA_DIR or MONGODB_URI; `sop admin <task> --help` explains each task.",
    examples: [
      ["sop admin verify --repo", "recompute every commit from the database and compare"],
      ["sop admin reset-password grace", "a one-use link for somebody who can't sign in"],
    ],
  },
  doctor: {
    about: "Exit 1 when a check failed; what is merely not there is a note.",
    examples: [
      ["sop doctor", "each check, with what helps"],
      ["sop doctor --json", "for a bug report"],
    ],
  },
  completion: {
    examples: [
      ["sop completion bash > ~/.local/share/bash-completion/completions/sop", "bash"],
      ["sop completion zsh > ~/.zfunc/_sop", "zsh, with ~/.zfunc in fpath"],
      ["sop completion fish > ~/.config/fish/completions/sop.fish", "fish"],
      ["sop completion powershell >> $PROFILE", "PowerShell"],
    ],
  },
};
