// The messages for faults of the network: a fixed vocabulary, so that no address and no text of the host reaches a
// script.

import type { NetworkFaultCode } from '../../platform/platform.ts';

export const networkFaults: Readonly<Record<NetworkFaultCode, string>> = {
  'no-such-host': 'the name of the host is not known',
  refused: 'the host refused the connection',
  reset: 'the connection was closed before the answer was whole',
  unreachable: 'the host cannot be reached',
  tls: 'the certificate of the host is not trusted, or TLS failed',
  malformed: 'the answer is no HTTP that can be read',
  encoded: 'the answer is compressed, which was not asked for',
  'not-told': 'the browser says no more: the host cannot be reached, redirects, or does not let this page ask it',
  'too-large': 'the answer is larger than a string can be',
  'not-text': 'the answer is not text in the encoding that it claims',
  unknown: 'the network reported a failure',
};
