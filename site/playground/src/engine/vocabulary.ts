// Types of the package that the page uses, in one place.

import type { EmittedProgram, View } from 'sluice';

export type { Column, Extent, FunctionSize, View } from 'sluice';

export type Manifest = EmittedProgram['manifest'];
export type Parameter = NonNullable<Manifest['parameters']>[number];
export type TypeDescriptor = Parameter['type'];
export type Struct = Manifest['structs'][number];
export type ViewKind = View['kind'];
