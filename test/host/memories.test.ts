// Scripts in an engine that has no room for another memory: a page of Chromium has room for about 125.

import { describe, expect, it } from 'vitest';
import { HostError, loadScript } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/index.ts';

/** Makes memories until the engine refuses one. */
function fillAddresses(): WebAssembly.Memory[] {
  const memories: WebAssembly.Memory[] = [];
  try {
    for (;;) memories.push(new WebAssembly.Memory({ initial: 1, maximum: 1 }));
  } catch {
    return memories;
  }
}

describe('an engine without room for another memory', () => {
  it('is said to be the cause, and runs the script once there is room', async () => {
    const { artifact } = await compile('test.slu', 'main() { double[] xs = [1.5, 2.5]; return xs; }');
    const script = await loadScript(artifact!.wasm);
    const memories = fillAddresses();
    expect(memories.length).toBeGreaterThan(0);
    const error: unknown = await script.run().result.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HostError);
    expect(String(error)).toBe('HostError: the engine has no room for another memory: too many scripts are kept');
    expect((error as HostError).cause).toBeInstanceOf(RangeError);
    memories.length = 0;
    expect(await script.run().result).toEqual(Float64Array.of(1.5, 2.5));
  });
});
