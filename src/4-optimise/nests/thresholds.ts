// What a loop nest must be worth for something to be done about it. Nothing here is about what is right: tests have
// everything done that can be.

export interface NestThresholds {
  /** With fewer iterations of its outermost loop the nest is not worth what is done in front of it. */
  readonly fewestIterations: bigint;
  /** Nor with fewer inside, if nobody knows how many the outermost loop makes. */
  readonly fewestInside: bigint;
  /** So often an element is used, on average, for its copies to be worth it; 0 if that is not looked at. */
  readonly leastUses: bigint;
  /** Loops are jammed and nests are packed even if no gain by it is seen. */
  readonly takesAll: boolean;
}

export const usualThresholds: NestThresholds = {
  fewestIterations: 4n,
  fewestInside: 64n,
  leastUses: 4n,
  takesAll: false,
};

/** For tests: small nests are worked on too, in linear memory and in vectors where possible. */
export const eagerThresholds: NestThresholds = {
  fewestIterations: 1n,
  fewestInside: 1n,
  leastUses: 0n,
  takesAll: true,
};
