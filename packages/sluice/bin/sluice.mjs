#!/usr/bin/env node
// Looks at the version of Node, in old syntax, before anything that needs a new one is loaded.

var version = process.versions.node.split('.').map(Number);

if (version[0] < 24 || (version[0] === 24 && version[1] < 20)) {
  process.stderr.write(
    'sluice needs Node 24.20 or newer, and this is Node ' +
      process.versions.node +
      ': install a newer Node from https://nodejs.org, or in a clone of Sluice use `npm start -- COMMAND`, ' +
      'which brings its own\n',
  );
  process.exitCode = 2;
} else {
  import('../dist/cli.js').then(
    function (cli) {
      return cli.main(process.argv.slice(2)).then(function (code) {
        process.exitCode = code;
      });
    },
    function (error) {
      var missing = error && error.code === 'ERR_MODULE_NOT_FOUND';
      process.stderr.write(
        missing
          ? 'sluice is not whole: install it again, or in a clone of Sluice run `npm run build` first\n'
          : 'internal error: the command could not be loaded. This is a fault of Sluice: ' +
              'please report it with the output of `node --version`\n',
      );
      if (process.env.SLUICE_DEBUG) console.error(error);
      process.exitCode = missing ? 2 : 70;
    },
  );
}
