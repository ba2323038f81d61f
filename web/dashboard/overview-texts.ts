export const overviewTexts = {
  status: "By Status",
  weeks: "Came Into Force",
  total: (count: number) => `${count === 1 ? "1 version" : `${count} versions`} in the last 12 weeks`,
  week: (monday: string, count: number) => `Week of ${monday}: ${count}`,
  thisWeek: "This week",
};
