/**
 * Runs Schemathesis with our own OpenAPI document. It sends valid and invalid requests, and checks every answer against
 * its schema.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openApiDocument } from "#core/api/openapi.ts";
import { pythonTool } from "../python-tool.ts";

const tool = pythonTool("schemathesis", "schemathesis==4.32.5");

const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
].join(",");

export interface FuzzRun {
  requests: number;
  operations: number;
  /** Each failure with its request. */
  failures: readonly unknown[];
  errors: readonly unknown[];
  /** Operations that never passed the sign-in check: a fuzz that is always refused proves little. */
  refused: readonly string[];
}

export interface FuzzOptions {
  url: string;
  /** The headers of every request. */
  headers: Readonly<Record<string, string>>;
  /** Says whether an operation, such as `sops.update`, may be called. */
  includes(operationId: string): boolean;
  /** Existing ids, by the path that takes them: `/api/sops/` → [ids]. Unknown ids are tried too. */
  ids: Readonly<Record<string, readonly string[]>>;
  /** The number of generated requests for each operation, beside those for the edges of its parameters. */
  examples: number;
  seed: number;
}

/** @throws when schemathesis itself fails */
export async function fuzz({ url, headers, includes, ids, examples, seed }: FuzzOptions): Promise<FuzzRun> {
  await tool.install();
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-fuzz-"));
  try {
    const schema = path.join(dir, "openapi.json");
    const report = path.join(dir, "report.json");
    await writeFile(schema, JSON.stringify(documentFor(includes, ids)));
    const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const command = `run ${schema} --url ${url} --phases examples,coverage,fuzzing -n ${examples} --seed ${seed} --checks ${checks}
      --continue-on-failure --no-shrink --output-sanitize false --report json --report-json-path ${report}`;
    const output = await run([...command.split(/\s+/), ...sent], dir);
    const text = await readFile(report, "utf8").catch(() => {
      throw new Error(`schemathesis left no report: ${output.slice(-2000)}`);
    });
    const result = JSON.parse(text) as {
      complete: boolean;
      operations: { tested: number };
      test_cases: { generated: number };
      failures: unknown[];
      errors: unknown[];
      warnings: { missing_auth: string[] };
    };
    if (!result.complete) throw new Error(`schemathesis stopped early: ${output.slice(-2000)}`);
    return {
      requests: result.test_cases.generated,
      operations: result.operations.tested,
      failures: result.failures,
      errors: result.errors,
      refused: result.warnings.missing_auth,
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface Parameter {
  name: string;
  in: string;
  schema: Record<string, unknown>;
}
interface Operation {
  operationId: string;
  security?: unknown;
  parameters?: Parameter[];
}

/** Our document with the existing ids, but without the session: we send one, and the tool must not invent one. */
function documentFor(includes: FuzzOptions["includes"], ids: FuzzOptions["ids"]): object {
  const document = openApiDocument() as { paths: Record<string, Record<string, Operation>>; components: object };
  const paths: typeof document.paths = {};
  for (const [address, operations] of Object.entries(document.paths)) {
    const known = Object.entries(ids).find(([prefix]) => address.startsWith(`${prefix}{`))?.[1];
    for (const [method, { security: _, ...operation }] of Object.entries(operations)) {
      if (!includes(operation.operationId)) continue;
      const parameters = (operation.parameters ?? []).map((parameter) =>
        parameter.in === "path" && parameter.name === "id" && known
          ? { ...parameter, schema: { enum: [...known, "01970000-0000-7000-8000-000000000000", "x"] } }
          : parameter,
      );
      paths[address] = { ...paths[address], [method]: { ...operation, parameters } };
    }
  }
  const components = { ...document.components, securitySchemes: {} };
  return { ...document, paths, components };
}

function run(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(tool.bin, "st"), [...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.once("error", reject);
    child.once("exit", () => resolve(text));
  });
}
