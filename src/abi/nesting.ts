// How deep values nest. By itself, so that who needs no more of values loads no more.

/** Arrays, structs and json nest at most so deep wherever they are walked through. */
export const deepestValue = 512;
