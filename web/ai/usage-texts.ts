export const usageTexts = {
  title: "Usage",
  today: "Today, with the server's key",
  personal: "This month, with your own key",
  company: "Your company this month, with the server's key",
  tokens: (tokens: string) => (tokens === "1" ? "1 token" : `${tokens} tokens`),
  tokensOf: (tokens: string, budget: string) => `${tokens} of ${budget} tokens`,
  calls: (calls: number) => (calls === 1 ? "1 call" : `${calls} calls`),
  until: (moment: string) => `Starts again at 0 on ${moment}.`,
  estimate: (amount: string) => `About ${amount} this month: an estimate by your server's price list.`,
  unpriced: (tokens: string) => `${tokens} tokens of models without a price are not in it.`,
} as const;
