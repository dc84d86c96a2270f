// The packages as `import 'sluice'` finds them in this repository: links that `npm install` makes, where it has not
// been run since they came to be.

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { allPackages, packageFolder, root } from './entries.ts';

mkdirSync(`${root}node_modules`, { recursive: true });
for (const name of allPackages) {
  const link = `${root}node_modules/${name}`;
  if (!existsSync(link)) symlinkSync(packageFolder(name), link, 'junction');
}
