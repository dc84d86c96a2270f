// What hosts say of networks that are not public.

/** Which requests must go to public addresses, as the option `privateNetwork` says. */
export type PrivateNetwork = 'deny' | 'listed' | 'allow';
