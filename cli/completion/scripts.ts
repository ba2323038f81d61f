/** Writes completion scripts for shells. They hold all words as tables, so that pressing Tab starts no process. */
import type { Shell } from "../option-values.ts";
import type { Flag, CommandNode } from "./tree.ts";

export function completionScript(shell: Shell, nodes: readonly CommandNode[]): string {
  return { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion, powershell: powershellCompletion }[shell](
    nodes,
  );
}

const flagNamesOf = ({ flags }: CommandNode) => flags.flatMap(({ names }) => names);
const flagsWithValue = (node: CommandNode) => node.flags.filter(({ takesValue }) => takesValue);
/** Quotes a text for a shell. Only a single quote needs care inside single quotes. */
const quotedForShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function completionWordsOf(node: CommandNode): string[] {
  return [...node.commands.map(({ name }) => name), ...node.words];
}

function bashCompletion(nodes: readonly CommandNode[]): string {
  const cases = nodes.map((node) => {
    const values = flagsWithValue(node).map((flag) => {
      const does =
        flag.choices.length > 0
          ? `COMPREPLY=($(compgen -W ${quotedForShell(flag.choices.join(" "))} -- "$cur"))`
          : files;
      return `        ${flag.names.join("|")}) ${does}; return ;;`;
    });
    const files_ = node.takesFiles ? `\n      ${files}` : "";
    return `    ${quotedForShell(node.path)})
      case "$prev" in
${values.join("\n")}
      esac
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ${quotedForShell(flagNamesOf(node).join(" "))} -- "$cur")); return; fi
      COMPREPLY=($(compgen -W ${quotedForShell(completionWordsOf(node).join(" "))} -- "$cur"))${files_ && `\n      [[ \${#COMPREPLY[@]} -eq 0 ]] && ${files}`} ;;`;
  });
  return `# bash completion for sop: source <(sop completion bash)
_sop() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= word skip=
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=; continue; fi
    case "$word" in
      ${namesOfFlagsWithValue(nodes).join("|")}) skip=1 ;;
      -*) ;;
      *) case "\${path:+$path }$word" in ${commandPathsOf(nodes).map(quotedForShell).join("|")}) path="\${path:+$path }$word" ;; esac ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
}
complete -o filenames -F _sop sop
`;
}

const files = `COMPREPLY=($(compgen -f -- "$cur"))`;

function commandPathsOf(nodes: readonly CommandNode[]): string[] {
  return nodes.map(({ path }) => path).filter((path) => path !== "");
}

function namesOfFlagsWithValue(nodes: readonly CommandNode[]): string[] {
  return [...new Set(nodes.flatMap((node) => flagsWithValue(node).flatMap(({ names }) => names)))];
}

function zshCompletion(nodes: readonly CommandNode[]): string {
  // Zsh's _arguments and _describe interpret brackets and colons, so they are replaced.
  const zshText = (text: string) => text.replace(/[[\]]/g, "").replaceAll(":", ";");
  const zshFunctionNameOf = (path: string) => `_sop${path === "" ? "" : `_${path.replaceAll(/[ -]/g, "_")}`}`;
  const zshFlagSpecs = ({ names, description, takesValue, choices }: Flag) =>
    names.map((name) => {
      const value = !takesValue ? "" : choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
      return quotedForShell(`*${name}[${zshText(description)}]${value}`);
    });
  const functions = nodes.map((node) => {
    const flags = node.flags.flatMap(zshFlagSpecs).join(" \\\n    ");
    if (node.commands.length === 0) {
      const rest =
        node.words.length > 0
          ? `'*:value:(${node.words.join(" ")})'`
          : node.takesFiles
            ? "'*:file:_files'"
            : "'*:value:'";
      return `${zshFunctionNameOf(node.path)}() {\n  _arguments ${flags} \\\n    ${rest}\n}`;
    }
    const list = node.commands
      .map(({ name, description }) => quotedForShell(`${name}:${zshText(description)}`))
      .join(" ");
    const calls = node.commands
      .map(({ name }) => `    ${name}) ${zshFunctionNameOf(`${node.path} ${name}`.trim())} ;;`)
      .join("\n");
    return `${zshFunctionNameOf(node.path)}() {
  local state line
  _arguments -C ${flags} \\
    '1:command:->command' '*::argument:->argument'
  case $state in
  command)
    local -a commands=(${list})
    _describe command commands ;;
  argument)
    case $line[1] in
${calls}
    esac ;;
  esac
}`;
  });
  return `#compdef sop
# zsh completion for sop: sop completion zsh > "\${fpath[1]}/_sop"
${functions.join("\n")}
if [[ $funcstack[1] == _sop ]]; then _sop "$@"; else compdef _sop sop; fi
`;
}

function fishCompletion(nodes: readonly CommandNode[]): string {
  const [program, ...commands] = nodes;
  const tops = (program?.commands ?? []).map(({ name }) => name);
  const flagsOf = (condition: string, flags: readonly Flag[]) =>
    flags.flatMap(({ names, description, takesValue, choices }) => {
      const written = names.map((name) =>
        name.startsWith("--") ? `-l ${name.slice(2)}` : name.length === 2 ? `-s ${name.slice(1)}` : "",
      );
      const value = !takesValue ? "" : choices.length > 0 ? ` -xa ${fishQuoted(choices.join(" "))}` : " -r";
      return `complete -c sop${condition} ${written.join(" ")}${value} -d ${fishQuoted(description)}`;
    });
  const fishCompletions = (condition: string, list: readonly { name: string; description: string }[]) =>
    list.map(
      ({ name, description }) => `complete -c sop${condition} -fa ${fishQuoted(name)} -d ${fishQuoted(description)}`,
    );
  const globals = program?.flags ?? [];
  const lines = [
    "# fish completion for sop: sop completion fish > ~/.config/fish/completions/sop.fish",
    ...fishCompletions(` -n __fish_use_subcommand`, program?.commands ?? []),
    ...flagsOf("", globals),
    ...commands.flatMap((node) => {
      const [top = "", ...rest] = node.path.split(" ");
      const seen = rest.map((word) => `; and __fish_seen_subcommand_from ${word}`).join("");
      const condition = ` -n ${fishQuoted(`__fish_seen_subcommand_from ${top}${seen}`)}`;
      const own = node.flags.filter(({ names }) => !globals.some((flag) => flag.names.join() === names.join()));
      const plain = node.words.map((name) => ({ name, description: "" }));
      const noFiles = node.takesFiles ? [] : [`complete -c sop${condition} -f`];
      return [...noFiles, ...fishCompletions(condition, [...node.commands, ...plain]), ...flagsOf(condition, own)];
    }),
  ];
  return `${lines.join("\n")}\n# ${tops.length} commands\n`;
}

/** Quotes a text for fish, which reads a backslash before \ and ' as an escape even inside single quotes. */
const fishQuoted = (text: string) => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;

function powershellCompletion(nodes: readonly CommandNode[]): string {
  const powershellQuoted = (value: string) =>
    `'${value.replace(/['\u2018\u2019\u201a\u201b]/g, (sign) => sign + sign)}'`;
  const powershellArray = (values: readonly string[]) => `@(${values.map(powershellQuoted).join(", ")})`;
  const entries = nodes.map((node) => {
    const choices = flagsWithValue(node)
      .filter(({ choices: some }) => some.length > 0)
      .flatMap(({ names, choices: some }) =>
        names.map((name) => `${powershellQuoted(name)} = ${powershellArray(some)}`),
      );
    return `  ${powershellQuoted(node.path)} = @{ Words = ${powershellArray(completionWordsOf(node))}; Flags = ${powershellArray(flagNamesOf(node))}; Values = @{ ${choices.join("; ")} } }`;
  });
  return `# PowerShell completion for sop: sop completion powershell | Out-String | Invoke-Expression
$SopNodes = @{
${entries.join("\n")}
}
$SopValued = ${powershellArray(namesOfFlagsWithValue(nodes))}
Register-ArgumentCompleter -Native -CommandName sop -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $path = ''; $skip = $false
  foreach ($word in $words) {
    if ($skip) { $skip = $false; continue }
    if ($SopValued -contains $word) { $skip = $true; continue }
    $next = ("$path $word").Trim()
    if ($SopNodes.ContainsKey($next)) { $path = $next }
  }
  $node = $SopNodes[$path]
  $last = if ($words.Count -gt 0) { $words[-1] } else { '' }
  $found = if ($node.Values.ContainsKey($last)) { $node.Values[$last] } elseif ($wordToComplete -like '-*') { $node.Flags } else { $node.Words }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}
