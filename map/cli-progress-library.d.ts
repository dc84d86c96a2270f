// The part of the library `cli-progress` that is used here: it comes without types.

declare module 'cli-progress' {
  export interface BarOptions {
    readonly format: string;
    readonly stream: NodeJS.WriteStream;
    readonly barsize: number;
    readonly hideCursor: boolean;
  }

  export class SingleBar {
    constructor(options: BarOptions);
    start(total: number, startValue: number): void;
    update(value: number, payload: Readonly<Record<string, string>>): void;
    stop(): void;
  }
}
