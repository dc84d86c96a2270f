// Where what threads share with those who wait for them stands in the array that both have.

export const signal = {
  /** Rows that are done. */
  rows: 0,
  /** 1 once the work is to stop. */
  stop: 1,
  /** How often the work has shown that it goes on. */
  signs: 2,
} as const;
