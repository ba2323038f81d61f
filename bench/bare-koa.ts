/** The peer of `bench list`: Koa alone. It answers the bytes given at its start, or writes their rows as JSON. */
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import Koa from "koa";

const bytes = readFileSync(process.env["BODY_FILE"] ?? "");
const body = process.env["BODY_AS"] === "rows" ? (JSON.parse(bytes.toString()) as object) : bytes;
const app = new Koa();
app.use((ctx) => {
  ctx.type = "application/json";
  ctx.body = body;
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("SIGTERM", () => server.close(() => process.exit(0)));
