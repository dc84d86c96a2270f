// How deep values may nest. A file of its own, so that a caller that needs only this loads nothing more.

/** Arrays, structs and json nest at most this deep in every walk through a value. */
export const deepestValue = 512;
