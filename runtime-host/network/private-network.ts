// The option for networks that are not public.

/** Which requests must go to public addresses: the values of the option `privateNetwork`. */
export type PrivateNetwork = 'deny' | 'listed' | 'allow';
