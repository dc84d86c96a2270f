// Settings of the compiler that more than one of its phases reads.

/**
 * After this many iterations of its loops a function returns and is called again, so that the engine can switch to
 * optimised code. The number is large enough that the cost of the new call (some 50 ns) does not show, and small enough
 * that so many iterations take well under a millisecond in baseline code.
 */
export const defaultIterationsPerCall = 16_384;

/**
 * How many bytes the frames of nested calls may take together, by estimate: half of the smallest stack that engines
 * give a thread.
 */
export const defaultDepth = 512 * 1024;

/**
 * How many bytes of the stack a frame takes: a slot of 8 bytes for each variable, and 64 beside them (measured on V8).
 */
export function stackFrame(variables: number): number {
  return 64 + 8 * variables;
}
