// Loaded before anything else of a package: says so, in syntax that every Node with modules reads, where Node is too
// old.

var versions = typeof process === 'object' && process !== null && process.versions;

// Deno, Bun and others name the Node that they are like.
if (
  versions &&
  versions.node &&
  process.release &&
  process.release.name === 'node' &&
  !versions.deno &&
  !versions.bun
) {
  var parts = versions.node.split('.');
  if (+parts[0] < 24 || (+parts[0] === 24 && +parts[1] < 20)) {
    var error = new Error(
      'Sluice needs Node 24.20 or newer, and this is Node ' +
        versions.node +
        ': install a newer Node from https://nodejs.org',
    );
    error.stack = error.message;
    throw error;
  }
}
