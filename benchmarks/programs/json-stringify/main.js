// The other way to the same text: the values as JavaScript objects, then JSON.stringify.
import { objectText } from '../../data/json-texts.js';

export const input = () => ({ text: objectText() });

export async function main({ text }, helper) {
  let length = 0;
  await helper.run({ text }).forEach((value) => {
    length += JSON.stringify(value).length;
  });
  return length;
}
