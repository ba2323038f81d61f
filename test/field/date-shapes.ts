/**
 * Values that people and programs send for a date, with the day that each means; null: it could mean two days, or none.
 */
export const day = "2031-10-01";

export const shapes: readonly (readonly [input: unknown, means: string | null])[] = [
  [day, day],
  [`${day}T00:00:00Z`, day],
  [`${day}T00:00:00.000Z`, day],
  [`${day}T08:30:00.000Z`, null],
  [`${day}T00:00:00+02:00`, null],
  [`${day}T00:00:00`, null],
  [`${day} 00:00`, null],
  ["10/01/2031", null],
  ["1.10.2031", null],
  ["2031-02-30", null],
  [`${day}x`, null],
  [Date.parse(day), null],
];
