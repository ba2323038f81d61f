/** Finds the folder of this program's package, and packages that can be added to it. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Returns the folder of the package, both for sources and for a build. */
export function packageFolder(): string {
  let at = import.meta.dirname;
  while (!existsSync(join(at, "package.json")) && at !== dirname(at)) at = dirname(at);
  return at;
}

/** Returns the npm command that adds the typesetter and its fonts; null if the program contains them. */
export function typesetterInstallCommand(): string | null {
  const folder = packageFolder();
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    peerDependencies?: Record<string, string>;
  };
  const packages = Object.entries(peerDependencies).filter(([name]) => isForPdf(name));
  if (packages.length === 0) return null;
  return `npm install ${npmInstallOption(folder)} ${packages.map(([name, version]) => `${name}@${version}`).join(" ")}`;
}

const compiler = "@myriaddreamin/typst-ts-node-compiler";

/** Says whether a package is needed for PDFs: the compiler, its binary for this system, or fonts. */
function isForPdf(name: string): boolean {
  if (!name.startsWith(`${compiler}-`)) return name === compiler || name.startsWith("@expo-google-fonts/");
  const { platform, arch } = process;
  const system = platform === "linux" ? `${platform}-${arch}-${hasGlibc() ? "gnu" : "musl"}` : `${platform}-${arch}`;
  return name.startsWith(`${compiler}-${system}`);
}

function hasGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

/** Returns the npm option that installs a package where this program can find it. */
function npmInstallOption(folder: string): string {
  const around = dirname(folder);
  const project = dirname(around);
  if (basename(around) !== "node_modules" || !existsSync(join(project, "package.json"))) return "--global";
  return `--prefix ${project}`;
}
