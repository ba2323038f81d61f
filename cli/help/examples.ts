/** A paragraph and examples for each command, shown by `--help` and in `docs/cli.md`. */

export interface CommandGuide {
  /** A paragraph about the command's purpose. */
  about?: string;
  /** Pairs of a command line and its purpose. */
  examples: readonly (readonly [string, string])[];
}

export const commandGuides: Readonly<Record<string, CommandGuide>> = {
  login: {
    about:
      "Asks for your username and password, creates a personal access token and ends the session. The token is stored in the system's keyring, or in a file that only you can read. A sign-in without --profile is your default. One with --profile never changes your default, unless you add --default.",
    examples: [
      ["sop login --server https://sops.example.com", "sign in; later commands use this server too"],
      ["sop login --profile test --server https://test.example.com", "a second sign-in, used with --profile test"],
      ["sop login --token-stdin < token.txt", "save a token that was created elsewhere"],
    ],
  },
  logout: {
    examples: [
      ["sop logout", "sign out and revoke the token"],
      ["sop logout --profile test", "sign out of one profile"],
    ],
  },
  whoami: {
    examples: [
      ["sop whoami", "show the user, the server and the source of the token"],
      ["sop whoami --json", "for scripts"],
    ],
  },
  proposals: {
    about:
      "A pushed document that can't become a draft at once waits as a proposal. To read its text: git fetch origin 'refs/proposals/*:refs/proposals/*'.",
    examples: [
      ["sop proposals --mine --state all", "see what became of what you pushed"],
      ["sop proposals --incoming --json", "list what waits for you, for a script"],
    ],
  },
  token: { examples: [["sop token create ci --scope sops:read", "create a read-only token for a pipeline"]] },
  "token create": {
    about: "The new token is printed once.",
    examples: [
      [
        "sop token create ci --scope sops:read --scope sops:write --expires 365",
        "create a token for a pipeline that imports",
      ],
      ["sop token create --scope sops:read", "name it after this machine; it expires after 90 days"],
    ],
  },
  "token list": { examples: [["sop token list", "list tokens, when they expire and when they were last used"]] },
  "token revoke": { examples: [["sop token revoke 0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10", "revoke a token"]] },
  import: {
    about:
      "The id in the front matter identifies a document; without an id, its path does. The plan shows the result for each document. Nothing is overwritten. A refused document doesn't stop the others. A second run changes nothing.",
    examples: [
      ["sop import docs", "import all documents of a folder as drafts"],
      ["sop import handbook.docx --category Safety", "import a Word file into a category"],
      ["sop import handbook.docx --split heading", "make an SOP from each chapter, with links between them"],
      ["sop import notion-export.zip --dry-run", "show what an import would do"],
      ["sop import docs --dry-run --detailed-exitcode", "in CI: exit 10 if there is something to import"],
      ["sop import old-handbook --to-dir sops", "convert to files, without a server"],
    ],
  },
  search: {
    about:
      "Shows the best match first, each with the step that has the words. The last word can be incomplete. Misspelled words are corrected, with a note on stderr.",
    examples: [
      ["sop search lock out the filler", "find SOPs and steps with these words"],
      ["sop search SOP-0042", "find an SOP by its number"],
      ["sop search ammonia --status published --json", "print published SOPs as one JSON document"],
    ],
  },
  export: {
    about:
      "Exports published versions from the server, or files with --from-dir. Drafts need --drafts, --status or --rev, and carry a DRAFT mark. Markdown of the server has it in the name of its file, such as sop-0042-reset.draft.md. Files of a folder keep their names, because others link them. Two exports of the same state have the same bytes.",
    examples: [
      [
        "sop export SOP-0042 --format pdf -o sop.pdf",
        "export one SOP as a PDF; each page shows number, version and status",
      ],
      ["sop export --from-dir sops --format pdf -o out", "export a workspace, without a server"],
      ["sop export --format site -o site", "export a site that works without a server, with search"],
      [
        "sop export --drafts -o copy",
        "export the newest version of every SOP as Markdown, with the same bytes as in git",
      ],
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
      ['sop approve SOP-0042 --comment "Checked on line 2"', "approve by SOP number"],
      ["sop approve SOP-0042 --if-match 3", "approve only version 3"],
    ],
  },
  reject: {
    examples: [['sop reject SOP-0042 --comment "Step 4 lacks the limit"', "reject; the SOP is a draft again"]],
  },
  init: {
    about:
      "Writes sop.config.yaml with a schema for editors, a template and .gitignore. Options add a git hook and files for CI, which install the package of your server. In a workspace, --ci updates its SHA-512.",
    examples: [
      ["sop init", "set up this folder as a workspace"],
      ["sop init sops --git --hooks", "create a folder with a git repository that checks commits"],
      ["sop init --ci github --server https://sops.example.com", "check pull requests and import merges"],
    ],
  },
  new: {
    about:
      "Without --template, the document has every section that auditors look for. `sop lint` shows what is still missing.",
    examples: [
      ['sop new "Reset a password" --category "IT Operations"', "create it from templates/standard.md"],
      ['sop new "Lock out the filler" --template lockout-tagout --open', "create it from the library and open it"],
      ["sop new --list-templates", "list the templates"],
    ],
  },
  generate: {
    about:
      "The result is always a draft that a person reads and approves. The AI is the provider of OPENAI_API_KEY, or with --save the server's. Without AI, the draft uses the template whose title, description and tags match best. If no template has half of the words, it uses the standard template.",
    examples: [
      ['sop generate "Clean the coffee machine every evening"', "write a draft in the workspace"],
      ['sop generate "Hand over a shift" --no-ai', "use the template that fits best"],
    ],
  },
  improve: {
    about:
      "The AI is the one of the server set with --server or --profile. Without them, it is the provider of OPENAI_API_KEY (OPENAI_BASE_URL, OPENAI_MODEL). Without a key, it is the server you are signed in to. Proposals that would lose a figure, a link, a warning or a must are left out and listed. Proposals that change a figure, a word of duty, a warning or an order are listed with what they change. Only --marked takes them. Front matter stays the same. The diff goes to stdout, reasons go to stderr.",
    examples: [
      ["sop improve sops/it/reset.md", "show what AI would change, and why"],
      ["sop improve sops/it/reset.md --kind clarity --write", "write clearer wording into the file"],
      ["sop improve sops/it/reset.md --rules", "show safe fixes and remaining issues, without AI"],
      ["sop improve sops/it/reset.md > better.patch", "save a patch to review and apply with git apply"],
      ["sop improve - --rules --write < draft.md", "read stdin, write stdout"],
    ],
  },
  serve: {
    about:
      "Shows documents as readers will see them, with their issues, and updates when files change. Its address has a key: other users of the machine can't open it.",
    examples: [
      ["sop serve --open", "open it in the browser"],
      ["sop serve --port 0", "use a free port"],
    ],
  },
  pull: {
    about:
      "Changes only on the server replace the file. Changes only here stay. Changes on both sides are merged. If both sides changed the same words, the file stays the same and <file>.merge gets a merge with markers. Decide there, then pull or push again.",
    examples: [
      ["sop pull", "update the workspace"],
      ["sop pull --dry-run", "show what a pull would do"],
      ["sop pull --only SOP-0042 --on-conflict theirs", "discard your changes to one SOP"],
    ],
  },
  push: {
    about:
      "Documents become drafts. Issues don't stop a draft: they block publishing, and push shows them. Documents that someone else saved since your last pull aren't sent. One refused file doesn't stop the others. A new document gets its number and the server's file name.",
    examples: [
      ['sop push --note "New limits of 2027"', "send all changes, with a note for the version history"],
      ["sop push sops/it/reset-a-password.md", "send one file"],
      ["sop push --only sops/it --dry-run", "show what a push of one folder would do"],
      ['sop push --submit --approver "Max Manager"', "push and submit for approval"],
    ],
  },
  status: {
    examples: [
      ["sop status", "show what changed here"],
      ["sop status --remote", "also show what changed on the server"],
      ["sop status --short", "for scripts: two letters and a path on each line"],
    ],
  },
  diff: {
    about:
      "An SOP is compared on the server: by default, its published version with the latest. A file is compared with the pulled version, or else with git's last commit. A version is a server version number, base, or any git revision.",
    examples: [
      ["sop diff SOP-0042", "show what the latest version changes"],
      ["sop diff SOP-0042 2 5 --word", "compare two versions word by word"],
      ["sop diff sops/it/sop-0042-reset.md", "show what you changed"],
      ["sop diff sops/it/sop-0042-reset.md HEAD~3 --stat", "show totals since three commits ago"],
      ["sop diff SOP-0042 --html > diff.html", "write a page for people without a terminal"],
    ],
  },
  log: {
    examples: [
      ["sop log SOP-0042", "list versions: who, when, why, and which is published"],
      ["sop log SOP-0042 --approvals --since 2026-01-01", "also show who approved it"],
      ["sop log sops/it/sop-0042-reset.md -n 5", "list the last commits of a file"],
    ],
  },
  fmt: {
    about:
      "Changes only the format, never a word. A file that would read differently stays the same. Below a folder with mkdocs.yml, or with `dialect: mkdocs` in sop.config.yaml, lists in lists are indented by 4.",
    examples: [
      ["sop fmt", "all documents below this folder"],
      ["sop fmt --check sops", "in CI: exit 1 if something would change"],
      ["sop fmt - < draft.md", "read stdin, write stdout"],
    ],
  },
  lint: {
    about:
      "The editor and the server's approval check use the same rules. Choose them in sop.config.yaml. `sop lint --explain <rule>` explains one.",
    examples: [
      ["sop lint", "all documents below this folder"],
      ["sop lint --fix sops", "fix what can be fixed safely"],
      ["sop lint --changed main", "check what this branch changed"],
      ["sop lint --format sarif -o sop.sarif", "write a report for code scanning"],
      ["sop lint --explain step/imperative", "explain a rule, with examples"],
      ["sop lint - --stdin-filename sops/it/a.md < draft.md", "check a text that isn't saved yet"],
    ],
  },
  ci: {
    about:
      "Reviews the documents that a pull request changes, and plans the import if SOP_TOKEN is set. The review goes to the summary of a GitHub step and to the file of --output. With SOP_COMMENT_TOKEN, it is also a comment on the GitLab merge request. Otherwise it is printed. Exit code 1: an issue is an error. Otherwise the code is that of `sop import --dry-run`. `sop init --ci github` and `--ci gitlab` write files that run it.",
    examples: [
      ["sop ci sops", "in a pull request: the platform names the branch to compare with"],
      ["sop ci sops --base origin/main -o review.md", "the same review before you push"],
    ],
  },
  fonts: {
    about:
      "PDFs come with fonts for Latin, Greek, Cyrillic, Devanagari, Hebrew and Arabic. Other scripts need a set of fonts: added here, in a folder named with --fonts, or installed on the system.",
    examples: [
      ["sop fonts list", "list the sets and which are added"],
      ["sop fonts add japanese", "fetch the fonts of Japanese"],
      ["sop fonts add thai --fonts /srv/sop/fonts", "fetch them into the folder of a server (FONTS_DIR)"],
    ],
  },
  "fonts list": { examples: [["sop fonts list", "list the sets and which are added"]] },
  "fonts add": { examples: [["sop fonts add chinese korean", "fetch two sets"]] },
  config: { examples: [["sop config check", "check every sop.config.yaml"]] },
  "config print": {
    examples: [["sop config print --for sops/it/a.md", "show the settings for a file and where they come from"]],
  },
  "config check": { examples: [["sop config check", "check every sop.config.yaml"]] },
  "config schema": {
    examples: [["sop config schema > sop.config.schema.json", "write the schema that editors use to check the config"]],
  },
  verify: {
    examples: [
      ["sop verify brackenfold --approvals", "verify a clone, and list who approved which version"],
      ["sop verify sop-0042.pdf --clone brackenfold", "verify the text that a PDF carries"],
      ["sop verify log.ndjson", "verify an exported audit log with its own keys"],
      [
        "sop verify log.ndjson --public-key k.pem --checkpoints audit-checkpoints.ndjson",
        "verify with keys and checkpoints from elsewhere",
      ],
    ],
  },
  api: {
    examples: [
      ["sop api", "list all calls"],
      ["sop api sops.list --query status=published --query limit=5", "list SOPs"],
      ["sop api sops.get --param id=0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10", "get one SOP"],
      ['sop api categories.create --body \'{"name": "Quality"}\'', "create a category"],
    ],
  },
  admin: {
    about: "Runs on the server's machine, with DATA_DIR or MONGODB_URI. `sop admin <task> --help` explains each task.",
    examples: [
      ["sop admin verify --repo", "recompute every commit from the database and compare"],
      ["sop admin reset-password grace", "print a one-time link for a user who can't sign in"],
      ["sop admin unlock --address 203.0.113.7", "end the waits after wrong passwords from one building"],
    ],
  },
  doctor: {
    about: "Exits with 1 if a check fails. Something that is only missing is a note.",
    examples: [
      ["sop doctor", "run each check and show how to fix problems"],
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
