// First step of every build, in old syntax: says in plain words what to do where Node is too old.

var version = process.versions.node.split('.').map(Number);

if (version[0] < 24 || (version[0] === 24 && version[1] < 20)) {
  console.error(
    'Sluice needs Node 24.20 or newer, and this is Node ' +
      process.versions.node +
      '.\n' +
      '`npm install` brings a fitting Node with it, unless optional dependencies are switched off:\n' +
      'run `npm install --include=optional`, or install a newer Node from https://nodejs.org',
  );
  process.exit(2);
}
