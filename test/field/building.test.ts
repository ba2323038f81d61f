/**
 * A building behind one address: its people sign in within five minutes in browsers that the server doesn't know, three
 * of a hundred with a typo, while a stranger there guesses. A usual run has 40 people, `bench field:building` has 300.
 */
import { expect, test } from "vitest";
import { count, recordFigure } from "../proof.ts";
import { describeServer, json, password } from "../server.ts";

const people = count({ usual: 40, proof: 300 });
const seconds = people;
const guessesASecond = 5;
const address = "203.0.113.7";

describeServer(
  "a building behind one address",
  (server) => {
    test("signs in while a stranger guesses there", async () => {
      const company = await server().company();
      const colleagues: string[] = [];
      for (let n = 0; n < people; n++) colleagues.push((await company.user("editor")).username);
      const signIn = async (username: string, secret: string, from = address) => {
        const body = JSON.stringify({ username, password: secret });
        const headers = { ...json, "x-forwarded-for": from };
        const { status } = await server().send({ method: "POST", path: "/api/auth/login", headers, body });
        return status;
      };
      // the building was in use before
      expect(await signIn((await company.user("manager")).username, password)).toBe(200);

      const tried = { guesses: 0, guessed: 0, refused: 0, out: 0 };
      /** Every other guess is at a colleague's name. */
      const guess = async (n: number) => {
        const username = n % 2 === 0 ? `unknown-${n}` : (colleagues[(n * 7) % people] ?? "");
        tried.guesses++;
        if ((await signIn(username, `Summer-${n}`)) === 200) tried.guessed++;
      };
      /** Who was refused in that second, and comes again in the next one. */
      let waiting: { username: string; since: number }[] = [];
      const enter = async (username: string, since: number, second: number) => {
        const status = await signIn(username, password);
        if (status === 200) return;
        tried.refused++;
        if (second - since < 60) waiting.push({ username, since });
        else tried.out++;
      };
      for (let second = 0; second < seconds + 60; second++) {
        if (second < seconds) for (let n = 0; n < guessesASecond; n++) await guess(second * guessesASecond + n);
        const again = waiting;
        waiting = [];
        for (const { username, since } of again) await enter(username, since, second);
        const username = colleagues[second];
        if (username !== undefined) {
          if (second % 33 === 0) await signIn(username, `${password} typo`);
          await enter(username, second, second);
        }
        server().clock.advance(1000);
      }
      recordFigure({ name: "people of a building locked out", value: tried.out, unit: `of ${people}`, goal: "= 0" });
      recordFigure({
        name: "right passwords that had to wait",
        value: tried.refused,
        unit: `of ${people}`,
        goal: "any",
      });
      recordFigure({
        name: "passwords guessed",
        value: tried.guessed,
        unit: `of ${tried.guesses} guesses`,
        goal: "= 0",
      });
      expect([tried.out, tried.guessed, waiting.length]).toEqual([0, 0, 0]);
      // nothing but the guesses brakes a stranger elsewhere
      expect(await signIn(colleagues[0] ?? "", password, "198.51.100.9")).toBe(200);
    }, 600_000);
  },
  { env: { TRUSTED_PROXIES: "1" } },
);
