// The other way to the same values: JSON.parse, then a walk that hands every part to the module.
import { numericText } from '../../data/json-texts.js';

export const input = () => ({ text: numericText() });

export function main({ text }, helper) {
  return helper.run({ data: JSON.parse(text) }).result;
}
