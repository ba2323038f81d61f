/** The Helm chart, rendered by Helm's own library and compared with the schemas of Kubernetes. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { Environment, readConfig } from "../server/config.ts";
import { deploy, done, helm, kubernetes, read } from "./deploy-files.ts";

const exec = promisify(execFile);

/** The oldest one that the schemas have, and the newest. */
const versions = ["1.25", "1.37"];
const url = { publicUrl: "https://sops.example.com" };
const secret = { secret: "keys" };

/** Prints what `helm lint` finds, and each rendering or its error. */
const script = `
import json, sys
import helm_python
chart, cases = sys.argv[1], json.loads(sys.argv[2])
def render(values):
    with helm_python.Chart.load(chart) as loaded:
        try:
            return {"text": "\\n---\\n".join(loaded.render(values, name="sops").values())}
        except Exception as error:
            return {"error": str(error)}
lint = helm_python.lint(chart, values=cases[0], strict=True)
print(json.dumps({"lint": lint, "made": [render(values) for values in cases]}))
`;

interface Printed {
  lint: { messages: { severity: number; error: string }[]; errors: string[] };
  made: { text?: string; error?: string }[];
}

interface Volume {
  name: string;
  mountPath: string;
}

interface Made {
  kind: string;
  spec: {
    volumeClaimTemplates: { metadata: { name: string } }[];
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
        containers: { env: { name: string; value: string }[]; volumeMounts: Volume[] }[];
      };
    };
  };
}

let folder: string;
beforeAll(async () => {
  await helm.install();
  await kubernetes.install();
  folder = mkdtempSync(path.join(tmpdir(), "sopwright-helm-"));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

async function rendered(...cases: readonly object[]): Promise<Printed> {
  const args = ["-c", script, deploy("helm/sopwright"), JSON.stringify(cases)];
  return JSON.parse((await exec(path.join(helm.bin, "python"), args)).stdout) as Printed;
}

/** @returns what each version refuses */
async function refusals(text: string): Promise<string[]> {
  const file = path.join(folder, "made.yaml");
  writeFileSync(file, text);
  const program = path.join(kubernetes.bin, "kubernetes-validate");
  const checked = versions.map((version) =>
    exec(program, ["--strict", "--quiet", "--no-warn", "-k", version, file]).then(
      () => [],
      (error: { stdout: string; stderr: string }) => [`${version}: ${error.stdout}${error.stderr}`],
    ),
  );
  return (await Promise.all(checked)).flat();
}

const setOf = (text = "") => {
  const made = text.split(/^---$/m).map((one) => parse(one) as Made | null);
  const found = made.find((one) => one?.kind === "StatefulSet");
  const pod = found?.spec.template.spec;
  const [container] = pod?.containers ?? [];
  return {
    kinds: made.flatMap((one) => one?.kind ?? []).sort(),
    claims: found?.spec.volumeClaimTemplates.map(({ metadata }) => metadata.name),
    shared: pod?.volumes.flatMap((one) => one.persistentVolumeClaim?.claimName ?? []),
    seconds: pod?.terminationGracePeriodSeconds,
    mounts: container?.volumeMounts.map(({ mountPath }) => mountPath),
    env: Object.fromEntries(container?.env.map(({ name, value }) => [name, value]) ?? []),
  };
};

test("Helm finds no fault, and each version of Kubernetes takes what it renders", { timeout: 120_000 }, async () => {
  const one = { ...url, ingress: { className: "nginx", tlsSecret: "tls" }, storage: { className: "fast" } };
  const more = { ...url, ...secret, replicas: 3 };
  const shared = { ...more, backups: { claim: "backups-of-all" } };
  const none = { ...url, backups: { size: "" } };
  const { lint, made } = await rendered(one, more, shared, none);
  expect([lint.errors, lint.messages.filter(({ severity }) => severity > 1)]).toEqual([[], []]);
  for (const { text, error } of made) {
    expect(error).toBeUndefined();
    expect(await refusals(text ?? "")).toEqual([]);
    const { kinds, env } = setOf(text);
    expect(kinds).toEqual(["Ingress", "Service", "StatefulSet"]);
    expect(text).toContain('host: "sops.example.com"');
    expect(Object.keys(env).filter((name) => !(name in Environment.shape))).toEqual([]);
    expect(readConfig({ HOST: "0.0.0.0", ...env })).toMatchObject({ ...url, trustedProxies: 1 });
  }
  // backups of one server on a volume of its own; of several, on one that all can mount
  const [first, ...others] = made.map(({ text }) => setOf(text));
  expect(first).toMatchObject({ claims: ["data", "backups"], shared: [], mounts: ["/data", "/backups", "/tmp"] });
  expect(first?.env["BACKUP_DIR"]).toBe("/backups");
  expect(others.map(({ claims, shared: claim, mounts, env }) => [claims, claim, mounts, env["BACKUP_DIR"]])).toEqual([
    [["data"], [], ["/data", "/tmp"], undefined],
    [["data"], ["backups-of-all"], ["/data", "/backups", "/tmp"], "/backups"],
    [["data"], [], ["/data", "/tmp"], undefined],
  ]);
  done("helm/sopwright", "checked", "helm and the schemas of Kubernetes");
});

test("refuses several servers without their secret, and a server without an address that starts with a scheme", async () => {
  const { made } = await rendered({ ...url, replicas: 2 }, {}, { publicUrl: "sops.example.com" });
  expect(made.map(({ error }) => error)).toEqual([
    expect.stringContaining("MONGODB_URI"),
    expect.stringContaining("publicUrl is missing"),
    expect.stringContaining("publicUrl starts with https://"),
  ]);
});

test("gives the server each setting as it was written, and time to drain", async () => {
  const settings = { COMPANY_BYTES: 1_073_741_824, DRAIN_SECONDS: 20, MAIL_FROM: 'the "SOPs" <sops@example.com>' };
  const { made } = await rendered({ ...url, settings });
  const { env, seconds } = setOf(made[0]?.text);
  const texts = { ...settings, COMPANY_BYTES: "1073741824", DRAIN_SECONDS: "20", TRUSTED_PROXIES: "1" };
  expect(env).toMatchObject(texts);
  expect(seconds).toBe(50);
});

test("the ingress has the host of an address with a port, and each annotation once", async () => {
  const size = "nginx.ingress.kubernetes.io/proxy-body-size";
  const ingress = { tlsSecret: "tls", annotations: { [size]: "1g", more: "yes" } };
  const { made } = await rendered({ publicUrl: "https://sops.example.com:8443", ingress });
  const text = made[0]?.text ?? "";
  // the parser refuses a key that comes twice
  const found = text
    .split(/^---$/m)
    .map((one) => parse(one) as Made | null)
    .find((one) => one?.kind === "Ingress");
  expect(found).toMatchObject({
    metadata: { annotations: { [size]: "1g", more: "yes" } },
    spec: { rules: [{ host: "sops.example.com" }], tls: [{ hosts: ["sops.example.com"] }] },
  });
});

test("the volumes stay the same without a pod: Kubernetes refuses to change them", async () => {
  const { made } = await rendered({ ...url, replicas: 0 }, url);
  const [none, one] = made.map(({ text }) => setOf(text).claims);
  expect(none).toEqual(one);
});

test("the schemas refuse an unknown field", async () => {
  const { made } = await rendered(url);
  const wrong = (made[0]?.text ?? "").replace("serviceName:", "serviceNam:");
  expect(await refusals(wrong)).toHaveLength(versions.length);
});

test("a formatter that takes an action for a map has broken no template", () => {
  for (const name of ["ingress.yaml", "service.yaml", "statefulset.yaml"])
    expect(read("helm/sopwright/templates", name)).not.toMatch(/\{ \{|\} \}/);
});

test("the chart never runs two versions on one database by a rolling update", () => {
  const text = read("helm/sopwright/templates", "statefulset.yaml");
  expect(text).toMatch(/^ {2}updateStrategy:\n {4}type: OnDelete$/m);
});
