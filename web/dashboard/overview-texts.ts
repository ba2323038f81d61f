export const overviewTexts = {
  status: "By Status",
  twice: (count: number) =>
    count === 1
      ? "1 is counted twice: it is in force, and its next version is being written."
      : `${count} are counted twice: they are in force, and their next versions are being written.`,
  weeks: "Came Into Force",
  total: (count: number) => `${count === 1 ? "1 version" : `${count} versions`} in the last 12 weeks`,
  week: (monday: string, count: number) => `Week of ${monday}: ${count}`,
  thisWeek: "This week",
};
