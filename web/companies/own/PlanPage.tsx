import type { Output } from "../../api.ts";
import { planLabel } from "../plan-label.ts";
import { settingStyle } from "./Setting.tsx";
import { Topic } from "./Topic.tsx";
import { texts } from "./texts.ts";
import { topicTitleOf } from "./topics.ts";

type OwnCompany = Output<"company", "get">;

/** The plan, and how much of it is used. */
export function PlanPage({ company }: { company: OwnCompany }) {
  const { subscription, userCount, maxUsers, sopCount, maxSOPs, assetBytes, textBytes, maxBytes } = company;
  const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
  const facts = [
    [texts.plan, planLabel(subscription)],
    [texts.users, usageShareText(userCount, maxUsers)],
    [texts.sops, usageShareText(sopCount, maxSOPs)],
    [texts.files, texts.megabytes({ usage: usageShareText(megabytes(assetBytes + textBytes), megabytes(maxBytes)) })],
  ] as const;
  return (
    <Topic title={topicTitleOf("plan")}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name} className={`${settingStyle} flex flex-wrap justify-between gap-x-6`}>
            <dt className="font-medium">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Topic>
  );
}

function usageShareText(used: number, of: number): string {
  return texts.share({ used, of });
}
