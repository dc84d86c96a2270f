// Settings of the compiler that more than one of its rooms goes by.

/**
 * After how many iterations of its loops a function stops and is called anew, so that an engine can put optimised code
 * in its place: so many that what is done between them (some 50 ns) does not show, so few that they pass in well under
 * a millisecond in baseline code.
 */
export const defaultIterationsPerCall = 16_384;

/**
 * How many bytes of frames, as they are estimated, calls may take together: half of what engines give a thread at
 * least.
 */
export const defaultDepth = 512 * 1024;
