/** The peer of `bench list`: Koa alone, answering the bytes it was started with. */
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import Koa from "koa";

const bytes = readFileSync(process.env["BODY_FILE"] ?? "");
const app = new Koa();
app.use((ctx) => {
  ctx.type = "application/json";
  ctx.body = bytes;
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("SIGTERM", () => server.close(() => process.exit(0)));
