// The other way to the same values: JSON.parse, then a walk that hands every part to the module.
import { objectText } from '../../data/json-texts.js';

export const input = () => ({ text: objectText() });

export function main({ text }, helper) {
  return helper.run({ data: JSON.parse(text) }).result;
}
