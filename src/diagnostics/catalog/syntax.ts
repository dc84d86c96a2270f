import { fault } from '../fault.ts';

export const syntaxFaults = {
  syntaxPlaceholder: fault<{ text: string }>({
    code: 'E1001',
    message: ({ text }) => text,
    help: null,
    explanation: '',
    wrong: '',
    right: '',
  }),
};
