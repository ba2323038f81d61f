export const usageTexts = {
  title: "Usage",
  today: "Today, with the server's key",
  personal: "This month, with your own key",
  company: "Your company this month, with the server's key",
  tokens: (tokens: string) => (tokens === "1" ? "1 token" : `${tokens} tokens`),
  tokensOf: (tokens: string, budget: string) => `${tokens} of ${budget} tokens`,
  calls: (calls: number) => (calls === 1 ? "1 call" : `${calls} calls`),
  until: (moment: string) => `Resets on ${moment}.`,
  estimate: (amount: string) => `About ${amount} this month: an estimate by your server's price list.`,
  unpriced: (tokens: string) => `Excludes ${tokens} tokens with no known price.`,
} as const;
