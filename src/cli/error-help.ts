// What helps after errors of scripts whose message alone does not say it.

interface Row {
  readonly error: string;
  readonly message: RegExp;
  readonly help: string;
}

const rows: readonly Row[] = [
  {
    error: 'KeyNotFoundError',
    message: /^there is no key /,
    help: 'j.has("key") asks whether a key is there, and j.getInt("key", 0) and its like take a default',
  },
  {
    error: 'TypeError',
    message: /^foreach needs an array, not an object$/,
    help: 'go through the keys of an object with foreach (string key in j.keys())',
  },
  {
    error: 'IndexOutOfBoundsError',
    message: /^index 0 is out of bounds for length 0$/,
    help: 'an empty array has no elements: xs.push(value) adds one, new int[n] makes an array of a length',
  },
];

export function errorHelp({ name, message }: { readonly name: string; readonly message: string }): readonly string[] {
  const row = rows.find((one) => one.error === name && one.message.test(message));
  return row === undefined ? [] : [row.help];
}
