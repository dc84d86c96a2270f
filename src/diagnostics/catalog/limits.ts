import { fault } from '../fault.ts';

export const limitFaults = {
  limitsPlaceholder: fault<{ text: string }>({
    code: 'E3001',
    message: ({ text }) => text,
    help: null,
    explanation: '',
    wrong: '',
    right: '',
  }),
};
