#!/usr/bin/env node
// Looks at the version of Node, in old syntax, before anything that needs a new one is loaded.

var version = process.versions.node.split('.').map(Number);

if (version[0] < 24 || (version[0] === 24 && version[1] < 20)) {
  process.stderr.write(
    'sluice needs Node 24.20 or newer, and this is Node ' + process.versions.node +
    ': in a checkout use `npm start -- COMMAND`, which brings its own, or install a newer Node from https://nodejs.org\n'
  );
  process.exitCode = 2;
} else {
  import('../dist/cli/main.js').then(
    function (cli) {
      return cli.main(process.argv.slice(2)).then(function (code) {
        process.exitCode = code;
      });
    },
    function (error) {
      var missing = error && error.code === 'ERR_MODULE_NOT_FOUND';
      process.stderr.write(
        missing
          ? 'sluice is not built yet: run `npm run build` in its folder first\n'
          : 'internal error: the command could not be loaded. This is a fault of Sluice: please report it with the output of `node --version`\n'
      );
      if (process.env.SLUICE_DEBUG) console.error(error);
      process.exitCode = missing ? 2 : 70;
    }
  );
}
