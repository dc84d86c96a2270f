import { fault } from '../fault.ts';

export const semanticFaults = {
  semanticPlaceholder: fault<{ text: string }>({
    code: 'E2001',
    message: ({ text }) => text,
    help: null,
    explanation: '',
    wrong: '',
    right: '',
  }),
};
