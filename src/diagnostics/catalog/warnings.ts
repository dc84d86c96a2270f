import { fault } from '../fault.ts';

export const warnings = {
  warningsPlaceholder: fault<{ text: string }>({
    code: 'W5001',
    message: ({ text }) => text,
    help: null,
    explanation: '',
    wrong: '',
    right: '',
  }),
};
